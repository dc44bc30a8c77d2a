"""Workers: one row each, beating; whoever is missing has no lease."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy import (
    BindParameter,
    CompoundSelect,
    Connection,
    bindparam,
    delete,
    insert,
    literal_column,
    select,
    text,
    union_all,
    update,
)

from softrail.core.commits import Signs
from softrail.core.ids import process_of
from softrail.store import sql
from softrail.store.claims import free_claims
from softrail.store.rows import turn_from, turn_values
from softrail.store.statements import Statement
from softrail.store.tables import facts, sessions, turns, workers

#: Which code may run on the tables, as whoever made them has said, in one text of each part.
_SAID = select(facts.c.name + literal_column("' '") + facts.c.value).where(
    facts.c.name.like(
        literal_column("'runs_from%'")
    )  # of `schema.Schema`; nothing is bound in this statement
)


def _pulse() -> CompoundSelect[Any]:
    me: BindParameter[str] = bindparam("worker")
    beaten = update(workers).where(workers.c.id == me).values(beat=bindparam("count"))
    written = beaten.returning(workers.c.id, workers.c.beat).cte("beaten")
    return union_all(
        select(text("'worker'"), workers.c.id, workers.c.beat),
        select(text("'lease'"), sessions.c.id, sessions.c.fence).where(sessions.c.holder == me),
        select(text("'beaten'"), written.c.id, written.c.beat),
        _SAID.with_only_columns(text("'said'"), *_SAID.selected_columns, literal_column("0")),
    )


_PULSE = Statement(_pulse())


def beat(conn: Connection, worker: str, beat: int) -> bool:
    """Write a worker's beat; 0 registers it. False: it is not registered."""
    done = conn.execute(update(workers).where(workers.c.id == worker).values(beat=beat))
    if done.rowcount:
        return True
    if beat != 0:
        return False
    conn.execute(insert(workers), {"id": worker, "beat": 0})
    return True


def pulse(conn: Connection, worker: str, count: int) -> Signs:
    """Write a worker's beat and look at all others."""
    registered = beat(conn, worker, count)
    said = frozenset(conn.scalars(_SAID))
    return Signs(registered=registered, beats=all_workers(conn), leases=leases(conn, worker), said=said)


def pulse_at_once(conn: Connection, worker: str, count: int) -> Signs:
    """The same in one statement, for a database that takes one which writes and reads: it is answered once."""
    found = dict[str, dict[str, int]]({"worker": {}, "lease": {}, "beaten": {}, "said": {}})
    for what, name, number in _PULSE.rows(conn, {"worker": worker, "count": count}):
        found[what][name] = number
    return Signs(
        registered=bool(found["beaten"]),
        beats=found["worker"],
        leases=found["lease"],
        said=frozenset(found["said"]),
    )


def all_workers(conn: Connection) -> Mapping[str, int]:
    """Every registered worker and its last beat."""
    return {row.id: row.beat for row in conn.execute(select(workers))}


def remove_worker(conn: Connection, worker: str, beat: int | None, leaves: bool) -> bool:
    """Forget a worker whose beat is still `beat`, and free its leases and claims.

    Its fences do not stand any more: what it still tries to commit is refused, even before anyone else
    has taken the session. One that `leaves` of its own accord was not ended by the turns that it had begun.
    """
    statement = delete(workers).where(workers.c.id == worker)
    if beat is not None:
        statement = statement.where(workers.c.beat == beat)
    if conn.execute(statement).rowcount == 0:
        return False
    held = select(sessions.c.id).where(sessions.c.holder == worker).order_by(sessions.c.id).with_for_update()
    conn.execute(held).all()  # locked in order of id, as commits do
    conn.execute(update(sessions).where(sessions.c.holder == worker).values(holder=None))
    free_claims(conn, worker)
    if leaves:
        _not_begun_by(conn, process_of(worker))
    return True


def _not_begun_by(conn: Connection, process: str) -> None:
    here = turns.c.begun_by.contains(process, autoescape=True)
    waiting = select(turns).where(text("turns.status = 'accepted'"), here)
    for turn in [turn_from(row) for row in conn.execute(waiting)]:
        others = replace(turn, begun_by=tuple(one for one in turn.begun_by if one != process))
        values = turn_values(others)
        sql.START.run(conn, {name: values[name] for name in ("session_id", "seq", "starts", "begun_by")})


def leases(conn: Connection, worker: str) -> Mapping[str, int]:
    """Sessions whose lease that worker has, with their fences."""
    query = select(sessions.c.id, sessions.c.fence).where(sessions.c.holder == worker)
    return {row.id: row.fence for row in conn.execute(query)}


def stranded(conn: Connection, limit: int) -> Sequence[str]:
    """Sessions with accepted turns whose lease no registered worker has."""
    nobody = sessions.c.holder.is_(None) | sessions.c.holder.not_in(select(workers.c.id))
    # As text: with a bound parameter neither database uses the index of those few, and looks through all.
    some = text("sessions.waiting > 0")
    query = select(sessions.c.id).where(some, nobody).order_by(sessions.c.waiting, sessions.c.id).limit(limit)
    return list(conn.scalars(query))
