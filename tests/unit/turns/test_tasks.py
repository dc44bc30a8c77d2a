"""Work that may become void while it is done."""

import asyncio

import pytest

from softrail.turns.tasks import Tasks


def void() -> "asyncio.Future[None]":
    return asyncio.get_running_loop().create_future()


async def test_work_that_ends_first_is_what_it_comes_to() -> None:
    async def seven() -> int:
        await asyncio.sleep(0)
        return 7

    assert await Tasks().unless(void(), seven()) == 7


async def test_work_that_raises_raises_here() -> None:
    async def wrong() -> int:
        raise ValueError("wrong")

    with pytest.raises(ValueError, match="wrong"):
        await Tasks().unless(void(), wrong())


async def test_void_work_has_ended_before_anyone_goes_on() -> None:
    event, ended = void(), list[str]()

    async def long() -> int:
        event.set_result(None)
        try:
            await asyncio.Event().wait()
        finally:
            await asyncio.sleep(0)
            ended.append("work")
        return 7

    assert await Tasks().unless(event, long()) is None
    assert ended == ["work"]


async def test_work_that_ends_in_the_moment_it_becomes_void_is_void() -> None:
    event = void()

    async def quick() -> int:
        event.set_result(None)
        return 7

    assert await Tasks().unless(event, quick()) is None


async def test_void_work_is_not_begun() -> None:
    event, begun = void(), list[str]()
    event.set_result(None)

    async def work() -> int:
        begun.append("work")
        return 7

    assert await Tasks().unless(event, work()) is None
    assert begun == []


async def test_who_stops_waiting_ends_the_work_too() -> None:
    started, ended = asyncio.Event(), asyncio.Event()

    async def long() -> None:
        started.set()
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    waiting = asyncio.create_task(Tasks().unless(void(), long()))
    await started.wait()
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    assert ended.is_set()


async def test_whoever_goes_on_after_void_work_is_not_cancelled() -> None:
    event = void()

    async def long() -> int:
        event.set_result(None)
        await asyncio.Event().wait()
        return 7

    task = asyncio.current_task()
    assert task is not None
    assert await Tasks().unless(event, long()) is None
    await asyncio.sleep(0)
    assert task.cancelling() == 0


async def test_work_that_becomes_void_while_the_task_is_cancelled_ends_the_task() -> None:
    event, started = void(), asyncio.Event()

    async def long() -> None:
        started.set()
        await asyncio.Event().wait()

    waiting = asyncio.create_task(Tasks().unless(event, long()))
    await started.wait()
    event.set_result(None)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting


async def test_work_that_ends_although_it_was_cancelled_is_void_and_cancels_nobody() -> None:
    event = void()

    async def stubborn() -> int:
        event.set_result(None)
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            return 7
        return 8

    task = asyncio.current_task()
    assert task is not None
    assert await Tasks().unless(event, stubborn()) is None
    await asyncio.sleep(0)
    assert task.cancelling() == 0


async def test_what_void_work_raises_at_its_end_is_nothing_to_anybody() -> None:
    event = void()

    async def broken() -> int:
        event.set_result(None)
        try:
            await asyncio.Event().wait()
        finally:
            raise ValueError("in its cleanup")
        return 7

    assert await Tasks().unless(event, broken()) is None
