"""`create_app`: the whole server, as `softrail serve` runs it."""

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from typing import cast

from fastapi import FastAPI, Request, Response
from starlette.exceptions import HTTPException
from starlette.middleware.cors import CORSMiddleware

from softrail.api.asking import People
from softrail.api.described import describe
from softrail.api.failures import plain_response, unexpected
from softrail.api.hosts import KnownHosts
from softrail.api.identity import Identity, Inspectors
from softrail.api.inspecting import inspecting
from softrail.api.metrics import TurnMetrics
from softrail.api.mounting import mount_announced
from softrail.api.origins import Origins, SafeHeaders
from softrail.api.router import inspector_routes, own_routes, parts_of
from softrail.api.routes.health import health
from softrail.api.routes.tokens import tokens
from softrail.api.tokens import Tokens
from softrail.api.web import web
from softrail.settings import Settings
from softrail.turns.dispatcher import Dispatcher

ABOUT = "Guided conversations that people can step off at any time."


Running = Callable[[Dispatcher], AbstractAsyncContextManager[None]]


def create_app(
    dispatcher: Dispatcher,
    settings: Settings,
    *,
    metrics: TurnMetrics | None = None,
    running: Running | None = None,
) -> FastAPI:
    """The application: it starts the dispatcher with itself and stops it with itself.

    `metrics` are served at `/metrics`; `running` replaces how the dispatcher is started and stopped.
    """

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        try:
            if running is not None:
                async with running(dispatcher):
                    yield
                return
            await dispatcher.start()
            try:
                yield
            finally:
                await dispatcher.stop(settings.grace)
        finally:
            await who.sandboxes.close()

    app = FastAPI(
        title="Softrail",
        version=_version(),
        summary=ABOUT,
        lifespan=lifespan,
        docs_url=None,  # its page would come from elsewhere
        openapi_url="/openapi.json" if settings.docs else None,
        redoc_url=None,
    )
    identity = Identity(
        dispatcher.store,
        local_person=settings.local_person,
        access=settings.access,
        hosts=settings.hosts,
        tokens=Tokens(dispatcher.store, settings.secrets, settings.allowed_origins),
    )
    if settings.allowed_origins:
        app.add_middleware(
            CORSMiddleware,
            allow_origins=settings.allowed_origins,
            allow_methods=["GET", "HEAD", "POST", "PATCH", "PUT", "DELETE"],
            allow_headers=["Authorization", "Content-Type", "Idempotency-Key", "Last-Event-ID"],
            expose_headers=["Retry-After", "Content-Disposition"],
        )
    app.add_middleware(KnownHosts, listed=settings.hosts, keyed=identity.keyed)
    app.add_middleware(SafeHeaders)
    origins = Origins(settings.allowed_origins)
    parts = parts_of(
        dispatcher,
        identity=identity,
        body_limit=settings.body_limit,
        upload_limit=settings.upload_limit,
        rate_limit=settings.rate_limit,
        stream_limit=settings.stream_limit,
        forget=identity.forget,
        follow=identity.follow,
        origins=origins,
    )
    who = inspecting(
        Inspectors(identity), People(dispatcher.store), parts.limit, origins, is_local=identity.local
    )
    app.router.routes.extend(own_routes(parts))
    mount_announced(app.router, parts)
    app.router.routes.extend(tokens(parts, identity).routes)
    app.router.routes.extend(health(dispatcher, metrics).routes)
    app.router.routes.extend(inspector_routes(parts, who, pages=settings.web == "all"))
    app.router.routes.extend(web(settings.web, docs=settings.docs).routes)
    describe(app, dispatcher.parts.reply.model)

    @app.exception_handler(HTTPException)
    async def framework_error(_: Request, error: Exception) -> Response:
        return plain_response(cast(HTTPException, error))

    @app.exception_handler(Exception)
    async def fault(_: Request, error: Exception) -> Response:
        return unexpected(error)

    return app


@cache
def _version() -> str:
    try:
        return version("softrail")
    except PackageNotFoundError:  # running from a checkout
        return "0"
