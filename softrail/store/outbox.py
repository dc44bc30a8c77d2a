"""Effects that are delivered after their turn has committed, at least once."""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from pydantic_core import to_json
from sqlalchemy import Connection, Delete, Insert, delete, insert, select, update

from softrail.core.effects import OutboxItem
from softrail.store.rows import stamp
from softrail.store.tables import effects


def waiting(conn: Connection, at: datetime, limit: int) -> Sequence[OutboxItem]:
    """Effects whose next try is due at `at`, the longest due first."""
    query = (
        select(effects)
        .where(effects.c.status == "waiting", effects.c.next_at <= stamp(at))
        .order_by(effects.c.next_at, effects.c.session_id, effects.c.seq, effects.c.n)
        .limit(limit)
    )
    return [
        OutboxItem(
            key=f"{row.session_id}:{row.seq}:{row.n}",
            person_id=row.person_id,
            session_id=row.session_id,
            seq=row.seq,
            n=row.n,
            kind=row.kind,
            payload=json.loads(row.payload),
            tries=row.tries,
        )
        for row in conn.execute(query)
    ]


def row_for(source: str, *, person_id: str, kind: str, payload: Mapping[str, Any], at: datetime) -> Insert:
    """The statement that has something delivered which no turn asked for, from `source`, a name used once.

    It is what an `after_commit` effect becomes, for plugins whose work also begins without a turn.
    """
    return insert(effects).values(
        session_id=source,
        seq=0,
        n=1,
        person_id=person_id,
        kind=kind,
        payload=to_json(payload).decode(),
        summary="",
        ref=None,
        status="waiting",
        tries=0,
        next_at=stamp(at),
    )


def no_rows_for(sources: Sequence[str]) -> Delete:
    """The statement that erases what came from those sources, delivered or not."""
    return delete(effects).where(effects.c.session_id.in_(sources), effects.c.seq == 0)


def delivered(conn: Connection, item: OutboxItem) -> None:
    """Note that it need not be tried again."""
    _change(conn, item, status="delivered", tries=item.tries + 1, next_at=None)


def postpone(conn: Connection, item: OutboxItem, until: datetime) -> None:
    """Note a failed try; the next one is at `until`."""
    _change(conn, item, status="waiting", tries=item.tries + 1, next_at=stamp(until))


def _change(conn: Connection, item: OutboxItem, **values: object) -> None:
    here = (effects.c.session_id == item.session_id) & (effects.c.seq == item.seq) & (effects.c.n == item.n)
    conn.execute(update(effects).where(here, effects.c.status == "waiting").values(**values))
