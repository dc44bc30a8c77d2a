"""Rows of the long fault tests about size: a session of years, and a sweep among a million sessions."""

import asyncio
import os
import time
from collections.abc import AsyncIterator
from statistics import median

from softrail.core.clock import now
from softrail.core.people import Person
from softrail.core.ports import ModelAnswer, ModelRequest
from softrail.store.rows import stamp
from softrail.turns.dispatcher import Dispatcher
from tests.faults.findings import Findings
from tests.faults.ground import Ground, Row, file_of, kilobytes, row
from tests.faults.hot import spread
from tests.faults.kit import person_of, say, worker
from tests.faults.large import filled, longer, quick, scans, timed, traced
from tests.faults.sweeping import Listening
from tests.forked import finished

ROUND = (
    100  #: turns whose p95 are compared; the middle one of all rounds counts, for other programs run beside
)
RATIO = 1.5  #: a turn of a session of years beside one of a new session, at most


class Quick:
    """A language model that answers at once, so that all that a model is told is read."""

    name = "quick"

    async def answer(self, request: ModelRequest) -> ModelAnswer:
        return ModelAnswer(text="The sea is wide.", model=self.name)

    async def stream(self, request: ModelRequest) -> AsyncIterator[str | ModelAnswer]:
        yield await self.answer(request)


#: Free talk, a process that begins, what it hears, and leaving it.
HEARD = ("listen to me", "I like tea", "I like milk", "stop")
SAID = ("tell me of the sea", *HEARD)
CROWD = 25  #: people who talk at once


async def _talk(one: Dispatcher, person: Person, session: str, seconds: list[float]) -> None:
    for message in SAID:
        with timed(seconds):
            await say(one, person, message, session_id=session)


@row("I3")
async def one_session_of_years(ground: Ground) -> Row:
    url, turns, talks = ground.migrated(), ground.count(100_000, 1_000), ground.count(200, 20)
    path = file_of(url)
    async with worker(url, Listening, model=Quick()) as one:
        person = await person_of(one)
        session = (await say(one, person, "hello")).session_id
        await _talk(one, person, session, [])
        await say(one, person, "tell me of the sea", session_id=session)
    longer(path, session, turns=turns)
    old, new = list[float](), list[float]()
    async with worker(url, Listening, model=Quick()) as one:
        for n in range(talks + 5):
            fresh = (await say(one, person, "hello")).session_id
            sides = ((session, old), (fresh, new))
            for where, seconds in sides if n % 2 else reversed(sides):
                await _talk(one, person, where, seconds if n >= 5 else [])
    with traced() as seen:
        async with worker(url, Listening, model=Quick()) as one:
            await _talk(one, person, session, [])
            last = (await say(one, person, "and then?", session_id=session)).seq
            await one.store.items(person.id, session_id=session, before=last, limit=50)
    whole = scans(path, seen, of=("turns", "decisions", "effects", "sessions"))
    slow, fast = spread(old, 0.95), spread(new, 0.95)
    ratio = median(
        spread(old[at : at + ROUND], 0.95) / spread(new[at : at + ROUND], 0.95)
        for at in range(0, len(old), ROUND)
    )
    wrong = {
        f"{last} is no number after {turns} turns": last <= 2 * turns,
        f"{ratio:.2f} times a turn of a new session": ratio > RATIO,
        f"read wholly: {whole[:2]}": bool(whole),
    }
    return Row(
        name="I3",
        what=f"one session with {turns:,} turns, beside new ones, SQLite",
        counts=f"{len(old)} turns in each, {len(seen)} statements whose plans use an index",
        found=Findings(),
        times=f"p95 of a turn {1000 * slow:.1f} ms, of a new session {1000 * fast:.1f} ms; ratio {ratio:.2f}",
        faults=[fault for fault, is_so in wrong.items() if is_so],
    )


PACE = 0.02  #: seconds between two turns of whoever writes while it is swept
KEPT = 1.1  #: of a worker's memory after its first thousand turns, at most


