"""The path of a turn up to its commit: load, accept, take, release."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy import Connection

from softrail.core.commits import (
    Acceptance,
    Accepted,
    AcceptResult,
    Loaded,
    Moved,
    Occupied,
    Seen,
    Taken,
    TurnRow,
    numbers,
)
from softrail.core.ids import process_of
from softrail.core.people import Person
from softrail.core.sessions import Snapshot, named
from softrail.store import sql
from softrail.store.commit import find_turn
from softrail.store.rows import (
    instance_from,
    person_from,
    session_from,
    session_values,
    turn_from,
    turn_values,
)
from softrail.store.tables import instances, sessions

_WIDTH = len(sessions.columns)
_TURN = _WIDTH + len(instances.columns)


def load(conn: Connection, person: Person, session_id: str | None, turn_id: str | None) -> Loaded:
    """The snapshot of the person's session, and the turn that used that id before."""
    if session_id is None or turn_id is None:
        seen = None if turn_id is None else find_turn(conn, person.id, turn_id)
        snapshot = None if session_id is None else snapshot_of(conn, session_id, person)
        return Loaded(snapshot=snapshot, seen=seen)
    asked = {"id": session_id, "turn_id": turn_id, "person_id": person.id}
    rows = sql.SNAPSHOT_AND_TURN.rows(conn, asked)
    if not rows:  # there is no such session; the turn may have opened another
        return Loaded(snapshot=None, seen=find_turn(conn, person.id, turn_id))
    turn = rows[0][_TURN:]
    return Loaded(
        snapshot=_snapshot_from(conn, rows, person), seen=turn_from(turn) if turn[0] is not None else None
    )


def snapshot_of(conn: Connection, session_id: str, person: Person) -> Snapshot | None:
    """Everything of the person's session that a turn may need; None when it is not theirs or not there."""
    return _snapshot_from(conn, sql.SNAPSHOT.rows(conn, {"id": session_id}), person)


def _snapshot_from(conn: Connection, rows: Sequence[Any], person: Person) -> Snapshot | None:
    """From rows of a session beside each of its live instances."""
    if not rows or rows[0][1] != person.id:
        return None
    session = session_from(rows[0][:_WIDTH])
    found = {row[_WIDTH]: instance_from(row[_WIDTH:]) for row in rows if row[_WIDTH] is not None}
    asked = set[str]()  # one that is gone is not asked for twice
    while missing := named(session, found.values()) - asked - found.keys():
        asked |= missing
        found |= {row[0]: instance_from(row) for row in sql.INSTANCES.rows(conn, missing)}
    return Snapshot(
        person=person, session=session, instances=tuple(sorted(found.values(), key=lambda i: i.id))
    )


def accept(conn: Connection, acceptance: Acceptance) -> AcceptResult:
    """Write a turn down under the next number; take the lease when nothing is in the way."""
    turn, session = acceptance.turn, acceptance.session
    if session.is_new and not sql.PERSONS.rows(conn, {turn.person_id}):
        return Moved(revision=None)
    row = sql.standing(conn, {session.id}).get(session.id)
    seen = find_turn(conn, turn.person_id, turn.turn_id)
    if seen is not None:
        return Seen(turn=seen)
    if row is None and not session.is_new:
        return Moved(revision=None)
    if row is not None and row.person_id != turn.person_id:
        return Moved(revision=None)
    taken = acceptance.take
    if row is None:
        seq, fence = 1, int(taken)
        worker = acceptance.worker if taken else None
        opened = replace(session, next_seq=seq + numbers(turn), leased_to=worker, fence=fence, waiting=1)
        sql.INSERT_SESSION.run(conn, session_values(opened))
    else:
        taken = taken and row.leased_to is None and row.waiting == 0 and row.rev == session.rev
        seq, fence = row.next_seq, row.fence + 1 if taken else row.fence
        values = {
            "id": session.id,
            "next_seq": seq + numbers(turn),
            "waiting": row.waiting + 1,
            "holder": acceptance.worker if taken else row.leased_to,
            "fence": fence,
        }
        sql.ACCEPT.run(conn, values)
    accepted = replace(
        turn,
        session_id=session.id,
        seq=seq,
        status="accepted",
        starts=int(taken),
        begun_by=(process_of(acceptance.worker),) if taken else (),
    )
    sql.INSERT_TURN.run(conn, turn_values(accepted))
    return Accepted(seq=seq, fence=fence if taken else None)


