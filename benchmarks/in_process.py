"""Rows 1 and 2: one conversation after the other, and many at once, without a network."""

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from statistics import median
from time import perf_counter, process_time

import asyncpg
from sqlalchemy import Connection

import softrail.store.sqlite as sqlite_store
from benchmarks.figures import Row, Samples, middle, ms
from benchmarks.floors import (
    GroupWriter,
    Statements,
    person_statement,
    postgres_conversation,
    raw_sqlite,
    sqlite_conversation,
    statements,
)
from benchmarks.sizes import Sizes
from benchmarks.tables import prepare
from benchmarks.talk import SAID, Conversation, application, somebody, sqlite_url
from benchmarks.writes import Recording
from softrail.core.commits import CommitResult, TurnCommit
from softrail.store.commit import commit_turns
from softrail.store.effects import Handlers

SQLITE_GOAL, POSTGRES_GOAL, TOGETHER_GOAL = 3.5, 2.5, 0.125


async def alone_on_sqlite(folder: Path, recording: Recording, sizes: Sizes) -> list[Row]:
    """Conversations one after the other on a SQLite file, the floor's in between."""
    ours, floor, ratios, cpu = Samples(), Samples(), list[float](), 0.0
    async with application(sqlite_url(folder, "alone")) as dispatcher:
        await Conversation(dispatcher, await somebody(dispatcher)).onboarding()  # warm
        await prepare(sqlite_url(folder, "alone-floor"))
        with closing(raw_sqlite(folder / "alone-floor.db")) as conn:
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
    """The same on PostgreSQL."""
    ours, floor, ratios, cpu = Samples(), Samples(), list[float](), 0.0
    await prepare(url)
    await prepare(floor_url)
    conn = await asyncpg.connect(floor_url)
    try:
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


async def require_durable(url: str) -> None:
    """Refuse a PostgreSQL that does not wait for the disk: what it does is another thing."""
    conn = await asyncpg.connect(url)
    try:
        for setting in ("fsync", "synchronous_commit"):
            if await conn.fetchval(f"SHOW {setting}") != "on":
                raise RuntimeError(f"{setting} of this PostgreSQL is off.")
    finally:
        await conn.close()


async def together(folder: Path, recording: Recording, sizes: Sizes) -> list[Row]:
    """Many sessions at once, each waiting for its answer; both sides commit whatever waits together."""
    rates, most, groups = list[tuple[float, float]](), list[float](), list[int]()
    turns = sizes.sessions * len(SAID)
    async with application(sqlite_url(folder, "together")) as dispatcher:
        await Conversation(dispatcher, await somebody(dispatcher)).onboarding()
        await prepare(sqlite_url(folder, "together-floor"))
        writer = GroupWriter(folder / "together-floor.db")
        for _ in range(sizes.rounds):
            talks = [Conversation(dispatcher, await somebody(dispatcher)) for _ in range(sizes.sessions)]
            began = perf_counter()
            with _group_sizes() as seen:
                await asyncio.gather(*(talk.onboarding() for talk in talks))
            mine = turns / (perf_counter() - began)
            groups += seen
            rates.append((mine, turns / await _raw_together(writer, recording, sizes.sessions)))
            most.append(mine / (turns / await _raw_in_turn(writer, recording, sizes.sessions)))
        writer.close()
    mine, floor = (median(side) for side in zip(*rates, strict=True))
    return [
        Row(
            name=f"2 {sizes.sessions} sessions at once, SQLite",
            ours=f"{mine:,.0f}/s, {sum(groups) / len(groups):.0f} turns a commit",
            floor=f"{floor:,.0f}/s",
            ratio=median(a / b for a, b in rates),
            spread=middle(a / b for a, b in rates),
            at_least=TOGETHER_GOAL,
        ),
        Row(
            name=f"  beside a loop that commits {sizes.sessions} turns at a time",
            ours=f"{mine:,.0f}/s",
            floor=f"{mine / median(most):,.0f}/s",
            ratio=median(most),
            spread=middle(most),
        ),
    ]


@contextmanager
def _group_sizes() -> Iterator[list[int]]:
    """How many turns each transaction of the block commits."""
    seen = list[int]()

    def counting(conn: Connection, commits: Sequence[TurnCommit], handlers: Handlers) -> list[CommitResult]:
        if commits:
            seen.append(len(commits))
        return commit_turns(conn, commits, handlers)

    vars(sqlite_store)["commit_turns"] = counting
    try:
        yield seen
    finally:
        vars(sqlite_store)["commit_turns"] = commit_turns


async def _raw_together(writer: GroupWriter, recording: Recording, sessions: int) -> float:
    """Seconds that as many sessions take whose turns are nothing but their rows."""
    copies = [recording.copy() for _ in range(sessions)]
    for copy in copies:
        await writer.commit([person_statement(copy)])
    talks = [[statements(writes) for writes in copy.turns] for copy in copies]

    async def talk(turns: Sequence[Statements]) -> None:
        for turn in turns:
            await writer.commit(turn)

    began = perf_counter()
    await asyncio.gather(*(talk(turns) for turns in talks))
    return perf_counter() - began


async def _raw_in_turn(writer: GroupWriter, recording: Recording, sessions: int) -> float:
    """Seconds for the same rows with nobody waiting: one transaction for each round of turns."""
    copies = [recording.copy() for _ in range(sessions)]
    for copy in copies:
        await writer.commit([person_statement(copy)])
    rounds = [[row for copy in copies for row in statements(copy.turns[place])] for place in range(len(SAID))]
    began = perf_counter()
    for rows in rounds:
        await writer.commit(rows)
    return perf_counter() - began
