"""Durable changes of the companion: made as values by a turn, applied by handlers inside its commit.

Rights are checked in the transaction again. A handler that may not go on raises, and the turn is refused whole.
"""

from collections.abc import Mapping
from typing import Final

from pydantic import BaseModel, ConfigDict

from softrail import Effect
from softrail.companion.memory import artifacts, jobs, notes, projects, undoing
from softrail.companion.memory.artifacts import Kept, NewArtifact
from softrail.companion.memory.rights import locked, require
from softrail.companion.memory.values import (
    Author,
    AuthorKind,
    NewProject,
    Note,
    NoteState,
    ProjectDetail,
    ProjectWish,
)
from softrail.plugin import EffectHandler, EffectTransaction


class _Payload(BaseModel):
    """What an effect carries: JSON, so that it can be kept beside the turn."""

    model_config = ConfigDict(extra="forbid")


class NoteSaved(_Payload):
    """A note to be written."""

    project_id: str
    text: str
    state: NoteState = "waiting"
    author_kind: AuthorKind = "companion"
    author_name: str = "Companion"


class Was(_Payload):
    """How a note stood before it was changed; the text only where that changes."""

    state: NoteState
    text: str | None = None


class NoteChanged(_Payload):
    """What is to become of a note."""

    project_id: str
    number: int
    text: str | None = None
    state: NoteState | None = None
    to_project: str | None = None
    was: Was | None = None


class TurnUndone(_Payload):
    """The turn of this session whose effects are taken back."""

    seq: int


class ProjectCreated(_Payload):
    """A project to be created, with what belongs to it from the start."""

    id: str
    name: str
    description: str = ""
    repository: str | None = None
    main: bool = False
    seed: dict[str, object] = {}
    specification: str | None = None
    notes: list[str] = []


class ProjectChanged(_Payload):
    """What is to become of a project, and how it stood; only what changes is named."""

    project_id: str
    name: str | None = None
    archived: bool | None = None
    was_name: str | None = None
    was_archived: bool | None = None


class ProjectChosen(_Payload):
    """The project that the session goes on with, and the one it was about before."""

    project_id: str
    before: str | None = None


class ArtifactStored(_Payload):
    """A file to be described; its content is kept already."""

    id: str
    project_id: str
    title: str
    type: str
    file_name: str
    sha256: str
    size: int
    author_kind: AuthorKind = "companion"
    author_name: str = "Companion"


class OrganiseRequested(_Payload):
    """A job to be begun."""

    project_id: str
    job_id: str


def note_saved(
    project_id: str, text: str, *, state: NoteState, author_kind: AuthorKind, author_name: str
) -> Effect:
    """A note, written when the turn commits."""
    payload = NoteSaved(
        project_id=project_id, text=text, state=state, author_kind=author_kind, author_name=author_name
    )
    words = "Note kept, waiting for your word" if state == "waiting" else "Note saved"
    return Effect(kind="note_saved", summary=words, payload=payload.model_dump())


def note_changed(
    project_id: str,
    number: int,
    *,
    text: str | None,
    state: NoteState | None,
    to_project: str | None,
    was: Note | None = None,
) -> Effect:
    """A change of a note, made when the turn commits; refused then, if it does not stand as it was any more."""
    before = Was(state=was.state, text=was.text if text is not None else None) if was is not None else None
    payload = NoteChanged(
        project_id=project_id, number=number, text=text, state=state, to_project=to_project, was=before
    )
    if to_project is not None:
        done = "moved"
    elif state in ("saved", "withdrawn"):
        done = state
    else:
        done = "changed"
    return Effect(kind="note_changed", summary=f"Note {number} {done}", payload=payload.model_dump())


def project_created(new: NewProject) -> Effect:
    """A project with all that belongs to it from the start."""
    payload = ProjectCreated(
        id=new.id,
        name=new.name,
        description=new.description,
        repository=new.repository,
        main=new.main,
        seed=dict(new.seed),
        specification=new.specification,
        notes=list(new.notes),
    )
    return Effect(
        kind="project_created",
        summary=f"Project {new.name} created",
        payload=payload.model_dump(mode="json"),
    )


def project_changed(was: ProjectDetail, wish: ProjectWish) -> Effect:
    """A project's name or whether it is put aside, changed when the turn commits; refused if it was changed since."""
    payload = ProjectChanged(
        project_id=was.id,
        name=wish.name,
        archived=wish.archived,
        was_name=was.name if wish.name is not None else None,
        was_archived=was.archived if wish.archived is not None else None,
    )
    if wish.name is not None:
        done = f"Project {was.name} renamed to {wish.name}"
    else:
        done = f"Project {was.name} {'archived' if wish.archived else 'brought back'}"
    return Effect(kind=undoing.CHANGED, summary=done, payload=payload.model_dump())


