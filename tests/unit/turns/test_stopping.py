"""The dispatcher stops, whatever happens at the same moment."""

import asyncio

import pytest

from softrail import Settings, build
from softrail.core.effects import OutboxItem
from softrail.store import MemoryStore


async def deliver(item: OutboxItem) -> None: ...


async def steps(count: int) -> None:
    """Let the event loop go round."""
    for _ in range(count):
        await asyncio.sleep(0)


@pytest.mark.parametrize("moments", range(4))
async def test_stopping_while_a_turn_wakes_the_deliveries_ends(moments: int) -> None:
    dispatcher = build(Settings(), store=MemoryStore(), discover=False, deliverers={"mail": deliver})
    await dispatcher.start()
    await steps(5)  # it waits for news now
    dispatcher.nudge()
    await steps(moments)

    stopping = asyncio.create_task(dispatcher.stop(grace=0))
    ended, _ = await asyncio.wait({stopping}, timeout=5)
    assert ended
