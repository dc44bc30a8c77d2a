from collections.abc import AsyncGenerator

import pytest

from softrail.api.failures import TooMany
from softrail.api.limits import WINDOW, RateLimit, Streams
from softrail.api.memory import MOST, REMEMBERED, Memory
from softrail.core.clock import now
from softrail.store import MemoryStore


class Clock:
    """A monotonic clock that stands still until it is told."""

    def __init__(self) -> None:
        self.at = 1_000.0

    def __call__(self) -> float:
        return self.at


async def begun(store: MemoryStore) -> None:
    """It is started, and knows two people."""
    await store.start()
    for name in ("ada", "bob"):
        await store.ensure_person(f"{name}@example.org", id=name, at=now())


async def taken(limit: RateLimit, times: int, person: str = "ada") -> int:
    """How many of so many requests were taken."""
    count = 0
    for _ in range(times):
        try:
            await limit.check(person)
        except TooMany:
            continue
        count += 1
    return count


async def test_no_more_than_the_limit_is_taken_in_a_minute() -> None:
    clock = Clock()
    limit = RateLimit(10, clock=clock)

    assert await taken(limit, 25) == 10
    assert await taken(limit, 25, "bob") == 10


async def test_a_burst_over_the_edge_of_two_windows_does_not_double_the_limit() -> None:
    clock = Clock()
    clock.at = 60 * 10 + 59.9
    limit = RateLimit(10, clock=clock)
    assert await taken(limit, 10) == 10

    clock.at += 0.2

    assert await taken(limit, 10) == 0


async def test_retry_after_is_long_enough_and_at_most_a_minute() -> None:
    clock = Clock()
    for offset in (0.0, 20.0, 59.0):
        clock.at = 6_000.0 + offset
        limit = RateLimit(3, clock=clock)
        await taken(limit, 3)
        for _ in range(5):
            with pytest.raises(TooMany) as refused:
                await limit.check("ada")
            assert 0 < refused.value.retry_after <= 60
            clock.at += refused.value.retry_after + 0.001
            if await taken(limit, 1):
                break
        else:
            raise AssertionError("waiting as told never helped")


async def test_workers_with_one_database_have_one_limit_together() -> None:
    store, clock = MemoryStore(), Clock()
    await begun(store)
    limits = [RateLimit(10, store=store, clock=clock) for _ in range(3)]

    assert [await taken(limit, 5) for limit in limits] == [5, 5, 0]
    assert await taken(limits[2], 5, "bob") == 5

    clock.at += WINDOW  # two thirds of the next window have passed: a third of the ten still counts
    assert [await taken(limit, 5) for limit in limits] == [5, 1, 0]
    await store.close()


async def test_whoever_is_refused_again_costs_the_database_nothing() -> None:
    store, clock = MemoryStore(), Clock()
    await begun(store)
    limit = RateLimit(1, store=store, clock=clock)
    assert await taken(limit, 1) == 1
    assert await taken(limit, 1) == 0
    await store.close()  # from here on asking it would fail

    assert await taken(limit, 5) == 0


@pytest.mark.parametrize("behind", [1, 5])
async def test_a_worker_whose_clock_is_behind_counts_all_the_same(behind: int) -> None:
    store, right, wrong = MemoryStore(), Clock(), Clock()
    wrong.at -= behind * WINDOW
    await begun(store)

    assert await taken(RateLimit(4, store=store, clock=right), 2) == 2
    assert await taken(RateLimit(4, store=store, clock=wrong), 5) == 2
    await store.close()


async def test_nothing_is_kept_of_who_was_erased_while_another_worker_still_knew_them() -> None:
    store = MemoryStore()
    await begun(store)
    limit = RateLimit(5, store=store, clock=Clock())
    assert await taken(limit, 1) == 1
    await store.delete_person("ada")

    assert await taken(limit, 10) == 5  # the limit holds all the same

    assert await store.records("ada") == []
    await store.close()


async def test_no_limit_takes_everything() -> None:
    assert await taken(RateLimit(0), 1_000) == 1_000


def test_what_is_remembered_grows_old_and_never_too_much() -> None:
    clock = Clock()
    memory: Memory[int] = Memory(clock=clock)
    memory.put("a", 1)
    memory.put("b", 2, lasting=True)

    clock.at += REMEMBERED
    assert (memory.get("a"), memory.get("b")) == (None, 2)

    for n in range(MOST + 5):
        memory.put(f"k{n}", n)
    assert memory.get("k0") is None
    assert memory.get(f"k{MOST + 4}") == MOST + 4


def test_what_is_dropped_is_gone_at_once() -> None:
    memory: Memory[int] = Memory(clock=Clock())
    memory.put("a", 1)
    memory.put("b", 2)

    memory.drop(lambda value: value == 1)

    assert (memory.get("a"), memory.get("b")) == (None, 2)


async def pieces() -> AsyncGenerator[int, None]:
    for n in range(3):
        yield n


async def test_one_stream_too_many_is_refused_until_one_has_ended() -> None:
    streams = Streams(1)
    streams.check("ada")
    open_one = streams.counted("ada", pieces())
    assert await anext(open_one) == 0

    with pytest.raises(TooMany):
        streams.check("ada")
    streams.check("bob")
    await open_one.aclose()

    streams.check("ada")
