"""What `Embedded` adds to what every engine promises: places, pauses, and bad luck."""

import asyncio
from collections.abc import Sequence

import pytest

from softrail.core.errors import StoreUnavailable
from softrail.core.execution import Claim
from softrail.execution import Embedded, driven
from softrail.store import MemoryStore
from softrail.testing.contracts.counting import KIND, Counting, until
from softrail.testing.contracts.engines import LocalHost, running


class Gate:
    """Lets runs in and holds them until it is opened."""

    def __init__(self) -> None:
        self.inside = 0
        self.most = 0
        self.opened = asyncio.Event()

    async def __call__(self, run_id: str, n: int, claim: Claim) -> None:
        self.inside += 1
        self.most = max(self.most, self.inside)
        await self.opened.wait()
        self.inside -= 1


async def counting(store: MemoryStore, gate: Gate) -> Counting:
    work = Counting(store, gate)
    await work.prepare()
    return work


async def test_only_so_many_runs_are_driven_at_once_and_the_others_follow() -> None:
    store, gate = MemoryStore(), Gate()
    work = await counting(store, gate)
    for n in range(7):
        await work.add(f"r{n}", 1)
    engine = Embedded(store, at_once=2, look_every=0.01)
    async with running(engine, LocalHost(store, "w1"), work):

        async def full() -> bool:
            return gate.inside == 2

        await until(full)
        gate.opened.set()
        await engine.settled()

        assert await work.left() == []
    assert gate.most == 2


async def test_a_run_that_waits_for_a_place_can_be_taken_by_another_worker() -> None:
    store, gate, open_gate = MemoryStore(), Gate(), Gate()
    open_gate.opened.set()
    busy, idle = await counting(store, gate), Counting(store, open_gate)
    await busy.add("r1", 1)
    first = Embedded(store, at_once=1, look_every=0.01)
    async with running(first, LocalHost(store, "w1"), busy):

        async def full() -> bool:
            return gate.inside == 1

        await until(full)
        await busy.add("r2", 1)
        first.wake(KIND, "r2")
        second = Embedded(store, look_every=0.01)
        async with running(second, LocalHost(store, "w2"), idle):
            second.wake(KIND, "r2")

            async def taken() -> bool:
                return await idle.done("r2") == [1]

            await until(taken)
        gate.opened.set()
        await first.settled()


async def test_a_claim_is_gone_when_there_is_nothing_left_to_do() -> None:
    store, gate = MemoryStore(), Gate()
    gate.opened.set()
    work = await counting(store, gate)
    engine, host = Embedded(store, look_every=0.01), LocalHost(store, "w1")
    async with running(engine, host, work):
        await work.add("r1", 3)
        engine.wake(KIND, "r1")
        await engine.settled()

        assert await store.claims_of("w1") == {}
        assert await store.abandoned_runs([KIND], 10) == []


async def test_one_run_that_always_fails_keeps_no_other_from_being_driven() -> None:
    store = MemoryStore()
    tries = 0

    async def poisoned(run_id: str, n: int, claim: Claim) -> None:
        nonlocal tries
        if run_id == "r7":
            tries += 1
            raise ValueError("poison")

    work = Counting(store, poisoned)
    await work.prepare()
    for n in range(100):
        await work.add(f"r{n}", 2)
    engine = Embedded(store, at_once=2, look_every=0.01)
    async with running(engine, LocalHost(store, "w1"), work):

        async def all_but_one() -> bool:
            return await work.left() == ["r7"]

        await until(all_but_one)

        assert 1 <= tries < 10  # it rests longer and longer, and gives its place to others meanwhile


class Deaf:
    """Does not end when it is told to."""

    def __init__(self) -> None:
        self.begun = asyncio.Event()
        self.ends = asyncio.Event()

    async def drive(self, run_id: str, claim: Claim) -> None:
        self.begun.set()
        while not self.ends.is_set():
            try:
                await self.ends.wait()
            except asyncio.CancelledError:
                continue

    async def left(self) -> Sequence[str]:
        return ["r1"]


