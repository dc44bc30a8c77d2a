"""Deliveries run beside everything else, are tried five times, and what becomes of them is told."""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import pytest

from softrail.core.clock import now
from softrail.core.effects import Effect, OutboxItem
from softrail.core.errors import SoftrailError, StoreUnavailable
from softrail.core.ids import TimeOrderedIds
from softrail.store import MemoryStore
from softrail.testing import FrozenClock
from softrail.testing.contracts.outbox import mail
from softrail.testing.contracts.values import loaded, opened, someone, turn_on
from softrail.turns import deliveries
from softrail.turns.deliveries import AT_ONCE, MOST_TRIES, Deliveries
from softrail.turns.worker import Worker

Make = Callable[..., Awaitable[Deliveries]]


class Post:
    """Delivers; its first so many tries fail with `error`."""

    def __init__(self, fails: int = 0, error: BaseException | None = None) -> None:
        self.sent: list[OutboxItem] = []
        self._fails = fails
        self._error = error or ConnectionError("away")

    async def __call__(self, item: OutboxItem) -> None:
        self.sent.append(item)
        if len(self.sent) <= self._fails:
            raise self._error


class Holds:
    """Delivers nothing until it is let go."""

    def __init__(self) -> None:
        self.entered = asyncio.Event()
        self.go = asyncio.Event()
        self.ended: list[str] = []
        self.at_once = self.most_at_once = 0

    async def __call__(self, item: OutboxItem) -> None:
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        self.entered.set()
        try:
            await self.go.wait()
            self.ended.append(item.key)
        finally:
            self.at_once -= 1


class Told:
    """Hears what became of effects; the first so many times it fails."""

    def __init__(self, fails: int = 0) -> None:
        self.heard: list[tuple[str, str, str | None]] = []
        self.asked = 0
        self._fails = fails

    async def __call__(self, item: OutboxItem, outcome: str, error: str | None) -> None:
        self.asked += 1
        if self.asked <= self._fails:
            raise StoreUnavailable("The store is away.")
        self.heard.append((item.key, outcome, error))


@pytest.fixture
async def store(frozen: FrozenClock) -> MemoryStore:
    frozen.advance(hours=1)  # later than what is committed here
    return MemoryStore()


async def happened(event: asyncio.Event) -> None:
    async with asyncio.timeout(10):
        await event.wait()


@asynccontextmanager
async def working(store: MemoryStore, deliverers: Any, **options: Any) -> AsyncIterator[Deliveries]:
    """Deliveries of a worker of their own, which gives no sign of life but its row."""
    worker = Worker(store, TimeOrderedIds(), interval=60.0, dead_after=120.0, lost=lambda *_: None)
    made = Deliveries(store, worker, deliverers, **{"limit": 5.0, **options})
    try:
        yield made
    finally:
        await made.stop(0)
        await worker.stop()


@pytest.fixture
async def make(store: MemoryStore) -> AsyncIterator[Make]:
    async with AsyncExitStack() as stack:

        async def one(deliverers: Any, **options: Any) -> Deliveries:
            return await stack.enter_async_context(working(store, deliverers, **options))

        yield one


async def ordered(store: MemoryStore, *effects: Effect, instance: str | None = None) -> None:
    """A turn that wants these delivered."""
    ada = await someone(store)
    made_by = [instance] * len(effects) if instance else ()
    if (await store.load(ada, "s1")).snapshot is None:
        await opened(store, ada, effects=effects, made_by=made_by)
        return
    snapshot = await loaded(store, ada)
    turn = turn_on(snapshot, f"t{snapshot.session.next_seq}", effects=effects, made_by=made_by)
    await store.commit([turn])


async def the_one(store: MemoryStore) -> OutboxItem:
    """The one effect that is not delivered."""
    [item] = await store.undelivered(10)
    return item


async def die(store: MemoryStore, one: Deliveries) -> None:
    """Have the worker declared dead while it is in the middle of something."""
    assert await store.remove_worker(one._worker.id)


