"""How often a person asked in this minute and in the last: one count for all workers."""

import json
from typing import Final

from sqlalchemy import ColumnElement, Connection, select, update
from sqlalchemy.dialects import postgresql, sqlite

from softrail.store.tables import persons, records

KIND: Final = "request_rate"
KEY: Final = "minutes"


def count_request(
    conn: Connection, person_id: str, window: int, most: int, weight: float, *, at: int
) -> tuple[bool, int, int] | None:
    """Count a request of that window, unless there were `most`; whether it counts, those in it and in the one before.

    Those of the one before count by `weight`. The row is locked while it is read: of many at once none sees the same.
    None: there is no such person, or not any more, and nothing is kept of them.
    """
    known = _locked(conn, person_id) or _begun(conn, person_id, window, at)
    if known is None:
        return None
    last, here, before = known
    if last < window:  # a worker whose clock is behind counts into the newest window there is
        here, before = 0, here if last == window - 1 else 0
    allowed = here + before * weight + 1 <= most
    if allowed:
        data = json.dumps([max(last, window), here + 1, before])
        conn.execute(update(records).where(*_of(person_id)).values(data=data))
    return allowed, here, before


def _locked(conn: Connection, person_id: str) -> tuple[int, int, int] | None:
    data = conn.scalar(select(records.c.data).where(*_of(person_id)).with_for_update())
    if data is None:
        return None
    last, here, before = json.loads(data)
    return last, here, before


def _begun(conn: Connection, person_id: str, window: int, at: int) -> tuple[int, int, int] | None:
    """A row for a person who has none; whoever erases the person comes before or after us."""
    there = select(persons.c.id).where(persons.c.id == person_id).with_for_update(read=True, key_share=True)
    if conn.execute(there).first() is None:
        return None
    make = postgresql.insert if conn.dialect.name == "postgresql" else sqlite.insert
    first = make(records).values(
        person_id=person_id,
        kind=KIND,
        key=KEY,
        data=json.dumps([window, 0, 0]),
        session_id="",
        seq=0,
        made_at=at,
    )
    conn.execute(first.on_conflict_do_nothing())
    return _locked(conn, person_id)


def _of(person_id: str) -> tuple[ColumnElement[bool], ...]:
    return records.c.person_id == person_id, records.c.kind == KIND, records.c.key == KEY
