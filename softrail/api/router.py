"""`create_router`: Softrail inside a team's own FastAPI application."""

from collections.abc import Callable

from fastapi import APIRouter

from softrail.api.asking import IdentityDependency, People, asking
from softrail.api.failures import SoftrailRoute
from softrail.api.limits import RateLimit
from softrail.api.mounting import announced_routers
from softrail.api.parts import UPLOAD_LIMIT, Parts
from softrail.api.routes.converse import converse
from softrail.api.routes.instances import instances
from softrail.api.routes.kinds import kinds
from softrail.api.routes.live import live
from softrail.api.routes.me import me
from softrail.api.routes.sessions import sessions
from softrail.api.standing import Follow, for_ever
from softrail.store import SqlStore
from softrail.turns.dispatcher import Dispatcher

BODY_LIMIT = 1_048_576


def create_router(
    dispatcher: Dispatcher,
    *,
    identity: IdentityDependency,
    body_limit: int = BODY_LIMIT,
    upload_limit: int = UPLOAD_LIMIT,
    rate_limit: int = 0,
    forget: Callable[[str], None] | None = None,
    follow: Follow = for_ever,
) -> APIRouter:
    """Every route of a conversation, to be included in an application of your own.

    The application starts and stops the dispatcher (``async with dispatcher`` in its lifespan).

    Args:
        dispatcher: What `softrail.build` gave.
        identity: A FastAPI dependency of yours that gives who is asking: a `Person`, or just their e-mail
            address. It raises HTTPException(401) for nobody.
        body_limit: Bytes a body may have.
        upload_limit: Bytes a file may have.
        rate_limit: Requests a person may make in a minute, over all workers; 0 sets no limit. A store that is not one of
            ours counts them on each worker for itself.
        forget: Called with a person's id when they were changed or erased, if `identity` remembers people.
        follow: Called with the request of an event stream, it gives a context manager whose future is done once the
            stream has to end because the access was taken back; omitted: a stream ends with its session.
    """
    people = People(dispatcher.store)

    def forget_all(person_id: str) -> None:
        people.forget(person_id)
        if forget is not None:
            forget(person_id)

    shared = dispatcher.store if isinstance(dispatcher.store, SqlStore) else None
    parts = Parts(
        dispatcher=dispatcher,
        asking=asking(identity, people, RateLimit(rate_limit, store=shared)),
        body_limit=body_limit,
        upload_limit=upload_limit,
        forget=forget_all,
        follow=follow,
    )
    router = APIRouter(route_class=SoftrailRoute)
    for routes in (converse, instances, sessions, live, kinds, me):
        router.include_router(routes(parts))
    for brought in announced_routers(parts):
        router.include_router(brought)
    return router