async def test_everything_that_is_due_is_delivered_once(store: MemoryStore, make: Make) -> None:
    post = Post()
    await ordered(store, *(mail(n=str(n)) for n in range(3 * AT_ONCE)))
    one = await make({"mail": post})

    assert await one.once() == 3 * AT_ONCE
    assert await one.once() == 0

    assert sorted(int(item.payload["n"]) for item in post.sent) == list(range(3 * AT_ONCE))
    assert await store.undelivered(10) == []


async def test_what_changes_nothing_outside_can_be_delivered_alone(
    store: MemoryStore, make: Make, caplog: pytest.LogCaptureFixture
) -> None:
    post, sorting = Post(), Post()
    sorting.inside = True  # type: ignore[attr-defined]
    await ordered(store, mail(), mail("sort"), mail("fax"))
    one = await make({"mail": post, "sort": sorting})

    assert (one.inside, await one.once(inside=True)) == (["sort"], 1)

    assert (len(sorting.sent), post.sent, caplog.text) == (1, [], "")
    assert {item.kind for item in await store.undelivered(10)} == {"mail", "fax"}


async def test_a_kind_that_hangs_delays_no_other_kind(store: MemoryStore, make: Make) -> None:
    slow, quick = Holds(), asyncio.Event()

    async def fax(item: OutboxItem) -> None:
        quick.set()

    await ordered(store, *(mail() for _ in range(3 * AT_ONCE)))
    one = await make({"mail": slow, "fax": fax})
    one.start()
    one.nudge()
    await happened(slow.entered)

    await ordered(store, mail("fax"))
    one.nudge()
    await happened(quick)

    assert slow.ended == []
    slow.go.set()
    await one.once()
    assert len(slow.ended) == 3 * AT_ONCE
    assert slow.most_at_once == AT_ONCE


async def test_what_fails_five_times_is_set_aside_and_told_once(
    store: MemoryStore, make: Make, frozen: FrozenClock, caplog: pytest.LogCaptureFixture
) -> None:
    post, heard = Post(fails=MOST_TRIES), list[OutboxItem]()
    await ordered(store, mail())
    one = await make({"mail": post}, heard=[heard.append])

    for tries, seconds in enumerate((15, 30, 60, 120), start=1):
        assert await one.once() == 0
        waits = await the_one(store)
        assert (waits.status, waits.tries) == ("waiting", tries)
        frozen.advance(seconds=seconds - 1)
        await one.once()
        assert len(post.sent) == tries
        frozen.advance(seconds=1)
    for _ in range(3):
        assert await one.once() == 0
        frozen.advance(hours=2)

    item = await the_one(store)
    assert (item.status, item.tries) == ("failed", MOST_TRIES)
    assert item.error.startswith("ConnectionError (test_deliveries.py, line ")
    assert len({(sent.key, sent.n) for sent in post.sent}) == 1
    assert [sent.tries for sent in post.sent] == [0, 1, 2, 3, 4]
    assert [one.status for one in heard] == ["failed"]
    [said] = [record.getMessage() for record in caplog.records if record.levelno == logging.ERROR]
    assert f"softrail outbox --retry {item.key}" in said

    assert await store.try_again(item.key, at=now())
    assert await one.once() == 1
    assert [one.status for one in heard] == ["failed", "delivered"]


class Refusal(SoftrailError):
    final = True


async def test_what_no_other_try_would_change_is_set_aside_at_once_in_its_own_words(
    store: MemoryStore, make: Make
) -> None:
    told, post = Told(), Post(fails=9, error=Refusal("There are 12 rows, and at most 10 are taken."))
    await ordered(store, mail(), instance="i1")
    one = await make({"mail": post}, report=told)

    assert await one.once() == 0

    item = await the_one(store)
    assert (item.status, len(post.sent)) == ("failed", 1)
    assert told.heard == [(item.key, "failed", "There are 12 rows, and at most 10 are taken.")]


