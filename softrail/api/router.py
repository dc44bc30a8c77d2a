"""`create_router`: Softrail inside a team's own FastAPI application."""

from collections.abc import Callable, Sequence

from fastapi import APIRouter
from starlette.routing import BaseRoute

from softrail.api.asking import IdentityDependency, People, asking
from softrail.api.failures import SoftrailRoute
from softrail.api.inspecting import HiddenRoute, Inspecting, hide_the_rest, inspecting
from softrail.api.limits import RateLimit, Streams
from softrail.api.mounting import mount_announced
from softrail.api.origins import Origins
from softrail.api.parts import STREAM_LIMIT, Parts
from softrail.api.routes.agui import agui
from softrail.api.routes.attachments import attachments
from softrail.api.routes.chat import chat
from softrail.api.routes.converse import converse
from softrail.api.routes.inspect import inspect
from softrail.api.routes.instances import instances
from softrail.api.routes.kinds import kinds
from softrail.api.routes.live import live
from softrail.api.routes.me import me
from softrail.api.routes.sandboxes import sandboxes
from softrail.api.routes.sessions import sessions
from softrail.api.standing import Follow, for_ever
from softrail.api.web import add_inspector_pages, page_files
from softrail.core.files import UPLOAD_LIMIT
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
    stream_limit: int = STREAM_LIMIT,
    forget: Callable[[str], None] | None = None,
    follow: Follow = for_ever,
    allowed_origins: Sequence[str] = (),
    inspector: IdentityDependency | None = None,
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
        stream_limit: Streams and downloads that a person may have open at once on this worker.
        forget: Called with a person's id when they were changed or erased, if `identity` remembers people.
        follow: Called with the request of an event stream, it gives a context manager whose future is done once the
            stream has to end because the access was taken back; omitted: a stream ends with its session.
        allowed_origins: Origins of pages, besides those of this host, that may change something without an
            `Authorization` of their own, such as `https://app.example.org`; CORS is your application's.
        inspector: A dependency like `identity` that gives who may look into everybody's conversations, and None or an
            HTTPException for anybody else, to whom `/inspect` is then an unknown path. Omitted: nobody may.
    """
    origins = Origins(allowed_origins, tokens=True)
    parts = parts_of(
        dispatcher,
        identity=identity,
        body_limit=body_limit,
        upload_limit=upload_limit,
        rate_limit=rate_limit,
        stream_limit=stream_limit,
        forget=forget,
        follow=follow,
        origins=origins,
    )
    router = APIRouter(route_class=SoftrailRoute, routes=own_routes(parts))
    if inspector is not None:
        who = inspecting(inspector, People(dispatcher.store), parts.limit, origins)
        router.routes.extend(inspector_routes(parts, who))
    router.routes.extend(page_files(inspector=inspector is not None).routes)
    mount_announced(router, parts)
    return router


def parts_of(
    dispatcher: Dispatcher,
    *,
    identity: IdentityDependency,
    body_limit: int,
    upload_limit: int,
    rate_limit: int,
    stream_limit: int,
    forget: Callable[[str], None] | None,
    follow: Follow,
    origins: Origins,
) -> Parts:
    """What every group of routes is handed; the arguments are those of `create_router`."""
    people = People(dispatcher.store)

    def forget_all(person_id: str) -> None:
        people.forget(person_id)
        if forget is not None:
            forget(person_id)

    shared = dispatcher.store if isinstance(dispatcher.store, SqlStore) else None
    limit = RateLimit(rate_limit, store=shared)
    return Parts(
        dispatcher=dispatcher,
        asking=asking(identity, people, limit, origins),
        limit=limit,
        body_limit=body_limit,
        upload_limit=upload_limit,
        forget=forget_all,
        follow=follow,
        streams=Streams(stream_limit),
    )


def own_routes(parts: Parts) -> list[BaseRoute]:
    """The routes of a conversation one after the other.

    They are not included router by router: each inclusion works every route out anew, which takes longer than all else
    at the start of a server.
    """
    groups = (converse, instances, sessions, attachments, live, kinds, agui, chat, me)
    return [route for routes in groups for route in routes(parts).routes]


def inspector_routes(parts: Parts, who: Inspecting, *, pages: bool = True) -> list[BaseRoute]:
    """The routes of the inspector and its pages; none with a store that is not one of ours."""
    store = parts.dispatcher.store
    if not isinstance(store, SqlStore):
        return []
    shown, rest = APIRouter(route_class=HiddenRoute), APIRouter()
    if pages:
        add_inspector_pages(shown, who)
    hide_the_rest(rest)  # after all that is there
    groups = (inspect(parts, who, store), sandboxes(parts, who, store), shown, rest)
    return [route for group in groups for route in group.routes]
