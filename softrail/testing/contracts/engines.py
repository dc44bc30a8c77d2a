"""The suite for `softrail.core.execution.Engine`.

Subclass `EngineContract` and give it two fixtures: `store`, a started store whose database is empty at the beginning of
each test, and `make_engine`, a `MakeEngine` that gives an engine of a worker of its own over that store at every call. It
looks for what is new at least twenty times a second. `KilledEngineContract` asks for processes that can be killed.
"""

import asyncio
import signal
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import datetime
from typing import Protocol

import pytest

from softrail.core.clock import now
from softrail.core.errors import DefinitionError, NotFound
from softrail.core.execution import Claim, Engine
from softrail.core.ids import TimeOrderedIds
from softrail.core.signals import Signal
from softrail.store import SqlStore
from softrail.testing.contracts.counting import KIND, Counting, until


class MakeEngine(Protocol):
    """Gives an engine; the test starts and stops it."""

    def __call__(self) -> Engine: ...


class NoProgress:
    """Tells nobody."""

    def tell(
        self,
        session_id: str,
        kind: str,
        run_id: str,
        done: float,
        total: float | None = None,
        text: str = "",
    ) -> None: ...

    def over(self, kind: str, run_id: str) -> None: ...


class LocalHost:
    """A worker that lives as long as its row: the port `Host` for an engine in a test."""

    def __init__(self, store: SqlStore, name: str) -> None:
        self.name = name
        self.progress = NoProgress()
        self.stopping = False
        self.wake: Callable[[str, str], None] = lambda kind, run_id: None
        self._store = store
        self._known = False
        self._registering = (
            asyncio.Lock()
        )  # an engine may ask while it is declared dead: a name is written once

    def now(self) -> datetime:
        return now()

    def new_id(self) -> str:
        return TimeOrderedIds().new()

    async def worker(self) -> str:
        async with self._registering:
            if not self._known:
                await self._store.beat(self.name, 0)
                self._known = True
            return self.name

    async def signal(self, instance_id: str, signal: Signal) -> str:
        raise NotFound(f"There is no instance {instance_id!r} beside an engine on its own.")

    async def declared_dead(self) -> None:
        """The others do not see it any more; it goes on under another name, as workers do."""
        async with self._registering:
            await self._store.remove_worker(self.name)
            self.name, self._known = f"{self.name}/2", False
        await self.worker()


class Pause:
    """Lets a test stop a run after each step."""

    def __init__(self, at: int) -> None:
        self.at = at
        self.reached = asyncio.Event()
        self.opened = asyncio.Event()
        self.heard = asyncio.Event()  #: the drive was told that it was woken

    async def __call__(self, run_id: str, n: int, claim: Claim) -> None:
        if n != self.at:
            return
        self.reached.set()
        waits = [asyncio.create_task(one.wait()) for one in (self.opened, claim.woken)]
        try:
            await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
            if claim.woken.is_set():
                claim.woken.clear()
                self.heard.set()
        finally:
            for one in waits:
                one.cancel()


@asynccontextmanager
async def running(engine: Engine, host: LocalHost, work: Counting) -> AsyncIterator[Engine]:
    """The engine at work, between its start and its stop."""
    host.wake = engine.wake
    await engine.start({KIND: work}, host)
    try:
        yield engine
    finally:
        await engine.stop(0)


