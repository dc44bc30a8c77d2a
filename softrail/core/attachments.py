"""Files that people send into a session, as processes see them: described, their bytes read piece by piece."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, Protocol

from pydantic import BaseModel, ConfigDict, Field

from softrail.core.files import extension_of

FORMAT: Final = "attachment"  #: of a schema: what is wanted is the id of a file of the session
MOST: Final = 10  #: files that one turn may bring


class Attachment(BaseModel):
    """A file that a person sent: what it is called, what kind its name announces, how large it is.

    `turn.read(…)` and `turn.pieces(…)` give its bytes. In a text it stands as its name.
    """

    model_config = ConfigDict(frozen=True)

    id: str
    name: str
    media_type: str
    size: int = Field(ge=0)  #: bytes

    def __str__(self) -> str:
        """Its name, which is data: a person chose it."""
        return self.name


@dataclass(frozen=True, kw_only=True, slots=True)
class StoredAttachment:
    """A file as it is kept: whose it is, and since when."""

    attachment: Attachment
    session_id: str
    created_at: datetime


@dataclass(frozen=True, kw_only=True, slots=True)
class Wish:
    """Which files a question takes."""

    media: tuple[str, ...] = ()  #: such as "application/pdf" or "image/*"; none: any
    max_bytes: int | None = None  #: None: as large as may be uploaded

    @property
    def schema(self) -> dict[str, Any]:
        """For `pending.schema`: the answer is the id of a file of the session."""
        told: dict[str, Any] = {"type": "string", "format": FORMAT}
        if self.media:
            told["accept"] = list(self.media)
        if self.max_bytes is not None:
            told["maxBytes"] = self.max_bytes
        return told

    @property
    def kinds(self) -> str:
        """The kinds in words: "PDF, image"."""
        return ", ".join(_kind(media) for media in self.media)

    def takes(self, media_type: str) -> bool:
        """Whether a file of that kind is one of those that are wanted."""
        return not self.media or any(_matches(media_type, wanted) for wanted in self.media)


def wants_file(schema: dict[str, Any] | None) -> bool:
    """Whether a question with that schema asks for a file."""
    return schema is not None and schema.get("format") == FORMAT


def in_bytes(size: int) -> str:
    """A size as a person reads it: "3 MB"."""
    for unit, many in (("MB", 1_000_000), ("kB", 1_000)):
        if size >= many:
            return f"{size / many:.1f}".removesuffix(".0") + f" {unit}"
    return f"{size} bytes"


def _matches(media_type: str, wanted: str) -> bool:
    kind, _, rest = wanted.casefold().partition("/")
    return media_type.partition("/")[0] == kind if rest == "*" else media_type == wanted.casefold()


def _kind(media: str) -> str:
    kind, _, rest = media.partition("/")
    return kind if rest == "*" else extension_of(media).upper() or media


class Attachments(Protocol):
    """The files of sessions. A service of steps and handlers, too: what was erased is not there any more."""

    async def find(self, person_id: str, session_id: str, ids: Sequence[str]) -> Sequence[Attachment]:
        """Those of the ids that are files of that session of that person, in the order of the ids."""
        ...

    async def here(self, attachment: Attachment) -> bool:
        """The file has not been erased."""
        ...

    def pieces(self, attachment: Attachment) -> AsyncIterator[bytes]:
        """Its bytes, piece by piece. Raises NotFound when it was erased."""
        ...

    async def read(self, attachment: Attachment) -> bytes:
        """All its bytes at once. Raises NotFound when it was erased."""
        ...

    async def keep(
        self, person_id: str, session_id: str, name: str, content: AsyncIterator[bytes], *, id: str
    ) -> StoredAttachment:
        """Keep a file in a session of the person. Raises NotFound when there is no such session."""
        ...

    async def list(
        self, person_id: str, session_id: str, *, before: str | None, limit: int
    ) -> Sequence[StoredAttachment]:
        """The files of a session, newest first."""
        ...

    async def erase(self, person_id: str, session_id: str, id: str) -> bool:
        """Erase one file of a session; whether it was there."""
        ...
