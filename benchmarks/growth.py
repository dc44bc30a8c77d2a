"""Row 4: what a turn costs when much is stored, much is registered, and much was said before."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import timedelta
from pathlib import Path
from statistics import median
from types import new_class

from pydantic import BaseModel

from benchmarks.figures import Row, Samples, middle, ms
from benchmarks.floors import person_statement, raw_sqlite, sqlite_group, statements
from benchmarks.sizes import Sizes
from benchmarks.tables import prepare
from benchmarks.talk import SAID, Conversation, application, somebody, sqlite_url
from benchmarks.writes import Recording
from softrail import Done, Process, Turn, ask
from softrail.turns.dispatcher import Dispatcher

GOAL = 1.2
BATCH = 500

Measured = Callable[[Samples], Awaitable[None]]


async def growth(folder: Path, recording: Recording, sizes: Sizes) -> list[Row]:
    """Small beside large, in turns, each in one process."""
    return [
        await _stored(folder, recording, sizes),
        await _registered(folder, sizes),
        await _said_before(folder, sizes),
    ]


async def _stored(folder: Path, recording: Recording, sizes: Sizes) -> Row:
    few, many = sqlite_url(folder, "few"), sqlite_url(folder, "many")
    for url, name, count in ((few, "few", sizes.few_stored), (many, "many", sizes.many_stored)):
        await prepare(url)
        await asyncio.to_thread(fill, folder / f"{name}.db", recording, count, turns=1)
    async with application(few) as small, application(many) as large:
        name = f"4 stored sessions, {sizes.few_stored:,} to {sizes.many_stored:,}"
        return await _compared(name, _fresh(small), _fresh(large), sizes)


async def _registered(folder: Path, sizes: Sizes) -> Row:
    few = [_process(number) for number in range(sizes.few_processes - 1)]
    many = [_process(number) for number in range(sizes.many_processes - 1)]
    async with (
        application(sqlite_url(folder, "five"), *few) as small,
        application(sqlite_url(folder, "hundreds"), *many) as large,
    ):
        name = f"4 registered processes, {sizes.few_processes} to {sizes.many_processes}"
        return await _compared(name, _fresh(small), _fresh(large), sizes)


async def _said_before(folder: Path, sizes: Sizes) -> Row:
    async with application(sqlite_url(folder, "turns")) as dispatcher:
        old = Conversation(dispatcher, await somebody(dispatcher))
        for _ in range(sizes.many_turns // len(SAID)):
            await old.onboarding()

        async def young(samples: Samples) -> None:
            talk = Conversation(dispatcher, await somebody(dispatcher))
            await talk.onboarding()
            await talk.onboarding(samples)

        name = f"4 turns in one session, about 10 to {sizes.many_turns:,}"
        return await _compared(name, young, old.onboarding, sizes)


def _fresh(dispatcher: Dispatcher) -> Measured:
    async def measured(samples: Samples) -> None:
        await Conversation(dispatcher, await somebody(dispatcher)).onboarding(samples)

    return measured


async def _compared(name: str, small: Measured, large: Measured, sizes: Sizes) -> Row:
    """The p50 of a turn on the large side over that on the small one, the middle one of all rounds."""
    for measured in (small, large):
        await measured(Samples())
    few, many, ratios = Samples(), Samples(), list[float]()
    for number in range(sizes.conversations):
        one, other = Samples(), Samples()
        pair = [(small, one), (large, other)]
        for measured, samples in pair if number % 2 else reversed(pair):
            await measured(samples)
        ratios.append(other.p50 / one.p50)
        few.seconds += one.seconds
        many.seconds += other.seconds
    return Row(
        name=name,
        ours=f"p50 {ms(many.p50)}, p99 {ms(many.p99)}",
        floor=f"small: p50 {ms(few.p50)}, p99 {ms(few.p99)}",
        ratio=median(ratios),
        spread=middle(ratios),
        at_most=GOAL,
    )


def fill(path: Path, recording: Recording, count: int, *, turns: int) -> None:
    """Sessions of real size with the first turns of an onboarding, each of a person of its own."""
    conn = raw_sqlite(path)
    conn.execute("PRAGMA synchronous = OFF")  # filling is not what is measured
    for begin in range(0, count, BATCH):
        copies = [recording.copy(turns=turns) for _ in range(min(BATCH, count - begin))]
        sqlite_group(conn, [[person_statement(copy)] for copy in copies])
        for at in range(turns):
            sqlite_group(conn, [statements(copy.turns[at]) for copy in copies])
    conn.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    conn.close()


def _process(number: int) -> type[Process]:
    """A process like any other, with names and words of its own."""

    class Answers(BaseModel):
        """Two answers."""

        first: str = ask("What is the first thing?")
        second: list[str] = ask("What else?", default=[])

    async def complete(self: Process, answers: Answers, turn: Turn) -> Done:
        return Done("Saved.")

    body = {
        "__doc__": f"Collects the things of matter {number}.",
        "__module__": __name__,
        "Answers": Answers,
        "complete": complete,
        "names": (f"matter {number}", f"case {number}"),
        "starts_on": (f"open matter {number}", f"let's look at case {number}"),
        "idle_timeout": timedelta(minutes=30),
    }
    said = {"name": f"matter_{number}", "version": 1}
    return new_class(f"Matter{number}", (Process,), said, lambda space: space.update(body))