class EngineContract:
    """What every engine promises."""

    @pytest.fixture
    async def work(self, store: SqlStore) -> Counting:
        work = Counting(store)
        await work.prepare()
        return work

    async def finished(self, work: Counting, run_id: str, steps: int) -> None:
        """The run has done each of its steps once."""

        async def all_done() -> bool:
            return len(await work.done(run_id)) >= steps

        await until(all_done)
        assert await work.done(run_id) == list(range(1, steps + 1))

    async def test_a_run_that_is_woken_is_driven_to_its_end(
        self, store: SqlStore, make_engine: MakeEngine, work: Counting
    ) -> None:
        async with running(make_engine(), LocalHost(store, "w1"), work) as engine:
            await work.add("r1", 5)
            engine.wake(KIND, "r1")
            await self.finished(work, "r1", 5)

    async def test_what_was_left_is_found_at_the_start(
        self, store: SqlStore, make_engine: MakeEngine, work: Counting
    ) -> None:
        for n in range(3):
            await work.add(f"r{n}", 2)
        async with running(make_engine(), LocalHost(store, "w1"), work):
            for n in range(3):
                await self.finished(work, f"r{n}", 2)

    async def test_a_run_is_never_driven_twice_at_the_same_time(
        self, store: SqlStore, make_engine: MakeEngine
    ) -> None:
        pause = Pause(at=1)
        work = Counting(store, pause)
        await work.prepare()
        await work.add("r1", 2)
        async with (
            running(make_engine(), LocalHost(store, "w1"), work) as one,
            running(make_engine(), LocalHost(store, "w2"), work) as two,
        ):
            for engine in (one, two, one, two):
                engine.wake(KIND, "r1")
            await pause.reached.wait()
            for engine in (one, two):  # and while it is driven
                engine.wake(KIND, "r1")
            await self.finished(work, "r1", 2)
            assert work.most == 1

    async def test_a_wake_on_another_worker_is_heard_by_the_one_who_drives(
        self, store: SqlStore, make_engine: MakeEngine
    ) -> None:
        pause = Pause(at=1)
        work = Counting(store, pause)
        await work.prepare()
        await work.add("r1", 3)
        async with running(make_engine(), LocalHost(store, "w1"), work) as one:
            one.wake(KIND, "r1")
            await pause.reached.wait()
            async with running(make_engine(), LocalHost(store, "w2"), work) as two:
                await work.cancel("r1")
                two.wake(KIND, "r1")
                async with asyncio.timeout(30):
                    await pause.heard.wait()

                async def nothing_driven() -> bool:
                    return work.driving == 0

                await until(nothing_driven)
        assert await work.done("r1") == [1]

    async def test_what_comes_while_a_drive_ends_is_not_lost(
        self, store: SqlStore, make_engine: MakeEngine, work: Counting
    ) -> None:
        await work.add("r1", 1)
        async with running(make_engine(), LocalHost(store, "w1"), work) as engine:
            for steps in range(1, 20):
                await work.more("r1", steps)
                engine.wake(KIND, "r1")
                await asyncio.sleep(0)
            await self.finished(work, "r1", 19)

    async def test_a_drive_that_fails_is_begun_again_when_it_is_woken(
        self, store: SqlStore, make_engine: MakeEngine
    ) -> None:
        failed = asyncio.Event()

        async def fails_once(run_id: str, n: int, claim: Claim) -> None:
            if not failed.is_set():
                failed.set()
                raise ConnectionError("the other side is away")

        work = Counting(store, fails_once)
        await work.prepare()
        await work.add("r1", 3)
        async with running(make_engine(), LocalHost(store, "w1"), work) as engine:
            await failed.wait()

            async def begun_again() -> bool:
                engine.wake(KIND, "r1")
                return len(await work.done("r1")) == 3

            await until(begun_again)
            await self.finished(work, "r1", 3)

    async def test_who_is_declared_dead_is_cut_off_and_another_goes_on(
        self, store: SqlStore, make_engine: MakeEngine
    ) -> None:
        pause = Pause(at=2)
        slow, quick = Counting(store, pause), Counting(store)
        await slow.prepare()
        await slow.add("r1", 4)
        host = LocalHost(store, "w1")
        async with running(make_engine(), host, slow) as engine:
            engine.wake(KIND, "r1")
            await pause.reached.wait()
            async with running(make_engine(), LocalHost(store, "w2"), quick):
                await host.declared_dead()
                await self.finished(quick, "r1", 4)

                async def cut_off() -> bool:
                    return slow.driving == 0

                await until(cut_off)
        fences = await quick.fences("r1")
        assert len(fences) == 2
        assert fences[0] < fences[1]

    async def test_what_a_worker_computed_after_it_lost_its_run_is_not_written(
        self, store: SqlStore, make_engine: MakeEngine
    ) -> None:
        lost = asyncio.Event()
        host = LocalHost(store, "w1")

        async def loses(run_id: str, n: int, claim: Claim) -> None:
            if n == 2 and not lost.is_set():
                await host.declared_dead()  # and the drive goes on at once, before anybody could tell it
                lost.set()

        work = Counting(store, loses)
        await work.prepare()
        await work.add("r1", 5)
        async with running(make_engine(), host, work):
            await self.finished(work, "r1", 5)
        assert len(await work.fences("r1")) == 2

    async def test_a_stop_lets_drives_end_and_hands_on_those_that_do_not(
        self, store: SqlStore, make_engine: MakeEngine
    ) -> None:
        ends, hangs = asyncio.Event(), asyncio.Event()

        async def waits(run_id: str, n: int, claim: Claim) -> None:
            if n == 1:
                (ends if run_id == "ends" else hangs).set()
                if run_id == "hangs":
                    await asyncio.Event().wait()
                await claim.woken.wait()  # it hears that the worker stops, and comes to an end

        work, other = Counting(store, waits), Counting(store)
        await work.prepare()
        await work.add("ends", 2)
        await work.add("hangs", 2)
        engine, host = make_engine(), LocalHost(store, "w1")
        await engine.start({KIND: work}, host)
        await ends.wait()
        await hangs.wait()

        await engine.stop(0.2)

        assert await work.done("ends") == [1, 2]
        assert await work.done("hangs") == [1]
        assert work.driving == 0
        async with running(
            make_engine(), LocalHost(store, "w2"), other
        ):  # w1 is there still, and has no claim
            await self.finished(other, "hangs", 2)

    async def test_a_kind_nobody_drives_is_refused_by_name(
        self, store: SqlStore, make_engine: MakeEngine, work: Counting
    ) -> None:
        async with running(make_engine(), LocalHost(store, "w1"), work) as engine:
            with pytest.raises(DefinitionError, match=r"no work of kind 'cuont'.* There is: count"):
                engine.wake("cuont", "r1")


