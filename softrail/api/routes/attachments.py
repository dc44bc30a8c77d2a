"""The files of a session: list, upload, download, erase."""

from typing import Annotated, Any, Final
from uuid import UUID, uuid5

from fastapi import APIRouter, Header, Path, Query, Request, Response

from softrail.api.border import bad_cursor, known_id
from softrail.api.downloads import Download, begun
from softrail.api.parts import Parts
from softrail.api.routes.sessions import Limit, SessionId
from softrail.api.schemas import AttachmentView, Page
from softrail.api.uploads import INERT, uploaded
from softrail.core.attachments import Attachment, Attachments
from softrail.core.border import is_id
from softrail.core.errors import NotFound
from softrail.core.files import disposition, pieces_of
from softrail.core.people import Person

UPLOAD: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "content": {
            "multipart/form-data": {
                "schema": {
                    "type": "object",
                    "required": ["file"],
                    "properties": {"file": {"type": "string", "format": "binary"}},
                },
                "example": {"file": "(the file)"},
            }
        },
    }
}
UploadKey = Annotated[
    str | None,
    Header(
        alias="Idempotency-Key",
        min_length=1,
        max_length=128,
        description="Your id of this upload. The same again is the same file.",
    ),
]
_UPLOADS: Final = UUID("4c2ce1c5-0a32-5f0e-9a51-5cf3cf0a2f5c")
_LATELY: Final = (
    50  #: files among which one that is sent again is looked for; an older one is kept anew, by the same id
)
AttachmentId = Annotated[str, Path(description="The id of a file of the session.")]


def attachments(parts: Parts) -> APIRouter:
    """The routes of files that are sent into sessions; none where the application keeps no files."""
    router = parts.router("Attachments", 404, 413, 422)
    files = parts.dispatcher.parts.attachments
    if files is not None:
        _add_routes(router, parts, files)
    return router


def _add_routes(router: APIRouter, parts: Parts, files: Attachments) -> None:
    new = parts.dispatcher.parts.ids.new
    Asker = Annotated[Person, parts.person]  # noqa: N806 - a type, made here because it needs `parts`

    async def own(person: Person, session_id: str) -> str:
        session = await parts.store.session(person.id, known_id(session_id))
        if session is None:
            raise NotFound()
        return session.id

    async def one(person: Person, session_id: str, attachment_id: str) -> Attachment:
        here = await own(person, session_id)
        found = await files.find(person.id, here, [known_id(attachment_id)])
        if not found:
            raise NotFound()
        return found[0]

    @router.get("/sessions/{session_id}/attachments", summary="The files of a session, newest first")
    async def list_attachments(
        session_id: SessionId,
        person: Asker,
        before: Annotated[str | None, Query(description="`next` of the page before.")] = None,
        limit: Limit = 50,
    ) -> Page[AttachmentView]:
        here = await own(person, session_id)
        if before is not None and not (is_id(before) and await files.find(person.id, here, [before])):
            raise bad_cursor()
        found = await files.list(person.id, here, before=before, limit=limit + 1)
        items = [AttachmentView.of(stored) for stored in found[:limit]]
        return Page(items=items, next=items[-1].id if len(found) > limit else None)

    @router.post(
        "/sessions/{session_id}/attachments", status_code=201, summary="Upload a file", openapi_extra=UPLOAD
    )
    async def add_attachment(
        session_id: SessionId, request: Request, person: Asker, idempotency_key: UploadKey = None
    ) -> AttachmentView:
        """A file for the conversation. Nothing is said of it until a turn brings its id, in `attachments`.

        With the header `Idempotency-Key` it is safe to send again: the file is kept once.
        """
        here = await own(person, session_id)  # before a large body is read
        wanted = str(uuid5(uuid5(_UPLOADS, here), idempotency_key)) if idempotency_key else None
        async with uploaded(request, parts.upload_limit) as upload:
            for stored in await files.list(person.id, here, before=None, limit=_LATELY):
                if stored.attachment.id == wanted:
                    return AttachmentView.of(stored)
            stored = await files.keep(
                person.id, here, upload.file_name, pieces_of(upload.content), id=wanted or new()
            )
        return AttachmentView.of(stored)

    @router.get(
        "/sessions/{session_id}/attachments/{attachment_id}/download",
        summary="Download a file",
        response_class=Response,
        responses={200: {"content": {"*/*": {}}, "description": "The file, as what its name says it is"}},
    )
    async def download_attachment(
        session_id: SessionId, attachment_id: AttachmentId, person: Asker
    ) -> Response:
        """The file as it was sent, to be saved, never shown or run."""
        parts.streams.check(person.id)
        file = await one(person, session_id, attachment_id)
        headers = {
            **INERT,
            "Content-Disposition": disposition(file.name),
            "Content-Length": str(file.size),
        }
        counted = parts.streams.counted(person.id, await begun(files.pieces(file)))
        return Download(counted, media_type=file.media_type, headers=headers)

    @router.delete(
        "/sessions/{session_id}/attachments/{attachment_id}", status_code=204, summary="Erase a file"
    )
    async def erase_attachment(session_id: SessionId, attachment_id: AttachmentId, person: Asker) -> None:
        """Its bytes are gone at once. A process that has it as an answer asks for it again."""
        file = await one(person, session_id, attachment_id)
        await files.erase(person.id, session_id, file.id)
