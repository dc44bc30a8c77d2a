"""Numbered notes: 1, 2, 3 … within their project, without gaps or repeats, whoever writes at the same time."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any, Final

from sqlalchemy import BigInteger, bindparam, insert, select, update

from softrail.companion.memory import groups, search
from softrail.companion.memory.checks import passage
from softrail.companion.memory.rights import Database, locked, require, role_of
from softrail.companion.memory.tables import notes, projects
from softrail.companion.memory.values import Author, Note, NoteCounts, NoteState
from softrail.plugin import NotFound, moment, stamp, unusable
from softrail.plugin import persons_table as persons

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
    given = {"of_project": project_id, "states": list(states), "behind": after, "at_most": limit}
    rows = db.execute(_NEWEST_FIRST if newest_first else _OLDEST_FIRST, given)
    return [seen(row, person_id) for row in rows]


def about(db: Database, person_id: str, project_id: str, words: str, *, limit: int) -> Sequence[Note]:
    """Waiting and saved notes that share words, those that say most of them first, then the newest."""
    require(db, person_id, project_id)
    newest = db.execute(_COUNTERS_OF, {"of_project": project_id}).one().next_note - 1
    numbers = search.best(db, project_id, words, notes=newest, limit=limit)
    given = {"of_project": project_id, "numbers": list(numbers)}
    rows = {row.number: row for row in db.execute(_SOME, given)} if numbers else {}
    return [seen(rows[number], person_id) for number in numbers if number in rows]


def since_groups(db: Database, person_id: str, project_id: str, *, limit: int) -> Sequence[Note]:
    """Notes that were saved, or changed, after the groups were made: the newest so many, by number."""
    require(db, person_id, project_id)
    made = select(projects.c.organised_in).where(projects.c.id == project_id).scalar_subquery()
    query = told().where(notes.c.project_id == project_id, notes.c.state == "saved")
    query = query.where(notes.c.changed_in > made)
    found = db.execute(query.order_by(notes.c.changed_in.desc()).limit(limit)).all()
    return [seen(row, person_id) for row in sorted(found, key=lambda row: row.number, reverse=True)]


def counts(db: Database, person_id: str, project_id: str) -> NoteCounts:
    """How many there are in which state."""
    require(db, person_id, project_id)
    row = db.execute(_COUNTERS_OF, {"of_project": project_id}).one()
    kept = row.notes_waiting + row.notes_saved
    return NoteCounts(waiting=row.notes_waiting, saved=row.notes_saved, withdrawn=row.next_note - 1 - kept)


def get(db: Database, person_id: str, project_id: str, number: int) -> Note | None:
    """One note, when the person is in its project."""
    if role_of(db, person_id, project_id) is None:
        return None
    row = _row(db, project_id, number).first()
    return None if row is None else seen(row, person_id)


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
    values = {
        "project_id": project.id,
        "number": number,
        "text": text,
        "state": state,
        "author_kind": author.kind,
        "author_name": author.name,
        "told_by": origin.person_id,
        "session_id": origin.session_id,
        "seq": origin.seq,
        "turn_id": origin.turn_id,
        "created_at": stamp(at),
        "changed_at": stamp(at),
        "changed_in": project.content_version + 1,
    }
    db.execute(_INSERT, values)
    if state != "withdrawn":
        search.add(db, project.id, number, text)
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
    return seen(_row(db, project_id, number).one(), person_id)


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
    project = locked(db, person_id, project_id)
    row = _row(db, project_id, number).first()
    if row is None:
        raise NotFound()
    wanted = row.text if text is None else passage("text", text)
    after: NoteState = row.state if state is None else state
    if (wanted, after) != (row.text, row.state):
        here = (notes.c.project_id == project_id) & (notes.c.number == number)
        values = {
            "text": wanted,
            "state": after,
            "changed_at": stamp(at),
            "changed_in": project.content_version + 1,
        }
        db.execute(update(notes).where(here).values(values))
        _found_anew(db, row, wanted, after)
        if row.state == "saved" and number <= project.organised_up_to:
            groups.take_out(db, project_id, number)
        _count(db, project_id, row.state, after)
    return seen(_row(db, project_id, number).one(), person_id)


def move(
    db: Database, person_id: str, project_id: str, number: int, to_project: str, *, at: datetime
) -> Note:
    """Give a note the next number of another project; here it is withdrawn."""
    for one in sorted(
        {project_id, to_project}
    ):  # everyone locks in this order, so no two wait for each other
        locked(db, person_id, one)
    row = _row(db, project_id, number).first()
    if row is None:
        raise NotFound()
    if project_id == to_project:
        return seen(row, person_id)
    if row.state == "withdrawn":
        raise unusable("project_id", "the note is withdrawn, and cannot be moved")
    target = locked(db, person_id, to_project)
    origin = Origin(person_id=row.told_by, session_id=row.session_id, seq=row.seq, turn_id=row.turn_id)
    author = Author(kind=row.author_kind, name=row.author_name)
    there = add(db, target, row.text, state=row.state, author=author, origin=origin, at=at)
    change(db, person_id, project_id, number, text=None, state="withdrawn", at=at)
    return seen(_row(db, to_project, there).one(), person_id)


def name_of(db: Database, person_id: str) -> str:
    """What the person is called: the display name, else the e-mail's local part."""
    row = db.execute(_PERSON, {"of_person": person_id}).first()
    if row is None:
        raise NotFound()
    return _called(row)


