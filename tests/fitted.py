"""What every server with the usual settings fits after its start, fitted once for all servers of a run.

A server that a test ends before it is done with that leaves nothing behind, and the next one begins again.
"""

import asyncio
from functools import cache

from softrail.bootstrap import build, plugin_tables
from softrail.settings import Settings
from softrail.store import MemoryStore


@cache
def fit_what_is_bundled() -> None:
    """Do what a server does; the store has the tables of all parts, or they would be left out with their intents."""

    async def warmed() -> None:
        chosen = Settings(database_url="sqlite://", model="plain")
        await build(chosen, store=MemoryStore(plugins=plugin_tables(discover=False))).warm()

    asyncio.run(warmed())
