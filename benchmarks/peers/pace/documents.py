"""A small storage in SQL, as the documentation of aiogram and of Bot Framework says to write one: a row for a key."""

import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiosqlite

from benchmarks.peers.pace.stage import FULL, full


class Documents:
    """JSON by key; what was written is on disk when the call returns."""

    def __init__(self, conn: aiosqlite.Connection) -> None:
        self._conn = conn

    async def get(self, key: str) -> dict[str, Any]:
        """What is kept there, or nothing."""
        async with self._conn.execute("SELECT body FROM documents WHERE key = ?", (key,)) as cursor:
            row = await cursor.fetchone()
        return dict(json.loads(row[0])) if row else {}

    async def put(self, key: str, body: Mapping[str, Any]) -> None:
        """Replace what is kept there."""
        await self._conn.execute(
            "INSERT INTO documents VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET body = excluded.body",
            (key, json.dumps(body)),
        )
        await self._conn.commit()


@asynccontextmanager
async def documents(path: Path) -> AsyncIterator[Documents]:
    """The table in a file."""
    full(path)
    async with aiosqlite.connect(path) as conn:
        await conn.execute(FULL)
        await conn.execute("CREATE TABLE IF NOT EXISTS documents (key TEXT PRIMARY KEY, body TEXT NOT NULL)")
        await conn.commit()
        yield Documents(conn)
