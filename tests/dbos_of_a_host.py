"""An application that has a DBOS of its own, for tests of a Softrail inside of it."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Final

from dbos import DBOS, DBOSConfig

from tests.postgres import run_sql

SCHEMA: Final = "dbos_of_host"


@DBOS.workflow(name="host.greet")
def greet(name: str) -> str:
    """Work of the host's own."""
    return f"hello {name}"


def made(url: str, *, version: str = "host-1") -> None:
    """The host's DBOS, not launched yet."""
    config: DBOSConfig = {
        "name": "host",
        "system_database_url": url,
        "dbos_system_schema": SCHEMA,
        "application_version": version,
        "log_level": "WARNING",
    }
    DBOS(config=config)


@asynccontextmanager
async def launched(
    url: str, *, version: str = "host-1", listens: Sequence[str] | None = None
) -> AsyncIterator[None]:
    """The host's DBOS at work; it is the host who ends it."""
    made(url, version=version)
    try:
        if listens is not None:
            DBOS.listen_queues(listens)
        await asyncio.to_thread(DBOS.launch)
        yield
    finally:
        # That second is for its threads that hand out: without it the loop is closed while they hand something to it.
        await asyncio.to_thread(DBOS.destroy, workflow_completion_timeout_sec=1)


async def forget_all(url: str) -> None:
    """Leave no row in the host's DBOS; its tables stay, as they take seconds to make."""
    await run_sql(
        url,
        f"DO $$ BEGIN IF to_regclass('{SCHEMA}.workflow_status') IS NOT NULL THEN "
        f"TRUNCATE {SCHEMA}.workflow_status, {SCHEMA}.queues, {SCHEMA}.application_versions CASCADE; END IF; END $$",
    )
