"""Row 9: what a signal costs beside a turn, and what many instances that wait cost everybody else."""

import sqlite3
import time
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from statistics import median

from pydantic import BaseModel

from benchmarks.figures import Row, Samples, middle, ms
from benchmarks.sizes import Sizes
from benchmarks.tables import prepare
from benchmarks.talk import Conversation, application, somebody, sqlite_url
from softrail import Ask, Process, Release, Signal, Turn, Wait, step
from softrail.core.turns import Reply

GOAL = 1.2
TURNS = 40  #: of a round, at most


class Count(BaseModel):
    """What both processes keep."""

    heard: int = 0


class Waiting(Process, name="waiting"):
    """Waits for ever, and counts what it hears."""

    starts_on = ("wait for it",)

    @step(goes_to=("hear",))
    async def begin(self, said: Turn, data: Count) -> Wait:
        return Wait(say="Waiting.", step="hear", until=timedelta(days=365))

    @step(on="news")
    async def hear(self, said: Turn, data: Count) -> Release:
        return Release(data=Count(heard=data.heard + 1))


class Asking(Process, name="asking"):
    """Asks for ever, and counts what it is told."""

    starts_on = ("ask for it",)

    @step(asks="And?", takes_anything=True)
    async def hear(self, said: Turn, data: Count) -> Ask:
        return Ask("And?", data=Count(heard=data.heard + 1))


async def waiting(folder: Path, sizes: Sizes) -> list[Row]:
    """The rows."""
    return [await _signal(folder, sizes), *await _many(folder, sizes)]


async def _signal(folder: Path, sizes: Sizes) -> Row:
    """A signal and a turn, each of which changes its own process, one after the other."""
    signals, turns, ratios = Samples(), Samples(), list[float]()
    async with application(sqlite_url(folder, "signals"), Waiting, Asking) as dispatcher:
        hears, says = [Conversation(dispatcher, await somebody(dispatcher)) for _ in range(2)]
        begun = Reply.model_validate_json(await hears.say("wait for it"))
        assert begun.process is not None
        await says.say("ask for it")
        for number in sizes.numbers():
            told, said = Samples(), Samples()
            for n in range(min(TURNS, sizes.turns)):
                signal = Signal("news", f"{number}-{n}")
                with told.timed():
                    await dispatcher.signal(begun.process.instance_id, signal)
                await says.say(f"number {n}", said)
            if number >= 0:
                signals.seconds += told.seconds
                turns.seconds += said.seconds
                ratios.append(told.p50 / said.p50)
    return Row(
        name="9 a signal beside a turn",
        ours=f"p50 {ms(signals.p50)}, p99 {ms(signals.p99)}",
        floor=f"a turn: p50 {ms(turns.p50)}, p99 {ms(turns.p99)}",
        ratio=median(ratios),
        spread=middle(ratios),
        at_most=1.3,
    )


async def _many(folder: Path, sizes: Sizes) -> list[Row]:
    """Start, turn and sweep with many that wait, beside few."""
    names = ("few_waiting", "many_waiting")
    for name, count in zip(names, (sizes.few_stored, sizes.many_stored), strict=True):
        url = sqlite_url(folder, name)
        await prepare(url)
        async with application(url, Waiting, Asking) as dispatcher:
            await Conversation(dispatcher, await somebody(dispatcher)).say("wait for it")
        _fill(folder / f"{name}.db", count)
    found: dict[str, tuple[Samples, Samples]] = {
        what: (Samples(), Samples()) for what in ("start", "a turn", "a sweep")
    }
    ratios: dict[str, list[float]] = {what: [] for what in found}
    for number in sizes.numbers():
        rounds: list[dict[str, float]] = [{}, {}]
        for side in (0, 1) if number % 2 else (1, 0):
            rounds[side] = await _round(sqlite_url(folder, names[side]), min(TURNS, sizes.turns))
        if number < 0:
            continue
        for what, (few, many) in found.items():
            few.seconds.append(rounds[0][what])
            many.seconds.append(rounds[1][what])
            ratios[what].append(rounds[1][what] / rounds[0][what])
    return [
        Row(
            name=f"9 {what}, {sizes.few_stored:,} to {sizes.many_stored:,} waiting",
            ours=ms(many.p50),
            floor=f"few: {ms(few.p50)}",
            ratio=median(ratios[what]),
            spread=middle(ratios[what]),
            at_most=GOAL,
        )
        for what, (few, many) in found.items()
    ]


async def _round(url: str, turns: int) -> dict[str, float]:
    """Seconds of a start, of the middle one of many turns, of a sweep that finds nothing."""
    began = time.perf_counter()
    dispatcher = application(url, Waiting, Asking)
    async with dispatcher:
        started = time.perf_counter() - began
        talk, said = Conversation(dispatcher, await somebody(dispatcher)), Samples()
        await talk.say("ask for it")
        for n in range(turns):
            await talk.say(f"number {n}", said)
        await dispatcher.sweep()
        swept = Samples()
        for _ in range(turns):
            with swept.timed():
                await dispatcher.sweep()
    return {"start": started, "a turn": said.p50, "a sweep": swept.p50}


def _fill(path: Path, count: int) -> None:
    """Copies of the one session with its one instance that waits."""
    with closing(sqlite3.connect(path)) as conn:
        conn.execute("PRAGMA synchronous = OFF")  # filling is not what is measured
        for table, own in (("sessions", "id"), ("instances", "session_id")):
            columns = [row[1] for row in conn.execute(f"PRAGMA table_info({table})")]
            [first] = conn.execute(f"SELECT * FROM {table}").fetchall()
            marks = ", ".join("?" * len(columns))
            rows = []
            for n in range(count - 1):
                row = dict(zip(columns, first, strict=True))
                row["id"] = f"{row['id']}-{n}"
                row[own] = f"{first[columns.index(own)]}-{n}"
                rows.append(tuple(row[c] for c in columns))
            conn.executemany(f"INSERT INTO {table} VALUES ({marks})", rows)
        conn.commit()
        conn.execute("PRAGMA wal_checkpoint(TRUNCATE)")
