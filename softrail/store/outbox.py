"""Effects that are delivered after their turn has committed: claimed by one worker at a time, set aside in the end.

A claim is the name of a worker in the row. It stands as long as that worker is registered: who is gone has none.
"""

import json
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from pydantic_core import to_json
from sqlalchemy import (
    ColumnElement,
    Connection,
    Delete,
    Insert,
    Integer,
    Select,
    TextClause,
    and_,
    bindparam,
    delete,
    func,
    insert,
    literal,
    literal_column,
    or_,
    select,
    text,
    update,
)

from softrail.core.effects import OutboxItem
from softrail.store.rows import moment_or_none, stamp
from softrail.store.statements import Statement
from softrail.store.tables import effects, workers

# In full and not as parameters: only so does a database see that an index of these rows alone will do.
_WAITING = text("effects.status = 'waiting'")
_FAILED = text("effects.status = 'failed'")
_UNREPORTED = text("effects.unreported IS NOT NULL")
_KEY = re.compile(r"(.+):(-?[0-9]{1,18}):([0-9]{1,9})", re.DOTALL)
_ORDER = (effects.c.next_at, effects.c.session_id, effects.c.seq, effects.c.n)


# -- what there is


def waiting(
    conn: Connection,
    at: datetime,
    limit: int,
    kinds: Collection[str] | None = None,
    worker: str | None = None,
) -> Sequence[OutboxItem]:
    """Effects whose next try is due at `at` and that nobody else has in hand, the longest due first."""
    asked = {"at": stamp(at), "worker": worker, "most": limit}
    if kinds is None:
        return [_item(row) for row in _DUE.rows(conn, asked)]
    found = list[OutboxItem]()
    for kind in kinds:
        found += [_item(row) for row in _DUE_OF_KIND.rows(conn, {**asked, "kind": kind})]
    return found


def unreported(conn: Connection, at: datetime, limit: int, worker: str | None = None) -> Sequence[OutboxItem]:
    """Effects whose instance is to be told now what became of them, and that nobody else has in hand."""
    return [_item(row) for row in _NEWS_DUE.rows(conn, {"at": stamp(at), "worker": worker, "most": limit})]


def kinds(conn: Connection, at: datetime) -> Mapping[str, int]:
    """How many effects are due at `at`, by their kind."""
    query = select(effects.c.kind, func.count()).where(_WAITING, effects.c.next_at <= stamp(at))
    return {row[0]: row[1] for row in conn.execute(query.group_by(effects.c.kind))}


def undelivered(conn: Connection, limit: int) -> Sequence[OutboxItem]:
    """What is set aside, then what waits, the longest due first."""
    failed = _items(conn, select(effects).where(_FAILED).order_by(*_ORDER).limit(limit))
    query = select(effects).where(_WAITING).order_by(*_ORDER).limit(limit - len(failed))
    return [*failed, *_in_living_hands(conn, _items(conn, query))]


def undelivered_of(conn: Connection, session_id: str, seq: int) -> Sequence[OutboxItem]:
    """What of one turn is not delivered, in its order."""
    here = (effects.c.session_id == session_id) & (effects.c.seq == seq)
    query = select(effects).where(here, effects.c.status.in_(("waiting", "failed")))
    return _in_living_hands(conn, _items(conn, query.order_by(effects.c.n)))


def _in_living_hands(conn: Connection, items: Sequence[OutboxItem]) -> list[OutboxItem]:
    """The items as somebody who only looks should see them: who is gone has nothing in hand."""
    there = set(conn.scalars(select(workers.c.id)))
    return [one if one.claimed_by in there else replace(one, claimed_by=None) for one in items]


# -- claims


def claim(conn: Connection, items: Sequence[OutboxItem], worker: str) -> Sequence[OutboxItem]:
    """Those of the items that are the worker's now; what has changed since it was read is not.

    A try counts from here on: one that ends its worker has failed, too.
    """
    mine = list[OutboxItem]()
    for item in sorted(items, key=lambda one: one.key):  # everyone locks in this order, so no two deadlock
        begun = item.tries + 1 if item.status == "waiting" else item.tries
        as_read = and_(effects.c.status == item.status, effects.c.tries == item.tries, _free(literal(worker)))
        if item.status != "waiting":
            as_read &= _UNREPORTED
        found = update(effects).where(_here(item), as_read)
        if conn.execute(found.values(claimed_by=worker, tries=begun)).rowcount:
            mine.append(replace(item, claimed_by=worker))
    return mine


def put_back(conn: Connection, item: OutboxItem) -> bool:
    """Give a claim back as if nothing had been begun."""
    return _change(conn, item, tries=item.tries, claimed_by=None)


# -- what came of it