def project_chosen(project: ProjectDetail, before: str | None) -> Effect:
    """The session goes on with that project; changes nothing in it."""
    payload = ProjectChosen(project_id=project.id, before=before)
    return Effect(
        kind=undoing.CHOSEN,
        summary=f"Project {project.name} chosen",
        payload=payload.model_dump(),
        ref=project.id,
    )


def artifact_stored(new: NewArtifact, kept: Kept, *, author_kind: AuthorKind, author_name: str) -> Effect:
    """A file, described when the turn commits."""
    payload = ArtifactStored(
        id=new.id,
        project_id=new.project_id,
        title=new.title,
        type=new.type,
        file_name=new.file_name,
        sha256=kept.sha256,
        size=kept.size,
        author_kind=author_kind,
        author_name=author_name,
    )
    return Effect(kind="artifact_stored", summary=f"{new.title} stored", payload=payload.model_dump())


def organise_requested(project_id: str, job_id: str) -> Effect:
    """A job that organises the notes, begun when the turn commits."""
    payload = OrganiseRequested(project_id=project_id, job_id=job_id)
    return Effect(kind="organise_requested", summary="Organising your notes", payload=payload.model_dump())


def _save_note(tx: EffectTransaction, effect: Effect) -> str:
    wanted = NoteSaved.model_validate(effect.payload)
    project = locked(tx, tx.person_id, wanted.project_id)
    author = Author(kind=wanted.author_kind, name=wanted.author_name)
    number = notes.add(
        tx, project, wanted.text, state=wanted.state, author=author, origin=_origin(tx), at=tx.at
    )
    return str(number)


def _change_note(tx: EffectTransaction, effect: Effect) -> str:
    wanted = NoteChanged.model_validate(effect.payload)
    where = (tx, tx.person_id, wanted.project_id, wanted.number)
    if wanted.was is not None:
        undoing.must_stand(*where, state=wanted.was.state, text=wanted.was.text)
    if wanted.text is not None or wanted.state is not None or wanted.to_project is None:
        notes.change(*where, text=wanted.text, state=wanted.state, at=tx.at)
    if wanted.to_project is None:
        return str(wanted.number)
    return str(notes.move(*where, wanted.to_project, at=tx.at).number)


def _create_project(tx: EffectTransaction, effect: Effect) -> str:
    wanted = ProjectCreated.model_validate(effect.payload)
    new = NewProject(**wanted.model_dump())
    projects.create(tx, tx.person_id, new, _origin(tx), at=tx.at)
    return new.id


def _change_project(tx: EffectTransaction, effect: Effect) -> str:
    wanted = ProjectChanged.model_validate(effect.payload)
    undoing.project_must_stand(
        tx, tx.person_id, wanted.project_id, name=wanted.was_name, archived=wanted.was_archived
    )
    projects.change(tx, tx.person_id, wanted.project_id, name=wanted.name, archived=wanted.archived, at=tx.at)
    return wanted.project_id


def _choose_project(tx: EffectTransaction, effect: Effect) -> str:
    wanted = ProjectChosen.model_validate(effect.payload)
    require(tx, tx.person_id, wanted.project_id)
    return wanted.project_id


def _store_artifact(tx: EffectTransaction, effect: Effect) -> str:
    wanted = ArtifactStored.model_validate(effect.payload)
    locked(tx, tx.person_id, wanted.project_id)
    new = NewArtifact(
        id=wanted.id,
        project_id=wanted.project_id,
        title=wanted.title,
        type=wanted.type,
        file_name=wanted.file_name,
    )
    author = Author(kind=wanted.author_kind, name=wanted.author_name)
    kept = Kept(sha256=wanted.sha256, size=wanted.size)
    return artifacts.add(tx, new, kept, author=author, told_by=tx.person_id, at=tx.at).href


def _begin_organising(tx: EffectTransaction, effect: Effect) -> str:
    wanted = OrganiseRequested.model_validate(effect.payload)
    return jobs.request(tx, tx.person_id, wanted.project_id, wanted.job_id, tx.at).id


def _undo(tx: EffectTransaction, effect: Effect) -> str:
    wanted = TurnUndone.model_validate(effect.payload)
    undoing.undo(tx, tx.person_id, tx.session_id, wanted.seq, at=tx.at)
    return str(wanted.seq)


def turn_undone(seq: int, summary: str) -> Effect:
    """Everything that turn changed, taken back when this turn commits."""
    return Effect(kind=undoing.UNDONE, summary=summary, payload=TurnUndone(seq=seq).model_dump())


def _origin(tx: EffectTransaction) -> notes.Origin:
    return notes.Origin(
        person_id=tx.person_id, session_id=tx.session_id, seq=max(tx.seq, 0) or None, turn_id=tx.turn_id
    )


HANDLERS: Final[Mapping[str, EffectHandler]] = {
    "note_saved": _save_note,
    "note_changed": _change_note,
    "project_created": _create_project,
    "artifact_stored": _store_artifact,
    "organise_requested": _begin_organising,
    undoing.CHANGED: _change_project,
    undoing.CHOSEN: _choose_project,
    undoing.UNDONE: _undo,
}
