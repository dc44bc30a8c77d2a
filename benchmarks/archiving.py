"""Row 10: what a turn keeps in a filled database before and after it is archived."""

import asyncio
import sqlite3
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from time import perf_counter

from benchmarks.figures import Row
from benchmarks.floors import raw_sqlite
from benchmarks.growth import fill
from benchmarks.sizes import Sizes
from benchmarks.tables import prepare
from benchmarks.talk import SAID, sqlite_url
from benchmarks.writes import Recording
from softrail.store import SqliteStore
from softrail.store.tables import archived, decisions, effects, turns

GOAL = 0.35
LATER = datetime(9000, 1, 1, tzinfo=UTC)  #: all of it is old by then
PAGE = 500


async def archiving(folder: Path, recording: Recording, sizes: Sizes) -> list[Row]:
    """Finished conversations, their turns, decisions and effects in tables with indexes, and packed."""
    path = folder / "archive.db"
    await prepare(sqlite_url(folder, "archive"))
    await asyncio.to_thread(fill, path, recording, sizes.archived, turns=len(SAID))
    before = _bytes(path)
    store = SqliteStore(path)
    await store.start()
    try:
        began = perf_counter()
        count = await _packed(store)
        seconds = perf_counter() - began
    finally:
        await store.close()
    after = _bytes(path)
    each = {name: size / count for name, size in sorted(before.items(), key=lambda one: -one[1])[:6]}
    largest = ", ".join(f"{name} {size:,.0f}" for name, size in each.items())
    mine = [table.name for table in (turns, decisions, effects, archived)]
    was, is_now = (sum(found.get(name, 0) for name in mine) / count for found in (before, after))
    return [
        Row(
            name=f"10 bytes of a turn, {count:,} archived ({count / len(SAID):,.0f} conversations)",
            ours=f"{is_now:,.0f} bytes, {count / seconds:,.0f} turns packed a second",
            floor=f"{was:,.0f} bytes; of all tables: {largest}",
            ratio=is_now / was,
            at_most=GOAL,
        )
    ]


async def _packed(store: SqliteStore) -> int:
    count, last = 0, ""
    while found := await store.archivable(LATER, after=last, limit=PAGE):
        for session_id in found:
            count += (await store.archive(session_id, LATER)).turns
        last = found[-1]
    return count


def _bytes(path: Path) -> Mapping[str, int]:
    """The bytes that each table has in the file, with its indexes."""
    conn = raw_sqlite(path)
    try:
        return _by_table(conn)
    finally:
        conn.close()


def _by_table(conn: sqlite3.Connection) -> Mapping[str, int]:
    query = (
        "SELECT m.tbl_name, SUM(s.pgsize) FROM dbstat s JOIN sqlite_schema m ON m.name = s.name GROUP BY 1"
    )
    return dict(conn.execute(query).fetchall())
