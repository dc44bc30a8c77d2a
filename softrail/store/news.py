"""News of sessions between the workers of one PostgreSQL, by `NOTIFY`.

No commit sends one: `NOTIFY` takes a lock that all commits of the database share. What a worker has committed it tells
together, a moment later, and only in so far as it matters little when one is lost: whoever listens looks now and then
all the same.
"""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping
from contextlib import asynccontextmanager
from secrets import token_hex
from typing import Any, Final

import asyncpg
from sqlalchemy.engine import make_url

from softrail.store.outage import postgres_outage
from softrail.store.statements import chunks

CHANNEL: Final = "softrail_sessions"
AT_ONCE: Final = 100  #: ids in one notification, which holds 8,000 bytes
ALIVE: Final = 10.0  #: seconds between two looks whether the connection still stands


class PostgresNews:
    """Tells other workers which sessions have moved, and hears it of them.

    Args:
        url: Where the database is.
        run: Runs one statement with its parameters, in a transaction of the store.
    """

    def __init__(self, url: str, run: Callable[[str, Mapping[str, Any]], Awaitable[None]]) -> None:
        self._url = make_url(url).set(drivername="postgresql").render_as_string(hide_password=False)
        self._run = run
        self._me = token_hex(8)  #: what this store tells it need not hear

    async def tell(self, session_ids: Iterable[str]) -> None:
        """Tell every worker that listens."""
        for some in chunks(sorted(session_ids), AT_ONCE):
            values = {"channel": CHANNEL, "ids": json.dumps([self._me, *some])}
            await self._run("SELECT pg_notify(:channel, :ids)", values)

    @asynccontextmanager
    async def listening(self, heard: Callable[[list[str]], None]) -> AsyncIterator[Callable[[], bool]]:
        """Within the block `heard` is called with what others tell; asked, it says whether that is still so."""
        try:
            conn = await asyncpg.connect(self._url, timeout=ALIVE)
            await conn.add_listener(CHANNEL, lambda *told: self._hear(told[-1], heard))
        except (OSError, TimeoutError, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
            raise postgres_outage(error) from error
        asking = asyncio.create_task(_ask_again_and_again(conn))
        try:
            yield lambda: not asking.done() and not conn.is_closed()
        finally:
            asking.cancel()
            conn.terminate()  # nothing is under way that would have to be ended in order

    def _hear(self, payload: object, heard: Callable[[list[str]], None]) -> None:
        """Anybody with a way to the database may send one: what has not our form says nothing."""
        try:
            found = json.loads(str(payload))
        except ValueError:
            return
        if isinstance(found, list) and found and found[0] != self._me:
            heard([one for one in found[1:] if isinstance(one, str)])


async def _ask_again_and_again(conn: Any) -> None:
    """Ends when the connection does not answer: one that was cut without a word looks like one that is silent."""
    with contextlib.suppress(OSError, TimeoutError, asyncpg.PostgresError, asyncpg.InterfaceError):
        while True:
            await asyncio.sleep(ALIVE)
            await conn.execute("SELECT 1", timeout=ALIVE)
