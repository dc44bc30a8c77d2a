"""Plans whose worker is killed at a named place, and what is true of each of them afterwards."""

import asyncio
import os
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import yaml
from sqlalchemy import select

from softrail.core.clock import now
from softrail.core.people import Person
from softrail.core.turns import Reply, Request
from softrail.plans.records import facts_of, steps_of
from softrail.plans.tables import runs
from softrail.store import SqlStore
from softrail.testing.contracts.counting import until
from softrail.turns.dispatcher import Dispatcher
from tests.faults.findings import Findings
from tests.faults.planning_worker import application
from tests.faults.test_killed_engines import Started
from tests.forked import ROOT, begun
from tests.integration.plan_server import Nobody
from tests.plan_history import outside_the_tables

Engine = Literal["embedded", "dbos"]
STEPS = tuple("abcdefghij")
#: Of a step, in their order: in the transaction that begins it, once that is committed, in the middle of it, when it has
#: done something outside, in the transaction that keeps what came of it, and once that is committed.
PLACES = ("starting", "before", "in", "paid", "kept", "after")
#: All of them, of every step; and before and after the conversation is told of the end.
POINTS = (*(f"{place}:{name}" for name in STEPS for place in PLACES), "telling", "told")
PATIENCE = 60.0  #: seconds that a plan may take over all its workers


@dataclass
class Looked:
    """What was found of plans, over all of them."""

    found: Findings = field(default_factory=Findings)
    faults: list[str] = field(default_factory=list)

    def wrong(self, count: str, where: str, what: str) -> None:
        """Count it, and keep the words that tell it."""
        setattr(self.found, count, getattr(self.found, count) + 1)
        self.faults.append(f"{where}: {what}")


def plan_of(names: Sequence[str]) -> str:
    """A plan as it is said: so many steps, each after the one before."""
    steps = [
        {
            "id": name,
            "action": "go",
            "arguments": {"name": name},
            "needs": list(names[n - 1 : n]) if n else [],
        }
        for n, name in enumerate(names)
    ]
    return "/plan\n" + yaml.safe_dump({"problem": "Go on", "steps": steps}, sort_keys=False)


