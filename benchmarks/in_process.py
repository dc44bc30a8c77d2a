"""Rows 1 and 2: one conversation after the other, and many at once, without a network."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from time import perf_counter, process_time

import asyncpg

import softrail.store.sqlite as grouped
from benchmarks.figures import Row, Samples, middle, ms
from benchmarks.floors import (
    Statements,
    person_statement,
    postgres_conversation,
    raw_sqlite,
    sqlite_conversation,
    sqlite_group,
    statements,
)
from benchmarks.sizes import Sizes
from benchmarks.talk import SAID, Conversation, application, somebody, sqlite_url
from benchmarks.writes import Recording
from softrail.store import upgrade

SQLITE_GOAL, POSTGRES_GOAL, TOGETHER_GOAL = 4.0, 3.0, 0.35


async def alone_on_sqlite(folder: Path, recording: Recording, sizes: Sizes) -> list[Row]:
    """Conversations one after the other on a SQLite file, the floor's in between."""
    ours, floor, ratios, cpu = Samples(), Samples(), list[float](), 0.0
    async with application(sqlite_url(folder, "alone")) as dispatcher:
        await Conversation(dispatcher, await somebody(dispatcher)).onboarding()  # warm
        with await _raw(folder, "alone-floor") as conn:
            sqlite_conversation(conn, recording.copy(), Samples())
            for _ in range(sizes.conversations):
                mine, its = Samples(), Samples()
                person = await somebody(dispatcher)
                used = process_time()
                await Conversation(dispatcher, person).onboarding(mine)
                cpu += process_time() - used
                sqlite_conversation(conn, recording.copy(), its)
                ratios.append(mine.p50 / its.p50)
                ours.seconds += mine.seconds
                floor.seconds += its.seconds
    row = Row(
        name="1 one onboarding after the other, SQLite",
        ours=f"{ours}, CPU {ms(cpu / len(ours.seconds))}",
        floor=str(floor),
        ratio=ours.p50 / floor.p50,
        spread=middle(ratios),
        at_most=SQLITE_GOAL,
    )
    return [row]


async def alone_on_postgres(url: str, floor_url: str, recording: Recording, sizes: Sizes) -> list[Row]:
    """The same on PostgreSQL, whose fsync is on."""
    ours, floor, ratios, cpu = Samples(), Samples(), list[float](), 0.0
    await upgrade(url)
    await upgrade(floor_url)
    conn = await asyncpg.connect(floor_url)
    try:
        for setting in ("fsync", "synchronous_commit"):
            if await conn.fetchval(f"SHOW {setting}") != "on":
                raise RuntimeError(f"{setting} of this PostgreSQL is off.")
        async with application(url) as dispatcher:
            await Conversation(dispatcher, await somebody(dispatcher)).onboarding()
            await postgres_conversation(conn, recording.copy(), Samples())
            for _ in range(sizes.conversations):
                mine, its = Samples(), Samples()
                person = await somebody(dispatcher)
                used = process_time()
                await Conversation(dispatcher, person).onboarding(mine)
                cpu += process_time() - used
                await postgres_conversation(conn, recording.copy(), its)
                ratios.append(mine.p50 / its.p50)
                ours.seconds += mine.seconds
                floor.seconds += its.seconds
    finally:
        await conn.close()
    row = Row(
        name="1 one onboarding after the other, PostgreSQL",
        ours=f"{ours}, CPU {ms(cpu / len(ours.seconds))}",
        floor=str(floor),
        ratio=ours.p50 / floor.p50,
        spread=middle(ratios),
        at_most=POSTGRES_GOAL,
    )
    return [row]


async def together(folder: Path, recording: Recording, sizes: Sizes) -> list[Row]:
    """Many sessions at once. The floor commits groups of the sizes that Softrail's writer formed."""
    same, best, turns = list[tuple[float, float]](), list[float](), sizes.sessions * len(SAID)
    sizes_seen = list[int]()
    async with application(sqlite_url(folder, "together")) as dispatcher:
        await Conversation(dispatcher, await somebody(dispatcher)).onboarding()
        with await _raw(folder, "together-floor") as conn:
            for _ in range(sizes.rounds):
                people = [await somebody(dispatcher) for _ in range(sizes.sessions)]
                talks = [Conversation(dispatcher, person) for person in people]
                with _group_sizes() as groups:
                    began = perf_counter()
                    await asyncio.gather(*(talk.onboarding() for talk in talks))
                    mine = turns / (perf_counter() - began)
                sizes_seen += groups
                same.append((mine, turns / _raw_groups(conn, recording, sizes.sessions, groups)))
                most = [sizes.sessions] * len(SAID)
                best.append(mine / (turns / _raw_groups(conn, recording, sizes.sessions, most)))
    mine, floor = (sorted(rates)[len(rates) // 2] for rates in zip(*same, strict=True))
    ratios = [ours / its for ours, its in same]
    mean = sum(sizes_seen) / len(sizes_seen)
    return [
        Row(
            name=f"2 {sizes.sessions} sessions at once, SQLite, the same groups",
            ours=f"{mine:,.0f}/s, {mean:.1f} turns a commit",
            floor=f"{floor:,.0f}/s",
            ratio=sorted(ratios)[len(ratios) // 2],
            spread=middle(ratios),
            at_least=TOGETHER_GOAL,
        ),
        Row(
            name=f"  the same, against {sizes.sessions} turns in every commit",
            ours=f"{mine:,.0f}/s",
            floor=f"{mine / sorted(best)[len(best) // 2]:,.0f}/s",
            ratio=sorted(best)[len(best) // 2],
            spread=middle(best),
        ),
    ]


@contextmanager
def _group_sizes() -> Iterator[list[int]]:
    """How many turns each transaction of the block commits."""
    seen, commit_turns = list[int](), grouped.commit_turns

    def counting(conn, commits, handlers, **more):  # type: ignore[no-untyped-def]
        if commits:
            seen.append(len(commits))
        return commit_turns(conn, commits, handlers, **more)

    grouped.commit_turns = counting  # type: ignore[attr-defined]
    try:
        yield seen
    finally:
        grouped.commit_turns = commit_turns  # type: ignore[attr-defined]


def _raw_groups(conn: sqlite3.Connection, recording: Recording, sessions: int, groups: list[int]) -> float:
    """Seconds that the raw driver takes for all turns of that many sessions, in groups of those sizes."""
    copies = [recording.copy() for _ in range(sessions)]
    for copy in copies:
        conn.execute(*person_statement(copy))
    left: list[Statements] = [
        statements(copy.turns[place]) for place in range(len(SAID)) for copy in copies
    ]
    piles = list[list[Statements]]()
    for size in groups:
        piles.append(left[:size])
        del left[:size]
    piles.extend([turn] for turn in left)
    began = perf_counter()
    for pile in piles:
        sqlite_group(conn, pile)
    return perf_counter() - began


async def _raw(folder: Path, name: str) -> "_Closing":
    """A raw connection to a fresh file with Softrail's schema."""
    await upgrade(sqlite_url(folder, name))
    return _Closing(raw_sqlite(folder / f"{name}.db"))


class _Closing:
    def __init__(self, conn: sqlite3.Connection) -> None:
        self._conn = conn

    def __enter__(self) -> sqlite3.Connection:
        return self._conn

    def __exit__(self, *_: object) -> None:
        self._conn.close()
