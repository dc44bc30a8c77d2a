"""Rows of the long fault tests about backups: taken while people talk, restored, and served."""

import asyncio
import sqlite3
import subprocess
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from random import Random
from typing import Any

from sqlalchemy import Connection, select

from softrail.store.tables import effects, turns
from tests.faults.client import Acked
from tests.faults.findings import Findings
from tests.faults.ground import Ground, Row, file_of, row, told
from tests.faults.old_schemas import within

Backup = Callable[[str, str], Awaitable[None]]  #: from a database that is in use into one that is not


@dataclass(frozen=True, kw_only=True)
class Taken:
    """A backup, and what was acknowledged before it began."""

    url: str
    acked: Sequence[Acked]


async def under_load(ground: Ground, name: str, kind: str, url: str, backups: Sequence[Backup]) -> Row:
    """Take backups while people talk, in turn one way and the other, and look at each of them afterwards."""
    taken, faults = list[Taken](), list[str]()
    async with ground.box(url) as box:

        async def back_up() -> float:
            into = ground.sqlite() if url.startswith("sqlite") else await ground.postgres_like()
            taken.append(Taken(url=into, acked=tuple(box.client.acked)))
            await backups[len(taken) % len(backups)](url, into)
            return time.monotonic()

        spoken, times = ground.count(5_000, 300), ground.count(20, 2)
        report = await box.run(turns=spoken, talks=16, kills=times, each=100, trouble=back_up)
    real = await within(url, history)
    for one in taken:
        faults += torn(await within(one.url, history), real, one.acked)
        faults += await served(ground, one)
        await ground.drop(one.url)
    return told(name, f"backups under load, restored and served, {kind}", report, faults=faults)


@dataclass(frozen=True)
class History:
    """What was said and done: each turn as it was kept, and the kinds of its effects."""

    turns: dict[tuple[str, int], tuple[Any, ...]]
    effects: dict[tuple[str, int], Counter[str]]


def history(conn: Connection) -> History:
    kept = [turns.c.session_id, turns.c.seq, turns.c.status, turns.c.turn_id, turns.c.request, turns.c.reply]
    said = {(turn[0], turn[1]): tuple(turn[2:]) for turn in conn.execute(select(*kept))}
    done = dict[tuple[str, int], Counter[str]]()
    for session, seq, kind in conn.execute(select(effects.c.session_id, effects.c.seq, effects.c.kind)):
        done.setdefault((session, seq), Counter())[kind] += 1
    return History(said, done)


def torn(restored: History, real: History, acked: Sequence[Acked]) -> list[str]:
    """What keeps a backup from being what the real history was at one moment, a sentence each."""
    faults = list[str]()
    finished = {place: turn for place, turn in restored.turns.items() if turn[0] == "committed"}
    for place, turn in finished.items():
        if real.turns.get(place) != turn:
            faults.append(f"turn {place} is another one in the backup")
        if restored.effects.get(place) != real.effects.get(place):
            faults.append(f"turn {place} is torn from its effects")
    faults += [
        f"effects of {place}, which is not there" for place in restored.effects if place not in finished
    ]
    last = Counter[str]()
    for session, seq in restored.turns:
        last[session] = max(last[session], seq)
    gaps = [place for place in real.turns if place[1] <= last[place[0]] and place not in restored.turns]
    lost = [one for one in acked if (one.reply["session_id"], one.reply["seq"]) not in finished]
    faults += [f"turn {place} is missing before later ones" for place in gaps]
    return faults + [f"{len(lost)} turns acknowledged before it began are not in it"] * bool(lost)


async def served(ground: Ground, taken: Taken) -> list[str]:
    """What is wrong with a server that is started on a backup."""
    found, rng = Findings(), Random(ground.seed)
    async with ground.client(taken.url) as client:
        last = taken.acked[-1]
        for acked in (last, *rng.sample(taken.acked, min(20, len(taken.acked)))):
            found.reply_changed += not await client.again(acked)
        session = last.reply["session_id"]
        await client.turn(last.person, message="thanks", turn_id="after", session_id=session)
        found.wire(client)
    return [] if found.clean else [f"served from the backup: {found}"]


async def page_by_page(url: str, into: str) -> None:
    """As `sqlite3 talk.db ".backup copy.db"` does, with pauses in which others write."""

    def copy() -> None:
        with closing(sqlite3.connect(file_of(url))) as there, closing(sqlite3.connect(file_of(into))) as here:
            there.backup(here, pages=200, sleep=0.001)

    await asyncio.to_thread(copy)


async def vacuumed(url: str, into: str) -> None:
    """As `VACUUM INTO` does, in one go."""

    def copy() -> None:
        with closing(sqlite3.connect(file_of(url))) as there:
            there.execute("VACUUM INTO ?", (str(file_of(into)),))

    await asyncio.to_thread(copy)


async def _ran(*command: str) -> None:
    done = await asyncio.to_thread(subprocess.run, command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{command[0]} failed: {done.stderr}")


@row("C10")
async def backups_of_a_file(ground: Ground) -> Row:
    url = ground.sqlite()
    return await under_load(ground, "C10", "SQLite", url, (page_by_page, vacuumed))


@row("C10b")
async def backups_of_postgres(ground: Ground) -> Row:
    async def dumped(url: str, into: str) -> None:
        """As `pg_dump` does, read back by `pg_restore`."""
        file = str(ground.folder / "dump")
        await _ran(ground.postgres_tool("pg_dump"), "--format=custom", f"--file={file}", url)
        await _ran(ground.postgres_tool("pg_restore"), "--exit-on-error", f"--dbname={into}", file)

    return await under_load(ground, "C10b", "PostgreSQL", await ground.postgres(), (dumped,))
