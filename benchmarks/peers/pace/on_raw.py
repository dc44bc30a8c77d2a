"""The raw driver: a row of JSON for a session, replaced and committed at every turn; nothing reads what was said."""

import json
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path

from benchmarks.peers.pace.stage import ASKED, BOOKED, FULL, full, main


class Raw:
    """One connection."""

    def __init__(self, conn: sqlite3.Connection) -> None:
        self._conn = conn

    async def say(self, session: str, message: str) -> str:
        """Append what was said."""
        row = self._conn.execute("SELECT body FROM sessions WHERE id = ?", (session,)).fetchone()
        said = [*(json.loads(row[0]) if row else ()), message]
        self._conn.execute("INSERT OR REPLACE INTO sessions VALUES (?, ?)", (session, json.dumps(said)))
        self._conn.commit()
        return (*ASKED, BOOKED)[len(said) - 1]


@asynccontextmanager
async def opened(folder: Path) -> AsyncIterator[Raw]:
    """The table in a file."""
    path = folder / "raw.db"
    full(path)
    with closing(sqlite3.connect(path)) as conn:
        conn.execute(FULL)
        conn.execute("CREATE TABLE IF NOT EXISTS sessions (id TEXT PRIMARY KEY, body TEXT NOT NULL)")
        yield Raw(conn)


if __name__ == "__main__":
    main(opened)
