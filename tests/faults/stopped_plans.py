"""Plans that are stopped before, in and after each of their steps, and what still runs then."""

import asyncio
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from typing import Any, Final, Literal

from softrail import Settings, build
from softrail.bootstrap import plugin_tables
from softrail.core import calling
from softrail.core.clock import now
from softrail.core.people import Person
from softrail.core.turns import Reply, Request
from softrail.plans import work
from softrail.plans.records import standing
from softrail.plans.values import Standing
from softrail.store import SqlStore, open_store
from softrail.testing.contracts.counting import until
from softrail.turns.dispatcher import Dispatcher
from tests.child_processes import processes_of_data
from tests.faults.killed_plans import STEPS, Engine, Looked
from tests.integration.plan_server import plan, sum_of
from tests.plan_history import outside_the_tables

Place = Literal["before", "during", "after"]
PLACES: Final[tuple[Place, ...]] = ("before", "during", "after")
ENDLESS: Final = "SELECT sum(r.range * s.range) FROM range(10000000) r, range(10000000) s"


class Drives:
    """Sees each drive of a run: which steps are under way, and holds it beside the transaction that ends a step."""

    def __init__(self) -> None:
        self.running: set[str] = set()
        self.begun: list[str] = []
        self.held = asyncio.Event()
        self.go_on = asyncio.Event()
        self._place: Place = "during"
        self._step = ""

    def hold(self, place: Place, step: str) -> None:
        """Hold the next drive before that step, or once what came of it is committed; in the middle nothing is held."""
        self.running.clear()
        self.begun.clear()
        self.held.clear()
        self.go_on.clear()
        self._place, self._step = place, step

    async def at(self, place: Place, ended: Sequence[str]) -> None:
        """A drive is at its next transaction, or just after it; these steps end in it."""
        before = STEPS[STEPS.index(self._step) - 1] if self._step != STEPS[0] else ""
        here = self._step in ended if place == "after" else (before in ended if before else not self.begun)
        if place == self._place and here:
            self.held.set()
            await self.go_on.wait()

    @contextmanager
    def seen(self) -> Iterator[None]:
        """Within the block, every drive of this process is seen."""
        carried_out, advanced = work._Drive._carried_out, work._Drive._advanced

        async def counted(drive: Any, one: Any) -> Any:
            self.begun.append(one.step.id)
            self.running.add(one.step.id)
            try:
                return await carried_out(drive, one)
            finally:
                self.running.discard(one.step.id)

        async def beside(drive: Any) -> Any:
            ended = [name for name, task in drive._under_way.items() if task.done()]
            await self.at("before", ended)
            stands = await advanced(drive)
            await self.at("after", ended)
            return stands

        setattr(work._Drive, "_carried_out", counted)  # noqa: B010 - to look at just that
        setattr(work._Drive, "_advanced", beside)  # noqa: B010 - to hold just that
        try:
            yield
        finally:
            setattr(work._Drive, "_carried_out", carried_out)  # noqa: B010 - as it was
            setattr(work._Drive, "_advanced", advanced)  # noqa: B010 - as it was