def _called(row: Any) -> str:
    return str(row.display_name or row.email.partition("@")[0])


def _found_anew(db: Database, before: Any, text: str, state: NoteState) -> None:
    """Have a changed note found by the words it has now."""
    was, stands = before.state != "withdrawn", state != "withdrawn"
    if (was, before.text) == (stands, text):
        return
    if was:
        search.remove(db, before.project_id, before.number, before.text)
    if stands:
        search.add(db, before.project_id, before.number, text)


def _count(
    db: Database, project_id: str, before: NoteState | None, after: NoteState, *, next_note: int | None = None
) -> None:
    """Note in the project's row that its notes have changed; the row is locked."""
    given = {"of_project": project_id} | ({} if next_note is None else {"next": next_note})
    db.execute(_counting(before, after, new=next_note is not None), given)


@cache
def _counting(before: NoteState | None, after: NoteState, *, new: bool) -> Any:
    columns = projects.c
    changes: dict[str, Any] = {"content_version": columns.content_version + 1}
    if new:
        changes["next_note"] = bindparam("next")
    if before != after:
        if before is not None and before in _COUNTERS:
            changes[_COUNTERS[before]] = columns[_COUNTERS[before]] - 1
        if after in _COUNTERS:
            changes[_COUNTERS[after]] = columns[_COUNTERS[after]] + 1
    return update(projects).where(columns.id == bindparam("of_project")).values(changes)


def _row(db: Database, project_id: str, number: int) -> Any:
    return db.execute(_ONE, {"of_project": project_id, "of_number": number})


def told() -> Any:
    """Notes, each with the name and the address of the person who told it."""
    teller = persons.c.id == notes.c.told_by
    return select(notes, persons.c.display_name, persons.c.email).join_from(
        notes, persons, teller, isouter=True
    )


# Statements of every turn are made once: composing one costs more than the rows it finds.
_OF: Final = told().where(notes.c.project_id == bindparam("of_project"))
_ONE: Final = _OF.where(notes.c.number == bindparam("of_number"))
_SOME: Final = _OF.where(notes.c.number.in_(bindparam("numbers", expanding=True)))
_LISTED: Final = (
    _OF.where(notes.c.state.in_(bindparam("states", expanding=True)))
    .where(notes.c.number > bindparam("behind"))
    .limit(bindparam("at_most", type_=BigInteger))
)
_OLDEST_FIRST: Final = _LISTED.order_by(notes.c.number)
_NEWEST_FIRST: Final = _LISTED.order_by(notes.c.number.desc())
_INSERT: Final = insert(notes)
_PERSON: Final = select(persons.c.display_name, persons.c.email).where(persons.c.id == bindparam("of_person"))
_COUNTERS_OF: Final = select(projects.c.notes_waiting, projects.c.notes_saved, projects.c.next_note).where(
    projects.c.id == bindparam("of_project")
)


def seen(row: Any, person_id: str) -> Note:
    """The note as that person sees it: the turn it was told in is theirs alone to look up."""
    mine = row.told_by == person_id
    return Note(
        number=row.number,
        text=row.text,
        state=row.state,
        author=Author(kind=row.author_kind, name=row.author_name),
        created_at=moment(row.created_at),
        changed_at=moment(row.changed_at),
        turn_id=row.turn_id if mine else None,
        mine=mine,
        told_by=None if mine or row.email is None else _called(row),
    )
