"""A library that takes long to load: nobody waits longer than their call may, and it is loaded once."""

import asyncio
import threading

import pytest

from softrail.core.errors import ModelUnreachable
from softrail.models.loading import Loading
from softrail.models.waiting import opened, waits_until


async def test_it_is_loaded_once_although_everybody_gave_up() -> None:
    free, began = threading.Event(), 0

    def load() -> str:
        nonlocal began
        began += 1
        free.wait()
        return "the library"

    library = Loading(load)
    waiting = [asyncio.create_task(library.done()) for _ in range(20)]
    await asyncio.wait(waiting, timeout=0)
    for one in waiting:
        one.cancel()
    await asyncio.gather(*waiting, return_exceptions=True)
    free.set()

    assert await library.done() == "the library"
    assert began == 1


async def test_what_could_not_be_loaded_is_tried_again_at_the_next_call() -> None:
    tried: list[str] = []

    def load() -> str:
        tried.append("once")
        if len(tried) == 1:
            raise ImportError("half installed")
        return "the library"

    library = Loading(load)
    with pytest.raises(ImportError):
        await library.done()
    assert await library.done() == "the library"


async def test_a_call_that_runs_out_of_time_while_it_loads_has_asked_nobody() -> None:
    never: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    waits_until(asyncio.get_running_loop().time())

    with pytest.raises(ModelUnreachable, match="still being loaded") as raised:
        await opened(never, "claude")

    assert raised.value.details["asked"] is False
    assert raised.value.trouble == "slow"
