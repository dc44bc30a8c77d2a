"""Commits a list of turns in one transaction, one statement per table, each turn wholly or not at all.

The list is judged before anything is written: revisions, leases, fences and turn ids of all turns are read
first and losers are dropped, so what is left can be written with one call per table. What cannot be foreseen
(a unique index clashes, an effect is refused) fails the whole transaction; the runner then gives each turn a
transaction of its own.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection

from softrail.core.commits import CommitResult, Committed, Fenced, Moved, Seen, TurnCommit, TurnRow, numbers
from softrail.core.instances import Instance, State
from softrail.store import sql
from softrail.store.effects import Applied, Handlers, apply
from softrail.store.rows import (
    InstancePlace,
    Standing,
    instance_values,
    session_values,
    stamp,
    stamp_or_none,
    transition_values,
    turn_from,
    turn_values,
)

#: Ended first, suspended last: a slot and a hold are given up before another instance takes them.
_ORDER = {None: 0, State.ACTIVE: 1, State.OFFERED: 2, State.SUSPENDED: 3}


def commit_turns(
    conn: Connection, commits: Sequence[TurnCommit], handlers: Handlers, *, careful: bool = False
) -> list[CommitResult]:
    """Commit what can be committed and say of each turn what came of it, in order.

    Args:
        conn: A connection in a transaction that holds the write lock, or whose database locks rows.
        commits: The turns.
        handlers: What applies effects, by kind.
        careful: Look every turn id up first. Otherwise a turn id used in another session shows as a
            unique index that clashes.
    """
    results: dict[int, CommitResult] = {}
    left = list(enumerate(commits))
    while left:
        wave, left = _wave(left)
        found = _commit_wave(conn, [commit for _, commit in wave], handlers, careful)
        results.update(zip((i for i, _ in wave), found, strict=True))
        careful = True  # a turn of an earlier wave may have had the same id
    return [results[i] for i in range(len(commits))]


def _wave(
    numbered: list[tuple[int, TurnCommit]],
) -> tuple[list[tuple[int, TurnCommit]], list[tuple[int, TurnCommit]]]:
    """Turns that share no session, turn id or instance, and the others, which see what these wrote."""
    if len(numbered) == 1:
        return numbered, []
    wave, later = list[tuple[int, TurnCommit]](), list[tuple[int, TurnCommit]]()
    touched = set[Any]()
    for item in numbered:
        commit = item[1]
        keys: set[Any] = {("instance", instance.id) for instance in commit.instances}
        keys.add(commit.session.id)
        if commit.turn is not None:
            keys.add(_key(commit.turn))
        (wave if touched.isdisjoint(keys) else later).append(item)
        touched |= keys
    return wave, later


def _key(turn: TurnRow) -> tuple[str, str]:
    return turn.person_id, turn.turn_id


@dataclass(frozen=True, slots=True)
class _Present:
    """What the database holds of the things a wave of turns wants to change, locked against others."""

    persons: set[str]
    sessions: Mapping[str, Standing]
    turns: Mapping[tuple[str, str], TurnRow]
    instances: Mapping[str, InstancePlace]


def _commit_wave(
    conn: Connection, commits: Sequence[TurnCommit], handlers: Handlers, careful: bool
) -> list[CommitResult]:
    present = _look(conn, commits, careful)
    verdicts = [_verdict(commit, present) for commit in commits]
    winners = [commit for commit, lost in zip(commits, verdicts, strict=True) if lost is None]
    written = iter(_write(conn, winners, present, handlers))
    results = [next(written) if lost is None else lost for lost in verdicts]
    return [
        seen_instead(conn, commit, result) if isinstance(result, Moved) and not careful else result
        for commit, result in zip(commits, results, strict=True)
    ]


def _look(conn: Connection, commits: Sequence[TurnCommit], careful: bool) -> _Present:
    # Persons, sessions, instances, each in order of id: everyone locks in this order, so no two deadlock.
    opening = {c.session.person_id for c in commits if c.session.is_new}
    persons = {row[0] for row in sql.PERSONS.rows(conn, opening)}
    sessions = sql.standing(conn, {c.session.id for c in commits})
    turns = {}
    for commit in commits:
        if commit.turn is not None and (careful or commit.fence is not None):
            found = find_turn(conn, *_key(commit.turn))
            if found is not None:
                turns[_key(found)] = found
    changed = {i.id for c in commits for i in c.instances if i.rev > 0}
    instances = {row[0]: InstancePlace(*row) for row in sql.INSTANCE_PLACES.rows(conn, changed)}
    return _Present(persons, sessions, turns, instances)


def find_turn(conn: Connection, person_id: str, turn_id: str) -> TurnRow | None:
    """The person's turn of that id."""
    row = sql.TURN_BY_KEY.first(conn, {"person_id": person_id, "turn_id": turn_id})
    return None if row is None else turn_from(row)


