"""A person's sessions as they stand in a list, and what the person calls them."""

import json
from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, ScalarSelect, select, update

from softrail.core.commits import Overview
from softrail.store.archiving import archived_backwards, archived_turns, with_archive
from softrail.store.rows import instance_from, session_from
from softrail.store.tables import instances, sessions, turns


def overviews(conn: Connection, person_id: str, session_ids: Sequence[str]) -> Sequence[Overview]:
    """Those of these sessions that are the person's, in this order."""
    if not session_ids:
        return []
    query = select(*sessions.columns, _first().label("first"), _last().label("last")).where(
        sessions.c.id.in_(session_ids), sessions.c.person_id == person_id
    )
    held = select(instances).where(
        instances.c.session_id.in_(session_ids), instances.c.state == "active", instances.c.holds == 1
    )
    holders = {row.session_id: instance_from(row) for row in conn.execute(held)}
    rows = conn.execute(query).all()
    packed = with_archive(conn, session_ids)
    found = {}
    for row in rows:
        first, last = _packed_ends(conn, person_id, row) if row.id in packed else (row.first, row.last)
        found[row.id] = Overview(
            session=session_from(row),
            title=row.title,
            first=None if first is None else json.loads(first)["message"],
            last=None if last is None else json.loads(last)["companion_message"],
            holder=holders.get(row.id),
        )
    return [found[one] for one in session_ids if one in found]


def _first() -> ScalarSelect[Any]:
    """The request of the first thing that was said in a session: one row of its index, however long it is."""
    said = select(turns.c.request).where(turns.c.session_id == sessions.c.id, turns.c.origin == "person")
    return said.order_by(turns.c.seq).limit(1).scalar_subquery()


def _last() -> ScalarSelect[Any]:
    """The last reply of a session in which something was said."""
    shown = turns.c.reply.is_not(None) & (turns.c.status != "silent")
    answered = select(turns.c.reply).where(turns.c.session_id == sessions.c.id, shown)
    return answered.order_by(turns.c.seq.desc()).limit(1).scalar_subquery()


def _packed_ends(conn: Connection, person_id: str, row: Any) -> tuple[str | None, str | None]:
    """The first request and the last reply of a session whose beginning is archived."""
    old = archived_turns(conn, person_id, row.id, 0, 2**62)
    first = next((turn.request for turn in old if turn.origin == "person"), row.first)
    new = archived_backwards(conn, person_id, row.id, 2**62)
    shown = (turn.reply for turn in new if turn.reply is not None and turn.status != "silent")
    return first, row.last if row.last is not None else next(shown, None)


def call_session(conn: Connection, person_id: str, session_id: str, title: str | None) -> bool:
    """Keep what a person calls a session; whether it is theirs. Turns that are computed meanwhile do not notice."""
    mine = (sessions.c.id == session_id) & (sessions.c.person_id == person_id)
    return conn.execute(update(sessions).where(mine).values(title=title)).rowcount > 0