def delivered(conn: Connection, item: OutboxItem, at: datetime, *, report: bool) -> bool:
    """Note that it need not be tried again; with `report` it stays claimed until its instance was told."""
    ended: dict[str, object] = {} if report else {"next_at": None, "claimed_by": None}
    values = {"status": "delivered", "tries": item.tries + 1, "error": None, "delivered_at": stamp(at)}
    return _change(conn, item, **values, **ended, unreported=0 if report else None)


def postpone(conn: Connection, item: OutboxItem, until: datetime, error: str) -> bool:
    """Note a failed try; the next one is at `until`."""
    values = {"status": "waiting", "tries": item.tries + 1, "next_at": stamp(until)}
    return _change(conn, item, **values, claimed_by=None, error=error or None)


def set_aside(conn: Connection, item: OutboxItem, error: str, *, report: bool) -> bool:
    """Note that it is not tried any more; with `report` it stays claimed until its instance was told."""
    ended: dict[str, object] = {} if report else {"claimed_by": None}
    values = {"status": "failed", "tries": item.tries + 1, "error": error}
    return _change(conn, item, **values, **ended, unreported=0 if report else None)


def reported(conn: Connection, item: OutboxItem, again: datetime | None) -> bool:
    """Note that its instance was told what became of it; with `again` that this has failed and is due then."""
    if again is None:
        return _change(conn, item, claimed_by=None, unreported=None)
    return _change(conn, item, claimed_by=None, unreported=(item.unreported or 0) + 1, next_at=stamp(again))


def try_again(conn: Connection, key: str, at: datetime) -> bool:
    """Have what was set aside tried anew from `at` on. False: nothing of that key is set aside."""
    parts = _KEY.fullmatch(key)
    if parts is None:
        return False
    here = and_(
        effects.c.session_id == parts[1], effects.c.seq == int(parts[2]), effects.c.n == int(parts[3])
    )
    fresh = {"status": "waiting", "tries": 0, "next_at": stamp(at), "claimed_by": None, "unreported": None}
    return conn.execute(update(effects).where(here, _FAILED).values(fresh)).rowcount > 0


# -- for plugins


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


def set_aside_from(source: str) -> Select[Any]:
    """The query for what was set aside of what came from that source."""
    return select(effects.c.n).where(effects.c.session_id == source, effects.c.seq == 0, _FAILED)


def no_rows_for(sources: Sequence[str]) -> Delete:
    """The statement that erases what came from those sources, delivered or not."""
    return delete(effects).where(effects.c.session_id.in_(sources), effects.c.seq == 0)


# -- rows


def _free(worker: ColumnElement[Any]) -> ColumnElement[bool]:
    """Nobody's, or that worker's; that of no worker is nobody's."""
    gone = effects.c.claimed_by.not_in(select(workers.c.id))
    return or_(effects.c.claimed_by.is_(None), gone, effects.c.claimed_by == worker)


def _due(*which: ColumnElement[bool] | TextClause) -> Statement:
    """What of those is due and free, the longest due first: looked for after every turn with effects."""
    due = select(effects).where(*which, effects.c.next_at <= bindparam("at"), _free(bindparam("worker")))
    # SQLite is given an offset with every limit; as a parameter of its own nobody would give it a value.
    some = due.order_by(*_ORDER).limit(bindparam("most", type_=Integer)).offset(literal_column("0"))
    return Statement(some)


_DUE = _due(_WAITING)
_DUE_OF_KIND = _due(_WAITING, effects.c.kind == bindparam("kind"))
_NEWS_DUE = _due(_UNREPORTED)


def _here(item: OutboxItem) -> ColumnElement[bool]:
    return and_(effects.c.session_id == item.session_id, effects.c.seq == item.seq, effects.c.n == item.n)


def _change(conn: Connection, item: OutboxItem, **values: object) -> bool:
    """False: it is in other hands by now, or gone, and nothing was written."""
    as_read = effects.c.claimed_by.is_not_distinct_from(item.claimed_by) & (effects.c.status == item.status)
    return conn.execute(update(effects).where(_here(item), as_read).values(values)).rowcount > 0


def _items(conn: Connection, query: Select[Any]) -> list[OutboxItem]:
    return [_item(row) for row in conn.execute(query)]


_COLUMNS = {column.name: at for at, column in enumerate(effects.c)}


def _item(row: Sequence[Any]) -> OutboxItem:
    """The effect of a whole row."""
    found = {name: row[at] for name, at in _COLUMNS.items()}
    return OutboxItem(
        key=f"{found['session_id']}:{found['seq']}:{found['n']}",
        person_id=found["person_id"],
        session_id=found["session_id"],
        seq=found["seq"],
        n=found["n"],
        kind=found["kind"],
        payload=json.loads(found["payload"]),
        tries=found["tries"],
        status=found["status"],
        next_at=moment_or_none(found["next_at"]),
        error=found["error"] or "",
        instance_id=found["instance_id"],
        claimed_by=found["claimed_by"],
        unreported=found["unreported"],
    )
