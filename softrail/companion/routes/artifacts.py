"""The files of a project: list, give, take."""

from typing import Annotated

from fastapi import APIRouter, Path, Query, Request, Response

from softrail import Person
from softrail.companion.memory.values import Artifact
from softrail.companion.plugin import Companion
from softrail.companion.routes.projects import ProjectId
from softrail.companion.routes.schemas import UPLOAD, ArtifactView
from softrail.plugin import (
    INERT,
    Download,
    Limit,
    NotFound,
    Page,
    Parts,
    bad_cursor,
    disposition,
    is_id,
    known_id,
    uploaded,
)


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
        async with uploaded(request, parts.upload_limit, ("title", "type")) as upload:
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
        parts.streams.check(person.id)
        artifact, content = await companion.artifacts.open(person.id, known_id(artifact_id))
        return Download(
            parts.streams.counted(person.id, content),
            media_type=artifact.media_type,
            headers=described(artifact),
        )

    @router.head("/artifacts/{artifact_id}/download", include_in_schema=False)
    async def describe(artifact_id: str, person: Asker) -> Response:
        """What the file is called and how large it is, for whoever offers it."""
        artifact = await companion.artifacts.get(person.id, known_id(artifact_id))
        if artifact is None:
            raise NotFound()
        return Response(media_type=artifact.media_type, headers=described(artifact))

    @router.delete("/artifacts/{artifact_id}", status_code=204, summary="Erase a file")
    async def erase_artifact(
        artifact_id: Annotated[str, Path(description="The id of a file of a project you may change.")],
        person: Asker,
    ) -> Response:
        """Erases it for everybody in the project. It cannot be undone."""
        await companion.artifacts.erase(person.id, known_id(artifact_id))
        parts.dispatcher.nudge()
        return Response(status_code=204)

    return router


def described(artifact: Artifact) -> dict[str, str]:
    """The headers of a file: what it is called, how large it is, and that a browser saves it and runs nothing of it."""
    return {
        **INERT,
        "Content-Disposition": disposition(artifact.file_name),
        "Content-Length": str(artifact.size),
    }
