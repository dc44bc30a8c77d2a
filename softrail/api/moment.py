"""A session as it stands, for whoever has to draw it: who holds it, what is open, what works now."""

from typing import Any

from pydantic import BaseModel

from softrail.api.parts import Parts
from softrail.api.routes.sessions import instance_view
from softrail.core.instances import State
from softrail.core.sessions import Session
from softrail.core.turns import pending_view

_LAST = (
    *("turn_id", "seq", "decision_id", "side_effects", "suggested_actions"),
    *("draft_specification", "readiness", "project_id"),
)


async def moment(
    parts: Parts, session: Session | None, session_id: str, last: dict[str, Any] | None
) -> dict[str, Any]:
    """The state that the protocol doors tell; `last` is the reply of the last turn, if there was one."""
    if session is None:
        return _state(session_id, process=None, pending=None, suspended=[], ways=[], last=None)
    instances = await parts.store.instances(session.id)
    holder = next((i for i in instances if i.holds and i.state is State.ACTIVE), None)
    ways = await parts.dispatcher.ways(session, instances)
    return _state(
        session.id,
        process=None if holder is None else _plain(instance_view(parts, holder)),
        pending=None if session.pending is None else _plain(pending_view(session.pending)),
        suspended=[_plain(instance_view(parts, i)) for i in instances if i.state is State.SUSPENDED],
        ways=[_plain(way) for way in ways],
        last=None if last is None else {name: last.get(name) for name in _LAST},
    )


def _state(session_id: str, **more: Any) -> dict[str, Any]:
    return {"session_id": session_id, **more}


def _plain(view: BaseModel | None) -> Any:
    return None if view is None else view.model_dump(mode="json", by_alias=True)