def seen_instead(conn: Connection, commit: TurnCommit, moved: Moved) -> CommitResult:
    """A loser whose turn was committed by someone else is told that, not to run it again."""
    found = None if commit.turn is None else find_turn(conn, *_key(commit.turn))
    if found is None or (commit.fence is not None and found.status == "accepted"):
        return moved
    return Seen(turn=found)


def _verdict(commit: TurnCommit, present: _Present) -> CommitResult | None:
    """Why this turn cannot be committed; None: it can."""
    turn, session = commit.turn, commit.session
    row = present.sessions.get(session.id)
    known = None if turn is None else present.turns.get(_key(turn))
    accepted = known is not None and known.status == "accepted" and known.session_id == session.id
    if known is not None and not (accepted and commit.fence is not None):
        return Seen(turn=known)
    if row is None:
        fresh = session.is_new and commit.fence is None and session.person_id in present.persons
        return None if fresh else Moved(revision=None)
    if row.person_id != session.person_id:
        return Moved(revision=None)
    if commit.fence is not None:
        if row.leased_to is None or row.fence != commit.fence:
            return Fenced(fence=row.fence)
        in_place = known.seq == turn.seq if known and turn else _may_be_next(turn, row)
    else:
        in_place = row.leased_to is None and row.waiting == 0 and _may_be_next(turn, row)
    if row.rev != session.rev or not in_place:
        return Moved(revision=row.rev)
    for instance in commit.instances:
        found = present.instances.get(instance.id)
        if instance.rev > 0 and (found is None or found.rev != instance.rev):
            return Moved(revision=row.rev if found is not None else None)
    return None


def _may_be_next(turn: TurnRow | None, row: Standing) -> bool:
    """A turn that was never accepted gets the next number; a person's turn only if no other waits."""
    if turn is None:
        return True
    return turn.seq == row.next_seq and (turn.origin != "person" or row.waiting == 0)


@dataclass(frozen=True, slots=True)
class _Rows:
    """The rows of a wave, by statement."""

    new_sessions: list[dict[str, Any]] = field(default_factory=list)
    sessions: list[dict[str, Any]] = field(default_factory=list)
    released: list[dict[str, Any]] = field(default_factory=list)
    new_turns: list[dict[str, Any]] = field(default_factory=list)
    turns: list[dict[str, Any]] = field(default_factory=list)
    instances: list[Instance] = field(default_factory=list)
    let_go: list[dict[str, Any]] = field(default_factory=list)
    transitions: list[dict[str, Any]] = field(default_factory=list)
    effects: list[dict[str, Any]] = field(default_factory=list)
    records: dict[tuple[str, str, str], dict[str, Any]] = field(default_factory=dict)
    forgotten: set[tuple[str, str, str]] = field(default_factory=set)
    decisions: list[dict[str, Any]] = field(default_factory=list)


