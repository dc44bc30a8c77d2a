"""Row 14: plans. A step, an analysis of many rows, others' turns while plans run, many plans at once, and reading one."""

import asyncio
import json
import random
import resource
import sqlite3
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, closing
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any, Final

import duckdb
from sqlalchemy import func, select

from benchmarks.figures import Row, Samples, middle, ms
from benchmarks.sizes import Sizes
from benchmarks.tables import PLUGINS, prepare
from benchmarks.talk import Conversation, somebody, sqlite_url
from softrail import Settings, build
from softrail.plans.data.children import Children, own_folder
from softrail.plans.data.sources import Sources
from softrail.plans.records import standing
from softrail.plans.tables import facts, runs, steps
from softrail.store import SqliteStore
from softrail.turns.dispatcher import Dispatcher

STEPS: Final = 18  #: of a plan whose steps are counted
BESIDE: Final = 4  #: plans that run beside them
MOST_ROUNDS: Final = 5  #: they are long
#: Queries that end at a limit of memory, rows or characters, and two that have no end.
BOMBS: Final = (
    "SELECT repeat('x', 4000000000)",
    "SELECT list(a.range) FROM range(1000000000) a",
    "SELECT count(*) FROM range(10000000) a, range(10000000) b WHERE a.range + b.range = 3",
    "SELECT count(*) FROM (SELECT DISTINCT a.range || b.range FROM range(100000) a, range(100000) b)",
    "WITH RECURSIVE t AS (SELECT repeat('x', 1000) x UNION ALL SELECT x || x FROM t) SELECT max(length(x)) FROM t",
    "SELECT * FROM range(10001)",
    "SELECT repeat('x', 200000) FROM range(9000)",
    "WITH RECURSIVE t AS (SELECT 1 x UNION ALL SELECT 1 - x FROM t) SELECT count(*) FROM t WHERE x > 3",
)
WITHIN: Final = 600  #: seconds for whatever is waited for


async def plans(folder: Path, sizes: Sizes) -> list[Row]:
    """The rows, on SQLite."""
    await prepare(sqlite_url(folder, "plans"))
    async with _application(folder) as (dispatcher, store):
        return [
            await _steps(dispatcher, store, folder, sizes),
            await _analysis(dispatcher, store, sizes),
            await _beside(dispatcher, store, sizes),
            *await _beside_bombs(dispatcher, store, sizes),
            await _drained(dispatcher, store, sizes),
            await _read(dispatcher, store, sizes),
        ]


@asynccontextmanager
async def _application(folder: Path) -> AsyncIterator[tuple[Dispatcher, SqliteStore]]:
    url = sqlite_url(folder, "plans")
    settings = Settings(
        database_url=url,
        durability="full",
        bundled=("plans",),
        encoder="none",
        beat_interval=0.05,
        rate_limit=0,
    )
    store = SqliteStore(folder / "plans.db", durability="full", plugins=PLUGINS)
    dispatcher = build(settings, store=store)
    async with dispatcher:
        yield dispatcher, store


async def _begun(dispatcher: Dispatcher, body: dict[str, Any]) -> Conversation:
    """A conversation whose plan was agreed to just now."""
    one = Conversation(dispatcher, await somebody(dispatcher))
    await one.say(f"/plan {json.dumps(body)}")
    await one.say("yes")
    return one


def _chain(length: int) -> dict[str, Any]:
    """A plan of steps one after the other."""
    made: list[dict[str, Any]] = [{"id": "s0", "action": "compute", "arguments": {"expression": "1"}}]
    for n in range(1, length):
        made.append(
            {
                "id": f"s{n}",
                "action": "compute",
                "arguments": {"expression": f"s{n - 1} + 1"},
                "needs": [f"s{n - 1}"],
            }
        )
    return {"problem": "Count", "steps": made}


