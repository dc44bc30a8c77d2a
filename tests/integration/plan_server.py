"""An application with plans, and actions that a test lets go on: nothing waits for a clock."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any

from softrail import Model, Settings, action, build
from softrail.bootstrap import plugin_tables
from softrail.core.clock import now
from softrail.core.commits import Item
from softrail.core.execution import Engine, Host, Work
from softrail.core.people import Person
from softrail.core.turns import Reply, Request
from softrail.plans.records import standing
from softrail.plans.values import Standing
from softrail.store import MemoryStore, SqlStore
from softrail.testing.contracts.counting import until
from softrail.turns.dispatcher import Dispatcher


class Gate:
    """A step that waits until the test opens it, or has it fail."""

    def __init__(self) -> None:
        self.reached = asyncio.Event()
        self.opened = asyncio.Event()
        self.begun = 0
        self.cut_off = 0
        self.fails = ""


class Gates:
    """The gates of a test, by name."""

    def __init__(self) -> None:
        self._made: dict[str, Gate] = {}

    def __getitem__(self, name: str) -> Gate:
        return self._made.setdefault(name, Gate())

    async def at(self, name: str) -> None:
        async with asyncio.timeout(30):
            await self[name].reached.wait()


@action(repeatable=True)
async def hold(name: str, gates: Gates) -> str:
    """Wait until somebody opens the gate."""
    gate = gates[name]
    gate.begun += 1
    gate.reached.set()
    try:
        await gate.opened.wait()
    except asyncio.CancelledError:
        gate.cut_off += 1
        raise
    if gate.fails:
        raise ValueError(gate.fails)
    return f"{name} is through"


class Nobody:
    """An engine that drives nothing: what is begun is left to other workers, or to the test."""

    async def start(self, works: Mapping[str, Work], host: Host) -> None: ...

    def wake(self, kind: str, run_id: str) -> None: ...

    async def stop(self, grace: float) -> None: ...


class Planned:
    """A person who plans in one session."""

    def __init__(self, dispatcher: Dispatcher, store: SqlStore, person: Person, gates: Gates) -> None:
        self.dispatcher = dispatcher
        self.store = store
        self.person = person
        self.gates = gates
        self.session_id: str | None = None

    async def say(self, message: str) -> Reply:
        request = Request(message=message, session_id=self.session_id)
        reply = Reply.model_validate_json(await self.dispatcher.converse(request, self.person))
        self.session_id = reply.session_id
        return reply

    @property
    def here(self) -> str:
        assert self.session_id is not None
        return self.session_id

    async def items(self) -> Sequence[Item]:
        return await self.store.items(self.person.id, session_id=self.here)

    async def heard(self, words: str) -> Item:
        """The item of the companion's own that says this, once it is there."""
        found: list[Item] = []

        async def there() -> bool:
            found[:] = [i for i in await self.items() if i.role == "companion" and words in i.content]
            return bool(found)

        await until(there, 30)
        return found[-1]

    async def standing(self) -> Standing:
        return await self.store.read(lambda conn: standing(conn, self.here))

    async def phase(self) -> str:
        instances = await self.store.instances(self.here)
        [one] = [i for i in instances if i.process == "planning" and i.state == "active"]
        return one.step

    async def states(self) -> dict[str, str]:
        run = (await self.standing()).run
        return {step.id: step.state for step in run.steps.values()} if run is not None else {}


def plan(*steps: dict[str, Any] | str, problem: str = "Look into it", word: str = "plan") -> str:
    """A plan as it is said; a name alone is a step that holds at the gate of that name, after the one before it."""
    written, before = list[dict[str, Any]](), ""
    for one in steps:
        if isinstance(one, str):
            needs = [before] if before else []
            one = {"id": one, "action": "hold", "arguments": {"name": one}, "needs": needs}
        written.append(one)
        before = one["id"]
    return f"/{word}\n" + json.dumps({"problem": problem, "steps": written})


def sum_of(id: str, expression: str, *needs: str, **more: Any) -> dict[str, Any]:
    """A step that computes."""
    return {
        "id": id,
        "action": "compute",
        "arguments": {"expression": expression, **more},
        "needs": list(needs),
    }


@asynccontextmanager
async def planned(
    store: SqlStore | None = None,
    *,
    actions: Sequence[Callable[..., object]] = (),
    engine: Engine | None = None,
    model: Model | None = None,
    **settings: Any,
) -> AsyncIterator[Planned]:
    """An application with plans, and one person; `Nobody` is an engine that leaves runs where they are."""
    store = store or MemoryStore(plugins=plugin_tables())
    gates = Gates()
    usual: dict[str, Any] = {
        "database_url": "sqlite://",
        "bundled": ("plans", "standup"),
        "sweep_interval": 3600.0,
        "beat_interval": 0.05,
    }
    chosen = Settings(**usual | settings)
    dispatcher = build(
        chosen, store=store, services={Gates: gates}, actions=[hold, *actions], engine=engine, model=model
    )
    assert dispatcher.faults == ()
    async with dispatcher:
        person = await store.ensure_person("ada@example.org", id="ada", at=now())
        yield Planned(dispatcher, store, person, gates)
