"""What is read outside the path of a turn. Everything that belongs to a person is asked for with the person."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import chain, islice
from typing import Any, Literal

from sqlalchemy import (
    BigInteger,
    Connection,
    Select,
    and_,
    exists,
    func,
    insert,
    literal,
    or_,
    select,
    text,
    union_all,
)

from softrail.core.commits import Due, Glimpse, Item, TurnRow
from softrail.core.effects import StoredRecord
from softrail.core.errors import NotFound
from softrail.core.instances import Instance, State, Transition
from softrail.core.sessions import Session
from softrail.core.turns import SideEffect
from softrail.store import sql
from softrail.store.archiving import (
    NEVER,
    archived_backwards,
    archived_decision,
    archived_decisions,
    archived_turns,
)
from softrail.store.rows import (
    instance_from,
    moment,
    session_from,
    session_values,
    stamp,
    transition_from,
    turn_from,
)
from softrail.store.statements import chunks
from softrail.store.tables import (
    decisions,
    instances,
    persons,
    records,
    sessions,
    transitions,
    turns,
    workers,
)

_UNFINISHED = (State.OFFERED.value, State.ACTIVE.value, State.SUSPENDED.value)


def record(conn: Connection, person_id: str, kind: str, key: str) -> StoredRecord | None:
    """The person's record of that kind and key."""
    query = _records(person_id, kind).where(records.c.key == key)
    row = conn.execute(query).first()
    return None if row is None else _record_from(row)


def records_of(conn: Connection, person_id: str, kind: str) -> Sequence[StoredRecord]:
    """All records of that kind, those first that were first saved first."""
    query = _records(person_id, kind).order_by(records.c.made_at, records.c.seq, records.c.key)
    return [_record_from(row) for row in conn.execute(query)]


def all_records(conn: Connection, person_id: str) -> Sequence[StoredRecord]:
    """Every record of the person, those first that were first saved first."""
    query = select(records).where(records.c.person_id == person_id)
    rows = conn.execute(query.order_by(records.c.made_at, records.c.seq, records.c.kind, records.c.key))
    return [_record_from(row) for row in rows]


def _records(person_id: str, kind: str) -> Select[Any]:
    return select(records).where(records.c.person_id == person_id, records.c.kind == kind)


def _record_from(row: Any) -> StoredRecord:
    return StoredRecord(
        kind=row.kind, key=row.key, data=json.loads(row.data), session_id=row.session_id, seq=row.seq
    )


def due(conn: Connection, at: datetime, limit: int) -> Sequence[Due]:
    """Instances whose due time lies strictly before `at`, the longest overdue first."""
    query = (
        select(instances.c.id, instances.c.session_id, instances.c.person_id)
        .where(instances.c.due_at < stamp(at))
        .order_by(instances.c.due_at, instances.c.id)
        .limit(limit)
    )
    return [Due(instance_id=row[0], session_id=row[1], person_id=row[2]) for row in conn.execute(query)]


def suspended(conn: Connection, person_id: str) -> Sequence[Instance]:
    """The person's suspended instances, the last moved first."""
    return [instance_from(row) for row in sql.SUSPENDED.rows(conn, {"person_id": person_id})]


def elsewhere(conn: Connection, person_id: str, session_id: str) -> Sequence[Instance]:
    """The person's active instances that hold another session, the last moved first."""
    query = (
        select(instances)
        .where(
            instances.c.person_id == person_id,
            instances.c.state == State.ACTIVE.value,
            instances.c.holds == 1,
            instances.c.session_id != session_id,
        )
        .order_by(instances.c.moved_at.desc().nulls_last(), instances.c.id.desc())
    )
    return [instance_from(row) for row in conn.execute(query)]


def past(conn: Connection, person_id: str, process: str, limit: int = 100) -> Sequence[Instance]:
    """The person's instances of a process, the last moved first; at most `limit`."""
    query = (
        select(instances)
        .where(instances.c.person_id == person_id, instances.c.process == process)
        .order_by(instances.c.moved_at.desc().nulls_last(), instances.c.id.desc())
        .limit(limit)
    )
    return [instance_from(row) for row in conn.execute(query)]


def asked_of(conn: Connection, person_id: str) -> Sequence[Instance]:
    """The unfinished instances that do a part for another person, the first made first."""
    return [instance_from(row) for row in sql.ASKED_OF.rows(conn, {"person_id": person_id})]


def instances_in(conn: Connection, session_id: str) -> Sequence[Instance]:
    """All instances of a session, in order of their ids."""
    query = select(instances).where(instances.c.session_id == session_id).order_by(instances.c.id)
    return [instance_from(row) for row in conn.execute(query)]


