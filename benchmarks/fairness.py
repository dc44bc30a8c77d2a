"""Row 11: somebody's turns while another session is full to the brim with turns that wait."""

import asyncio
import contextlib
import itertools
from collections.abc import AsyncIterator
from pathlib import Path
from statistics import median

from benchmarks.figures import Row, Samples, middle, ms
from benchmarks.sizes import Sizes
from benchmarks.talk import Conversation, application, somebody, sqlite_url
from benchmarks.waiting import Asking
from softrail.core.errors import SoftrailError
from softrail.core.people import Person
from softrail.core.turns import Request
from softrail.turns.dispatcher import Dispatcher

GOAL = 2.0


async def fairness(folder: Path, sizes: Sizes) -> list[Row]:
    """The p95 of one person's turns beside the hot session, and alone; round by round."""
    alone, beside, ratios, hot = Samples(), Samples(), list[float](), 0
    async with application(sqlite_url(folder, "fairness"), Asking) as dispatcher:
        person = await somebody(dispatcher)
        one = Conversation(dispatcher, person)
        await one.say("ask for it")
        for number in sizes.numbers():
            quiet = await _round(one, sizes.turns)
            async with _heat(dispatcher, await somebody(dispatcher), sizes.hot) as answered:
                loud = await _round(one, sizes.turns)
            hot += len(answered)
            if number >= 0:
                alone.seconds += quiet.seconds
                beside.seconds += loud.seconds
                ratios.append(_p95(loud) / _p95(quiet))
    return [
        Row(
            name=f"11 beside a session with {sizes.hot} turns that wait",
            ours=f"p50 {ms(beside.p50)}, p95 {ms(_p95(beside))}; {hot:,} hot turns",
            floor=f"alone: p50 {ms(alone.p50)}, p95 {ms(_p95(alone))}",
            ratio=median(ratios),
            spread=middle(ratios),
            at_most=GOAL,
        )
    ]


def _p95(samples: Samples) -> float:
    ordered = sorted(samples.seconds)
    return ordered[min(len(ordered) - 1, int(0.95 * len(ordered)))]


async def _round(one: Conversation, turns: int) -> Samples:
    """A person who answers at once: what counts is how long each of the turns takes."""
    said = Samples()
    for n in range(turns):
        await one.say(f"number {n}", said)
    return said


@contextlib.asynccontextmanager
async def _heat(dispatcher: Dispatcher, person: Person, hot: int) -> AsyncIterator[list[str]]:
    """Within the block so many turns always wait in a session of that person."""
    answered, numbers = list[str](), itertools.count()
    first = Conversation(dispatcher, person)
    await first.say("ask for it")

    async def sender() -> None:
        while True:
            request = Request(message=f"hot {next(numbers)}", session_id=first.session_id)
            with contextlib.suppress(SoftrailError):  # one more than may wait: it comes again
                answered.append(await dispatcher.converse(request, person))

    senders = [asyncio.create_task(sender()) for _ in range(hot)]
    try:
        yield answered
    finally:
        for task in senders:
            task.cancel()
        await asyncio.wait(senders)
        await dispatcher.cancel(person, first.session_id or "")
