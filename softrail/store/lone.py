"""The commit of one turn that is computed from what still stands, in statements that say so themselves.

Most turns answer a question: their session and one instance are saved where they are, turn and decision are added. Nothing
has to be read for that: every row is changed only if it is as the turn has read it. Where one is not, nothing is written
and `commit` says why, with whatever else it knows.
"""

import sqlite3
from typing import Any

from sqlalchemy import (
    CTE,
    Column,
    ColumnElement,
    Connection,
    Update,
    bindparam,
    insert,
    literal_column,
    select,
    update,
)
from sqlalchemy.engine import Dialect

from softrail.core.commits import Committed, TurnCommit, numbers
from softrail.store import sql
from softrail.store.rows import InstancePlace, instance_values, session_values, stamp, turn_values
from softrail.store.statements import Statement
from softrail.store.tables import decisions, instances, sessions, turns

#: Kinds of rows; before the names of parameters where one statement writes to all of them.
SESSION, INSTANCE, TURN, DECISION = "session_", "instance_", "turn_", "decision_"
READ_REV, READ_NEXT = "read_rev", "read_next"  #: parameters: a revision, or a number, as it was read

_SAVED = ("rev", "next_seq", "pending", "memo", "last_turn_at")
_STAYS = tuple(name for name in InstancePlace._fields if name not in ("id", "rev"))


class Changed(Exception):
    """Something is not as the turn has read it; what was written has to be rolled back."""


def fits(commit: TurnCommit) -> bool:
    """A person's turn in a session that is there, with no effects and no moves, of one instance or none."""
    return (
        commit.turn is not None
        and commit.turn.origin == "person"
        and commit.fence is None
        and commit.session.rev > 0
        and not commit.effects
        and not commit.transitions
        and len(commit.instances) <= 1
        and all(instance.rev > 0 for instance in commit.instances)
    )


def commit_lone(raw: sqlite3.Connection, dialect: Dialect, commit: TurnCommit) -> Committed:
    """Commit a turn that fits, in the transaction of the driver's connection. Raises Changed, or what the driver says."""
    for kind, values in _rows(commit).items():
        if raw.execute(*_PARTS[kind].said(dialect, values)).rowcount != 1:
            raise Changed
    return committed(commit)


def in_one(dialect: Dialect, commit: TurnCommit) -> tuple[str, tuple[Any, ...]]:
    """The same as one statement, for PostgreSQL: all of it or nothing, without a transaction around it.

    Its value is 0 where nothing was written; where an instance has changed it fails by a division by zero.
    """
    statement = _IN_ONE_WITH_INSTANCE if commit.instances else _IN_ONE
    values = {f"{kind}{name}": value for kind, row in _rows(commit).items() for name, value in row.items()}
    return statement.said(dialect, values)


def rehearse(conn: Connection) -> None:
    """Run that statement for a session that nobody has: nothing is written, and all that a turn needs has to be there."""
    tables = {SESSION: sessions, INSTANCE: instances, TURN: turns, DECISION: decisions}
    nobody = {f"{kind}{column.name}": None for kind, table in tables.items() for column in table.columns}
    nobody |= {f"{kind}{READ_REV}": None for kind in (SESSION, INSTANCE)} | {f"{SESSION}{READ_NEXT}": None}
    _IN_ONE_WITH_INSTANCE.rows(conn, nobody)


def committed(commit: TurnCommit) -> Committed:
    """What came of a turn that fits and is written."""
    assert commit.turn is not None  # noqa: S101 - it fits
    return Committed(seq=commit.turn.seq, rev=commit.session.rev + 1, reply=commit.turn.reply or "")


def _rows(commit: TurnCommit) -> dict[str, dict[str, Any]]:
    """What is written, by kind and in this order, with the revisions that were read."""
    turn, session = commit.turn, commit.session
    assert turn is not None  # noqa: S101 - it fits
    saved = session_values(session)
    saved[READ_REV], saved[READ_NEXT] = session.rev, turn.seq
    saved["rev"], saved["next_seq"] = session.rev + 1, turn.seq + numbers(turn)
    saved["last_turn_at"] = stamp(turn.accepted_at)
    rows = {SESSION: saved}
    for instance in commit.instances:
        kept = rows[INSTANCE] = instance_values(instance)
        kept[READ_REV], kept["rev"] = instance.rev, instance.rev + 1
    rows[TURN] = turn_values(turn)
    rows[DECISION] = {"session_id": turn.session_id, "seq": turn.seq, "body": commit.decision}
    return rows


# -- the statements


def _bind(kind: str, column: Column[Any], name: str = "") -> Any:
    return bindparam(f"{kind}{name or column.name}", type_=column.type)


def _is(column: Column[Any], value: Any) -> ColumnElement[bool]:
    return column.is_not_distinct_from(value) if column.nullable else column == value


def _save_session(kind: str = "") -> Update:
    """The session, if nothing of it has changed, nobody has its lease and no turn waits."""
    c = sessions.c
    as_read = (
        c.id == _bind(kind, c.id),
        c.person_id == _bind(kind, c.person_id),
        c.rev == _bind(kind, c.rev, READ_REV),
        c.next_seq == _bind(kind, c.next_seq, READ_NEXT),
        c.holder.is_(None),
        c.waiting == literal_column("0"),
    )
    return update(sessions).where(*as_read).values({name: _bind(kind, c[name]) for name in _SAVED})


def _save_instance(kind: str = "") -> Update:
    """The instance, if it is at the revision that was read, and stays where the indexes have it."""
    c = instances.c
    as_read = (c.id == _bind(kind, c.id), c.rev == _bind(kind, c.rev, READ_REV))
    stays = (_is(c[name], _bind(kind, c[name])) for name in _STAYS)
    saved = [column for column in c if column.name not in InstancePlace._fields or column.name == "rev"]
    return update(instances).where(*as_read, *stays).values({one.name: _bind(kind, one) for one in saved})


def _in_one(*, with_instance: bool) -> Statement:
    """Session, instance, turn and decision; how many sessions were saved, and an error where the instance was not."""
    session = _save_session(SESSION).returning(sessions.c.id).cte("saved_session")
    parts: list[CTE] = [session]
    done = "(SELECT count(*) FROM saved_session)"
    if with_instance:
        there = select(session.c.id).exists()
        parts.append(_save_instance(INSTANCE).where(there).returning(instances.c.id).cte("saved_instance"))
        # A session that is saved without its instance must not be: to divide by nothing undoes the whole statement.
        done = "CASE WHEN (SELECT count(*) FROM saved_session) = 0 THEN 0 ELSE 1 / (SELECT count(*) FROM saved_instance) END"
    for table, kind in ((turns, TURN), (decisions, DECISION)):
        row = select(*(_bind(kind, column) for column in table.columns)).select_from(session)
        parts.append(insert(table).from_select(list(table.columns), row).cte(f"new_{table.name}"))
    return Statement(select(literal_column(done)).add_cte(*parts))


_PARTS = {
    SESSION: Statement(_save_session()),
    INSTANCE: Statement(_save_instance()),
    TURN: sql.INSERT_TURN,
    DECISION: sql.INSERT_DECISION,
}
_IN_ONE = _in_one(with_instance=False)
_IN_ONE_WITH_INSTANCE = _in_one(with_instance=True)
