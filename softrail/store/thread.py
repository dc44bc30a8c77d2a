"""The last turns of a person with one of their projects, or with none: what a language model is reminded of."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, and_, select

from softrail.store.tables import decisions, sessions, turns

_SESSIONS = 10  #: of the newest ones talk without a project is looked for; each is one short index read
_SPARE = 2  #: for every turn wanted so many are read: fallbacks and interrupted ones do not count


@dataclass(frozen=True, kw_only=True, slots=True)
class Exchange:
    """What a person said and what was answered."""

    said: str
    answered: str
    turn_id: str
    at: int


def last_exchanges(
    conn: Connection, person_id: str, project_id: str | None, *, but: str, limit: int
) -> Sequence[Exchange]:
    """The last committed exchanges, oldest first, over all sessions, without the turn of id `but`.

    Talk without a project is a thread of its own. Answers that only said that no answer could be given are
    left out: they were never meant. The time this takes does not grow with the number of turns.
    """
    found: list[Exchange] = []
    for row in _rows(conn, person_id, project_id, _SPARE * limit + 1):
        if row.turn_id != but and not _fell_back(row.body):
            said, answered = json.loads(row.request)["message"], json.loads(row.reply)["companion_message"]
            found.append(Exchange(said=said, answered=answered, turn_id=row.turn_id, at=row.accepted_at))
    found.sort(key=lambda exchange: exchange.at)
    return found[-limit:]


def _rows(conn: Connection, person_id: str, project_id: str | None, limit: int) -> Sequence[Any]:
    there = and_(decisions.c.session_id == turns.c.session_id, decisions.c.seq == turns.c.seq)
    columns = (turns.c.turn_id, turns.c.accepted_at, turns.c.request, turns.c.reply, decisions.c.body)
    query = (
        select(*columns)
        .join_from(turns, decisions, there, isouter=True)
        .where(turns.c.person_id == person_id, turns.c.status == "committed", turns.c.request.is_not(None))
    )
    if project_id is not None:
        query = query.where(turns.c.project_id == project_id)
        newest = query.order_by(turns.c.accepted_at.desc(), turns.c.seq.desc()).limit(limit)
        return conn.execute(newest).all()
    mine = select(sessions.c.id).where(sessions.c.person_id == person_id)
    newest_sessions = mine.order_by(sessions.c.created_at.desc(), sessions.c.id.desc()).limit(_SESSIONS)
    rows: list[Any] = []
    for session_id in conn.scalars(newest_sessions).all():
        here = query.where(turns.c.session_id == session_id, turns.c.project_id.is_(None))
        rows += conn.execute(here.order_by(turns.c.seq.desc()).limit(limit)).all()
    rows.sort(key=lambda row: (row.accepted_at, row.turn_id), reverse=True)
    return rows[:limit]


def _fell_back(body: str | None) -> bool:
    """The words of that turn stood in for an answer that could not be given."""
    gates = json.loads(body).get("gates", ()) if body else ()
    return any(gate.get("gate") == "respond" and gate.get("outcome") == "fallback" for gate in gates)