def instance(conn: Connection, instance_id: str) -> Instance | None:
    """The instance of that id."""
    row = conn.execute(select(instances).where(instances.c.id == instance_id)).first()
    return None if row is None else instance_from(row)


def instances_of(conn: Connection, process: str) -> Sequence[Instance]:
    """All instances of a process that have not ended."""
    query = (
        select(instances)
        .where(instances.c.process == process, instances.c.state.in_(_UNFINISHED))
        .order_by(instances.c.id)
    )
    return [instance_from(row) for row in conn.execute(query)]


def transitions_of(conn: Connection, instance_ids: Sequence[str]) -> Sequence[Transition]:
    """The moves of those instances: by instance in the order asked, then by number."""
    found: dict[str, list[Transition]] = {one: [] for one in instance_ids}
    for some in chunks(found):
        query = select(transitions).where(transitions.c.instance_id.in_(some)).order_by(transitions.c.n)
        for row in conn.execute(query):
            found[row.instance_id].append(transition_from(row))
    return [transition for moves in found.values() for transition in moves]


def turn_anywhere(conn: Connection, turn_id: str) -> Sequence[TurnRow]:
    """Turns of that id, of anyone."""
    query = select(turns).where(turns.c.turn_id == turn_id).order_by(turns.c.accepted_at, turns.c.person_id)
    return [turn_from(row) for row in conn.execute(query)]


def session(conn: Connection, person_id: str, session_id: str) -> Session | None:
    """The person's session of that id."""
    query = select(sessions).where(sessions.c.id == session_id, sessions.c.person_id == person_id)
    row = conn.execute(query).first()
    return None if row is None else session_from(row)


def glimpses(conn: Connection, session_ids: Sequence[str]) -> Mapping[str, Glimpse]:
    """How far each of these sessions is, and whether a registered worker has its lease."""
    query = select(sessions.c.id, sessions.c.rev, workers.c.id.is_not(None).label("held"))
    query = query.join_from(sessions, workers, workers.c.id == sessions.c.holder, isouter=True)
    rows = conn.execute(query.where(sessions.c.id.in_(session_ids)))
    return {row.id: Glimpse(rev=row.rev, held=bool(row.held)) for row in rows}


def sessions_of(conn: Connection, person_id: str, before: str | None, limit: int) -> Sequence[Session]:
    """The person's sessions, newest first, after the one of id `before`; none when that is unknown."""
    query = select(sessions).where(sessions.c.person_id == person_id)
    if before is not None:
        last = session(conn, person_id, before)
        if last is None:
            return []
        at = stamp(last.created_at)
        older = sessions.c.created_at < at
        query = query.where(or_(older, and_(sessions.c.created_at == at, sessions.c.id < before)))
    query = query.order_by(sessions.c.created_at.desc(), sessions.c.id.desc()).limit(limit)
    return [session_from(row) for row in conn.execute(query)]


def open_session(conn: Connection, opened: Session) -> None:
    """Keep a session without turns, at revision 1. One of that id that is there already stays as it is."""
    query = select(sessions.c.id).where(sessions.c.id == opened.id)
    if conn.execute(select(persons.c.id).where(persons.c.id == opened.person_id)).first() is None:
        raise NotFound()
    if conn.execute(query).first() is None:
        conn.execute(
            insert(sessions), session_values(opened.evolve(rev=1, leased_to=None, fence=0, waiting=0))
        )


def items(
    conn: Connection,
    person_id: str,
    session_id: str | None,
    project_id: str | None,
    after: int,
    limit: int,
) -> Sequence[Item]:
    """Committed items: of a session in order of `seq` beginning after `after`, or of a project.

    Items of a project over all sessions are in order of acceptance, and `after` counts items already seen.
    What lies beyond a session's first unfinished turn is not shown yet, so that order never changes.
    """
    if session_id is not None:
        return _items_of_session(conn, person_id, session_id, project_id, after, limit)
    earlier = turns.alias("earlier")
    unfinished = exists().where(
        earlier.c.session_id == turns.c.session_id,
        earlier.c.seq <= turns.c.seq,
        text("earlier.status = 'accepted'"),
    )
    where = [turns.c.person_id == person_id, turns.c.status != "silent", ~unfinished]
    if project_id is not None:
        where.append(turns.c.project_id == project_id)
    said = select(*turns.columns, literal(0).label("part")).where(*where, turns.c.origin == "person")
    answered = select(*turns.columns, literal(1).label("part")).where(*where, turns.c.reply.is_not(None))
    both = union_all(said, answered).subquery()
    query = select(both).order_by(both.c.accepted_at, both.c.session_id, both.c.seq, both.c.part)
    rows = conn.execute(query.offset(after).limit(limit)).all()
    return [_said(row) if row.part == 0 else _answered(row) for row in rows]


