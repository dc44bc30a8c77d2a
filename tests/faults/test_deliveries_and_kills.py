"""Workers that deliver are killed: everything is delivered, twice only around a kill, and what hangs is set aside."""

import asyncio
import os
from collections import Counter

from softrail.store import open_store, upgrade
from softrail.testing.contracts.outbox import mail
from softrail.testing.contracts.values import opened, someone
from softrail.turns.deliveries import AT_ONCE, MOST_TRIES
from tests.faults.server import PATIENCE
from tests.forked import begun

ROWS = 120
KILLS = (40,)  #: after so many lines of the worker that is killed; 949 rows took kills after 100, 300 and 500


class Delivering:
    """A worker that delivers, and says what it has delivered."""

    def __init__(self, url: str) -> None:
        ours, theirs = os.pipe()
        with open(theirs, "wb") as said:
            self.process = begun("tests.faults.delivering", url, stdout=said.fileno())
        self._said = os.fdopen(ours, "rb")

    async def heard(self, most: int | None, keys: Counter[str]) -> None:
        """What it says until it has said that much, or has ended."""
        while most is None or keys.total() < most:
            line = await asyncio.to_thread(self._said.readline)
            if not line.endswith(b"\n"):
                return
            keys[line.decode().strip()] += 1

    async def ended(self) -> int:
        """Its status, once it has ended."""
        self._said.close()
        return await asyncio.to_thread(self.process.wait, PATIENCE)


async def test_with_kills_everything_is_delivered_and_twice_only_around_a_kill(url: str) -> None:
    await upgrade(url)
    store = open_store(url)
    await store.start()
    effects = [mail("hangs"), *(mail(n=str(n)) for n in range(ROWS))]
    await opened(store, await someone(store), effects=effects)
    keys = Counter[str]()

    other = await asyncio.to_thread(Delivering, url)
    listening = asyncio.create_task(other.heard(None, of_other := Counter[str]()))
    for most in (*KILLS, None):
        one = await asyncio.to_thread(Delivering, url)
        await one.heard(None if most is None else min(most, ROWS), keys)
        if most is not None:
            one.process.kill()
        # What it had said before it ended was delivered, too.
        await one.heard(None, keys)
        await one.ended()
    await listening
    assert await other.ended() == 0

    everything = keys + of_other
    twice = sum(count - 1 for count in everything.values())
    assert len(everything) == ROWS
    assert twice <= len(KILLS) * AT_ONCE
    [hung] = await store.undelivered(10)
    assert (hung.kind, hung.status, hung.tries) == ("hangs", "failed", MOST_TRIES)
    await store.close()
