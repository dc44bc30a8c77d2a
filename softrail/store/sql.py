"""The statements of the path of a turn, each written once for every database."""

from collections.abc import Collection, Sequence
from typing import Any

from sqlalchemy import (
    LABEL_STYLE_TABLENAME_PLUS_COL,
    Connection,
    FromClause,
    Select,
    Table,
    Update,
    bindparam,
    delete,
    func,
    insert,
    literal_column,
    select,
    text,
    update,
)
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.sql import ClauseElement

from softrail.store.rows import InstancePlace, Standing
from softrail.store.statements import Statement, chunks
from softrail.store.tables import (
    decisions,
    effects,
    facts,
    instances,
    persons,
    records,
    sessions,
    transitions,
    turns,
    workers,
)


class Lookup:
    """A select by id, for one id or many; rows come locked, in order of id, where the database locks rows."""

    def __init__(self, query: Select[Any], column: Any) -> None:
        self._one = Statement(query.where(column == bindparam("id")))
        self._many = query.where(column.in_(bindparam("ids", expanding=True))).order_by(column)

    def rows(self, conn: Connection, ids: Collection[str]) -> Sequence[Any]:
        """The rows of those ids that exist."""
        if not ids:
            return ()
        if len(ids) == 1:
            return self._one.rows(conn, {"id": next(iter(ids))})
        found: list[Any] = []
        for some in chunks(sorted(ids)):
            found.extend(conn.execute(self._many, {"ids": some}))
        return found


def standing(conn: Connection, ids: Collection[str]) -> dict[str, Standing]:
    """Where those sessions stand, locked until the end of the transaction."""
    return {row[0]: Standing(*row) for row in SESSIONS.rows(conn, ids)}


def _insert(table: Table, *, without: str = "") -> Statement:
    return Statement(
        insert(table).values({c.name: bindparam(c.name) for c in table.columns if c.name != without})
    )


def _save(table: Table, *columns: str, **fixed: Any) -> Update:
    """An update by primary key of those columns."""
    statement = update(table).values({name: bindparam(name) for name in columns} | fixed)
    for key in table.primary_key:
        statement = statement.where(key == bindparam(key.name))
    return statement


def _upsert_record(dialect: str) -> ClauseElement:
    make = postgresql.insert if dialect == "postgresql" else sqlite.insert
    statement = make(records).values({c.name: bindparam(c.name) for c in records.columns})
    return statement.on_conflict_do_update(
        index_elements=["person_id", "kind", "key"],
        set_={name: statement.excluded[name] for name in ("data", "session_id", "seq")},
    )


_LIVE = text("instances.state IN ('offered', 'active')")
_SAVED = ("rev", "next_seq", "waiting", "pending", "memo", "last_turn_at")

# -- SQLite's transactions begin where we say so: a writer that reads first must have the lock by then
BEGIN_WRITING = Statement(text("BEGIN IMMEDIATE"))
BEGIN_READING = Statement(text("BEGIN"))

# -- looked at before anything is written
PERSONS = Lookup(select(persons.c.id).with_for_update(read=True, key_share=True), persons.c.id)
SESSIONS = Lookup(
    select(
        sessions.c.id,
        sessions.c.person_id,
        sessions.c.rev,
        sessions.c.next_seq,
        sessions.c.holder,
        sessions.c.fence,
        sessions.c.waiting,
    ).with_for_update(),
    sessions.c.id,
)
INSTANCE_PLACES = Lookup(
    select(*(instances.c[name] for name in InstancePlace._fields)).with_for_update(), instances.c.id
)
INSTANCES = Lookup(select(instances), instances.c.id)
_OF_THAT_ID = (turns.c.turn_id == bindparam("turn_id")) & (turns.c.person_id == bindparam("person_id"))
TURN_BY_KEY = Statement(select(turns).where(_OF_THAT_ID))

