"""The floors: the raw drivers, writing the recorded rows and committing."""

import asyncio
import sqlite3
import threading
from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any

import asyncpg
from sqlalchemy import Table

from benchmarks.figures import Samples
from benchmarks.tables import TABLES
from benchmarks.writes import Recording, Write
from softrail.store.tables import persons

#: In the order of their tables, so that what a row refers to is there before it.
Statements = Sequence[tuple[int, str, tuple[Any, ...]]]
_PLACES = {name: place for place, name in enumerate(TABLES)}


@cache
def _columns(table: Table, new: bool) -> tuple[str, ...]:
    names = tuple(column.name for column in table.columns)
    keys = tuple(column.name for column in table.primary_key)
    return names if new else (*(name for name in names if name not in keys), *keys)


@cache
def _text(table: Table, new: bool, mark: str) -> str:
    names = _columns(table, new)
    marks = [mark.format(n + 1) for n in range(len(names))]
    if new:
        return f"INSERT INTO {table.name} ({', '.join(names)}) VALUES ({', '.join(marks)})"
    keys = len(table.primary_key)
    pairs = [f"{name} = {place}" for name, place in zip(names, marks, strict=True)]
    return f"UPDATE {table.name} SET {', '.join(pairs[:-keys])} WHERE {' AND '.join(pairs[-keys:])}"


def statements(writes: Iterable[Write], *, mark: str = "?") -> Statements:
    """The writes as the driver takes them; `mark` is a placeholder, "${}" one that counts."""
    return [
        (
            _PLACES[w.table.name],
            _text(w.table, w.new, mark),
            tuple(w.values[name] for name in _columns(w.table, w.new)),
        )
        for w in writes
    ]


def person_statement(recording: Recording, *, mark: str = "?") -> tuple[int, str, tuple[Any, ...]]:
    """The insert of the person whose turns they are."""
    [one] = statements([Write(persons, True, recording.person)], mark=mark)
    return one


def raw_sqlite(path: Path) -> sqlite3.Connection:
    """A connection with the same durability as Softrail's: the file is in WAL mode, every commit is synced."""
    conn = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    conn.execute("PRAGMA foreign_keys = ON")
    conn.execute("PRAGMA synchronous = FULL")
    [mode] = conn.execute("PRAGMA journal_mode").fetchone()
    if mode != "wal":
        raise RuntimeError(f"{path} is not in WAL mode but {mode!r}.")
    return conn


def sqlite_conversation(conn: sqlite3.Connection, copy: Recording, samples: Samples) -> None:
    """Seven turns, each its rows and one commit."""
    conn.execute(*person_statement(copy)[1:])
    for turn in [statements(writes) for writes in copy.turns]:
        with samples.timed():
            conn.execute("BEGIN IMMEDIATE")
            for _, text, values in turn:
                conn.execute(text, values)
            conn.execute("COMMIT")


def sqlite_group(conn: sqlite3.Connection, turns: Iterable[Statements]) -> None:
    """Several turns in one transaction, one call of the driver for each statement."""
    by_text = defaultdict[tuple[int, str], list[tuple[Any, ...]]](list)
    for turn in turns:
        for place, text, values in turn:
            by_text[place, text].append(values)
    conn.execute("BEGIN IMMEDIATE")
    for (_, text), many in sorted(by_text.items(), key=lambda item: item[0]):
        conn.executemany(text, many)
    conn.execute("COMMIT")


async def postgres_conversation(conn: "asyncpg.Connection[Any]", copy: Recording, samples: Samples) -> None:
    """Seven turns, each its rows and one commit; the driver prepares each statement once by itself."""
    _, text, values = person_statement(copy, mark="${}")
    await conn.execute(text, *values)
    for turn in [statements(writes, mark="${}") for writes in copy.turns]:
        with samples.timed():
            async with conn.transaction():
                for _, text, values in turn:
                    await conn.execute(text, *values)


class GroupWriter:
    """A thread that commits whatever waits together: the best a server of one process can do by hand."""

    def __init__(self, path: Path) -> None:
        self._conn = raw_sqlite(path)
        self._queue: SimpleQueue[tuple[Statements, asyncio.Future[None]] | None] = SimpleQueue()
        self._loop = asyncio.get_running_loop()
        self._thread = threading.Thread(target=self._live, daemon=True)
        self._thread.start()

    async def commit(self, turn: Statements) -> None:
        """Returns once the turn is durable."""
        future: asyncio.Future[None] = self._loop.create_future()
        self._queue.put((turn, future))
        await future

    def close(self) -> None:
        """End the thread."""
        self._queue.put(None)
        self._thread.join()
        self._conn.close()

    def _live(self) -> None:
        while (first := self._queue.get()) is not None:
            group = [first]
            while len(group) < 256:
                try:
                    item = self._queue.get_nowait()
                except Empty:
                    break
                if item is None:
                    self._queue.put(None)
                    break
                group.append(item)
            fault: Exception | None = None
            try:
                sqlite_group(self._conn, [turn for turn, _ in group])
            except sqlite3.Error as error:
                fault = error
            self._loop.call_soon_threadsafe(_settle, [future for _, future in group], fault)


def _settle(futures: Iterable["asyncio.Future[None]"], fault: Exception | None) -> None:
    for future in futures:
        if fault is None:
            future.set_result(None)
        else:
            future.set_exception(fault)