async def test_a_delivery_that_takes_too_long_has_failed(store: MemoryStore, make: Make) -> None:
    await ordered(store, mail())
    one = await make({"mail": Holds()}, limit=0.01)

    async with asyncio.timeout(20):  # without a limit it would be waited for as long as it holds
        assert await one.once() == 0

    item = await the_one(store)
    assert (item.tries, item.error, item.claimed_by) == (1, "It took longer than 0.01 s.", None)


async def test_a_deliverer_may_ask_for_more_time(store: MemoryStore, make: Make) -> None:
    class Slow(Holds):
        limit = 5.0

    slow = Slow()
    await ordered(store, mail())
    one = await make({"mail": slow}, limit=0.0)
    sweeping = asyncio.create_task(one.once())
    await happened(slow.entered)
    slow.go.set()

    assert await sweeping == 1


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (SystemExit(3), "SystemExit ("),
        (KeyboardInterrupt(), "KeyboardInterrupt ("),
        (asyncio.CancelledError(), "CancelledError ("),
        (RuntimeError("https://ada:secret@mail"), "RuntimeError ("),
        (ConnectionRefusedError(111, "secret host"), "ConnectionRefusedError: Connection refused ("),
        (ValueError("The list\nis full\0\ud800."), "The list is full ? ("),
        (StoreUnavailable("The desk is closed." + "!" * 300), "The desk is closed.!!!"),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, BaseException) else "",
)
async def test_whatever_a_deliverer_raises_is_a_failed_try_and_tells_no_secret(
    store: MemoryStore, make: Make, error: BaseException, told: str
) -> None:
    await ordered(store, mail())
    one = await make({"mail": Post(fails=1, error=error)})

    assert await one.once() == 0

    item = await the_one(store)
    assert item.tries == 1
    assert item.error.startswith(told)
    assert "secret" not in item.error
    assert len(item.error) < 260


async def test_what_nobody_delivers_is_told_once_and_left_alone(
    store: MemoryStore, make: Make, frozen: FrozenClock, caplog: pytest.LogCaptureFixture
) -> None:
    await ordered(store, mail())
    one = await make({"fax": Post()})
    for _ in range(3):
        assert await one.once() == 0
        frozen.advance(hours=1)

    item = await the_one(store)
    assert (item.tries, item.status, item.claimed_by) == (0, "waiting", None)
    assert len([r for r in caplog.records if "Nothing delivers" in r.getMessage()]) == 1
    other = await make({"mail": Post()})
    assert await other.once() == 1


