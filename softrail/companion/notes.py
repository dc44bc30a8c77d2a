"""Numbered notes: 1, 2, 3 … within their project, without gaps or repeats, whoever writes at the same time."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from sqlalchemy import case, insert, select, update

from softrail.companion.checks import passage
from softrail.companion.rights import Database, locked, require, role_of
from softrail.companion.tables import notes, projects
from softrail.companion.values import Author, Note, NoteCounts, NoteState
from softrail.core.border import unusable
from softrail.core.errors import NotFound
from softrail.store.rows import moment, stamp
from softrail.store.tables import persons

_WORD: Final = re.compile(r"\w{3,}")
_MOST_WORDS: Final = 8
_COUNTERS: Final[Mapping[NoteState, str]] = {"waiting": "notes_waiting", "saved": "notes_saved"}


@dataclass(frozen=True, kw_only=True, slots=True)
class Origin:
    """Whose turn, or request, a note came from."""

    person_id: str | None
    session_id: str | None = None
    seq: int | None = None
    turn_id: str | None = None


def listed(
    db: Database,
    person_id: str,
    project_id: str,
    *,
    states: Sequence[NoteState],
    after: int,
    newest_first: bool,
    limit: int,
) -> Sequence[Note]:
    """Notes in order of number, or the newest first."""
    require(db, person_id, project_id)
    query = _of(project_id, states).where(notes.c.number > after)
    query = query.order_by(notes.c.number.desc() if newest_first else notes.c.number).limit(limit)
    return [_note(row, person_id) for row in db.execute(query)]


def about(
    db: Database, person_id: str, project_id: str, words: str, *, states: Sequence[NoteState], limit: int
) -> Sequence[Note]:
    """Notes that share words, those that share most first."""
    require(db, person_id, project_id)
    asked = list(dict.fromkeys(_WORD.findall(words.casefold())))[:_MOST_WORDS]
    if not asked:
        return []
    shared: Any = sum(case((notes.c.text.icontains(word, autoescape=True), 1), else_=0) for word in asked)
    query = _of(project_id, states).where(shared > 0).order_by(shared.desc(), notes.c.number.desc())
    return [_note(row, person_id) for row in db.execute(query.limit(limit))]


def counts(db: Database, person_id: str, project_id: str) -> NoteCounts:
    """How many there are in which state."""
    require(db, person_id, project_id)
    row = db.execute(select(projects).where(projects.c.id == project_id)).one()
    kept = row.notes_waiting + row.notes_saved
    return NoteCounts(waiting=row.notes_waiting, saved=row.notes_saved, withdrawn=row.next_note - 1 - kept)


def get(db: Database, person_id: str, project_id: str, number: int) -> Note | None:
    """One note, when the person is in its project."""
    if role_of(db, person_id, project_id) is None:
        return None
    row = db.execute(_one(project_id, number)).first()
    return None if row is None else _note(row, person_id)


def add(
    db: Database,
    project: Any,
    text: str,
    *,
    state: NoteState,
    author: Author,
    origin: Origin,
    at: datetime,
) -> int:
    """Write a note into a project whose row is locked; its number."""
    text = passage("text", text)
    number = int(project.next_note)
    db.execute(
        insert(notes).values(
            project_id=project.id,
            number=number,
            text=text,
            state=state,
            author_kind=author.kind,
            author_name=author.name,
            told_by=origin.person_id,
            session_id=origin.session_id,
            seq=origin.seq,
            turn_id=origin.turn_id,
            created_at=stamp(at),
            changed_at=stamp(at),
        )
    )
    _count(db, project.id, None, state, next_note=number + 1)
    return number


def add_own(
    db: Database, person_id: str, project_id: str, text: str, *, state: NoteState, at: datetime
) -> Note:
    """A note that a person writes themselves."""
    project = locked(db, person_id, project_id)
    origin = Origin(person_id=person_id)
    author = Author(kind="person", name=name_of(db, person_id))
    number = add(db, project, text, state=state, author=author, origin=origin, at=at)
    return _note(db.execute(_one(project_id, number)).one(), person_id)


def change(
    db: Database,
    person_id: str,
    project_id: str,
    number: int,
    *,
    text: str | None,
    state: NoteState | None,
    at: datetime,
) -> Note:
    """Change a note's text, state or both; what is the same already changes nothing."""
    locked(db, person_id, project_id)
    row = db.execute(_one(project_id, number)).first()
    if row is None:
        raise NotFound()
    wanted = row.text if text is None else passage("text", text)
    after: NoteState = row.state if state is None else state
    if (wanted, after) != (row.text, row.state):
        here = (notes.c.project_id == project_id) & (notes.c.number == number)
        db.execute(update(notes).where(here).values(text=wanted, state=after, changed_at=stamp(at)))
        _count(db, project_id, row.state, after)
    return _note(db.execute(_one(project_id, number)).one(), person_id)


def move(
    db: Database, person_id: str, project_id: str, number: int, to_project: str, *, at: datetime
) -> Note:
    """Give a note the next number of another project; here it is withdrawn."""
    for one in sorted(
        {project_id, to_project}
    ):  # everyone locks in this order, so no two wait for each other
        locked(db, person_id, one)
    row = db.execute(_one(project_id, number)).first()
    if row is None:
        raise NotFound()
    if project_id == to_project:
        return _note(row, person_id)
    if row.state == "withdrawn":
        raise unusable("project_id", "the note is withdrawn, and cannot be moved")
    target = locked(db, person_id, to_project)
    origin = Origin(person_id=row.told_by, session_id=row.session_id, seq=row.seq, turn_id=row.turn_id)
    author = Author(kind=row.author_kind, name=row.author_name)
    there = add(db, target, row.text, state=row.state, author=author, origin=origin, at=at)
    change(db, person_id, project_id, number, text=None, state="withdrawn", at=at)
    return _note(db.execute(_one(to_project, there)).one(), person_id)


def name_of(db: Database, person_id: str) -> str:
    """What the person is called: the display name, else the e-mail's local part."""
    query = select(persons.c.display_name, persons.c.email).where(persons.c.id == person_id)
    row = db.execute(query).first()
    if row is None:
        raise NotFound()
    return str(row.display_name or row.email.partition("@")[0])


def _count(db: Database, project_id: str, before: NoteState | None, after: NoteState, **values: Any) -> None:
    """Note in the project's row that its notes have changed; the row is locked."""
    columns = projects.c
    changes: dict[str, Any] = {"content_version": columns.content_version + 1, **values}
    if before != after:
        if before is not None and before in _COUNTERS:
            changes[_COUNTERS[before]] = columns[_COUNTERS[before]] - 1
        if after in _COUNTERS:
            changes[_COUNTERS[after]] = columns[_COUNTERS[after]] + 1
    db.execute(update(projects).where(columns.id == project_id).values(changes))


def _of(project_id: str, states: Sequence[NoteState]) -> Any:
    return select(notes).where(notes.c.project_id == project_id, notes.c.state.in_(list(states)))


def _one(project_id: str, number: int) -> Any:
    return select(notes).where(notes.c.project_id == project_id, notes.c.number == number)


def _note(row: Any, person_id: str) -> Note:
    """The note as that person sees it: the turn it was told in is theirs alone to look up."""
    return Note(
        number=row.number,
        text=row.text,
        state=row.state,
        author=Author(kind=row.author_kind, name=row.author_name),
        created_at=moment(row.created_at),
        changed_at=moment(row.changed_at),
        turn_id=row.turn_id if row.told_by == person_id else None,
    )
