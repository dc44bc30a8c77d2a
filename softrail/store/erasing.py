"""Erasing: what goes with a session, and what goes with a person."""

from collections.abc import Sequence

from sqlalchemy import Connection, Table, delete, select

from softrail.store.plugins import PluginTables
from softrail.store.tables import (
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
_OF_A_SESSION: tuple[Table, ...] = (decisions, effects, turns)


def delete_session(
    conn: Connection, person_id: str, session_id: str, plugins: Sequence[PluginTables] = ()
) -> bool:
    """Erase a session with its turns, decisions, effects and instances; whether it was the person's.

    Effects that still wait for delivery go with it. Records stay: they are the person's, not the session's.
    """
    mine = select(sessions.c.id).where(sessions.c.id == session_id, sessions.c.person_id == person_id)
    if conn.execute(mine.with_for_update()).first() is None:
        return False
    _erase_session(conn, session_id, plugins)
    return True


def delete_person(conn: Connection, person_id: str, plugins: Sequence[PluginTables] = ()) -> None:
    """Erase a person and all that is theirs."""
    conn.execute(select(persons.c.id).where(persons.c.id == person_id).with_for_update()).all()
    mine = select(sessions.c.id).where(sessions.c.person_id == person_id).order_by(sessions.c.id)
    for session_id in conn.scalars(mine.with_for_update()).all():
        _erase_session(conn, session_id, plugins)
    for plugin in plugins:
        plugin.erase_person(conn, person_id)
    conn.execute(delete(records).where(records.c.person_id == person_id))
    conn.execute(delete(keys).where(keys.c.person_id == person_id))
    conn.execute(delete(persons).where(persons.c.id == person_id))


def _erase_session(conn: Connection, session_id: str, plugins: Sequence[PluginTables]) -> None:
    for plugin in plugins:
        plugin.erase_session(conn, session_id)
    bound = select(instances.c.id).where(instances.c.session_id == session_id)
    conn.execute(delete(transitions).where(transitions.c.instance_id.in_(bound)))
    conn.execute(delete(instances).where(instances.c.session_id == session_id))
    for table in _OF_A_SESSION:
        conn.execute(delete(table).where(table.c.session_id == session_id))
    conn.execute(delete(sessions).where(sessions.c.id == session_id))