async def test_what_was_delivered_and_not_noted_is_delivered_again_under_its_key(
    store: MemoryStore, make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    post, noting = Post(), asyncio.Event()

    async def hangs(*_: object, **__: object) -> bool:
        noting.set()
        await asyncio.Event().wait()
        return False

    await ordered(store, mail())
    one, two = await make({"mail": post}), await make({"mail": post})
    with monkeypatch.context() as patch:
        patch.setattr(store, "delivered", hangs)
        one.start()
        one.nudge()
        await happened(noting)
    assert await two.once() == 0
    await die(store, one)

    assert await two.once() == 1

    assert len(post.sent) == 2
    assert len({item.key for item in post.sent}) == 1
    assert post.sent[1].tries == 1


async def test_what_ends_its_worker_each_time_is_set_aside_without_another_try(
    store: MemoryStore, make: Make
) -> None:
    await ordered(store, mail())
    for n in range(MOST_TRIES):
        await store.beat(f"w{n}", 0)
        assert len(await store.claim(await store.outbox(now(), 1), f"w{n}")) == 1
        await store.remove_worker(f"w{n}")
    post = Post()
    one = await make({"mail": post})

    assert await one.once() == 0

    item = await the_one(store)
    assert (item.status, item.tries, post.sent) == ("failed", MOST_TRIES, [])
    assert item.error == "The worker ended during the last try."


async def test_a_store_that_is_away_hears_of_it_when_it_is_back(
    store: MemoryStore, make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, away = store.delivered, 3

    async def delivered(item: OutboxItem, *, report: bool = False) -> bool:
        nonlocal away
        away -= 1
        if away >= 0:
            raise StoreUnavailable("The store is away.")
        return await real(item, report=report)

    monkeypatch.setattr(store, "delivered", delivered)
    monkeypatch.setattr(deliveries, "STORE_AWAY", 0.0)
    post = Post()
    await ordered(store, mail())
    one = await make({"mail": post})

    assert await one.once() == 1

    assert len(post.sent) == 1
    assert await store.undelivered(10) == []


async def test_a_delivery_under_way_may_end_within_the_grace(store: MemoryStore, make: Make) -> None:
    slow = Holds()
    await ordered(store, *(mail() for _ in range(AT_ONCE + 1)))
    one = await make({"mail": slow})
    one.start()
    one.nudge()
    await happened(slow.entered)

    stopping = asyncio.create_task(one.stop(5.0))
    slow.go.set()
    await stopping

    assert len(slow.ended) == AT_ONCE
    assert (await the_one(store)).tries == 0


async def test_a_delivery_that_is_cut_off_is_tried_again_as_if_it_had_not_begun(
    store: MemoryStore, make: Make
) -> None:
    slow, post = Holds(), Post()
    await ordered(store, mail())
    one = await make({"mail": slow})
    one.start()
    one.nudge()
    await happened(slow.entered)

    await one.stop(0)

    item = await the_one(store)
    assert (item.tries, item.claimed_by, slow.ended) == (0, None, [])
    other = await make({"mail": post})
    assert await other.once() == 1


async def test_the_instance_that_made_it_is_told_what_became_of_it(
    store: MemoryStore, make: Make, frozen: FrozenClock
) -> None:
    told = Told()
    await ordered(store, mail(), instance="i1")
    await ordered(store, mail())
    await ordered(store, mail("fax"), instance="i1")
    one = await make({"mail": Post(), "fax": Post(fails=9)}, report=told)
    for _ in range(MOST_TRIES + 1):
        await one.once()
        frozen.advance(hours=1)

    assert [heard[:2] for heard in told.heard] == [("s1:1:1", "delivered"), ("s1:5:1", "failed")]
    assert told.heard[0][2] is None
    assert str(told.heard[1][2]).startswith("ConnectionError")


async def test_what_was_not_heard_is_told_again_until_it_is(
    store: MemoryStore, make: Make, frozen: FrozenClock
) -> None:
    told, post = Told(fails=2), Post()
    await ordered(store, mail(), instance="i1")
    one = await make({"mail": post}, report=told)

    assert await one.once() == 1
    assert await one.once() == 0
    assert told.asked == 1
    for _ in range(4):
        frozen.advance(minutes=1)
        await one.once()

    assert told.asked == 3
    assert told.heard == [("s1:1:1", "delivered", None)]
    assert len(post.sent) == 1


async def test_a_worker_that_ends_before_it_has_told_leaves_that_to_the_next(
    store: MemoryStore, make: Make
) -> None:
    telling, told = asyncio.Event(), Told()

    async def hangs(item: OutboxItem, outcome: str, error: str | None) -> None:
        telling.set()
        await asyncio.Event().wait()

    await ordered(store, mail(), instance="i1")
    one, two = await make({"mail": Post()}, report=hangs), await make({}, report=told)
    one.start()
    one.nudge()
    await happened(telling)
    await two.once()
    assert told.heard == []
    await die(store, one)

    await two.once()
    await two.once()

    assert told.heard == [("s1:1:1", "delivered", None)]


async def test_without_anyone_to_tell_nothing_is_marked(store: MemoryStore, make: Make) -> None:
    await ordered(store, mail(), instance="i1")
    one = await make({"mail": Post()})
    assert await one.once() == 1

    assert await store.unreported(now(), 10) == []
