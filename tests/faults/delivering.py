"""A process that delivers from a database until nothing is left; it says each key before it is noted as delivered."""

import asyncio
import sys
from datetime import timedelta

from softrail.core.effects import OutboxItem
from softrail.turns import deliveries
from tests.faults.kit import worker

QUICK = {"beat_interval": 0.05, "dead_after": 0.4, "sweep_interval": 0.1, "delivery_limit": 0.2}


async def says(item: OutboxItem) -> None:
    """Delivers at once, as the other end would see it."""
    print(item.key, flush=True)


async def hangs(item: OutboxItem) -> None:
    """Delivers never."""
    await asyncio.Event().wait()


async def main(url: str) -> None:
    """Deliver everything that can be."""
    deliveries.FIRST_PAUSE = timedelta(seconds=0.05)  # type: ignore[misc]  # five tries in no time
    async with worker(url, deliverers={"mail": says, "hangs": hangs}, changed=QUICK) as one:
        while any(item.status == "waiting" for item in await one.store.undelivered(1000)):  # noqa: ASYNC110 - nobody tells
            await asyncio.sleep(0.1)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
