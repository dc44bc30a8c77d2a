"""What the companion keeps of a person, for `GET /me/export`: announced under `softrail.exports`."""

from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any, Final

from softrail.companion.memory.values import NoteState, ProjectDetail
from softrail.companion.plugin import Companion
from softrail.companion.routes.schemas import ArtifactView, GroupView, NoteView, ProjectPage
from softrail.plugin import Parts, object_pieces

BATCH: Final = 200  #: rows of one page

Pieces = AsyncIterator[bytes]
Values = AsyncIterator[Any]


def of_person(parts: Parts, person_id: str) -> Mapping[str, Pieces]:
    """The person's projects, with all that is in them."""
    return {"projects": _projects(parts.service(Companion), person_id)}


async def _projects(companion: Companion, person_id: str) -> Pieces:
    yield b"["
    for n, project in enumerate(await companion.projects.details(person_id)):
        yield b"," if n else b""
        async for piece in _project(companion, person_id, project):
            yield piece
    yield b"]"


async def _project(companion: Companion, person_id: str, project: ProjectDetail) -> Pieces:
    lists = {
        "notes": _notes(companion, person_id, project.id),
        "groups": _groups(companion, person_id, project.id),
        "artifacts": _artifacts(companion, person_id, project.id),
    }
    async for piece in object_pieces(ProjectPage.model_validate(project).model_dump(), lists):
        yield piece


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
