"""The clients that frontends are made with, through one process, each against a real server."""

import os
import shutil
import threading
from collections.abc import Iterator
from pathlib import Path
from subprocess import run
from typing import Final

import pytest
import uvicorn
from pydantic import BaseModel

from softrail import Done, Process, Record, Settings, Turn, ask, build
from softrail.api import create_app
from softrail.store import MemoryStore
from tests.slow_process import Gate, Slow

HERE: Final = Path(__file__).parent
CLIENTS: Final = ("ag-ui-1.0.0", "ag-ui-0.0.59", "ai-6-transport", "ai-6-use-chat")
HOW: Final = "Install them with Node 18 or newer: cd tests/clients && npm ci"
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


def missing() -> str:
    """Why the clients cannot be run here; "" when they can."""
    if shutil.which("node") is None:
        return f"The clients of frontends need Node. {HOW}"
    if not (HERE / "node_modules" / "ai").is_dir():
        return f"The clients of frontends are not installed. {HOW}"
    return ""


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    """A server on loopback, in a thread of its own."""
    if why := missing():
        if os.environ.get("SOFTRAIL_CLIENT_TESTS") == "required":
            pytest.fail(why)
        pytest.skip(why)
    gate = Gate()
    settings = Settings(database_url="sqlite://", sweep_interval=3600.0, step_limit=LONGEST)
    dispatcher = build(
        settings, store=MemoryStore(), processes=[CheckIn, Slow], services={Gate: gate}, discover=False
    )
    app = create_app(dispatcher, settings)

    @app.post("/release", include_in_schema=False)
    async def release() -> None:
        gate.open.release()

    server = uvicorn.Server(uvicorn.Config(app, port=0, log_config=None))
    serving = threading.Thread(target=server.run, daemon=True)
    serving.start()
    while not server.started:
        assert serving.is_alive(), "The server could not be started."
    yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    server.should_exit = True
    serving.join()


@pytest.mark.parametrize("client", CLIENTS)
def test_a_real_client_goes_through_it_all(client: str, url: str) -> None:
    command = ["node", "scenarios.mjs", client, url]
    found = run(command, cwd=HERE, capture_output=True, text=True, timeout=LONGEST, check=False)

    assert found.returncode == 0, found.stdout + found.stderr