class WorkerProcess(Protocol):
    """A worker in a process of its own, with an engine that counts."""

    def kill(self) -> None:
        """End it at once, without a word."""
        ...

    async def ended(self) -> int:
        """Wait until it has ended; its exit status."""
        ...


class StartWorker(Protocol):
    """Starts a worker over the database of `store`.

    It counts with `Counting`, and ends itself by SIGKILL after the step `dies_after`, or in the transaction of the step
    `dies_in`; or it waits after the step `waits_after` for ever.
    """

    async def __call__(
        self, *, dies_after: int = 0, dies_in: int = 0, waits_after: int = 0
    ) -> WorkerProcess: ...


class KilledEngineContract:
    """What every engine promises when its worker is killed. Give it `store` and `start_worker`."""

    @pytest.fixture
    async def work(self, store: SqlStore) -> Counting:
        work = Counting(store)
        await work.prepare()
        return work

    async def finished(self, work: Counting, steps: int) -> None:
        async def all_done() -> bool:
            return len(await work.done("r1")) >= steps

        await until(all_done, 60)
        assert await work.done("r1") == list(range(1, steps + 1))

    async def test_a_kill_at_each_step_keeps_what_was_finished_and_does_nothing_twice(
        self, store: SqlStore, start_worker: StartWorker, work: Counting
    ) -> None:
        await work.add("r1", 4)
        for step in (1, 2, 3):
            worker = await start_worker(dies_after=step)
            assert await worker.ended() == -signal.SIGKILL
            assert await work.done("r1") == list(range(1, step + 1))
        worker = await start_worker(dies_in=4)
        assert await worker.ended() == -signal.SIGKILL
        assert await work.done("r1") == [1, 2, 3]  # its transaction went with it

        last = await start_worker()
        try:
            await self.finished(work, 4)
        finally:
            last.kill()
            await last.ended()
        assert len(await work.fences("r1")) == 4

    async def test_another_worker_takes_over_from_one_that_is_killed(
        self, store: SqlStore, start_worker: StartWorker, work: Counting
    ) -> None:
        await work.add("r1", 3)
        first = await start_worker(waits_after=2)

        async def waits() -> bool:
            return await work.done("r1") == [1, 2]

        await until(waits, 60)
        second = await start_worker()
        try:
            first.kill()
            await self.finished(work, 3)
        finally:
            for worker in (first, second):
                worker.kill()
                await worker.ended()
        assert len(await work.fences("r1")) == 2
