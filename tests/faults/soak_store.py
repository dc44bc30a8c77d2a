"""Rows of the long fault tests about the database itself: migrations that are killed or long, and transactions that are refused."""

import asyncio
import signal
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from random import Random

import asyncpg
from sqlalchemy import Connection

from softrail.store import upgrade
from tests.faults.client import Client
from tests.faults.findings import Findings
from tests.faults.ground import Ground, Row, database_of, row, told
from tests.faults.old_schemas import (
    HOT,
    PLUGINS,
    STANDING,
    Held,
    bring,
    bring_back,
    fill,
    held,
    revisions,
    within,
)
from tests.faults.refusing import refuse, refused
from tests.faults.server import migrate
from tests.forked import Ran, finished

PEOPLE = 2_000  #: whose rows are migrated, so that a statement takes long enough to be killed in the middle


@dataclass(frozen=True, kw_only=True)
class Old:
    """A database in an old schema, and one like it that was brought up to date."""

    url: str
    before: Held
    after: Held
    people: Held  #: what people have, once it is up to date
    statements: int
    seconds: float


@row("A8")
async def killed_in_the_middle_of_a_migration(ground: Ground) -> Row:
    rng, kills, faults = Random(ground.seed), ground.count(50, 4), list[str]()
    begun_before, made = 0, 0
    for kind in ("sqlite", "postgres"):
        olds = [await an_old_one(ground, kind, revision) for revision in chosen(rng, kills)]
        for n in range(kills):
            old = olds[n % len(olds)]
            url = await ground.like(old.url)
            # Half of them before a statement, half in the middle of one.
            point = (
                (str(rng.randint(1, old.statements)), "0")
                if n % 2
                else ("0", str(rng.random() * old.seconds))
            )
            ended = await migrating(url, *point)
            if ended.status not in (0, -signal.SIGKILL):
                faults.append(f"{kind}: the migration ended with {ended.status}")
            await nobody_in(url)
            found = await within(url, held)
            begun_before += found == old.before
            made += found == old.after
            if found not in (old.before, old.after):
                faults.append(f"{kind}: killed at {point}, it is half made")
            faults += [f"{kind}: {fault}" for fault in await started_on(ground, url, old)]
            await ground.drop(url)
    return Row(
        name="A8",
        what="kill -9 in the middle of a migration, then the next start, SQLite and PostgreSQL",
        counts=f"{kills} kills on each, from {len(olds)} revisions; {begun_before} rolled back, {made} made",
        found=Findings(),
        faults=faults,
    )


