"""Everything kept about a person, as one JSON document that is made and sent piece by piece.

Nothing of it is held as a whole: a history of any length costs a page of memory.
"""

from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any, Final

from pydantic_core import to_json

from softrail.api.decisions import shown
from softrail.api.parts import Parts
from softrail.api.project_schemas import ArtifactView, GroupView, NoteView, ProjectPage
from softrail.api.routes.sessions import history, item_view
from softrail.api.schemas import Me
from softrail.companion.plugin import Companion
from softrail.companion.values import NoteState, ProjectDetail
from softrail.core.commits import Item
from softrail.core.errors import NotFound
from softrail.core.sessions import Session

BATCH: Final = 200  #: rows of one page
_CHUNK: Final = 65_536  #: bytes that are sent at once, about

Pieces = AsyncIterator[bytes]
Values = AsyncIterator[Any]


async def export(parts: Parts, who: Me) -> Pieces:
    """The document, in chunks."""
    waiting = bytearray()
    async for piece in _document(parts, who):
        waiting += piece
        if len(waiting) >= _CHUNK:
            yield bytes(waiting)
            waiting.clear()
    yield bytes(waiting)


async def _document(parts: Parts, who: Me) -> Pieces:
    yield b'{"person":' + to_json(who)
    yield b',"sessions":['
    first = True
    async for session in _sessions(parts, who.id):
        yield b"" if first else b","
        first = False
        async for piece in _session(parts, who.id, session):
            yield piece
    yield b'],"records":' + to_json(await parts.store.records(who.id))
    companion = parts.dispatcher.registry.find_service(Companion)
    if companion is not None:
        yield b',"projects":['
        for n, project in enumerate(await companion.projects.details(who.id)):
            yield b"," if n else b""
            async for piece in _project(companion, who.id, project):
                yield piece
        yield b"]"
    yield b"}"


async def _session(parts: Parts, person_id: str, session: Session) -> Pieces:
    instances = await parts.store.instances(session.id)
    moves = await parts.store.transitions([i.id for i in instances]) if instances else []
    plain = {
        "id": session.id,
        "created_at": session.created_at,
        "last_turn_at": session.last_turn_at,
        "processes": [history(parts, instance, moves) for instance in instances],
    }
    lists = {
        "turns": _turns(parts, person_id, session.id),
        "decisions": _decisions(parts, person_id, session.id),
    }
    async for piece in _object(plain, lists):
        yield piece


async def _project(companion: Companion, person_id: str, project: ProjectDetail) -> Pieces:
    lists = {
        "notes": _notes(companion, person_id, project.id),
        "groups": _groups(companion, person_id, project.id),
        "artifacts": _artifacts(companion, person_id, project.id),
    }
    async for piece in _object(ProjectPage.model_validate(project).model_dump(), lists):
        yield piece


# -- pages


async def _sessions(parts: Parts, person_id: str) -> AsyncIterator[Session]:
    before = None
    while found := await parts.store.sessions(person_id, before=before, limit=BATCH):
        for session in found:
            yield session
        before = found[-1].id


async def _items(parts: Parts, person_id: str, session_id: str) -> AsyncIterator[Item]:
    after = 0
    while found := await parts.store.items(person_id, session_id=session_id, after=after, limit=BATCH):
        for item in found:
            yield item
        after = found[-1].seq


async def _turns(parts: Parts, person_id: str, session_id: str) -> Values:
    async for item in _items(parts, person_id, session_id):
        yield item_view(item)


async def _decisions(parts: Parts, person_id: str, session_id: str) -> Values:
    last = None
    async for item in _items(parts, person_id, session_id):
        if item.turn_id != last:  # both items of a turn stand beside each other
            record = await parts.store.decision(person_id, session_id, item.turn_id)
            if record is not None:
                yield shown(record)
        last = item.turn_id


async def _notes(companion: Companion, person_id: str, project_id: str) -> Values:
    after = 0
    every: Sequence[NoteState] = ("waiting", "saved", "withdrawn")
    while found := await companion.notes.list(person_id, project_id, states=every, after=after, limit=BATCH):
        for note in found:
            yield NoteView.model_validate(note)
        after = found[-1].number


async def _groups(companion: Companion, person_id: str, project_id: str) -> Values:
    for group in (await companion.groups.list(person_id, project_id)).groups:
        yield GroupView.model_validate(group)


async def _artifacts(companion: Companion, person_id: str, project_id: str) -> Values:
    before = None
    while found := await companion.artifacts.list(person_id, project_id, before=before, limit=BATCH):
        for file in found:
            yield ArtifactView.model_validate(file)
        before = found[-1].id


# -- JSON


async def _object(plain: Mapping[str, Any], lists: Mapping[str, Values]) -> Pieces:
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