async def _over(store: SqliteStore, sessions: Sequence[str]) -> None:
    """Wait until no run of these conversations is under way."""
    open_ = (
        select(func.count())
        .select_from(runs)
        .where(runs.c.session_id.in_(sessions), runs.c.state == "running")
    )
    async with asyncio.timeout(WITHIN):
        while await store.read(lambda conn: conn.scalar(open_)):  # noqa: ASYNC110 - nothing of ours is told of it
            await asyncio.sleep(0.005)


def _here(one: Conversation) -> str:
    assert one.session_id is not None
    return one.session_id


# -- a step


async def _steps(dispatcher: Dispatcher, store: SqliteStore, folder: Path, sizes: Sizes) -> Row:
    """A step of a plan beside one transaction that writes the rows which it leaves."""
    ours, floor, ratios = Samples(), Samples(), list[float]()
    for number in sizes.numbers(MOST_ROUNDS):
        mine, its = Samples(), Samples()
        one = Conversation(dispatcher, await somebody(dispatcher))
        await one.say(f"/plan {json.dumps(_chain(STEPS))}")
        with mine.timed():
            await one.say("yes")
            await _over(store, [_here(one)])
        mine.seconds = [mine.seconds[0] / STEPS]
        await asyncio.to_thread(_rows_alone, folder / f"floor-{number}.db", its)
        if number >= 0:
            ours.seconds += mine.seconds
            floor.seconds += its.seconds
            ratios.append(mine.p50 / its.p50)
    return Row(
        name="14 a step of a plan",
        ours=f"p50 {ms(ours.p50)}, with its share of the yes",
        floor=f"its rows, one commit: p50 {ms(floor.p50)}",
        ratio=median(ratios),
        spread=middle(ratios),
        at_most=2.0,
    )


def _rows_alone(path: Path, samples: Samples) -> None:
    """The fact and the state of each step, one transaction each, with the raw driver."""
    with closing(sqlite3.connect(path, isolation_level=None)) as conn:
        conn.execute("PRAGMA journal_mode = WAL")
        conn.execute("PRAGMA synchronous = FULL")
        conn.execute(f"CREATE TABLE {facts.name} ({', '.join(column.name for column in facts.columns)})")
        conn.execute(f"CREATE TABLE {steps.name} (run_id, step_id PRIMARY KEY, state)")
        for n in range(STEPS):
            conn.execute(f"INSERT INTO {steps.name} VALUES ('r', ?, 'waiting')", (n,))
        blanks = ", ".join("?" * len(facts.columns))
        for n in range(STEPS):
            with samples.timed():
                conn.execute("BEGIN IMMEDIATE")
                conn.execute(
                    f"INSERT INTO {facts.name} VALUES ({blanks})",
                    [f"{n:036}" for _ in facts.columns],
                )
                conn.execute(f"UPDATE {steps.name} SET state = 'done' WHERE step_id = ?", (n,))
                conn.execute("COMMIT")


# -- an analysis


def _sales(rows: int) -> bytes:
    """Rows of sales; the same each time."""
    dice = random.Random(rows)
    lines = ["Region,Product,Revenue"]
    for _ in range(rows):
        lines.append(f"{dice.choice('NESW')},{dice.choice('abcdefgh')},{dice.randint(100, 99_999) / 100:.2f}")
    return "\n".join(lines).encode()