@row("I4")
async def memory_after_many(ground: Ground) -> Row:
    first, turns, sessions = 1_000, ground.count(50_000, 2_000), 0
    memory = list[float]()
    async with worker(ground.migrated(), Listening) as one:
        for at in (first, turns):
            while sessions * len(HEARD) < at:
                await asyncio.gather(*(_listened(one, f"p{sessions + n}") for n in range(CROWD)))
                sessions += CROWD
            memory.append(kilobytes(os.getpid()) / 1024)
    ratio = memory[1] / memory[0]
    return Row(
        name="I4",
        what=f"memory of a worker after {first:,} turns and after {turns:,}, SQLite",
        counts=f"{sessions:,} sessions, {CROWD} at once",
        found=Findings(),
        times=f"{memory[0]:.0f} MB, then {memory[1]:.0f} MB; ratio {ratio:.2f}",
        faults=[f"ratio {ratio:.2f}"] if ratio > KEPT else [],
    )


async def _listened(one: Dispatcher, name: str) -> None:
    """A conversation of somebody new."""
    person = await person_of(one, name)
    session = (await say(one, person, HEARD[0])).session_id
    for message in HEARD[1:]:
        await say(one, person, message, session_id=session)


WAIT, STALL = 0.05, 0.25  #: seconds that a turn may take then: 99 of a hundred, and the worst
SWEPT = 60.0  #: seconds for 100,000 sessions


@row("I1")
async def a_sweep_among_many(ground: Ground) -> Row:
    url, sessions = ground.migrated(), ground.count(1_000_000, 2_000)
    path, overdue = file_of(url), sessions // 10
    async with worker(url, Listening) as one:
        await say(one, await person_of(one, "first"), "listen to me")
    filling = time.monotonic()
    await asyncio.to_thread(filled, path, sessions, overdue=overdue, since=stamp(now()) - 3_600_000_000)
    filling, turns = time.monotonic() - filling, list[float]()
    async with worker(url, Listening) as one:
        await one._sweeper.stop()
        person = await person_of(one, "talks")
        session = (await say(one, person, "listen to me")).session_id
        for n in range(50):
            await say(one, person, f"before {n}", session_id=session)
        begun_at = time.monotonic()
        sweeping = asyncio.gather(*(asyncio.to_thread(_swept, url) for _ in range(2)))
        while not sweeping.done():
            with timed(turns):
                await say(one, person, f"tea {len(turns)}", session_id=session)
            await asyncio.sleep(PACE)
        shares, took = await sweeping, time.monotonic() - begun_at
    with quick(path) as conn:
        [paused] = conn.execute("SELECT count(*) FROM instances WHERE state = 'suspended'").fetchone()
        query = "SELECT count(*), count(DISTINCT instance_id) FROM transitions WHERE trigger = 'timeout'"
        moves = conn.execute(query).fetchone()
    p99, worst = spread(turns, 0.99), max(turns)
    wrong = {
        f"{paused} of {overdue} are suspended": paused != overdue,
        f"{moves} moves and whose": moves != (overdue, overdue),
        f"the sweepers had {shares}": min(shares) * 5 < overdue,
        f"p99 of a turn {1000 * p99:.0f} ms": p99 > WAIT,
        f"a turn took {1000 * worst:.0f} ms": worst > STALL,
        f"swept in {took:.0f} s": took > max(SWEPT * overdue / 100_000, 5.0),
    }
    return Row(
        name="I1",
        what=f"two sweepers beside a writer, one in ten of {sessions:,} sessions over time, SQLite",
        counts=f"{overdue:,} suspended by two ({shares[0]:,} and {shares[1]:,}), {len(turns):,} turns beside it",
        found=Findings(),
        times=f"filled in {filling:.0f} s, swept in {took:.0f} s; p99 of a turn {1000 * p99:.0f} ms, worst {1000 * worst:.0f} ms",
        faults=[fault for fault, is_so in wrong.items() if is_so],
    )


def _swept(url: str) -> int:
    """How many sessions a worker of its own has suspended in one sweep."""
    done = finished("tests.faults.sweeping", url)
    assert done.status == 0, done.stderr
    return int(done.stdout)