async def test_a_drive_that_does_not_end_is_left_behind_without_its_claim(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(driven, "LAST_WORDS", 0.02)
    store, work = MemoryStore(), Deaf()
    engine = Embedded(store, look_every=0.01)
    await engine.start({KIND: work}, LocalHost(store, "w1"))
    await work.begun.wait()

    await engine.stop(0)

    assert "does not end when it is cancelled" in caplog.text
    assert await store.claims_of("w1") == {}
    assert await store.abandoned_runs([KIND], 10) == [(KIND, "r1")]
    work.ends.set()
    await asyncio.sleep(0)


class Violent(Deaf):
    """Raises what ends programs."""

    async def drive(self, run_id: str, claim: Claim) -> None:
        self.begun.set()
        raise SystemExit(3)


async def test_a_drive_cannot_end_the_worker(caplog: pytest.LogCaptureFixture) -> None:
    store, work = MemoryStore(), Violent()
    engine = Embedded(store, look_every=0.01)
    await engine.start({KIND: work}, LocalHost(store, "w1"))
    await work.begun.wait()

    async def told() -> bool:
        return "The drive raised SystemExit" in caplog.text

    await until(told)
    await engine.stop(0)


class Away(MemoryStore):
    """Cannot be reached for a while."""

    away = True

    async def claim_run(
        self, kind: str, run_id: str, worker: str, *, wake: bool = True, mine: bool = False
    ) -> Claim | None:
        if self.away:
            raise StoreUnavailable("The database is away.")
        return await super().claim_run(kind, run_id, worker, wake=wake, mine=mine)

    async def abandoned_runs(self, kinds: object, limit: int) -> Sequence[tuple[str, str]]:
        if self.away:
            raise StoreUnavailable("The database is away.")
        return []


class Unsure(MemoryStore):
    """Claims what it is asked to claim, and is gone before it can say so: once."""

    told = False

    async def claim_run(
        self, kind: str, run_id: str, worker: str, *, wake: bool = True, mine: bool = False
    ) -> Claim | None:
        found = await super().claim_run(kind, run_id, worker, wake=wake, mine=mine)
        if not self.told:
            self.told = True
            raise StoreUnavailable("The database is away.")
        return found


async def test_a_claim_that_may_have_been_made_is_ones_own() -> None:
    store, gate = Unsure(), Gate()
    gate.opened.set()
    work = await counting(store, gate)
    await work.add("r1", 2)
    engine = Embedded(store, slowest_retry=0.01)
    async with running(engine, LocalHost(store, "w1"), work):
        engine.wake(KIND, "r1")

        async def done() -> bool:
            return await work.done("r1") == [1, 2]

        await until(done)


async def test_a_store_that_is_away_is_asked_again(caplog: pytest.LogCaptureFixture) -> None:
    store, gate = Away(), Gate()
    gate.opened.set()
    work = await counting(store, gate)
    await work.add("r1", 2)
    engine = Embedded(store, look_every=0.01, slowest_retry=0.01)
    async with running(engine, LocalHost(store, "w1"), work):
        engine.wake(KIND, "r1")

        async def told() -> bool:
            return (
                "Nobody could look for long work" in caplog.text and "Run r1 of 'count' failed" in caplog.text
            )

        await until(told)
        store.away = False

        async def done() -> bool:
            return await work.done("r1") == [1, 2]

        await until(done)


class Forgetful(Deaf):
    """Cannot tell what is left."""

    async def left(self) -> Sequence[str]:
        raise KeyError("lost")


async def test_work_that_cannot_tell_what_is_left_stops_no_other_work(
    caplog: pytest.LogCaptureFixture,
) -> None:
    store, gate = MemoryStore(), Gate()
    gate.opened.set()
    work = await counting(store, gate)
    await work.add("r1", 1)
    engine = Embedded(store, look_every=0.01)
    await engine.start({"forgetful": Forgetful(), KIND: work}, LocalHost(store, "w1"))

    async def done() -> bool:
        return await work.done("r1") == [1]

    await until(done)
    await engine.stop(0)
    assert "The work 'forgetful' cannot tell what is left" in caplog.text


async def test_before_the_start_and_after_the_stop_a_wake_is_left_to_whoever_polls() -> None:
    store, gate = MemoryStore(), Gate()
    work = await counting(store, gate)
    engine = Embedded(store, look_every=0.01)
    engine.wake(KIND, "r1")
    await engine.start({KIND: work}, LocalHost(store, "w1"))
    await engine.stop(0)
    engine.wake(KIND, "r1")
    await engine.settled()
    assert work.drives == 0
