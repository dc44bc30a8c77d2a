"""The last turns of a person with one of their projects, or with none: what a language model is reminded of."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, and_, select

from softrail.store.tables import decisions, turns

_FARTHEST = 5  #: times as many turns are looked through: fallbacks and interrupted ones do not count


@dataclass(frozen=True, kw_only=True, slots=True)
class Exchange:
    """What a person said and what was answered."""

    said: str
    answered: str
    turn_id: str
    at: int
    session_id: str = ""
    seq: int = 1  #: of the person's item in its session


def last_exchanges(
    conn: Connection, person_id: str, project_id: str | None, *, but: str, limit: int
) -> Sequence[Exchange]:
    """The last committed exchanges, oldest first, over all sessions, without the turn of id `but`.

    Talk without a project is a thread of its own. Answers that only said that no answer could be given are
    left out: they were never meant. The time this takes does not grow with the number of turns.
    """
    for most in (limit + 1, _FARTHEST * limit):  # seldom is the second one needed
        rows = _rows(conn, person_id, project_id, most)
        found = [_exchange(row) for row in rows if row.turn_id != but and not _fell_back(row.body)][:limit]
        if len(found) == limit or len(rows) < most:
            break
    return found[::-1]


def _exchange(row: Any) -> Exchange:
    said, answered = json.loads(row.request)["message"], json.loads(row.reply)["companion_message"]
    return Exchange(
        said=said,
        answered=answered,
        turn_id=row.turn_id,
        at=row.accepted_at,
        session_id=row.session_id,
        seq=row.seq,
    )


def _rows(conn: Connection, person_id: str, project_id: str | None, limit: int) -> Sequence[Any]:
    """The newest turns, the newest first, each with its decision record."""
    # IS NULL and not a comparison: each has an index of its own, in order of time.
    here = turns.c.project_id.is_(None) if project_id is None else turns.c.project_id == project_id
    newest = (
        select(turns)
        .where(turns.c.person_id == person_id, here)
        .where(turns.c.status == "committed", turns.c.request.is_not(None))
        .order_by(turns.c.accepted_at.desc(), turns.c.seq.desc())
        .limit(limit)
        .subquery()  # limited before it is joined: no database looks at older turns for it
    )
    there = and_(decisions.c.session_id == newest.c.session_id, decisions.c.seq == newest.c.seq)
    query = select(newest, decisions.c.body).join_from(newest, decisions, there, isouter=True)
    return conn.execute(query.order_by(newest.c.accepted_at.desc(), newest.c.seq.desc())).all()


def _fell_back(body: str | None) -> bool:
    """The words of that turn stood in for an answer that could not be given."""
    gates = json.loads(body).get("gates", ()) if body else ()
    return any(gate.get("gate") == "respond" and gate.get("outcome") == "fallback" for gate in gates)
