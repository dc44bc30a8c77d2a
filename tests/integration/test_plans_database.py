"""The tables of planning: migrations lead to them on both databases."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection, MetaData, create_engine, inspect

from softrail.plans.plugin import TABLES
from softrail.plans.tables import metadata
from softrail.store import open_store, tables, upgrade
from softrail.store.sqlstore import SqlStore


@pytest.fixture(params=["file", "postgres"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    if request.param == "postgres":
        yield str(request.getfixturevalue("empty_postgres_url"))
    else:
        yield f"sqlite:///{tmp_path}/plans.db"


def differences(conn: Connection) -> list[object]:
    """What the database has that the tables do not say, and the other way round."""
    both = MetaData()
    for one in (tables.metadata, metadata):
        for table in one.tables.values():
            table.to_metadata(both)
    versions = {TABLES.version_table, "softrail_version"}
    opts = {"include_name": lambda name, kind, parents: kind != "table" or name not in versions}
    return list(compare_metadata(MigrationContext.configure(conn, opts=opts), both))


async def test_migrated_and_made_at_once_are_the_same(url: str) -> None:
    assert (await upgrade(url, plugins=[TABLES])).standing == "current"
    store: SqlStore = open_store(url, plugins=[TABLES])
    await store.start()
    try:
        assert await store.read(differences) == []
        found = await store.read(_indexes)
    finally:
        await store.close()
    with create_engine("sqlite://").connect() as fresh:
        metadata.create_all(fresh)
        assert found == _indexes(fresh)


def _indexes(conn: Connection) -> dict[str, set[str]]:
    look = inspect(conn)
    return {
        table.name: {str(index["name"]) for index in look.get_indexes(table.name)}
        for table in metadata.sorted_tables
    }
