"""An engine that does not wait here for the next try of a run puts it down for later, and gives its claim up."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from softrail.core.errors import StoreUnavailable
from softrail.core.execution import Claim
from softrail.execution import Embedded
from softrail.store import MemoryStore
from softrail.testing.contracts.counting import KIND, Counting, until
from softrail.testing.contracts.engines import LocalHost, running

LONG = 3600.0


class PutsOff(Embedded):
    """Embedded, but for what it does after a failure."""

    def __init__(
        self, store: MemoryStore, later: Callable[[float], Awaitable[None]], *, slowest_retry: float = LONG
    ) -> None:
        super().__init__(store, look_every=0.01, poll_every=LONG, slowest_retry=slowest_retry)
        self.put = list[tuple[str, str, int]]()

        async def put(kind: str, run_id: str, pause: float, failures: int) -> None:
            self.put.append((kind, run_id, failures))
            await later(pause)

        self._later = put


async def fails_first(store: MemoryStore) -> Counting:
    """Work whose first drive fails after its first step."""
    failed = asyncio.Event()

    async def once(run_id: str, n: int, claim: Claim) -> None:
        if not failed.is_set():
            failed.set()
            raise ConnectionError("the other side is away")

    work = Counting(store, once)
    await work.prepare()
    await work.add("r1", 2)
    return work


async def test_what_is_put_off_has_no_claim_and_is_not_taken_for_abandoned() -> None:
    store = MemoryStore()
    work = await fails_first(store)

    async def later(pause: float) -> None:
        assert pause == 2.0
        assert await store.driven_runs([KIND]) == {(KIND, "r1")}  # it is given up afterwards

    engine = PutsOff(store, later)
    async with running(engine, LocalHost(store, "w1"), work):
        await until(lambda: _true(engine.put))
        await engine.settled()
        assert engine.put == [(KIND, "r1", 1)]
        assert await store.claims_of("w1") == {}
        assert await store.abandoned_runs([KIND], 10) == []
        assert await work.done("r1") == [1]


async def test_a_run_that_is_woken_on_another_worker_while_it_is_put_off_is_driven_at_once() -> None:
    store = MemoryStore()
    work = await fails_first(store)

    async def later(pause: float) -> None:
        assert await store.wake_runs([(KIND, "r1")])

    engine = PutsOff(store, later)
    async with running(engine, LocalHost(store, "w1"), work):
        async with asyncio.timeout(1.5):  # less than the pause
            await until(lambda: _true(engine.put))
            await engine.settled()
        assert await work.done("r1") == [1, 2]


async def test_what_cannot_be_put_off_waits_here(caplog: pytest.LogCaptureFixture) -> None:
    store = MemoryStore()
    work = await fails_first(store)

    async def later(pause: float) -> None:
        raise StoreUnavailable("The database is away.")

    engine = PutsOff(store, later, slowest_retry=0.01)
    async with running(engine, LocalHost(store, "w1"), work):
        await until(lambda: _true(engine.put))
        await engine.settled()
        assert await work.done("r1") == [1, 2]
    assert "Run r1 of 'count' could not be put off (StoreUnavailable)." in caplog.text


async def _true(what: object) -> bool:
    return bool(what)