def resolve_accept(conn: Connection, acceptance: Acceptance) -> AcceptResult:
    """`accept` again after its outcome was lost: finds the turn, and the lease, it may have written."""
    result = accept(conn, acceptance)
    if not isinstance(result, Seen) or result.turn.status != "accepted":
        return result
    turn = result.turn
    row = sql.standing(conn, {turn.session_id}).get(turn.session_id)
    first = row is not None and row.waiting == 1 and row.leased_to == acceptance.worker and turn.starts == 1
    if row is not None and first and turn.hash == acceptance.turn.hash:
        return Accepted(seq=turn.seq, fence=row.fence)
    return result


def take(
    conn: Connection, session_id: str, worker: str, *, force: bool = False, mine: bool = False
) -> Taken | Occupied | None:
    """Take the lease when it is free, its worker is gone, or by `force`.

    Args:
        conn: A connection in a transaction.
        session_id: The session.
        worker: Who takes it.
        force: Take it from anyone.
        mine: Take it from oneself: an earlier try may have done so, its outcome being lost.
    """
    row = sql.standing(conn, {session_id}).get(session_id)
    if row is None:
        return None
    mine = mine and row.leased_to == worker
    alive = row.leased_to is not None and sql.WORKER.first(conn, {"id": row.leased_to}) is not None
    if row.leased_to is not None and alive and not (force or mine):
        return Occupied(worker=row.leased_to, fence=row.fence)
    fence = row.fence + 1
    sql.TAKE.run(conn, {"id": session_id, "holder": worker, "fence": fence})
    waiting = [turn_from(turn) for turn in sql.WAITING.rows(conn, {"id": session_id})]
    if waiting:
        waiting[0] = _begun(conn, waiting[0], process_of(worker))
    person = person_from(sql.PERSON_OF_SESSION.rows(conn, {"id": session_id})[0])
    snapshot = snapshot_of(conn, session_id, person)
    assert snapshot is not None  # noqa: S101 - its row is locked by this transaction
    return Taken(fence=fence, snapshot=snapshot, waiting=tuple(waiting))


def _begun(conn: Connection, turn: TurnRow, process: str) -> TurnRow:
    """Note that a process begins a turn; of those before, only the ones that are gone count as starts.

    They may have been ended by the turn itself. One that was late, and thought dead, is there again.
    """
    alive = {process_of(row[0]) for row in sql.WORKERS.rows(conn, {})}
    before = tuple(one for one in turn.begun_by if one != process)
    begun = replace(turn, starts=1 + sum(one not in alive for one in before), begun_by=(*before, process))
    sql.START.run(
        conn, {name: turn_values(begun)[name] for name in ("session_id", "seq", "starts", "begun_by")}
    )
    return begun


def reopen(conn: Connection, person_id: str, turn_id: str) -> bool:
    """Accept a turn again that was given up, under its number and as if it had never been begun."""
    found = find_turn(conn, person_id, turn_id)
    if found is None or sql.standing(conn, {found.session_id}).get(found.session_id) is None:
        return False
    found = find_turn(conn, person_id, turn_id)  # again: its session is locked now
    if found is None or found.status != "failed":
        return False
    key = {"session_id": found.session_id, "seq": found.seq}
    sql.REOPEN_TURN.run(conn, key)
    sql.ONE_MORE_WAITS.run(conn, {"id": found.session_id})
    sql.FORGET_DECISION.run(conn, key)
    return True


def release(conn: Connection, session_id: str, fence: int) -> None:
    """Give the lease back, if it is still the one of that fence."""
    sql.RELEASE.run(conn, {"id": session_id, "fence": fence})
