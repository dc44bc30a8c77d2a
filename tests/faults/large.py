"""Databases as they are after years: rows copied from a real one by the statements of the database itself."""

import sqlite3
import time
from collections.abc import Collection, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from softrail.store import sqlite

_NEWEST_TURN = "SELECT rowid FROM turns WHERE session_id = ? ORDER BY seq DESC LIMIT 1"
_NEWEST_DECISION = "SELECT rowid FROM decisions WHERE session_id = ? ORDER BY seq DESC LIMIT 1"
_COUNTED = "WITH RECURSIVE n(n) AS (SELECT ? UNION ALL SELECT n + 1 FROM n WHERE n < ?)"


@contextmanager
def quick(path: Path) -> Iterator[sqlite3.Connection]:
    """A connection that does not wait for the disk: what is filled in may be lost with the test."""
    with closing(sqlite3.connect(path)) as conn:
        conn.execute("PRAGMA synchronous = OFF")
        yield conn
        conn.commit()
        conn.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def copies(conn: sqlite3.Connection, table: str, like: int, changes: Mapping[str, str], *, of: range) -> None:
    """Copies of the row of that `rowid`, one for each number `n.n`; `changes` are expressions over it and the row."""
    columns = [row[1] for row in conn.execute(f"PRAGMA table_info({table})")]
    values = ", ".join(changes.get(name, f'{table}."{name}"') for name in columns)
    made = f"INSERT INTO {table} SELECT {values} FROM n, {table} WHERE {table}.rowid = ?"  # noqa: S608 - our own
    conn.execute(f"{_COUNTED} {made}", (of.start, of.stop - 1, like))


def longer(path: Path, session_id: str, *, turns: int) -> None:
    """A session that had that many turns more, each with its decision, before it goes on."""
    with quick(path) as conn:
        [first] = conn.execute("SELECT next_seq FROM sessions WHERE id = ?", (session_id,)).fetchone()
        for table, query, more in (
            ("turns", _NEWEST_TURN, {"turn_id": "turns.turn_id || '-' || n.n"}),
            ("decisions", _NEWEST_DECISION, {}),
        ):
            [like] = conn.execute(query, (session_id,)).fetchone()
            copies(conn, table, like, {"seq": f"{first} + 2 * n.n", **more}, of=range(turns))
        conn.execute("UPDATE sessions SET next_seq = ? WHERE id = ?", (first + 2 * turns, session_id))


def filled(path: Path, sessions: int, *, overdue: int, since: int) -> None:
    """That many people with a session and a process like the first one; of the last ones its time is over, one by one."""
    named = "'{0}-' || n.n"
    person, session, instance = (named.format(kind) for kind in ("person", "session", "instance"))
    due = f"CASE WHEN n.n < {overdue} THEN {since} + n.n ELSE {since} + 864000000000 END"
    changes = {
        "persons": {"id": person, "email": f"{person} || '@example.org'"},
        "sessions": {"id": session, "person_id": person, "pending": "NULL"},
        "instances": {"id": instance, "person_id": person, "session_id": session, "due_at": due},
    }
    with quick(path) as conn:
        for table, values in changes.items():
            copies(conn, table, 1, values, of=range(sessions))


@contextmanager
def traced() -> Iterator[set[str]]:
    """Within the block, the statements of files that are opened in it, with their values."""
    seen = set[str]()
    connect = sqlite.sqlite_connection

    def listening(*place: Any, **more: Any) -> sqlite3.Connection:
        raw = connect(*place, **more)
        raw.set_trace_callback(lambda said: seen.add(said))
        return raw

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sqlite, "sqlite_connection", listening)
        yield seen


def scans(path: Path, statements: set[str], *, of: Collection[str]) -> list[str]:
    """Statements that read the whole of one of those tables, by their plans; an index of a part of it is none of it all."""
    found = list[str]()
    with closing(sqlite3.connect(path)) as conn:
        few = {name for (name,) in conn.execute("SELECT name FROM sqlite_master WHERE sql LIKE '% WHERE %'")}
        for one in sorted(statements):
            if one.split(maxsplit=1)[0].upper() in ("SELECT", "WITH", "UPDATE", "DELETE", "INSERT"):
                steps = [str(row[3]) for row in conn.execute(f"EXPLAIN QUERY PLAN {one}")]
                scanned = [words for step in steps if (words := step.split())[0] == "SCAN" and words[1] in of]
                if any(few.isdisjoint(words) for words in scanned):
                    found.append(f"{one}: {steps}")
    return found


@contextmanager
def timed(seconds: list[float]) -> Iterator[None]:
    """Within the block, its time is taken."""
    begun = time.perf_counter()
    yield
    seconds.append(time.perf_counter() - begun)
