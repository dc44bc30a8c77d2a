"""A team's own application with Softrail inside, where a cookie says who asks: a browser sends it by itself."""

import asyncio
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from typing import Annotated, Any

import httpx2
import uvicorn
from fastapi import Cookie, FastAPI, HTTPException
from starlette.testclient import TestClient

from softrail import Process, Settings, build, create_router
from softrail.store import MemoryStore
from softrail.turns.dispatcher import Dispatcher
from tests.slow_process import Gate, Slow

PREFIX = "/assistant"


async def who(session: Annotated[str, Cookie()] = "") -> str:
    """The person whose session it is at the host."""
    if session not in ("ada", "bob"):
        raise HTTPException(401)
    return f"{session}@example.org"


async def boss(session: Annotated[str, Cookie()] = "") -> str | None:
    """Whoever may look into everybody's conversations."""
    return "boss@example.org" if session == "boss" else None


def host(dispatcher: Dispatcher, **options: Any) -> FastAPI:
    """The host's application: a page of its own, and the routes of a conversation below a prefix."""
    app = FastAPI()

    @app.get("/own")
    async def own() -> dict[str, str]:
        return {"of": "the host"}

    app.include_router(create_router(dispatcher, identity=who, **options), prefix=PREFIX)
    return app


@contextmanager
def embedded(processes: Sequence[type[Process]] = (), **options: Any) -> Iterator[TestClient]:
    """The application, asked by a browser of Ada's."""
    dispatcher = build(
        Settings(database_url="sqlite://"), store=MemoryStore(), processes=processes, discover=False
    )
    app = host(dispatcher, **options)
    with TestClient(app, base_url="https://app.example.org", cookies={"session": "ada"}) as client:
        yield client


@dataclass(frozen=True, kw_only=True)
class Hosted:
    """Where the application answers, and what its slow process waits for."""

    url: str
    gate: Gate
    dispatcher: Dispatcher

    def browser(self, person: str) -> httpx2.AsyncClient:
        """A browser of that person's."""
        return httpx2.AsyncClient(base_url=f"{self.url}{PREFIX}", cookies={"session": person}, timeout=30)


@asynccontextmanager
async def hosted(processes: Sequence[type[Process]] = ()) -> AsyncIterator[Hosted]:
    """The application on loopback, where streams come piece by piece; it has a slow process, too."""
    gate = Gate()
    settings = Settings(database_url="sqlite://", sweep_interval=3600.0, step_limit=300.0)
    dispatcher = build(
        settings, store=MemoryStore(), processes=[*processes, Slow], services={Gate: gate}, discover=False
    )
    async with dispatcher, _listening(host(dispatcher)) as url:
        yield Hosted(url=url, gate=gate, dispatcher=dispatcher)


@asynccontextmanager
async def _listening(app: FastAPI) -> AsyncIterator[str]:
    server = uvicorn.Server(uvicorn.Config(app, port=0, lifespan="off", log_config=None))
    serving = asyncio.create_task(server.serve())
    while not server.started:  # noqa: ASYNC110 - there is nothing to wait on
        await asyncio.sleep(0.01)
    try:
        yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    finally:
        server.should_exit = True
        await serving