def _items_of_session(
    conn: Connection, person_id: str, session_id: str, project_id: str | None, after: int, limit: int
) -> Sequence[Item]:
    query = _visible(person_id, session_id).where(turns.c.seq >= after)
    if project_id is not None:
        query = query.where(turns.c.project_id == project_id)
    # These first: what is archived between the two statements is seen in both, and taken from here.
    kept = conn.execute(query.order_by(turns.c.seq).limit(limit + 1)).all()
    packed = archived_turns(conn, person_id, session_id, after, kept[0].seq if kept else NEVER)
    old = (row for row in packed if row.status != "silent" and project_id in (None, row.project_id))
    rows = islice(chain(old, kept), limit + 1)
    return [item for row in rows for item in _items_of(row) if item.seq > after][:limit]


def items_before(
    conn: Connection, person_id: str, session_id: str, before: int, limit: int
) -> Sequence[Item]:
    """The last committed items of a session that come before `before`, in order of `seq`."""
    query = _visible(person_id, session_id).where(turns.c.seq < before)
    kept = conn.execute(query.order_by(turns.c.seq.desc()).limit(limit + 1)).all()
    packed = archived_backwards(conn, person_id, session_id, min(before, kept[-1].seq if kept else before))
    rows = list(islice(chain(kept, (row for row in packed if row.status != "silent")), limit + 1))
    found = [item for row in reversed(rows) for item in _items_of(row) if item.seq < before]
    return found[max(0, len(found) - limit) :]


def _visible(person_id: str, session_id: str) -> Select[Any]:
    """The turns of a session that are shown: nothing behind its first unfinished one, nothing silent."""
    other = turns.alias("other")
    # In the same statement: a turn that is accepted between two would show its person's item too early.
    unfinished = select(func.min(other.c.seq)).where(
        other.c.session_id == session_id, text("other.status = 'accepted'")
    )
    first_hidden = func.coalesce(unfinished.scalar_subquery(), literal(NEVER, BigInteger))
    return select(turns).where(
        turns.c.session_id == session_id,
        turns.c.person_id == person_id,
        turns.c.status != "silent",
        turns.c.seq < first_hidden,
    )


def _items_of(row: Any) -> Iterator[Item]:
    if row.origin == "person":
        yield _said(row)
    if row.reply is not None:
        yield _answered(row)


def _said(row: Any) -> Item:
    request = json.loads(row.request)
    item = _item(row, "operator", row.seq, request["message"], row.accepted_at)
    return replace(item, brought=tuple(request.get("attachments", ())))


def _answered(row: Any) -> Item:
    seq = row.seq + 1 if row.origin == "person" else row.seq
    at = row.accepted_at if row.replied_at is None else row.replied_at
    reply = json.loads(row.reply)
    item = _item(row, "companion", seq, reply["companion_message"], at)
    done = tuple(SideEffect.model_validate(one) for one in reply.get("side_effects", ()))
    return replace(item, side_effects=done, decision_id=reply.get("decision_id"))


def _item(row: Any, role: Literal["operator", "companion"], seq: int, content: str, at: int) -> Item:
    return Item(
        session_id=row.session_id,
        seq=seq,
        role=role,
        content=content,
        turn_id=row.turn_id,
        created_at=moment(at),
        classified_intent=row.intent,
        process=row.process,
        project_id=row.project_id,
    )


def decision(conn: Connection, person_id: str, session_id: str, turn_id: str) -> str | None:
    """The decision record of a turn of the person's session, as it was given."""
    query = (
        select(decisions.c.body)
        .join(turns, and_(turns.c.session_id == decisions.c.session_id, turns.c.seq == decisions.c.seq))
        .where(turns.c.turn_id == turn_id, turns.c.person_id == person_id, turns.c.session_id == session_id)
    )
    found: str | None = conn.scalar(query)
    return archived_decision(conn, person_id, session_id, turn_id) if found is None else found


def decisions_of(
    conn: Connection, person_id: str, session_id: str, after: int, limit: int
) -> Sequence[tuple[int, str]]:
    """The `seq` of turns after that one with their decision records, in order."""
    mine = and_(sessions.c.id == decisions.c.session_id, sessions.c.person_id == person_id)
    query = select(decisions.c.seq, decisions.c.body).join(sessions, mine)
    query = query.where(decisions.c.session_id == session_id, decisions.c.seq > after)
    kept = [(row.seq, row.body) for row in conn.execute(query.order_by(decisions.c.seq).limit(limit))]
    packed = archived_decisions(conn, person_id, session_id, after, kept[0][0] if kept else NEVER)
    return list(islice(chain(packed, kept), limit))
