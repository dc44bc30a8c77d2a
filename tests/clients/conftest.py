"""A real server for clients that are no part of the application."""

import threading
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Final, Literal

import pytest
import uvicorn
from pydantic import BaseModel
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from softrail import Done, Process, Record, Settings, Turn, ask, build
from softrail.api import create_app
from softrail.store import MemoryStore
from tests.slow_process import Gate, Slow

LONGEST: Final = 300.0  #: seconds; only a client that hangs takes that long


class CheckIn(Process, name="check_in", version=1):
    """How you are."""

    starts_on = ("start the check-in",)
    confirm = False

    class Answers(BaseModel):
        """What is asked."""

        hours: int = ask("How many hours did you sleep?", ge=0, le=24)
        dream: str = ask("What did you dream?", default="")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Saved.", effects=[Record("check_in", answers)])


class Lunch(Process, name="lunch", version=1):
    """What you eat."""

    starts_on = ("order lunch",)

    class Answers(BaseModel):
        """What is asked."""

        dish: Literal["soup", "salad"] = ask("Soup or salad?")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Ordered.", effects=[Record("lunch", answers)])


class Recorder:
    """An application, and beside it each stream of its AG-UI door that was sent to its end."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self.streams: list[bytes] = []

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        wanted = scope["type"] == "http" and scope["path"] == "/agui" and scope["method"] == "POST"
        body, streams = bytearray(), False

        async def sent(message: Message) -> None:
            nonlocal streams
            if message["type"] == "http.response.start":
                streams = message["status"] == 200
            else:
                body.extend(message.get("body", b""))
                if streams and not message.get("more_body"):
                    self.streams.append(bytes(body))  # before its reader sees the end
            await send(message)

        await self._app(scope, receive, sent if wanted else send)

    def take(self) -> list[bytes]:
        """What was recorded since it was asked last."""
        taken, self.streams = self.streams, []
        return taken


class Server:
    """Where it is, and what it sent."""

    def __init__(self, url: str, recorder: Recorder) -> None:
        self.url = url
        self.recorder = recorder


@contextmanager
def serving(
    processes: Sequence[type[Process]],
    services: Mapping[type, Any],
    told: Mapping[str, Callable[[], object]],
    **parts: Any,
) -> Iterator[Server]:
    """A server on loopback, in a thread of its own; what is posted to a path of `told` is called in its loop."""
    chosen = {"database_url": "sqlite://", "sweep_interval": 3600.0, "step_limit": LONGEST}
    settings = Settings(**{**chosen, **parts.pop("chosen", {})})
    usual = {"store": MemoryStore(), "discover": False}
    dispatcher = build(settings, processes=processes, services=services, **{**usual, **parts})
    app = create_app(dispatcher, settings)
    for path, call in told.items():
        app.add_api_route(path, _calling(call), methods=["POST"], include_in_schema=False)
    recorder = Recorder(app)
    serving = uvicorn.Server(uvicorn.Config(recorder, port=0, log_config=None))
    thread = threading.Thread(target=serving.run, daemon=True)
    thread.start()
    while not serving.started:
        thread.join(0.005)  # not at once again: it needs the processor itself
        assert thread.is_alive(), "The server could not be started."
    yield Server(f"http://127.0.0.1:{serving.servers[0].sockets[0].getsockname()[1]}", recorder)
    serving.should_exit = True
    thread.join()


def _calling(call: Callable[[], object]) -> Callable[[], Awaitable[None]]:
    async def route() -> None:
        call()

    return route


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    """A server with two short processes and a slow one."""
    gate = Gate()
    with serving([CheckIn, Lunch, Slow], {Gate: gate}, {"/release": gate.open.release}) as one:
        yield one
