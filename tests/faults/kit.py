"""What the fault tests share: a dispatcher on a file, people, gates, and a store that obeys orders."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from softrail import Done, Record, Turn, step
from softrail.bootstrap import build, plugin_tables
from softrail.core.clock import now
from softrail.core.instances import Instance
from softrail.core.outcomes import Outcome
from softrail.core.people import Person
from softrail.core.turns import Reply, Request
from softrail.processes import Process
from softrail.settings import Settings
from softrail.store import upgrade
from softrail.testing import Conversation
from softrail.turns.dispatcher import Dispatcher
from tests.sqlite_file import with_tables


class Gate:
    """Lets a test decide when a step, or a model, goes on."""

    def __init__(self) -> None:
        self.entered = asyncio.Event()
        self.opened = asyncio.Event()
        self.times = 0

    async def wait(self) -> None:
        self.times += 1
        self.entered.set()
        await self.opened.wait()


class Slow(Process, name="slow", version=1):
    """Thinks until the gate opens."""

    starts_on = ("do the slow thing",)

    def __init__(self, gate: Gate) -> None:
        self.gate = gate

    class Data(BaseModel):
        said: list[str] = []

    @step(asks="What?", goes_to=("what",), takes_anything=True)
    async def what(self, said: Turn, data: Data) -> Outcome:
        await self.gate.wait()
        return Done(f"Done with {said.message}.", effects=[Record("slow", {"said": said.message})])


def settings(url: str = "sqlite://", **changed: Any) -> Settings:
    """Settings that no file and no environment of this machine can change where a test cares."""
    quick: dict[str, Any] = {"beat_interval": 0.02, "dead_after": 1.5, "sweep_interval": 3600.0}
    return Settings(**{"database_url": url, **quick, **changed})


def file_url(folder: Path) -> str:
    """The URL of the file in that folder, which has its tables."""
    return f"sqlite:///{with_tables(folder / 'softrail.db')}"


@asynccontextmanager
async def worker(
    url: str, *processes: type[Process], changed: dict[str, Any] | None = None, **parts: Any
) -> AsyncIterator[Dispatcher]:
    """One worker of a server on that database, with these processes and no others."""
    parts.setdefault("discover", False)
    if url.startswith("postgresql"):
        await upgrade(url, plugins=plugin_tables(discover=False))
    async with build(settings(url, **(changed or {})), processes=processes, **parts) as dispatcher:
        yield dispatcher


async def person_of(dispatcher: Dispatcher, name: str = "sam") -> Person:
    email = f"{name}@example.org"
    return await dispatcher.store.ensure_person(email, id=dispatcher.parts.ids.new(), at=now())


async def only(talk: Conversation) -> Instance:
    """The one instance of the session."""
    assert talk.session_id is not None
    [instance] = await talk.dispatcher.store.instances(talk.session_id)
    return instance


def as_it_was(instance: Instance) -> tuple[object, ...]:
    return instance.state, instance.step, instance.data, instance.question, instance.holds, instance.version


async def say(dispatcher: Dispatcher, person: Person, message: str, **fields: str) -> Reply:
    return Reply.model_validate_json(await dispatcher.converse(Request(message=message, **fields), person))


async def contents(dispatcher: Dispatcher, person: Person, session_id: str) -> list[str]:
    """What the person said in a session, in order."""
    items = await dispatcher.store.items(person.id, session_id=session_id, limit=1000)
    return [item.content for item in items if item.role == "operator"]
