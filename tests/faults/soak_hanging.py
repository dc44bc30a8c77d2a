"""A row of the long fault tests: steps that hang, in each way there is, and whoever talks beside them."""

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from random import Random
from typing import Final

import httpx2

from tests.faults.client import Acked, Client
from tests.faults.findings import Findings
from tests.faults.ground import Ground, Row, row
from tests.faults.hanging_app import HANGING, Computes
from tests.faults.hot import spread
from tests.faults.server import Server

LIMIT: Final = 2.0  #: seconds a step may take
LAG: Final = 0.05  #: seconds the event loop may be late in one of a hundred
RECYCLED: Final = 30.0  #: seconds after which another worker is there
APPLICATION: Final = {"SOFTRAIL_APP": "tests.faults.hanging_app:make", "SOFTRAIL_STEP_LIMIT": str(LIMIT)}


@row("E2")
async def steps_that_hang(ground: Ground) -> Row:
    found, times, count = Findings(), ground.count(25, 2), ground.count(3, 1)
    hung, (quiet, lags, busy) = await within_threads(ground, found, times)
    recycled = await on_the_loop(ground, found, count)
    slowest, late = max(hung), spread(lags, 0.99)
    faults = {
        f"a turn ended after {min(hung):.1f} s": min(hung) < LIMIT,
        f"a turn ended after {slowest:.1f} s": slowest > LIMIT + 1,
        f"the loop is late by {1000 * late:.0f} ms in one of a hundred": late > LAG,
        f"another worker after {max(recycled):.1f} s": max(recycled) > RECYCLED,
    }
    return Row(
        name="E2",
        what="steps that wait for ever, sleep in a thread, compute in a library, at once; then in Python, in a thread; then one "
        "that holds the loop of one of two workers",
        counts=f"{times} turns in each of {len(HANGING) + 1} ways, limit {LIMIT:g} s; {count} loops held",
        found=found,
        times=f"a turn that hangs ended after {slowest:.1f} s at most, another request was answered in "
        f"{1000 * late:.0f} ms (99 %), without them in {1000 * spread(quiet, 0.99):.0f} ms, beside Python in {1000 * spread(busy, 0.99):.0f} ms; another worker was there after {max(recycled):.1f} s at most",
        faults=[fault for fault, holds in faults.items() if holds],
    )


async def within_threads(
    ground: Ground, found: Findings, times: int
) -> tuple[list[float], Sequence[list[float]]]:
    """How long turns took whose step hangs; and requests beside none, beside them, beside those that compute in Python."""
    took = list[float]()
    async with ground.box(ground.sqlite(), environment=APPLICATION) as box:
        client = Client(box.servers, Random(ground.seed))

        async def hang(person: str, message: str) -> None:
            begun = time.monotonic()
            acked = await client.turn(person, message=message, turn_id=f"{person}-0")
            took.append(time.monotonic() - begun)
            if acked is not None:
                await read_back(client, found, person, [acked])

        await client.turn("first", message="answer me", turn_id="first")  # it has loaded what it needs
        async with beside(box.servers[0]) as none:
            for n in range(20 * times):
                await client.turn(f"q{n}", message="answer me", turn_id=f"q{n}")
        async with beside(box.servers[0]) as other:
            for n in range(times):
                ways = enumerate(process.starts_on[0] for process in HANGING)
                await asyncio.gather(*(hang(f"h{n}-{k}", message) for k, message in ways))
        async with beside(box.servers[0]) as busy:  # who computes in Python lets the others in by turns
            for n in range(times):
                await hang(f"b{n}", Computes.starts_on[0])
        found.wire(client)
        await client.close()
    return took, (none.seconds, other.seconds, busy.seconds)


async def on_the_loop(ground: Ground, found: Findings, count: int) -> list[float]:
    """How long it took until another worker was there, each time that a step held the loop of one."""
    took = list[float]()
    async with ground.box(await ground.postgres(), workers=2, environment=APPLICATION) as box:
        [server], client = box.servers, Client(box.servers, Random(ground.seed))
        for n in range(count):
            acked = [
                await client.turn(f"a{n}-{k}", message="answer me", turn_id=f"a{n}-{k}") for k in range(20)
            ]
            before, begun = set(server.workers()), time.monotonic()
            spinning = asyncio.create_task(client.turn(f"s{n}", message="spin with me", turn_id=f"s{n}"))
            while len(server.workers()) < 2 or set(server.workers()) == before:  # noqa: ASYNC110
                await asyncio.sleep(0.05)
            took.append(time.monotonic() - begun)
            for one in acked:
                if one is not None:
                    await read_back(client, found, one.person, [one])
            await spinning  # the second worker ends by it, too, and the third answers
        found.wire(client)
        await client.close()
    return took


async def read_back(client: Client, found: Findings, person: str, acked: list[Acked]) -> None:
    """Look whether what was acknowledged is there."""
    sent = [one.request["message"] for one in acked]
    found.history(sent, acked, (await client.get(person, "/me/export"))["sessions"])


@dataclass
class Beside:
    """How long each of somebody's requests took."""

    seconds: list[float] = field(default_factory=list)


@asynccontextmanager
async def beside(server: Server) -> AsyncIterator[Beside]:
    """Within the block somebody asks again and again whether the server is there."""
    other = Beside()

    async def ask() -> None:
        async with httpx2.AsyncClient(base_url=server.base, trust_env=False) as http:
            while True:
                begun = time.monotonic()
                await http.get("/healthz")
                other.seconds.append(time.monotonic() - begun)
                await asyncio.sleep(0.02)

    asking = asyncio.create_task(ask())
    try:
        yield other
    finally:
        asking.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await asking
