"""Two workers over one database share what is to be delivered, and a slow deliverer delays nothing else."""

import asyncio
from collections import Counter
from datetime import timedelta
from pathlib import Path

import pytest
from pydantic import BaseModel

from softrail import Done, Effect, Process, Turn, ask
from softrail.core.effects import OutboxItem
from softrail.core.instances import State
from softrail.testing import FrozenClock
from softrail.testing.contracts.outbox import mail
from softrail.testing.contracts.values import opened, someone
from softrail.turns.dispatcher import Dispatcher
from tests.faults.kit import file_url, person_of, say, worker

SILENT = {"beat_interval": 60.0, "dead_after": 120.0}


class Order(Process, name="order", version=1):
    """Orders by mail."""

    starts_on = ("place an order",)
    confirm = False
    idle_timeout = timedelta(minutes=15)

    class Answers(BaseModel):
        what: str = ask("What would you like?")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        order = Effect(kind="mail", summary="Ordered", payload={"what": answers.what}, after_commit=True)
        return Done("Ordered.", effects=[order])


class Desk:
    """Delivers for several workers and sees whether two of them ever do the same at once."""

    def __init__(self) -> None:
        self.times: Counter[str] = Counter()
        self.now: Counter[str] = Counter()
        self.both = 0

    async def __call__(self, item: OutboxItem) -> None:
        self.times[item.key] += 1
        self.now[item.key] += 1
        self.both += self.now[item.key] > 1
        for _ in range(5):
            await asyncio.sleep(0)
        self.now[item.key] -= 1


class Slow:
    """Holds what it is given until it is let go."""

    def __init__(self) -> None:
        self.entered = asyncio.Event()
        self.go = asyncio.Event()
        self.items: list[OutboxItem] = []

    async def __call__(self, item: OutboxItem) -> None:
        self.items.append(item)
        self.entered.set()
        await self.go.wait()


@pytest.fixture(params=["sqlite", "postgres"])
def shared(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of an empty database that several workers may share."""
    if request.param == "sqlite":
        return file_url(tmp_path)
    return str(request.getfixturevalue("empty_postgres_url"))


async def happened(event: asyncio.Event) -> None:
    async with asyncio.timeout(20):
        await event.wait()


async def ordered(dispatcher: Dispatcher, count: int) -> None:
    await opened(
        dispatcher.store, await someone(dispatcher.store), effects=[mail(n=str(n)) for n in range(count)]
    )


async def test_two_workers_deliver_each_effect_once_and_never_both_at_once(shared: str) -> None:
    desk = Desk()
    async with worker(shared, deliverers={"mail": desk}) as one:
        await ordered(one, 60)
        async with worker(shared, deliverers={"mail": desk}) as two:
            one.nudge()
            two.nudge()
            await asyncio.gather(one.sweep(), two.sweep())
            assert await one.store.undelivered(1) == []

    assert desk.both == 0
    assert set(desk.times.values()) == {1}
    assert len(desk.times) == 60


async def test_what_a_dead_worker_had_in_hand_is_delivered_by_another(shared: str) -> None:
    slow, desk = Slow(), Desk()
    async with worker(shared, deliverers={"mail": desk}) as two:
        async with worker(shared, deliverers={"mail": slow}, changed=SILENT) as dead:
            await ordered(dead, 1)
            dead.nudge()
            await happened(slow.entered)
            assert (await two.sweep()).delivered == 0
            await two.store.remove_worker(dead.worker.id)  # what its silence comes to

            assert (await two.sweep()).delivered == 1

            slow.go.set()
        [late] = slow.items
        assert desk.times == {late.key: 1}
        assert await two.store.undelivered(10) == []


async def test_a_worker_without_the_deliverer_leaves_it_to_the_one_that_has_it(shared: str) -> None:
    desk = Desk()
    async with worker(shared) as without, worker(shared, deliverers={"mail": desk}) as other:
        await ordered(without, 1)
        for _ in range(3):
            assert (await without.sweep()).delivered == 0

        assert (await other.sweep()).delivered == 1
    assert sum(desk.times.values()) == 1


async def test_a_slow_deliverer_delays_no_timeout(tmp_path: Path, frozen: FrozenClock) -> None:
    slow = Slow()
    async with worker(
        file_url(tmp_path), Order, deliverers={"mail": slow}, changed={"sweep_interval": 0.02}
    ) as one:
        person = await person_of(one)
        await say(one, person, "tea", session_id=(await say(one, person, "place an order")).session_id)
        await happened(slow.entered)
        waits = (await say(one, person, "place an order")).session_id

        moved = asyncio.create_task(one.notifier.wait(waits, 20))
        await asyncio.sleep(0)
        frozen.advance(minutes=16)

        assert await moved
        [instance] = await one.store.instances(waits)
        assert instance.state is State.SUSPENDED
        slow.go.set()
    [item] = slow.items
    assert item.instance_id is not None


async def test_an_effect_names_the_instance_whose_step_returned_it(tmp_path: Path) -> None:
    slow = Slow()
    slow.go.set()
    async with worker(file_url(tmp_path), Order, deliverers={"mail": slow}) as one:
        person = await person_of(one)
        session = (await say(one, person, "place an order")).session_id
        [instance] = await one.store.instances(session)
        await say(one, person, "tea", session_id=session)
        await one.sweep()

    assert [item.instance_id for item in slow.items] == [instance.id]
