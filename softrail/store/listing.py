"""A person's sessions as they stand in a list, and what the person calls them."""

import json
from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, ScalarSelect, select, update

from softrail.core.commits import Overview
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
    found = {
        row.id: Overview(
            session=session_from(row),
            title=row.title,
            first=None if row.first is None else json.loads(row.first)["message"],
            last=None if row.last is None else json.loads(row.last)["companion_message"],
            holder=holders.get(row.id),
        )
        for row in conn.execute(query)
    }
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


def call_session(conn: Connection, person_id: str, session_id: str, title: str | None) -> bool:
    """Keep what a person calls a session; whether it is theirs. Turns that are computed meanwhile do not notice."""
    mine = (sessions.c.id == session_id) & (sessions.c.person_id == person_id)
    return conn.execute(update(sessions).where(mine).values(title=title)).rowcount > 0
