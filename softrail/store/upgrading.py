"""The schema of a database from the command line: where it stands, and bringing it up to date."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

from sqlalchemy import Connection
from sqlalchemy.engine import make_url
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection

from softrail.core.errors import StoreUnavailable
from softrail.store import schema
from softrail.store.opening import open_store
from softrail.store.outage import postgres_outage, postgres_trouble, sqlite_start_fault
from softrail.store.plugins import PluginTables
from softrail.store.schema import SchemaStatus
from softrail.store.sqlite import Patience, sqlite_engine


async def schema_status(url: str, *, plugins: Sequence[PluginTables] = ()) -> SchemaStatus:
    """Where the schema of a database stands. Nothing is changed, and no SQLite file is made."""

    def look(conn: Connection) -> SchemaStatus:
        return schema.status_of(conn, plugins)

    return await _over(url, look, lambda conn: conn.run_sync(look), make=False)


async def upgrade(url: str, *, plugins: Sequence[PluginTables] = ()) -> SchemaStatus:
    """Bring the schema of a database, and of plugins' tables in it, up to date; where it stands then.

    Raises:
        StoreUnavailable: The database cannot be reached, or a newer Softrail made it.
    """

    def prepare(conn: Connection) -> SchemaStatus:
        schema.prepare_sqlite(conn, Patience(30.0), plugins)
        return schema.status_of(conn, plugins)

    async def further(conn: AsyncConnection) -> SchemaStatus:
        more = True
        while more:
            async with conn.begin():  # who writes beside it waits for one revision, not for all of them
                more = await conn.run_sync(schema.further, plugins)
        return await conn.run_sync(schema.status_of, plugins)

    return await _over(url, prepare, further)


async def _over(
    url: str,
    sqlite: Callable[[Connection], SchemaStatus],
    postgres: Callable[[AsyncConnection], Awaitable[SchemaStatus]],
    *,
    make: bool = True,
) -> SchemaStatus:
    kind = make_url(url).get_backend_name()
    if kind == "sqlite":
        return await asyncio.to_thread(_over_file, Path(make_url(url).database or ""), sqlite, make)
    open_store(url)  # complains about kinds it does not know, and packages that are missing
    from softrail.store.postgres import postgres_engine

    engine = postgres_engine(url, pool_size=1)
    try:
        async with engine.connect() as conn:
            return await postgres(conn)
    except StoreUnavailable:
        raise
    except Exception as error:
        if postgres_trouble(error) is None:
            raise
        raise postgres_outage(error) from error
    finally:
        await engine.dispose()


def _over_file(path: Path, fn: Callable[[Connection], SchemaStatus], make: bool) -> SchemaStatus:
    if not make and not path.is_file():
        return SchemaStatus(standing="empty", revision=None)
    engine = sqlite_engine(path, durability="full", busy_timeout=30.0)
    try:
        with engine.connect() as conn:
            return fn(conn)
    except (DBAPIError, OSError) as error:
        raise sqlite_start_fault(error, path) from error
    finally:
        engine.dispose()
