"""How often a person asked in this minute and in the last: one count for all workers."""

import json
from typing import Final

from sqlalchemy import Connection, select, update
from sqlalchemy.dialects import postgresql, sqlite

from softrail.store.tables import records

KIND: Final = "request_rate"
KEY: Final = "minutes"


def count_request(
    conn: Connection, person_id: str, window: int, most: int, weight: float, *, at: int
) -> tuple[bool, int, int]:
    """Count a request of that window, unless there were `most`; whether it counts, those in it and in the one before.

    Those of the one before count by `weight`. The row is locked while it is read: of many at once none sees the same.
    """
    last, here, before = _locked(conn, person_id, window, at)
    if last < window:  # a worker whose clock is behind counts into the newest window there is
        here, before = 0, here if last == window - 1 else 0
    allowed = here + before * weight + 1 <= most
    if allowed:
        data = json.dumps([max(last, window), here + 1, before])
        mine = (records.c.person_id == person_id, records.c.kind == KIND, records.c.key == KEY)
        conn.execute(update(records).where(*mine).values(data=data))
    return allowed, here, before


def _locked(conn: Connection, person_id: str, window: int, at: int) -> tuple[int, int, int]:
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
    mine = (records.c.person_id == person_id, records.c.kind == KIND, records.c.key == KEY)
    last, here, before = json.loads(
        conn.execute(select(records.c.data).where(*mine).with_for_update()).scalar_one()
    )
    return last, here, before