async def _analysis(dispatcher: Dispatcher, store: SqliteStore, sizes: Sizes) -> Row:
    """“Analyze revenue by region” from the yes to its end, beside its queries in bare DuckDB and one child's start."""
    content = _sales(sizes.rows)
    one = Conversation(dispatcher, await somebody(dispatcher))
    await one.say("hello")
    sources = dispatcher.registry.service(Sources)
    await sources.attach(_here(one), one.person.id, "sales.csv", content)
    ours, floor, ratios = Samples(), Samples(), list[float]()
    for number in range(-1, min(sizes.rounds, MOST_ROUNDS)):  # the first warms, and makes the plan
        await asyncio.sleep(sizes.pause)
        await one.say("analyze revenue by region" if number < 0 else "/redo")
        with (mine := Samples()).timed():
            if number < 0:
                await one.say("yes")
            await _over(store, [_here(one)])
        await asyncio.sleep(sizes.pause)
        with (its := Samples()).timed():
            async with own_folder() as folder:
                (folder / "sales.csv").write_bytes(content)
                await _started(folder)
                await asyncio.to_thread(_asked, folder / "sales.csv")
        if number >= 0:
            ours.seconds += mine.seconds
            floor.seconds += its.seconds
            ratios.append(mine.p50 / its.p50)
    return Row(
        name=f"14 “analyze revenue by region” on {sizes.rows:,} rows",
        ours=f"p50 {ms(ours.p50)}",
        floor=f"bare DuckDB and a child's start: p50 {ms(floor.p50)}",
        ratio=median(ratios),
        spread=middle(ratios),
        at_most=2.0,
    )


async def _started(folder: Path) -> None:
    """A process of its own that begins, asks nothing of any data, and ends."""
    await Children().one("query", {"do": "query", "sql": "SELECT 1 AS one"}, folder)


def _asked(path: Path) -> None:
    with duckdb.connect() as conn:
        conn.execute("CREATE TABLE sales AS SELECT * FROM read_csv(?)", [str(path)])
        conn.execute("SELECT sum(revenue) FROM sales").fetchall()
        conn.execute("SELECT region, sum(revenue) FROM sales GROUP BY 1 ORDER BY 2 DESC").fetchall()


# -- turns beside plans


async def _beside(dispatcher: Dispatcher, store: SqliteStore, sizes: Sizes) -> Row:
    """The p95 of somebody's turns while plans run, and while none does."""
    alone, beside, ratios = Samples(), Samples(), list[float]()
    talking = Conversation(dispatcher, await somebody(dispatcher))
    for number in sizes.numbers(MOST_ROUNDS):
        quiet = await _talk(talking, sizes.turns)
        running = await asyncio.gather(*(_begun(dispatcher, _asking()) for _ in range(BESIDE)))
        loud = await _talk(talking, sizes.turns)
        await _over(store, [_here(one) for one in running])
        if number >= 0:
            alone.seconds += quiet.seconds
            beside.seconds += loud.seconds
            ratios.append(_p95(loud) / _p95(quiet))
    return Row(
        name=f"14 turns while {BESIDE} plans run",
        ours=f"p50 {ms(beside.p50)}, p95 {ms(_p95(beside))}",
        floor=f"none: p50 {ms(alone.p50)}, p95 {ms(_p95(alone))}",
        ratio=median(ratios),
        spread=middle(ratios),
        at_most=1.2,
    )


async def _beside_bombs(dispatcher: Dispatcher, store: SqliteStore, sizes: Sizes) -> list[Row]:
    """The p95 of somebody's turns while queries take all that they may, and what the worker's memory grows by."""
    alone, beside, ratios = Samples(), Samples(), list[float]()
    bombs, half = BOMBS[: sizes.bombs], sizes.bombs // 2
    talking, before = Conversation(dispatcher, await somebody(dispatcher)), _megabytes()
    for number in sizes.numbers(MOST_ROUNDS):
        quiet = await _talk(talking, sizes.turns)
        running = [await _begun(dispatcher, _bursting(some)) for some in (bombs[:half], bombs[half:])]
        loud = await _talk(talking, sizes.turns)
        for one in running:
            await one.say("stop")
        await _over(store, [_here(one) for one in running])
        if number >= 0:
            alone.seconds += quiet.seconds
            beside.seconds += loud.seconds
            ratios.append(_p95(loud) / _p95(quiet))
    turns = Row(
        name=f"14 turns while {len(bombs)} queries take all they may",
        ours=f"p50 {ms(beside.p50)}, p95 {ms(_p95(beside))}",
        floor=f"none: p50 {ms(alone.p50)}, p95 {ms(_p95(alone))}",
        ratio=median(ratios),
        spread=middle(ratios),
        at_most=1.2,
    )
    after = _megabytes()
    memory = Row(
        name="14 the worker's memory after them",
        ours=f"{after:.0f} MB at most, {after - before:.0f} more",
        floor=f"before: {before:.0f} MB",
        ratio=after / before,
        at_most=round((before + 50.0) / before, 2),  # 50 MB more
    )
    return [turns, memory]


