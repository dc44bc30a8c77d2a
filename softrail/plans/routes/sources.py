"""Files of data over HTTP: attached, looked at, erased."""

from typing import Annotated, Any, Final

from fastapi import APIRouter, Path, Request, Response

from softrail import Person
from softrail.plans.data.files import Files
from softrail.plans.data.sources import Sources
from softrail.plans.routes.schemas import SourceView, source_view
from softrail.plugin import INERT, NotFound, Page, Parts, disposition, known_id, uploaded

_FORM: Final[dict[str, Any]] = {
    "requestBody": {
        "required": True,
        "content": {
            "multipart/form-data": {
                "schema": {
                    "type": "object",
                    "required": ["file", "name"],
                    "properties": {
                        "file": {"type": "string", "format": "binary"},
                        "name": {"type": "string", "minLength": 1, "maxLength": 200},
                    },
                },
                "example": {"file": "(the file)", "name": "sales.csv"},
            }
        },
    }
}
SessionId = Annotated[str, Path(description="The id of a session of yours.")]


def sources(parts: Parts) -> APIRouter:
    """The routes of sources."""
    router = parts.router("Plans", 404, 413, 422)
    kept = parts.service(Sources)
    Asker = Annotated[Person, parts.person]  # noqa: N806 - a type, made here because it needs `parts`

    @router.post(
        "/sessions/{session_id}/sources", status_code=201, summary="Attach data", openapi_extra=_FORM
    )
    async def attach_source(session_id: SessionId, request: Request, person: Asker) -> SourceView:
        """A file of data for plans: CSV, JSON, Parquet, XLSX or SQLite. One of the same name is replaced."""
        session = await parts.own_session(person, known_id(session_id))
        async with uploaded(request, kept.largest, ("name",)) as upload:
            name = upload.fields["name"].strip() or upload.file_name
            source = await kept.attach(session.id, person.id, name, upload.content)
        return source_view(source)

    @router.get("/sessions/{session_id}/sources", summary="The attached data")
    async def list_sources(session_id: SessionId, person: Asker) -> Page[SourceView]:
        session = await parts.own_session(person, known_id(session_id))
        return Page(items=[source_view(one) for one in await kept.of(session.id)], next=None)

    @router.delete(
        "/sessions/{session_id}/sources/{source_id}", status_code=204, summary="Erase attached data"
    )
    async def erase_source(
        session_id: SessionId,
        source_id: Annotated[str, Path(description="The id of a source of that session.")],
        person: Asker,
    ) -> Response:
        """Erases the file and what was read of it. Facts that were found in it stay."""
        session = await parts.own_session(person, known_id(session_id))
        if not await kept.erase(session.id, known_id(source_id)):
            raise NotFound()
        return Response(status_code=204)

    @router.get(
        "/sessions/{session_id}/artifacts/{file_id}",
        summary="Take a chart or a table",
        response_class=Response,
        responses={200: {"content": {"*/*": {}}, "description": "The file, as what its name says it is"}},
    )
    async def take_file(
        session_id: SessionId,
        file_id: Annotated[str, Path(description="As the `ref` of a fact has it.")],
        person: Asker,
    ) -> Response:
        """A file that a step has made, where the conversation has no project: to be saved, never shown or run."""
        session = await parts.own_session(person, known_id(session_id))
        found = await parts.service(Files).find(session.id, known_id(file_id))
        if found is None:
            raise NotFound()
        name, kind, content = found
        return Response(content, media_type=kind, headers={**INERT, "Content-Disposition": disposition(name)})

    # For whoever offers it, by its name and its size: a server sends no body in answer to this method.
    router.head("/sessions/{session_id}/artifacts/{file_id}", include_in_schema=False)(take_file)

    return router
