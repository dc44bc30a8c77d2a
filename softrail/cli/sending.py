"""Files that are sent into the conversation from a terminal: `/upload FILE` where a question asks for one."""

from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from softrail.core.attachments import Attachment, wants_file
from softrail.core.clock import now
from softrail.core.errors import BadRequest
from softrail.core.files import UPLOAD_LIMIT, pieces_of
from softrail.core.people import Person
from softrail.core.sessions import Session

if TYPE_CHECKING:
    from softrail.turns.dispatcher import Dispatcher


class Sending:
    """Keeps files of this machine in a person's session."""

    def __init__(self, application: "Dispatcher", person: Person, *, limit: int = UPLOAD_LIMIT) -> None:
        self._application = application
        self._person = person
        self._limit = limit

    async def upload(self, path: Path, session_id: str | None) -> tuple[str, Attachment]:
        """The session, opened where there is none, and the file in it. Raises BadRequest."""
        files, ids = self._application.parts.attachments, self._application.parts.ids
        if files is None:
            raise BadRequest("This application keeps no files.")
        try:
            with _opened(path, self._limit) as file:
                here = session_id or await self.session()
                kept = await files.keep(self._person.id, here, path.name, pieces_of(file), id=ids.new())
        except OSError as error:
            raise BadRequest(f"{path} cannot be read: {error.strerror or error}.") from error
        return here, kept.attachment

    async def wanted(self, session_id: str | None) -> bool:
        """The question that is open in that session asks for a file."""
        here = await self._application.store.session(self._person.id, session_id) if session_id else None
        return (
            here is not None and here.pending is not None and wants_file(here.pending.question.answer_schema)
        )

    async def session(self) -> str:
        """A new session of the person."""
        session = Session(id=self._application.parts.ids.new(), person_id=self._person.id, created_at=now())
        await self._application.store.open_session(session)
        return session.id


def _opened(path: Path, limit: int) -> BinaryIO:
    if path.is_file() and path.stat().st_size > limit:
        raise BadRequest(f"{path} is too large: a file may have {limit} bytes.")
    return path.open("rb")
