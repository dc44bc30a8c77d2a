"""What waits for a person in their sessions: open questions, and processes put aside."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Connection, exists, select

from softrail.core.instances import Instance, State
from softrail.core.questions import Pending
from softrail.store.rows import instance_from, moment
from softrail.store.tables import instances, sessions, turns

LATELY: Final = 400  #: items of a session, from its end


def open_questions(
    conn: Connection, person_id: str, project_id: str | None, limit: int
) -> Sequence[tuple[str, Pending, datetime]]:
    """The person's sessions that wait for an answer, with the question, the last used first.

    With `project_id` only sessions in which the person spoke about that project lately.
    """
    query = select(sessions).where(sessions.c.person_id == person_id, sessions.c.pending.is_not(None))
    query = _about(query, person_id, project_id)
    query = query.order_by(sessions.c.last_turn_at.desc().nulls_last(), sessions.c.id.desc()).limit(limit)
    return [
        (row.id, Pending.model_validate_json(row.pending), moment(row.last_turn_at or row.created_at))
        for row in conn.execute(query)
    ]


def put_aside(conn: Connection, person_id: str, project_id: str | None, limit: int) -> Sequence[Instance]:
    """The person's suspended instances, the last moved first; with `project_id` as in `open_questions`."""
    query = select(instances).where(
        instances.c.person_id == person_id, instances.c.state == State.SUSPENDED.value
    )
    query = _about(query.join(sessions, sessions.c.id == instances.c.session_id), person_id, project_id)
    query = query.order_by(instances.c.moved_at.desc().nulls_last(), instances.c.id.desc()).limit(limit)
    return [instance_from(row) for row in conn.execute(query)]


def _about(query: Any, person_id: str, project_id: str | None) -> Any:
    """Of the sessions in a query those that lately were about the project: a long session costs what a short one does."""
    if project_id is None:
        return query
    said = exists().where(
        turns.c.session_id == sessions.c.id,
        turns.c.seq >= sessions.c.next_seq - LATELY,
        turns.c.person_id == person_id,
        turns.c.project_id == project_id,
    )
    return query.where(said)
