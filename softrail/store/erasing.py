"""Erasing: what goes with a session, and what goes with a person."""

from collections.abc import Sequence

from sqlalchemy import Connection, Table, delete, select

from softrail.core.assignments import ANSWERED, ASKED, PartRequest
from softrail.core.clock import now
from softrail.core.instances import Instance
from softrail.core.signals import Result
from softrail.store.attachments import erase_files
from softrail.store.outbox import row_for
from softrail.store.plugins import PluginTables
from softrail.store.rows import instance_from
from softrail.store.tables import (
    archived,
    attachments,
    decisions,
    effects,
    instances,
    keys,
    persons,
    records,
    sessions,
    transitions,
    turns,
)

#: Children before what they point at.
_OF_A_SESSION: tuple[Table, ...] = (archived, decisions, effects, turns)


def delete_session(
    conn: Connection, person_id: str, session_id: str, plugins: Sequence[PluginTables] = ()
) -> bool:
    """Erase a session with its turns, decisions, effects and instances; whether it was the person's.

    Effects that still wait for delivery go with it, but for what others wait for. Records stay: they are the
    person's, not the session's.
    """
    mine = select(sessions.c.id).where(sessions.c.id == session_id, sessions.c.person_id == person_id)
    if conn.execute(mine.with_for_update()).first() is None:
        return False
    _erase_session(conn, session_id, plugins, stays=True)
    return True


def delete_person(conn: Connection, person_id: str, plugins: Sequence[PluginTables] = ()) -> None:
    """Erase a person and all that is theirs."""
    conn.execute(select(persons.c.id).where(persons.c.id == person_id).with_for_update()).all()
    mine = select(sessions.c.id).where(sessions.c.person_id == person_id).order_by(sessions.c.id)
    for session_id in conn.scalars(mine.with_for_update()).all():
        _erase_session(conn, session_id, plugins, stays=False)
    for plugin in plugins:
        plugin.erase_person(conn, person_id)
    conn.execute(
        delete(effects).where(effects.c.person_id == person_id, effects.c.session_id.like(f"{_PART}%"))
    )
    conn.execute(delete(records).where(records.c.person_id == person_id))
    conn.execute(delete(keys).where(keys.c.person_id == person_id))
    conn.execute(delete(persons).where(persons.c.id == person_id))


def _erase_session(
    conn: Connection, session_id: str, plugins: Sequence[PluginTables], *, stays: bool
) -> None:
    _hand_back(conn, session_id, stays=stays)
    for plugin in plugins:
        plugin.erase_session(conn, session_id)
    erase_files(conn, attachments.c.session_id == session_id)
    bound = select(instances.c.id).where(instances.c.session_id == session_id)
    conn.execute(delete(transitions).where(transitions.c.instance_id.in_(bound)))
    conn.execute(delete(instances).where(instances.c.session_id == session_id))
    for table in _OF_A_SESSION:
        conn.execute(delete(table).where(table.c.session_id == session_id))
    conn.execute(delete(sessions).where(sessions.c.id == session_id))


# -- parts for other people


_PART = "part:"  #: how the sources of rows are called that an erasure leaves for others


def _hand_back(conn: Connection, session_id: str, *, stays: bool) -> None:
    """See to it that whoever waits for a part in this session hears of it: they lose nothing by its erasure.

    A part that is not done is asked for anew if its person `stays`; otherwise it is left, for it is gone.
    """
    query = select(instances).where(instances.c.session_id == session_id, instances.c.asked.is_not(None))
    for instance in map(instance_from, conn.execute(query).all()):
        part, outcome = instance.memo.asked, instance.memo.outcome
        source = f"{_PART}{instance.id}"
        conn.execute(delete(effects).where(effects.c.session_id == source))
        caller = _person_of(conn, part.caller) if part is not None else None
        if part is None or caller is None or (outcome is not None and not _untold(conn, instance)):
            continue
        if outcome is None and stays:
            news, kind = PartRequest(news="asked", part=part), ASKED
        else:
            gone = Result(process=part.process, left="gone")
            news, kind = PartRequest(news="result", part=part, result=outcome or gone), ANSWERED
        payload = news.model_dump(mode="json")
        conn.execute(row_for(source, person_id=caller, kind=kind, payload=payload, at=now()))


def _person_of(conn: Connection, instance_id: str) -> str | None:
    return conn.scalar(select(instances.c.person_id).where(instances.c.id == instance_id))


def _untold(conn: Connection, instance: Instance) -> bool:
    """The news of what came of a part still waits to be delivered."""
    query = select(effects.c.n).where(
        effects.c.session_id == instance.session_id,
        effects.c.kind == ANSWERED,
        effects.c.status.in_(("waiting", "failed")),
    )
    return conn.execute(query).first() is not None
