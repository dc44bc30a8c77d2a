"""A whole server for the tests of the API: the real application on a store in memory, unless told otherwise."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from fastapi import FastAPI
from pydantic import BaseModel
from starlette.testclient import TestClient

from softrail.api import create_app
from softrail.bootstrap import build
from softrail.core.effects import Record
from softrail.core.outcomes import Done
from softrail.core.ports import Store
from softrail.core.turns import Turn
from softrail.processes import Process, ask
from softrail.settings import Settings
from softrail.store import MemoryStore
from softrail.turns.dispatcher import Dispatcher

ADA = {"X-Softrail-Person": "ada@example.org"}
BOB = {"X-Softrail-Person": "bob@example.org"}
START = "start the check-in"


class CheckIn(Process, name="check_in", version=1):
    """A short check-in: what was done."""

    starts_on = (START,)

    class Answers(BaseModel):
        """What is asked."""

        done: list[str] = ask("What did you do?")
        next: list[str] = ask("What is next?", default=[])

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Saved.", effects=[Record("check_in", answers)])


class Served:
    """A running server and the dispatcher inside it."""

    def __init__(self, client: TestClient, dispatcher: Dispatcher) -> None:
        self.client = client
        self.dispatcher = dispatcher

    def say(self, message: str, session_id: str | None = None, **more: Any) -> Any:
        """One turn of Ada's; the reply as a client gets it."""
        body = {"message": message, **({"session_id": session_id} if session_id else {}), **more}
        response = self.client.post("/converse", json=body, headers=ADA)
        assert response.status_code == 200, response.text
        return response.json()


def settings(**values: Any) -> Settings:
    """Settings that no file and no environment of this machine can change where a test cares."""
    return Settings(**{"docs": True, "database_url": "sqlite://", "sweep_interval": 3600.0, **values})


def here(app: FastAPI, **options: Any) -> TestClient:
    """A client on the machine of the server, as local mode wants it."""
    return TestClient(app, base_url="http://localhost", client=("127.0.0.1", 50000), **options)


@contextmanager
def served(
    *,
    store: Store | None = None,
    processes: Sequence[type[Process]] = (CheckIn,),
    chosen: Settings | None = None,
    discover: bool = False,
    **parts: Any,
) -> Iterator[Served]:
    """The application between its start and its stop; with its tables, the companion is part of it."""
    chosen = chosen or settings()
    store = store or MemoryStore()
    discover = discover or bool(getattr(store, "plugins", ()))
    dispatcher = build(chosen, store=store, processes=processes, discover=discover, **parts)
    with here(create_app(dispatcher, chosen), raise_server_exceptions=False) as client:
        yield Served(client, dispatcher)


def events(text: str) -> list[dict[str, str]]:
    """Server-sent events as a browser reads them."""
    found = []
    for block in text.split("\n\n"):
        lines = [line for line in block.split("\n") if line and not line.startswith(":")]
        fields = [(name, value) for name, _, value in (line.partition(": ") for line in lines)]
        if fields:
            found.append(dict(fields))
    return found