def _megabytes() -> float:
    """The most memory that this process has had."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _bursting(queries: Sequence[str]) -> dict[str, Any]:
    steps_ = [{"id": f"q{n}", "action": "query", "arguments": {"sql": sql}} for n, sql in enumerate(queries)]
    return {"problem": "Too much", "steps": steps_}


def _asking() -> dict[str, Any]:
    """A plan of queries that take a while in processes of their own."""
    sql = "SELECT sum(a.range * b.range) AS total FROM range(3000) a, range(3000) b"
    return {
        "problem": "Count far",
        "steps": [{"id": f"q{n}", "action": "query", "arguments": {"sql": sql}} for n in range(2)],
    }


async def _talk(one: Conversation, turns: int) -> Samples:
    said = Samples()
    for _ in range(turns):
        await one.say("hello", said)
    return said


def _p95(samples: Samples) -> float:
    ordered = sorted(samples.seconds)
    return ordered[min(len(ordered) - 1, int(0.95 * len(ordered)))]


# -- many plans


async def _drained(dispatcher: Dispatcher, store: SqliteStore, sizes: Sizes) -> Row:
    """How long a plan takes of very many that were agreed to at once, and of a few."""
    took = dict[int, float]()
    for many in (sizes.few_plans, sizes.many_plans):
        with (samples := Samples()).timed():
            begun = [await _begun(dispatcher, _chain(1)) for _ in range(many)]
            await _over(store, [_here(one) for one in begun])
        took[many] = samples.p50 / many
    few, many_ = took[sizes.few_plans], took[sizes.many_plans]
    return Row(
        name=f"14 {sizes.many_plans:,} plans of one step, all carried out",
        ours=f"{ms(many_)} a plan",
        floor=f"{sizes.few_plans}: {ms(few)} a plan",
        ratio=many_ / few,
        at_most=1.2,
    )


# -- reading one


async def _read(dispatcher: Dispatcher, store: SqliteStore, sizes: Sizes) -> Row:
    """A plan as it is read where it is looked at, in a conversation with many facts, and with few."""
    read = dict[int, Samples]()
    for many in (sizes.few_facts, sizes.many_facts):
        one = await _begun(dispatcher, _chain(3))
        here = _here(one)
        await _over(store, [here])
        await store.write(partial(_filled, session_id=here, count=many))
        samples = read[many] = Samples()
        for n in range(220):
            with (said := Samples()).timed():
                await store.read(partial(standing, session_id=here, found=False))
            if n >= 20:
                samples.seconds += said.seconds
    few, many_ = read[sizes.few_facts], read[sizes.many_facts]
    return Row(
        name=f"14 a plan is read, beside {sizes.many_facts:,} facts",
        ours=f"p50 {ms(many_.p50)}",
        floor=f"{sizes.few_facts} facts: p50 {ms(few.p50)}",
        ratio=many_.p50 / few.p50,
        at_most=1.2,
    )


def _filled(conn: Any, session_id: str, count: int) -> None:
    """The first fact of a conversation, so many times under other names."""
    first = conn.execute(select(facts).where(facts.c.session_id == session_id)).mappings().first()
    rows = [dict(first) | {"id": f"{session_id}-{n}", "name": f"more_{n}"} for n in range(count)]
    conn.execute(facts.insert(), rows)
