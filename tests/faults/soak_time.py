"""Rows of the long fault tests about time: odd calendars, events beside turns, workers whose clocks are apart."""

import asyncio
import tempfile
from collections import Counter
from dataclasses import replace
from pathlib import Path
from random import Random

from sqlalchemy import func, select

from softrail.core.clock import now
from softrail.store import SqlStore, open_store
from softrail.store.rows import moment
from softrail.store.tables import turns
from softrail.testing import FrozenClock
from tests.faults import events
from tests.faults.blackbox import BlackBox
from tests.faults.calendars import FIXED, PROCESSES, faults_of, not_utc, silences
from tests.faults.client import Client
from tests.faults.findings import Findings
from tests.faults.ground import Ground, Row, row, told
from tests.faults.kit import worker
from tests.faults.server import Server


@row("D2")
async def odd_calendars(ground: Ground) -> Row:
    cases, faults = silences(ground.count(1_000, 40), seed=ground.seed), list[str]()
    with FrozenClock(cases[0].begins).installed() as clock:
        async with worker(ground.migrated(), *PROCESSES) as one:
            for n, silence in enumerate(cases):
                faults += await faults_of(one, clock, silence, f"p{n}")
            assert isinstance(one.store, SqlStore)
            faults += await not_utc(one.store, cases[0].begins, FIXED[-1])
    return Row(
        name="D2",
        what="silences across moved clocks, leap seconds, 2038, 9999, in zones of quarter hours, SQLite",
        counts=f"{len(cases)} silences",
        found=Findings(),
        faults=faults[:3],
    )


@row("B9")
async def events_beside_turns(ground: Ground) -> Row:
    count, faults = ground.count(64, 8), list[str]()
    with FrozenClock().installed() as clock:
        for url in (ground.migrated(), await ground.postgres()):
            faults += await events.faults_of(url, clock, count=count)
    return Row(
        name="B9",
        what="turns, reminders, deliveries that are told and edits at once on one session, two workers, both databases",
        counts=f"{count} of each",
        found=Findings(),
        faults=faults,
    )


APART = 90.0  #: seconds between the clocks of two workers
PASSED_OVER = ("declared dead", "gave no sign", "has ended")  #: what a log says when a worker is given up


async def clocks_apart(ground: Ground, name: str, url: str, what: str) -> Row:
    """Two servers whose clocks are apart: nothing of a conversation, a lease or a delivery may come of it."""
    folder = Path(tempfile.mkdtemp(prefix="sr", dir=ground.folder))
    delivered, letters = folder / "delivered", ground.count(500, 20)
    delivered.touch()
    environment = {"SOFTRAIL_APP": "tests.faults.skewed_app:make", "SOFTRAIL_READER": "exact"}
    servers = [
        Server(
            folder,
            url,
            as_people_do=True,
            environment={**environment, "SKEWED_BY": str(ahead), "SKEWED_DELIVERED": str(delivered)},
        )
        for ahead in (0.0, APART)
    ]
    box = BlackBox(servers, seed=ground.seed)
    try:
        for server in servers:
            await server.start()
        report = await box.run(turns=ground.count(3_000, 200), talks=16, kills=0, each=100)
        sent = await _post(servers, letters, seed=ground.seed)
        keys = await _all_of(delivered, sent)
        ahead = await _ahead(url)
    finally:
        await box.close()
    buried = [
        line
        for server in servers
        for line in server.log.read_text().splitlines()
        if any(words in line for words in PASSED_OVER)
    ]
    wrong = {
        f"nobody was ahead by more than {ahead:.0f} s": ahead < APART / 2,
        f"given up: {buried[:3]}": bool(buried),
        f"{sent} of {letters} letters were sent": sent != letters,
        f"{len(keys)} of {sent} letters were delivered": len(keys) != sent,
        f"{keys.total() - len(keys)} letters came twice": keys.total() != len(keys),
    }
    found = told(name, what, report, faults=[fault for fault, is_so in wrong.items() if is_so])
    return replace(found, counts=f"{found.counts}, {sent} deliveries")


async def _post(servers: list[Server], letters: int, *, seed: int) -> int:
    """Have letters sent in sixteen conversations at once, which change their server; how many were accepted."""
    client = Client(servers, Random(seed))

    async def some(n: int) -> int:
        wanted = [f"mail{n}-{k}" for k in range(n, letters, 16)]
        sent = [await client.turn(f"m{n}", message="send a letter", turn_id=one) for one in wanted]
        return sum(one is not None for one in sent)

    counts = await asyncio.gather(*(some(n) for n in range(16)))
    await client.close()
    return sum(counts)


async def _all_of(delivered: Path, sent: int) -> Counter[str]:
    """What was delivered, once all of it could have been, and a moment later."""
    for _ in range(600):
        if len(set(_lines(delivered))) >= sent:
            break
        await asyncio.sleep(0.1)
    await asyncio.sleep(2.0)
    return Counter(_lines(delivered))


async def _ahead(url: str) -> float:
    """How many seconds from now the last turn was accepted."""
    store = open_store(url)
    await store.start()
    try:
        last = await store.read(lambda conn: conn.execute(select(func.max(turns.c.accepted_at))).scalar_one())
    finally:
        await store.close()
    return (moment(last) - now()).total_seconds()


def _lines(file: Path) -> list[str]:
    return file.read_text().splitlines()


@row("D3")
async def clocks_apart_on_postgres(ground: Ground) -> Row:
    what = "two workers whose clocks are 90 s apart, PostgreSQL"
    return await clocks_apart(ground, "D3", await ground.postgres(), what)


@row("D3b")
async def clocks_apart_on_one_file(ground: Ground) -> Row:
    return await clocks_apart(ground, "D3b", ground.migrated(), "the same on one SQLite file")
