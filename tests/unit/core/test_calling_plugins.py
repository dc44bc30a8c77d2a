"""Code of plugins is called so that nothing it does reaches anyone else, and no slower than it has to be."""

import asyncio
from collections.abc import Callable
from contextvars import ContextVar
from datetime import timedelta
from functools import partial
from typing import Any

import pytest

from softrail.core.calling import call, waits
from softrail.core.errors import StepFailed

LIMIT = timedelta(seconds=30)
SEEN: ContextVar[str] = ContextVar("seen", default="nothing")


async def at_once() -> str:
    SEEN.set("a step's own")
    return "done"


async def for_something() -> str:
    SEEN.set("a step's own")
    await asyncio.sleep(0)
    return "done"


async def inside_another() -> str:
    async def later() -> None:
        await asyncio.sleep(0)

    later().close()
    return "done"


async def with_a_block(lock: asyncio.Lock) -> None:
    async with lock:
        pass


async def over_something(pieces: Any) -> None:
    async for _ in pieces:
        pass


async def gathered(pieces: Any) -> list[Any]:
    return [piece async for piece in pieces]


def test_a_coroutine_function_waits_where_its_own_code_awaits() -> None:
    assert not waits(at_once)
    assert not waits(inside_another)
    for function in (with_a_block, over_something, gathered):
        assert waits(function)
    assert waits(for_something)


def test_whoever_shows_no_code_of_a_coroutine_may_wait() -> None:
    class Asked:
        async def __call__(self) -> None: ...

    assert waits(partial(at_once))
    assert waits(Asked())


@pytest.mark.parametrize("function", [at_once, for_something])
async def test_context_variables_that_a_step_sets_are_its_own(function: Callable[[], Any]) -> None:
    assert await call("a step", function, limit=LIMIT) == "done"
    assert SEEN.get() == "nothing"


async def test_what_waits_for_nothing_is_called_without_a_turn_of_the_loop() -> None:
    turns = list[str]()
    asyncio.get_running_loop().call_soon(turns.append, "another")
    await call("a step", at_once, limit=LIMIT)
    assert turns == []


@pytest.mark.parametrize(
    "error", [ValueError("no"), SystemExit(3), KeyboardInterrupt(), asyncio.CancelledError()]
)
async def test_whatever_it_raises_is_a_failed_step(error: BaseException) -> None:
    async def wrong() -> None:
        raise error

    with pytest.raises(StepFailed, match=f"a step raised {type(error).__name__}"):
        await call("a step", wrong, limit=LIMIT)