class StoppedPlans:
    """Two workers on one database: a plan runs on the first, and is stopped on either."""

    def __init__(self, workers: Sequence[Dispatcher], ada: Person, drives: Drives) -> None:
        self._workers = workers
        self._ada = ada
        self._drives = drives

    @property
    def store(self) -> SqlStore:
        """Where all of it is kept."""
        store: Any = self._workers[0].store
        assert isinstance(store, SqlStore)
        return store

    async def _said(self, worker: int, message: str, **where: str) -> Reply:
        request = Request(message=message, **where)
        return Reply.model_validate_json(await self._workers[worker].converse(request, self._ada))

    async def stopped(self, place: Place, step: str, looked: Looked, *, on: int = 0) -> float:
        """Stop a plan of ten steps there; the seconds from the word until nothing of it runs any more."""
        where, drives = f"{place} {step}", self._drives
        drives.hold(place, step)
        shown = await self._said(0, _plan(place, step))
        await self._said(0, "yes", session_id=shown.session_id)
        try:
            async with asyncio.timeout(30):
                await (until(_at_work, 30) if place == "during" else drives.held.wait())
                begun, said = list(drives.begun), time.monotonic()
                reply = await self._said(on, "stop", session_id=shown.session_id)
                drives.go_on.set()
                await until(self._nothing_runs, 30)
        except TimeoutError:
            looked.wrong("stuck", where, "it is not reached, or something of it goes on")
            return 0.0
        finally:
            drives.go_on.set()
        took = time.monotonic() - said
        if not reply.companion_message.startswith("I've stopped."):
            looked.wrong("orphan_reply", where, reply.companion_message)
        await self._look(place, step, shown.session_id, begun, looked)
        return took

    async def _nothing_runs(self) -> bool:
        """No step, no process of one, and nothing that still clears away after it."""
        return not (self._drives.running or processes_of_data() or calling._left_behind)

    async def _look(self, place: Place, step: str, session_id: str, begun: list[str], looked: Looked) -> None:
        """What was finished is there, nothing else was begun, and the run has one end."""
        where = f"{place} {step}"
        # Held before a step, the one before it has ended and is not kept yet: a late result, which is dropped.
        finished = STEPS[: max(0, STEPS.index(step) + {"before": -1, "during": 0, "after": 1}[place])]
        ended = "done" if len(finished) == len(STEPS) else "cancelled"
        engines: list[Any] = [worker.engine for worker in self._workers]
        for engine in engines:
            await engine.settled()
        stands = await self._standing(session_id)
        assert stands.run is not None
        states = {one.id: one.state for one in stands.run.steps.values()}
        wanted = {name: "done" if name in finished else "cancelled" for name in STEPS}
        if (stands.run.state, states) != (ended, wanted):
            looked.wrong("wrong_place", where, f"the run is {stands.run.state}, its steps {states}")
        if set(stands.facts) != set(finished):
            looked.wrong("effects_missing", where, f"facts {sorted(stands.facts)}")
        # What the transaction before the word had begun may have come that far; nothing else has.
        allowed = {*begun, *(STEPS[len(finished) :][:1] if place == "after" else ())}
        if extra := set(self._drives.begun) - allowed:
            looked.wrong("effects_dup", where, f"{sorted(extra)} began afterwards")
        for move in await outside_the_tables(self.store, "ada", session_id):
            looked.wrong("wrong_place", where, move)

    async def _standing(self, session_id: str) -> Standing:
        return await self.store.read(lambda conn: standing(conn, session_id))


def _plan(place: Place, step: str) -> str:
    """Ten steps of which the one that must not be begun, or not be finished, is a query that has no end."""
    endless = STEPS.index(step) + (place == "after")
    steps = [
        {"id": name, "action": "query", "arguments": {"sql": ENDLESS}, "needs": list(STEPS[:n][-1:])}
        if n == endless
        else sum_of(name, f"{n} + 1", *STEPS[:n][-1:])
        for n, name in enumerate(STEPS)
    ]
    return plan(*steps)


async def _at_work() -> bool:
    return bool(processes_of_data())


@asynccontextmanager
async def stopped_plans(url: str, engine: Engine = "embedded") -> AsyncIterator[StoppedPlans]:
    """Two workers, over a database that has its tables."""
    drives = Drives()
    chosen = Settings(
        database_url=url, bundled=("plans",), sweep_interval=3600.0, encoder="none", engine=engine
    )
    async with AsyncExitStack() as stack:
        stack.enter_context(drives.seen())
        workers = [build(chosen, store=open_store(url, plugins=plugin_tables(discover=False))) for _ in "ab"]
        for one in workers:
            await stack.enter_async_context(one)
        ada = await workers[0].store.ensure_person("ada@example.org", id="ada", at=now())
        yield StoppedPlans(workers, ada, drives)