# -- written by a commit
INSERT_SESSION = _insert(sessions, without="title")
SAVE_SESSION = Statement(_save(sessions, *_SAVED))
SAVE_AND_RELEASE_SESSION = Statement(_save(sessions, *_SAVED, holder=literal_column("NULL")))
INSERT_TURN = _insert(turns)
SAVE_TURN = Statement(
    _save(
        turns,
        *("status", "replied_at", "reply", "intent", "process", "project_id"),
        request=func.coalesce(bindparam("request"), turns.c.request),  # words were made where none were sent
    )
)
LET_GO = Statement(_save(instances, holds=literal_column("0")))
INSERT_INSTANCE = _insert(instances)
SAVE_INSTANCE = Statement(_save(instances, *(c.name for c in instances.columns if not c.primary_key)))
#: SQLite writes every index anew that a statement names a column of, also where the value stays as it is.
SAVE_INSTANCE_IN_PLACE = Statement(
    _save(instances, "rev", *(c.name for c in instances.columns if c.name not in InstancePlace._fields))
)
INSERT_TRANSITION = _insert(transitions)
INSERT_EFFECT = _insert(effects)
SAVE_RECORD = Statement(_upsert_record)
DELETE_RECORD = Statement(
    delete(records).where(
        records.c.person_id == bindparam("person_id"),
        records.c.kind == bindparam("kind"),
        records.c.key == bindparam("key"),
    )
)
INSERT_DECISION = _insert(decisions)

# -- the snapshot and the lease
_SESSION_AND_LIVE = sessions.outerjoin(instances, (instances.c.session_id == sessions.c.id) & _LIVE)


def _snapshot(joined: FromClause, *tables: Table) -> Statement:
    query = select(*tables).select_from(joined).where(sessions.c.id == bindparam("id"))
    return Statement(query.set_label_style(LABEL_STYLE_TABLENAME_PLUS_COL))


SNAPSHOT = _snapshot(_SESSION_AND_LIVE, sessions, instances)
#: The same, and beside each row the turn that has an id already: every turn of a careful client asks for both.
SNAPSHOT_AND_TURN = _snapshot(_SESSION_AND_LIVE.outerjoin(turns, _OF_THAT_ID), sessions, instances, turns)
SUSPENDED = Statement(
    select(instances)
    .where(instances.c.person_id == bindparam("person_id"), text("instances.state = 'suspended'"))
    .order_by(instances.c.moved_at.desc().nulls_last(), instances.c.id.desc())
)
ASKED_OF = Statement(
    select(instances)
    .where(
        instances.c.person_id == bindparam("person_id"),
        text("instances.asked IS NOT NULL AND instances.state IN ('offered', 'active', 'suspended')"),
    )
    .order_by(instances.c.id)
)
PERSON_OF_SESSION = Statement(
    select(persons)
    .join(sessions, sessions.c.person_id == persons.c.id)
    .where(sessions.c.id == bindparam("id"))
)
WORKER = Statement(select(workers.c.beat).where(workers.c.id == bindparam("id")))
ACCEPT = Statement(
    update(sessions)
    .where(sessions.c.id == bindparam("id"))
    .values(
        next_seq=bindparam("next_seq"),
        waiting=bindparam("waiting"),
        holder=bindparam("holder"),
        fence=bindparam("fence"),
    )
)
TAKE = Statement(
    update(sessions)
    .where(sessions.c.id == bindparam("id"))
    .values(holder=bindparam("holder"), fence=bindparam("fence"))
)
RELEASE = Statement(
    update(sessions)
    .where(
        sessions.c.id == bindparam("id"),
        sessions.c.fence == bindparam("fence"),
        sessions.c.holder.is_not(None),
    )
    .values(holder=literal_column("NULL"))
)
WAITING = Statement(
    select(turns)
    .where(turns.c.session_id == bindparam("id"), text("turns.status = 'accepted'"))
    .order_by(turns.c.seq)
)
START = Statement(_save(turns, "starts", "begun_by"))
ONE_MORE_WAITS = Statement(
    update(sessions)
    .where(sessions.c.id == bindparam("id"))
    .values(waiting=sessions.c.waiting + literal_column("1"))
)
FORGET_DECISION = Statement(
    delete(decisions).where(
        decisions.c.session_id == bindparam("session_id"), decisions.c.seq == bindparam("seq")
    )
)
TOUCH = Statement(update(facts).values(value=facts.c.value))
WORKERS = Statement(select(workers.c.id))
REOPEN_TURN = Statement(
    _save(
        turns,
        status=literal_column("'accepted'"),
        starts=literal_column("0"),
        **dict.fromkeys(("begun_by", "replied_at", "reply", "intent", "process"), literal_column("NULL")),
    )
)