def chosen(rng: Random, most: int) -> Sequence[str]:
    """The oldest revision, and some others before the newest."""
    oldest, *others = revisions()[:-1]
    return [oldest, *sorted(rng.sample(others, min(len(others), most // 8)))]


async def an_old_one(ground: Ground, kind: str, revision: str) -> Old:
    url = ground.sqlite() if kind == "sqlite" else await ground.postgres_like()
    await within(url, lambda conn: bring(conn, revision))
    for plugin in PLUGINS:
        await within(url, lambda conn, name=plugin.name: bring(conn, revisions(name)[0], of=name))  # type: ignore[misc]
    await within(url, lambda conn: fill(conn, PEOPLE, but=("keys",)))  # whoever has keys is asked for them
    before = await within(url, held)
    whole = await ground.like(url)
    ended = await migrating(whole, "0", "0")
    assert ended.status == 0, ended.stderr
    statements, seconds = ended.stdout.split()
    return Old(
        url=url,
        before=before,
        after=await within(whole, held),
        people=await within(whole, lambda conn: held(conn, without=STANDING)),
        statements=int(statements),
        seconds=float(seconds),
    )


async def migrating(url: str, at: str, after: str) -> Ran:
    """A process that brought it up to date, or ended at that point."""
    return await asyncio.to_thread(finished, "tests.faults.migrating", url, at, after)


async def nobody_in(url: str) -> None:
    """Wait until the server has noticed that whoever was in this database is gone."""
    if url.startswith("sqlite"):
        return
    conn = await asyncpg.connect(url)
    others = "SELECT count(*) FROM pg_stat_activity WHERE datname = $1 AND pid <> pg_backend_pid()"
    while await conn.fetchval(others, database_of(url)):  # noqa: ASYNC110
        await asyncio.sleep(0.01)
    await conn.close()


async def started_on(ground: Ground, url: str, old: Old) -> list[str]:
    """What is wrong with a server that is started on what a kill has left, a sentence each."""
    if not url.startswith("sqlite"):
        migrate(url)
    faults = list[str]()
    try:
        async with ground.client(url, patience=20.0) as client:
            faults += await _unlike(url, old, client)
    except RuntimeError as error:
        faults.append(f"the next start: {error}")
    return faults


async def _unlike(url: str, old: Old, client: Client) -> list[str]:
    """What is not there, or not answered, as it was before."""
    faults = list[str]()
    if await within(url, lambda conn: held(conn, as_in=old.people)) != old.people:
        faults.append("after the next start something of people is different")
    kept = await client.get("p1", "/sessions/session-1/turns")
    if [item["content"] for item in kept["items"]] != ["I like tea 1", "You like tea 1"]:
        faults.append("what was said is not read back")
    turn = await client.turn("p1", message="I like tea", session_id="session-1", turn_id="after")
    if turn is None:
        faults.append("a turn got no answer")
    told = Findings()
    told.wire(client)
    if not told.clean:
        faults.append(str(told))
    return faults


@row("C7")
async def transactions_are_refused(ground: Ground) -> Row:
    url = await ground.postgres()
    async with ground.box(url, servers=2) as box:
        await refuse(url, one_in=20)
        report = await box.run(turns=ground.count(5_000, 200), talks=16, kills=0, each=100)
        report.kills, of = await refused(url)
    assert report.client is not None
    seen = report.client.seen
    faults = [f"{seen.statuses[503]} answers were 503"] if seen.statuses[503] else []
    faults += [f"{seen.broken} connections broke"] if seen.broken else []
    faults += [] if report.kills >= of // 20 > 0 else [f"only {report.kills} of {of} were refused"]
    what = "one transaction in twenty is refused, as deadlocked or not serializable, two servers, PostgreSQL"
    return told("C7", what, report, faults=faults)


@row("H4")
async def old_schemas_to_the_newest(ground: Ground) -> Row:
    rows, faults, took = ground.count(100_000, 50), list[str](), dict[str, float]()
    waited = 0.0
    for kind in ("sqlite", "postgres"):
        for n, revision in enumerate(revisions()[:-1]):
            url = ground.sqlite() if kind == "sqlite" else await ground.postgres_like()
            before = await within(url, lambda conn, n=n: filled(conn, n, rows))  # type: ignore[misc]
            async with longest_wait(url) as wait:
                began = time.monotonic()
                await upgrade(url, plugins=PLUGINS)
                took[f"{kind} from {revision}"] = time.monotonic() - began
            waited = max(waited, wait.seconds)
            for way in ("up", "down", "up again"):
                if way == "down":
                    await within(url, lambda conn, revision=revision: bring_back(conn, revision))  # type: ignore[misc]
                elif way == "up again":
                    await upgrade(url, plugins=PLUGINS)
                found = await within(url, lambda conn, before=before: held(conn, as_in=before))  # type: ignore[misc]
                changed = [table for table in before.rows if found.rows[table] != before.rows[table]]
                faults += [f"{kind}, {revision} {way}: {', '.join(changed)} changed"] if changed else []
                if way == "down" and of_the_store(found) != of_the_store(before):
                    faults.append(f"{kind}, {revision} {way}: the tables are not what they were")
            await ground.drop(url)
    slowest = max(took, key=lambda name: took[name])
    faults += [f"{slowest} takes {took[slowest]:.1f} s, not 60"] if took[slowest] > 60 else []
    return Row(
        name="H4",
        what="every old schema to the newest, down and up again, SQLite and PostgreSQL",
        counts=f"{len(took)} databases, {rows} rows in each of {len(HOT)} tables",
        found=Findings(),
        times=f"{sorted(took.values())[len(took) // 2]:.1f} s median, {took[slowest]:.1f} s worst ({slowest}); "
        f"a write waits {waited:.1f} s at most on PostgreSQL",
        faults=faults,
    )


def filled(conn: Connection, n: int, rows: int) -> Held:
    """Fill the tables of the n-th revision of everything that has so many; what they hold."""
    for part in ("", *(plugin.name for plugin in PLUGINS)):
        of = revisions(part)
        bring(conn, of[min(n, len(of) - 1)], of=part)
    fill(conn, rows, few=rows // 100)
    return held(conn, without=STANDING)


def of_the_store(found: Held) -> Sequence[str]:
    """What it is, without the tables of plugins: there is no way down for those."""
    return [line for line in found.shape if not any(f"{plugin.name}_" in line for plugin in PLUGINS)]


@dataclass
class Wait:
    """How long the slowest write took."""

    seconds: float = 0.0


@asynccontextmanager
async def longest_wait(url: str) -> AsyncIterator[Wait]:
    """Somebody beside writes into a hot table again and again, on PostgreSQL; a file has one writer at a time anyway."""
    wait, over = Wait(), asyncio.Event()
    if url.startswith("sqlite"):
        yield wait
        return
    conn = await asyncpg.connect(url)

    async def write() -> None:
        while not over.is_set():
            began = time.monotonic()
            await conn.execute("UPDATE sessions SET rev = rev WHERE id = 'session-1'")
            wait.seconds = max(wait.seconds, time.monotonic() - began)
            await asyncio.sleep(0.005)

    writing = asyncio.create_task(write())
    try:
        yield wait
    finally:
        over.set()
        await writing
        await conn.close()
