"""Takes back what the last turn of a session did: all of it or nothing, once, and only while nothing was built on it."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from sqlalchemy import bindparam, select

from softrail.companion.memory import notes, projects
from softrail.companion.memory.rights import Database, locked
from softrail.companion.memory.spoken import newest_turn
from softrail.companion.memory.values import Note, NoteState, ProjectDetail
from softrail.plugin import effects_table as effects

UNDONE: Final = "turn_undone"  #: the kind of the effect
CHANGED: Final = "project_changed"
CHOSEN: Final = "project_chosen"
_LOOKED_AT: Final = 100  #: effects back from the newest
_KEPT: Final = (UNDONE, "download_ready")  #: kinds that changed nothing
_MADE: Final = (
    select(effects)
    .where(effects.c.session_id == bindparam("of_session"), effects.c.person_id == bindparam("of_person"))
    .where(effects.c.seq == bindparam("of_turn"))
    .order_by(effects.c.n)
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Change:
    """One note that a turn made or changed: how it stood before, and how the turn left it."""

    project_id: str
    number: int
    before: NoteState  #: "withdrawn" for one that the turn made
    after: NoteState | None  #: None: its state was not changed
    text_before: str | None = None
    text_after: str | None = None
    made: bool = False  #: the turn made it

    @property
    def became(self) -> NoteState | None:
        """What became of a note that was there before; None of one that was made, or only has another text."""
        return None if self.made or self.after in (self.before, "waiting") else self.after

    def stands(self, note: Note) -> bool:
        """The note is as the turn left it."""
        return _stands(note, state=self.after, text=self.text_after)


@dataclass(frozen=True, kw_only=True, slots=True)
class ProjectChange:
    """One project that a turn made or changed; only what it changed is named."""

    project_id: str
    name_before: str | None = None
    name_after: str | None = None
    archived_before: bool | None = None
    archived_after: bool | None = None
    made: bool = False  #: the turn created it: it is put aside, and nothing of it is lost

    def stands(self, project: ProjectDetail) -> bool:
        """The project is as the turn left it."""
        return self.name_after in (None, project.name) and self.archived_after in (None, project.archived)


@dataclass(frozen=True, kw_only=True, slots=True)
class Done:
    """What one turn did."""

    seq: int
    changes: Sequence[Change]
    projects: Sequence[ProjectChange] = ()
    chose: str | None = None  #: the project it went on with
    left: str | None = None  #: the one the session was about before that
    fixed: Sequence[str] = ()  #: what it did besides and cannot be taken back, in words


def last(db: Database, person_id: str, session_id: str) -> Done | None:
    """What the newest turn of a session did; None when it did nothing, or only took something back."""
    seq = newest_turn(db, person_id, session_id)
    found = _done(db, person_id, session_id, seq) if seq is not None else None
    if found is None or not (found.changes or found.projects or found.fixed or found.chose):
        return None
    return found


def before(db: Database, person_id: str, session_id: str) -> Sequence[str]:
    """What the session changed last and did not take back, however long ago, in words."""
    made = (effects.c.session_id == session_id) & (effects.c.person_id == person_id)
    rows = db.execute(
        select(effects).where(made).order_by(effects.c.seq.desc(), effects.c.n).limit(_LOOKED_AT)
    )
    found = list(rows)
    undone = {int(json.loads(row.payload)["seq"]) for row in found if row.kind == UNDONE}
    stands = [row for row in found if row.kind not in _KEPT and row.seq not in undone]
    of_one_turn = [row for row in stands if row.seq == stands[0].seq]
    return [f"#{row.ref}: {row.summary}" if row.kind == "note_saved" else row.summary for row in of_one_turn]


def undo(db: Database, person_id: str, session_id: str, seq: int, *, at: datetime) -> None:
    """Put every note and project that the turn changed back to how it stood. Raises ValueError where one was changed since."""
    done = _done(db, person_id, session_id, seq)
    for one in reversed(done.projects):
        project_must_stand(db, person_id, one.project_id, name=one.name_after, archived=one.archived_after)
        projects.change(
            db, person_id, one.project_id, name=one.name_before, archived=one.archived_before, at=at
        )
    for change in reversed(done.changes):
        where = (db, person_id, change.project_id, change.number)
        must_stand(*where, state=change.after, text=change.text_after)
        notes.change(*where, text=change.text_before, state=change.before, at=at)


def must_stand(
    db: Database,
    person_id: str,
    project_id: str,
    number: int,
    *,
    state: NoteState | None,
    text: str | None,
) -> None:
    """The note stands like that. Raises ValueError, with a sentence for the person, where it does not."""
    locked(db, person_id, project_id)
    note = notes.get(db, person_id, project_id, number)
    if note is None or not _stands(note, state=state, text=text):
        raise ValueError(
            f"Note #{number} was changed meanwhile, so nothing was done. Look at it and say it again."
        )


def project_must_stand(
    db: Database, person_id: str, project_id: str, *, name: str | None, archived: bool | None
) -> None:
    """The project has that name and is put aside or not. Raises ValueError, with a sentence for the person, otherwise."""
    locked(db, person_id, project_id, "viewer")
    found = projects.detail(db, person_id, project_id)
    if found is None or name not in (None, found.name) or archived not in (None, found.archived):
        raise ValueError(
            "The project was changed meanwhile, so nothing was done. Look at it and say it again."
        )


def _stands(note: Note, *, state: NoteState | None, text: str | None) -> bool:
    """The note has that state and that text; None: whatever it has."""
    return state in (None, note.state) and text in (None, note.text)


def _done(db: Database, person_id: str, session_id: str, seq: int) -> Done:
    given = {"of_session": session_id, "of_person": person_id, "of_turn": seq}
    rows = db.execute(_MADE, given).all()
    chosen = [json.loads(row.payload) for row in rows if row.kind == CHOSEN]
    found = [(row, _change(row)) for row in rows if row.kind not in (CHOSEN, *_KEPT)]
    return Done(
        seq=seq,
        changes=[change for _, change in found if isinstance(change, Change)],
        projects=[change for _, change in found if isinstance(change, ProjectChange)],
        chose=chosen[-1]["project_id"] if chosen else None,
        left=chosen[0]["before"] if chosen else None,
        fixed=[str(row.summary) for row, change in found if change is None],
    )


def _change(row: Any) -> Change | ProjectChange | None:
    payload: Mapping[str, Any] = json.loads(row.payload)
    if row.kind == CHANGED:
        return ProjectChange(
            project_id=payload["project_id"],
            name_before=payload["was_name"],
            name_after=payload["name"],
            archived_before=payload["was_archived"],
            archived_after=payload["archived"],
        )
    if row.kind == "project_created":  # what was made is put aside: nothing in it is lost
        return ProjectChange(project_id=payload["id"], archived_before=True, archived_after=False, made=True)
    if row.kind == "note_saved":
        return Change(
            project_id=payload["project_id"],
            number=int(row.ref),
            before="withdrawn",
            after=payload["state"],
            made=True,
        )
    was = payload.get("was")
    if row.kind != "note_changed" or was is None or payload.get("to_project"):
        return None
    return Change(
        project_id=payload["project_id"],
        number=int(payload["number"]),
        before=was["state"],
        after=payload.get("state") or was["state"],
        text_before=was.get("text"),
        text_after=payload.get("text"),
    )
