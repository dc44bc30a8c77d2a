"""A worker in a process of its own that counts, and may end itself on the way: `URL DIES_AFTER DIES_IN WAITS_AFTER`."""

import asyncio
import os
import signal
import sys

from softrail.bootstrap import build, plugin_tables
from softrail.core.execution import Claim
from softrail.store import open_store
from softrail.testing.contracts.counting import KIND, Counting
from tests.faults.kit import settings


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


async def main(url: str, dies_after: int, dies_in: int, waits_after: int) -> None:
    async def between(run_id: str, n: int, claim: Claim) -> None:
        if n == dies_after:
            die()
        if n == waits_after:
            await asyncio.Event().wait()

    def inside(n: int) -> None:
        if n == dies_in:
            die()

    chosen = settings(url, beat_interval=0.1, dead_after=0.5)
    store = open_store(url, plugins=plugin_tables(discover=False))
    works = {KIND: Counting(store, between, inside)}
    dispatcher = build(chosen, store=store, discover=False, works=works)
    async with dispatcher:
        await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], *map(int, sys.argv[2:5])))