def _write(
    conn: Connection, commits: Sequence[TurnCommit], present: _Present, handlers: Handlers
) -> list[CommitResult]:
    rows, results = _Rows(), list[CommitResult]()
    for commit in commits:
        row = present.sessions.get(commit.session.id)
        rev = 1 if row is None else row.rev + 1
        seq = -rev if commit.turn is None else commit.turn.seq  # what no turn did is kept under the revision
        applied = apply(conn, commit, seq, handlers)
        known = commit.turn is not None and _key(commit.turn) in present.turns
        _add_session(rows, commit, row, rev, known)
        if commit.turn is not None:
            _add_turn(rows, commit.turn, commit.decision, applied, known)
        _add_moves(rows, commit, applied)
        results.append(Committed(seq=max(seq, 0), rev=rev, reply=applied.reply or ""))
    sql.INSERT_SESSION.each(conn, rows.new_sessions)
    sql.SAVE_SESSION.each(conn, rows.sessions)
    sql.SAVE_AND_RELEASE_SESSION.each(conn, rows.released)
    sql.INSERT_TURN.each(conn, rows.new_turns)
    sql.SAVE_TURN.each(conn, rows.turns)
    sql.LET_GO.each(conn, rows.let_go)
    _save_instances(conn, sorted(rows.instances, key=lambda i: _ORDER.get(i.state, 0)), present)
    sql.INSERT_TRANSITION.each(conn, rows.transitions)
    sql.INSERT_EFFECT.each(conn, rows.effects)
    names = ("person_id", "kind", "key")
    sql.DELETE_RECORD.each(conn, [dict(zip(names, key, strict=True)) for key in sorted(rows.forgotten)])
    sql.SAVE_RECORD.each(conn, list(rows.records.values()))
    sql.INSERT_DECISION.each(conn, rows.decisions)
    return results


def _save_instances(conn: Connection, instances: Iterable[Instance], present: _Present) -> None:
    new, staying, moved = list[dict[str, Any]](), list[dict[str, Any]](), list[dict[str, Any]]()
    for instance in instances:
        values = {**instance_values(instance), "rev": instance.rev + 1}
        if instance.rev == 0:
            new.append(values)
        else:
            (staying if present.instances[instance.id].keeps(values) else moved).append(values)
    sql.SAVE_INSTANCE_IN_PLACE.each(conn, staying)
    sql.SAVE_INSTANCE.each(conn, moved)
    sql.INSERT_INSTANCE.each(conn, new)


def _add_session(rows: _Rows, commit: TurnCommit, row: Standing | None, rev: int, known: bool) -> None:
    """Note how the session is saved. What the store counts is the store's."""
    turn = commit.turn
    values = session_values(commit.session) | {"rev": rev}
    if turn is not None and turn.origin == "person":
        values["last_turn_at"] = stamp(turn.accepted_at)
    if row is None:
        first = commit.session.next_seq if turn is None else turn.seq
        values |= {"next_seq": first + numbers(turn), "holder": None, "fence": 0, "waiting": 0}
        rows.new_sessions.append(values)
        return
    values["next_seq"] = row.next_seq if known else row.next_seq + numbers(turn)
    values["waiting"] = row.waiting - 1 if known else row.waiting
    released = commit.fence is not None and not commit.keep_lease
    (rows.released if released else rows.sessions).append(values)


def _add_turn(rows: _Rows, turn: TurnRow, decision: str, applied: Applied, known: bool) -> None:
    """Note the turn with its reply and its decision record."""
    if known:
        values = {
            "session_id": turn.session_id,
            "seq": turn.seq,
            "request": turn.request,
            "status": turn.status,
            "replied_at": stamp_or_none(turn.replied_at),
            "reply": applied.reply,
            "intent": turn.intent,
            "process": turn.process,
            "project_id": turn.project_id,
        }
        rows.turns.append(values)
    else:
        rows.new_turns.append({**turn_values(turn), "reply": applied.reply})
    rows.decisions.append({"session_id": turn.session_id, "seq": turn.seq, "body": decision})


def _add_moves(rows: _Rows, commit: TurnCommit, applied: Applied) -> None:
    """Note instances, their transitions, and effects."""
    rows.instances.extend(commit.instances)
    if len(commit.instances) > 1:
        rows.let_go.extend({"id": i.id} for i in commit.instances if i.rev > 0 and not i.holds)
    rows.transitions.extend(transition_values(t) for t in commit.transitions)
    rows.effects.extend(applied.effects)
    for record in applied.records:
        key = (record["person_id"], record["kind"], record["key"])
        if "data" in record:
            rows.records[key] = record
        else:
            rows.records.pop(key, None)
            rows.forgotten.add(key)
