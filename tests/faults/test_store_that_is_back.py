"""A store that was away for a while: whoever was told "not now" and never came again is answered all the same."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

import pytest

from softrail.core.commits import CommitResult, TurnCommit
from softrail.core.errors import StoreUnavailable
from softrail.core.people import Person
from softrail.core.turns import Request
from softrail.store import MemoryStore
from softrail.testing.contracts.counting import until
from softrail.turns.dispatcher import Dispatcher
from tests.faults.kit import Gate, Slow, contents, person_of, say, worker

CHANGED = {"accept_after": 0.0, "step_limit": 30.0}


@pytest.fixture(autouse=True)
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was left is tried again at once, and what was refused is no news."""
    monkeypatch.setattr("softrail.turns.left.AGAIN", 0.005)
    monkeypatch.setattr("softrail.store.recent.LASTS", 0.0)


class Away(MemoryStore):
    """A store into which no turn can be written while it is away, and that no sweep looks through."""

    away = False
    keeps_leases = False  #: none can be given back meanwhile, either
    refused = 0

    async def commit(self, commits: Sequence[TurnCommit]) -> Sequence[CommitResult]:
        self.here()
        return await super().commit(commits)

    async def release(self, session_id: str, fence: int) -> None:
        if self.keeps_leases:
            self.here()
        await super().release(session_id, fence)

    async def check(self) -> None:
        self.here()
        await super().check()

    async def stranded(self, limit: int) -> Sequence[str]:
        return ()

    def here(self) -> None:
        if self.away:
            self.refused += 1
            raise StoreUnavailable("The database may only be read here.")


@asynccontextmanager
async def on(store: Away, gate: Gate) -> AsyncIterator[tuple[Dispatcher, Person, str]]:
    """A worker, a person, and their session in which a slow step waits for an answer."""
    async with worker("sqlite://", Slow, changed=CHANGED, store=store, services={Gate: gate}) as one:
        person = await person_of(one)
        yield one, person, (await say(one, person, "do the slow thing")).session_id


async def left_by_an_outage(one: Dispatcher, person: Person, session: str, store: Away, gate: Gate) -> None:
    """The store goes away in the middle of the turn "t", which is told "not now"."""
    running = one.submit(Request(message="tea", session_id=session, turn_id="t"), person)
    await gate.entered.wait()
    store.away = True
    gate.opened.set()
    with pytest.raises(StoreUnavailable):
        await running.result()


async def free(one: Dispatcher, session_id: str) -> bool:
    """Nobody has the lease of that session."""
    return not (await one.store.glimpses([session_id]))[session_id].held


async def test_a_turn_that_was_told_not_now_is_answered_once_the_store_is_back_though_nobody_sends_it_again() -> (
    None
):
    store, gate = Away(), Gate()
    async with on(store, gate) as (one, person, session):
        await left_by_an_outage(one, person, session, store, gate)

        store.away = False

        async def answered() -> bool:
            row = await store.turn(person.id, "t")
            return row is not None and row.reply is not None

        await until(answered)
        await until(lambda: free(one, session))
        assert await contents(one, person, session) == ["do the slow thing", "tea"]
        assert len(await store.list(person.id, "slow")) == 1


async def test_a_step_is_not_run_again_while_the_store_is_away() -> None:
    store, gate = Away(), Gate()
    async with on(store, gate) as (one, person, session):
        await left_by_an_outage(one, person, session, store, gate)

        async def tried_often() -> bool:
            return store.refused > 20

        await until(tried_often)
        assert gate.times == 1


async def test_a_turn_that_could_not_be_interrupted_leaves_its_session_free() -> None:
    store, gate = Away(), Gate()
    async with on(store, gate) as (one, person, session):
        running = one.submit(Request(message="tea", session_id=session, turn_id="t"), person)
        await gate.entered.wait()
        store.away = store.keeps_leases = True
        with pytest.raises(StoreUnavailable):
            await one.cancel(person, session)
        store.away = False
        gate.opened.set()

        async with asyncio.timeout(30.0):
            await running.result()

        await until(lambda: free(one, session))
        assert await contents(one, person, session) == ["do the slow thing", "tea"]