class KilledPlans:
    """People agree to plans here, one after the other; workers of other processes carry them out, and are killed."""

    def __init__(
        self, url: str, folder: Path, dispatcher: Dispatcher, ada: Person, engine: Engine = "embedded"
    ) -> None:
        self._url = url
        self._engine = engine
        self._folder = folder
        self._dispatcher = dispatcher
        self._ada = ada

    @property
    def store(self) -> SqlStore:
        """Where all of it is kept."""
        store: Any = self._dispatcher.store
        assert isinstance(store, SqlStore)
        return store

    async def agreed(self, plan: str) -> str:
        """The session of a plan that was agreed to, and that nobody carries out yet."""
        shown = await self._said(plan)
        begun = await self._said("yes", session_id=shown.session_id)
        assert begun.companion_message.startswith("I've begun: ")
        return shown.session_id

    async def _said(self, message: str, **where: str) -> Reply:
        request = Request(message=message, **where)
        return Reply.model_validate_json(await self._dispatcher.converse(request, self._ada))

    async def start(self, folder: Path, *points: str) -> Started:
        """A worker that ends itself at these points, each once."""
        words = ("tests.faults.planning_worker", self._url, str(folder), *points)
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "SOFTRAIL_ENGINE": self._engine}
        return Started(await asyncio.to_thread(begun, *words, env=environment))

    async def killed_at(
        self, points: Sequence[str], looked: Looked, *, names: Sequence[str] = STEPS, workers: int = 1
    ) -> list[str]:
        """A plan whose workers are killed at these points, one worker for each; the steps that were begun, in order.

        With several workers those that are left take it over; a single one is started again.
        """
        where = " ".join(points)
        session_id = await self.agreed(plan_of(names))
        folder = self._folder / session_id
        folder.mkdir()
        started = [await self.start(folder, *points) for _ in range(workers)]
        try:
            while len(started) - workers < len(points) and workers == 1:
                if await started[-1].ended() >= 0:
                    looked.wrong("stuck", where, "the worker ended by itself")
                started.append(await self.start(folder, *points))
            await self._told(session_id)
        except TimeoutError:
            looked.wrong("stuck", where, "the plan does not come to its end")
        finally:
            for one in started:
                one.kill()
                await one.ended()
        unmet = [p for p in points if not (folder / f"ended-{p.replace(':', '-')}").exists()]
        if unmet:
            looked.wrong("stuck", where, f"nobody came to {unmet}")
        return await self._look(session_id, folder, where, names, looked)

    async def _told(self, session_id: str) -> None:
        query = select(runs.c.told).where(runs.c.session_id == session_id)

        async def told() -> bool:
            return await self.store.read(lambda conn: conn.scalars(query).all()) == [1]

        await until(told, PATIENCE)

    async def _look(
        self, session_id: str, folder: Path, where: str, names: Sequence[str], looked: Looked
    ) -> list[str]:
        """Read everything back: each effect once, facts whole, one item, every move legal."""
        await self._facts(session_id, where, names, looked)
        query = select(runs.c.id, runs.c.state).where(runs.c.session_id == session_id)
        [run] = await self.store.read(lambda conn: conn.execute(query).all())
        states = await self.store.read(lambda conn: steps_of(conn, run.id))
        if run.state != "done" or {one.state for one in states.values()} != {"done"}:
            looked.wrong("wrong_place", where, f"the run is {run.state}")
        paid = {path.name for path in folder.glob("paid-*")}  # noqa: ASYNC240 - nothing waits for it
        due = {f"paid-plan-{run.id}-{name}" for name in names}
        if paid - due:
            looked.wrong("effects_dup", where, f"{sorted(paid - due)} outside")
        if due - paid:
            looked.wrong("effects_missing", where, f"{sorted(due - paid)} outside")
        items = await self.store.items("ada", session_id=session_id)
        told = [item.content.split("\n")[0] for item in items][4:]
        if told != ["Done: Go on"]:
            looked.wrong("dup_turns" if told else "lost_acked", where, f"told: {told}")
        for move in await outside_the_tables(self.store, "ada", session_id):
            looked.wrong("wrong_place", where, move)
        return (folder / "begun.txt").read_text(encoding="utf-8").split()

    async def _facts(self, session_id: str, where: str, names: Sequence[str], looked: Looked) -> None:
        """One fact for each step, that none has replaced, and each with those that it was made from."""
        kept = await self.store.read(lambda conn: facts_of(conn, session_id))
        replaced = await self.store.read(lambda conn: facts_of(conn, session_id, replaced=True))
        if replaced or len({fact.name for fact in kept}) < len(kept):
            looked.wrong("effects_dup", where, f"facts {[fact.name for fact in [*kept, *replaced]]}")
        by_name = {fact.name: fact for fact in kept}
        for before, name in zip(("", *names), names, strict=False):
            fact = by_name.get(name)
            inputs = {before: by_name[before].id} if before in by_name else {}
            whole = fact is not None and (fact.value, fact.step_id, fact.inputs) == (
                f"{name} is done",
                name,
                inputs,
            )
            if not whole:
                looked.wrong("effects_missing", where, f"the fact {name} is not whole")


@asynccontextmanager
async def killed_plans(url: str, folder: Path, engine: Engine = "embedded") -> AsyncIterator[KilledPlans]:
    """People who agree to plans, over a database that has its tables."""
    dispatcher, _ = application(url, folder, [], engine=Nobody())
    async with dispatcher:
        ada = await dispatcher.store.ensure_person("ada@example.org", id="ada", at=now())
        yield KilledPlans(url, folder, dispatcher, ada, engine)
