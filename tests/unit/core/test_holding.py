"""Code of plugins that holds the event loop is told with its name, and counts against nobody else's limit."""

import asyncio
import logging
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest

from softrail.core.calling import awaited, call, call_now
from softrail.core.clock import clock
from softrail.core.decisions import Stall
from softrail.core.errors import StepFailed
from softrail.core.holding import Holding, at_work, held_at_most, only_after, taken

LONG = timedelta(hours=1)


class Ticking:
    """A clock that goes on only when it is told to: to hold the loop for a minute takes no time."""

    def __init__(self) -> None:
        self.at = datetime(2026, 3, 2, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.at

    def hold(self, seconds: float) -> str:
        """Compute for so long without letting anyone else run; what was seen of it meanwhile."""
        self.at += timedelta(seconds=seconds)
        return at_work()


@pytest.fixture
def time() -> Iterator[Ticking]:
    ticking = Ticking()
    with clock(ticking):
        yield ticking


async def test_a_plain_hook_that_holds_the_loop_is_told_with_its_name(
    time: Ticking, caplog: pytest.LogCaptureFixture
) -> None:
    held: list[Stall] = []
    with held_at_most(0.2, held), caplog.at_level(logging.WARNING):
        call_now("The condition of 'colour'", time.hold, 0.1)
        seen = call_now("The condition of 'amount'", time.hold, 0.5)

    assert held == [Stall(what="The condition of 'amount'", milliseconds=500.0)]
    assert "The condition of 'amount' held the event loop for 0.50 s" in caplog.text
    assert "colour" not in caplog.text
    assert (seen, at_work()) == ("The condition of 'amount'", "")


async def test_a_hook_that_holds_the_loop_and_raises_is_told_too(time: Ticking) -> None:
    def fails() -> None:
        time.hold(2)
        raise ValueError

    held: list[Stall] = []
    with held_at_most(0.2, held), pytest.raises(StepFailed):
        call_now("A hook", fails)

    assert [one.milliseconds for one in held] == [2000.0]


async def test_a_coroutine_is_measured_from_one_await_to_the_next(time: Ticking) -> None:
    async def step(word: str) -> str:
        time.hold(0.15)
        await asyncio.sleep(0)
        time.hold(0.15)
        await asyncio.sleep(0)
        assert time.hold(0.3) == "Step 'pay'"
        return word

    held: list[Stall] = []
    with held_at_most(0.2, held):
        assert await call("Step 'pay'", step, "done", limit=LONG) == "done"
        assert await awaited("The handler of 'pay'", step_like(time), LONG) == 7

    assert [(one.what, one.milliseconds) for one in held] == [("Step 'pay'", 300.0)]


async def step_like(time: Ticking) -> int:
    time.hold(0.1)
    return 7


async def test_what_is_thrown_into_a_measured_coroutine_reaches_it() -> None:
    heard: list[str] = []

    async def step() -> str:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            heard.append("cancelled")
            raise
        return "never"

    async def measured() -> str:
        word: str = await Holding("Step").steps(step())
        return word

    task = asyncio.create_task(measured())
    await asyncio.sleep(0)
    task.cancel()

    with pytest.raises(asyncio.CancelledError):
        await task
    assert heard == ["cancelled"]


async def test_the_limit_of_one_does_not_count_what_another_held_the_loop_for(time: Ticking) -> None:
    done = asyncio.Event()

    async def waits() -> str:
        await done.wait()
        return "done"

    async def another() -> None:
        time.hold(3600)

    waiting = asyncio.create_task(call("Step 'waits'", waits, limit=timedelta(milliseconds=1)))
    await asyncio.sleep(0)
    await call("Step 'another'", another, limit=LONG)
    await asyncio.sleep(0.01)  # its own limit is over by now, were it not for the other

    assert not waiting.done()
    done.set()
    assert await waiting == "done"


async def test_the_limit_of_who_holds_the_loop_stays_its_own(time: Ticking) -> None:
    async def holds() -> None:
        time.hold(3600)
        await asyncio.Event().wait()

    before = taken()
    with pytest.raises(StepFailed, match="did not end"):
        await call("Step 'holds'", holds, limit=timedelta(milliseconds=1))
    assert taken() - before == 3600


async def test_a_handler_that_does_not_end_is_cut_off() -> None:
    with pytest.raises(TimeoutError):
        await awaited("The handler of 'x'", asyncio.Event().wait(), timedelta(milliseconds=1))


async def test_a_handler_raises_what_it_raises() -> None:
    async def fails() -> None:
        raise KeyError("x")

    with pytest.raises(KeyError):
        await awaited("The handler of 'x'", fails(), LONG)


async def test_code_that_may_let_nothing_else_run_goes_on_only_when_what_is_on_its_way_is_there() -> None:
    first, second = asyncio.Future[None](), asyncio.Future[None]()
    done, rest = list[str](), asyncio.Event()

    def on_its_way() -> asyncio.Future[None] | None:
        return None if first.done() and not rest.is_set() else second if first.done() else first

    async def works() -> None:
        done.append("begun")
        await rest.wait()
        done.append("went on")

    with only_after(on_its_way):
        working = asyncio.create_task(call("Hook", works, limit=timedelta(seconds=30)))
        for _ in range(5):
            await asyncio.sleep(0)
        assert done == []
        first.set_result(None)
        for _ in range(5):
            await asyncio.sleep(0)
        assert done == ["begun"]
        rest.set()
        for _ in range(5):
            await asyncio.sleep(0)
        assert done == ["begun"]
        second.set_result(None)
        await working

    assert done == ["begun", "went on"]
