"""A real server for clients that are no part of the application."""

import threading
from collections.abc import Iterator
from typing import Final

import pytest
import uvicorn
from pydantic import BaseModel

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


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """The address of a server on loopback, in a thread of its own."""
    gate = Gate()
    settings = Settings(database_url="sqlite://", sweep_interval=3600.0, step_limit=LONGEST)
    dispatcher = build(
        settings, store=MemoryStore(), processes=[CheckIn, Slow], services={Gate: gate}, discover=False
    )
    app = create_app(dispatcher, settings)

    @app.post("/release", include_in_schema=False)
    async def release() -> None:
        gate.open.release()

    serving = uvicorn.Server(uvicorn.Config(app, port=0, log_config=None))
    thread = threading.Thread(target=serving.run, daemon=True)
    thread.start()
    while not serving.started:
        assert thread.is_alive(), "The server could not be started."
    yield f"http://127.0.0.1:{serving.servers[0].sockets[0].getsockname()[1]}"
    serving.should_exit = True
    thread.join()
