"""The files of a project: list, give, take."""

from typing import Annotated

from fastapi import APIRouter, Path, Query, Request, Response

from softrail import Person
from softrail.companion.files import disposition
from softrail.companion.plugin import Companion
from softrail.companion.routes.projects import ProjectId
from softrail.companion.routes.schemas import UPLOAD, ArtifactView
from softrail.plugin import Limit, Page, Parts, bad_cursor, is_id, known_id, read_upload

#: A browser saves what it gets and runs nothing of it, whatever it holds.
_INERT = {
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": "default-src 'none'; sandbox",
    "Cache-Control": "private, no-store",
}


def artifacts(parts: Parts, companion: Companion) -> APIRouter:
    """The routes of files."""
    router = parts.router("Files", 403, 404, 413, 422)
    Asker = Annotated[Person, parts.person]  # noqa: N806 - a type, made here because it needs `parts`

    async def is_one_of(person: Person, project_id: str, artifact_id: str) -> bool:
        """Whether that is a file of the project."""
        found = await companion.artifacts.get(person.id, artifact_id) if is_id(artifact_id) else None
        return found is not None and found.project_id == project_id

    @router.get("/projects/{project_id}/artifacts", summary="The files, newest first")
    async def list_artifacts(
        project_id: ProjectId,
        person: Asker,
        before: Annotated[str | None, Query(description="`next` of the page before.")] = None,
        limit: Limit = 50,
    ) -> Page[ArtifactView]:
        here = known_id(project_id)
        await companion.projects.must(person.id, here)  # who is not in it learns nothing of a cursor
        if before is not None and not await is_one_of(person, here, before):
            raise bad_cursor()
        found = await companion.artifacts.list(person.id, here, before=before, limit=limit + 1)
        items = [ArtifactView.model_validate(one) for one in found[:limit]]
        return Page(items=items, next=items[-1].id if len(found) > limit else None)

    @router.post(
        "/projects/{project_id}/artifacts", status_code=201, summary="Give a file", openapi_extra=UPLOAD
    )
    async def add_artifact(project_id: ProjectId, request: Request, person: Asker) -> ArtifactView:
        here = known_id(project_id)
        await companion.projects.must(person.id, here, "member")  # before a large body is read
        upload = await read_upload(request, parts.upload_limit, ("title", "type"))
        stored = await companion.artifacts.store(
            person.id,
            here,
            title=upload.fields["title"],
            type=upload.fields["type"],
            file_name=upload.file_name,
            content=upload.content,
        )
        return ArtifactView.model_validate(stored)

    @router.get(
        "/artifacts/{artifact_id}/download",
        summary="Take a file",
        response_class=Response,
        responses={200: {"content": {"*/*": {}}, "description": "The file, as what its name says it is"}},
    )
    async def download(
        artifact_id: Annotated[str, Path(description="The id of a file of a project you are in.")],
        person: Asker,
    ) -> Response:
        """The file as it was given, to be saved, never shown or run."""
        artifact, content = await companion.artifacts.read(person.id, known_id(artifact_id))
        headers = {**_INERT, "Content-Disposition": disposition(artifact.file_name)}
        return Response(content, media_type=artifact.media_type, headers=headers)

    return router
