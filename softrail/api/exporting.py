"""Everything kept about a person, as one JSON document that is made and sent piece by piece.

Nothing of it is held as a whole: a history of any length costs a page of memory.
"""

from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from typing import Any, Final

from pydantic_core import to_json

from softrail.api.decisions import shown
from softrail.api.parts import Parts
from softrail.api.routes.sessions import history, item_views
from softrail.api.schemas import AttachmentView, Me
from softrail.core.errors import NotFound
from softrail.core.sessions import Session
from softrail.registry.discovery import EXPORTS, entries

BATCH: Final = 200  #: rows of one page
_CHUNK: Final = 65_536  #: bytes that are sent at once, about

Pieces = AsyncIterator[bytes]
Values = AsyncIterator[Any]


def export(parts: Parts, who: Me) -> AsyncGenerator[bytes, None]:
    """The document, in chunks. A plugin whose part cannot be made raises here, before anything is sent."""
    brought: dict[str, Pieces] = {}
    for part, entry in entries(parts.dispatcher.announced, EXPORTS):
        brought |= part.load(entry)(parts, who.id)
    return _chunks(_document(parts, who, brought))


async def _chunks(pieces: Pieces) -> AsyncGenerator[bytes, None]:
    waiting = bytearray()
    async for piece in pieces:
        waiting += piece
        if len(waiting) >= _CHUNK:
            yield bytes(waiting)
            waiting.clear()
    yield bytes(waiting)


async def _document(parts: Parts, who: Me, brought: Mapping[str, Pieces]) -> Pieces:
    yield b'{"person":' + to_json(who)
    yield b',"sessions":['
    first = True
    async for session in _sessions(parts, who.id):
        yield b"" if first else b","
        first = False
        async for piece in _session(parts, who.id, session):
            yield piece
    yield b'],"records":' + to_json(await parts.store.records(who.id))
    for name, pieces in brought.items():
        yield b"," + to_json(name) + b":"
        async for piece in pieces:
            yield piece
    yield b"}"


async def _session(parts: Parts, person_id: str, session: Session) -> Pieces:
    instances = await parts.store.instances(session.id)
    moves = await parts.store.transitions([i.id for i in instances]) if instances else []
    plain = {
        "id": session.id,
        "created_at": session.created_at,
        "last_turn_at": session.last_turn_at,
        "focus": session.memo.focus,
        "processes": [history(parts, instance, moves) for instance in instances],
    }
    lists = {
        "turns": _turns(parts, person_id, session.id),
        "decisions": _decisions(parts, person_id, session.id),
        "attachments": _files(parts, person_id, session.id),
    }
    async for piece in object_pieces(plain, lists):
        yield piece


# -- pages


async def _sessions(parts: Parts, person_id: str) -> AsyncIterator[Session]:
    before = None
    while found := await parts.store.sessions(person_id, before=before, limit=BATCH):
        for session in found:
            yield session
        before = found[-1].id


async def _turns(parts: Parts, person_id: str, session_id: str) -> Values:
    after = 0
    while found := await parts.store.items(person_id, session_id=session_id, after=after, limit=BATCH):
        for view in await item_views(parts, person_id, found):
            yield view
        after = found[-1].seq


async def _decisions(parts: Parts, person_id: str, session_id: str) -> Values:
    after = 0
    while found := await parts.store.decisions(person_id, session_id, after=after, limit=BATCH):
        for _, record in found:
            yield shown(record)
        after = found[-1][0]


async def _files(parts: Parts, person_id: str, session_id: str) -> Values:
    files, before = parts.dispatcher.parts.attachments, None
    while files is not None and (
        found := await files.list(person_id, session_id, before=before, limit=BATCH)
    ):
        for stored in found:
            yield AttachmentView.of(stored)
        before = found[-1].attachment.id


# -- JSON


async def object_pieces(plain: Mapping[str, Any], lists: Mapping[str, Values]) -> Pieces:
    """One object: values as they are, and lists that come item by item."""
    yield to_json(plain).removesuffix(b"}")
    for name, values in lists.items():
        yield b"," + to_json(name) + b":["
        first = True
        try:
            async for value in values:
                yield to_json(value) if first else b"," + to_json(value)
                first = False
        except NotFound:
            pass  # not theirs any more: the document ends well without the rest
        yield b"]"
    yield b"}"
