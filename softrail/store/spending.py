"""What a person may still spend on a language model today: reserved before a call, settled after it."""

import json
from datetime import datetime
from typing import Final

from sqlalchemy import ColumnElement, Connection, select, update
from sqlalchemy.dialects import postgresql, sqlite

from softrail.store.rows import stamp
from softrail.store.tables import records

KIND: Final = "model_spending"


def reserve(conn: Connection, person_id: str, day: str, tokens: int, *, limit: int, at: datetime) -> bool:
    """Set tokens aside for one call; False, and nothing is changed, when the day's limit would be passed.

    The row is locked while it is read, so that many turns at once cannot all see the same rest.
    """
    spent = _spent(conn, person_id, day, at)
    if spent + tokens > limit:
        return False
    _write(conn, person_id, day, spent + tokens)
    return True


def settle(conn: Connection, person_id: str, day: str, difference: int, *, at: datetime) -> None:
    """Correct what was set aside by what the call has really cost."""
    _write(conn, person_id, day, max(0, _spent(conn, person_id, day, at) + difference))


def _spent(conn: Connection, person_id: str, day: str, at: datetime) -> int:
    make = postgresql.insert if conn.dialect.name == "postgresql" else sqlite.insert
    first = make(records).values(
        person_id=person_id, kind=KIND, key=day, data='{"tokens": 0}', session_id="", seq=0, made_at=stamp(at)
    )
    conn.execute(first.on_conflict_do_nothing())
    query = select(records.c.data).where(*_of(person_id, day)).with_for_update()
    return int(json.loads(conn.execute(query).scalar_one())["tokens"])


def _write(conn: Connection, person_id: str, day: str, tokens: int) -> None:
    conn.execute(update(records).where(*_of(person_id, day)).values(data=json.dumps({"tokens": tokens})))


def _of(person_id: str, day: str) -> tuple[ColumnElement[bool], ...]:
    return (records.c.person_id == person_id, records.c.kind == KIND, records.c.key == day)
