"""The schema: migrations lead to what the tables say, on every database, and nobody goes past them."""

import sqlite3
from pathlib import Path

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, create_engine, inspect

from softrail.core.errors import StoreUnavailable
from softrail.store import SqliteStore, open_store, schema, schema_status, upgrade
from softrail.store.postgres import PostgresStore
from softrail.store.sqlite import sqlite_engine
from softrail.store.tables import metadata
from tests.postgres import drop_database, new_database, run_sql


def differences(conn: Connection) -> list[object]:
    context = MigrationContext.configure(conn, opts={"version_table": schema.VERSION_TABLE})
    return list(compare_metadata(context, metadata))


def indexes(conn: Connection) -> dict[str, set[tuple[str, bool, str]]]:
    """Every index with its condition, which `compare_metadata` does not look at."""
    found = inspect(conn)
    return {
        table.name: {
            (
                str(index["name"]),
                bool(index["unique"]),
                str({k: str(v) for k, v in index.get("dialect_options", {}).items()}),
            )
            for index in found.get_indexes(table.name)
        }
        for table in metadata.sorted_tables
    }


def test_the_newest_migration_is_the_one_the_code_asks_for() -> None:
    config = schema._config()
    assert ScriptDirectory.from_config(config).get_heads() == [schema.HEAD]


async def test_migrated_and_made_at_once_are_the_same_sqlite_schema(tmp_path: Path) -> None:
    await upgrade(f"sqlite:///{tmp_path}/migrated.db")
    with create_engine(f"sqlite:///{tmp_path}/migrated.db").connect() as migrated:
        assert differences(migrated) == []
        with create_engine("sqlite://").connect() as fresh:
            metadata.create_all(fresh)
            assert indexes(migrated) == indexes(fresh)


async def test_migrated_and_made_at_once_are_the_same_postgres_schema(empty_postgres_url: str) -> None:
    store = PostgresStore(empty_postgres_url)
    await store.start()
    assert await store.read(differences) == []
    migrated = await store.read(indexes)
    await run_sql(empty_postgres_url, "DROP SCHEMA IF EXISTS fresh CASCADE", "CREATE SCHEMA fresh")

    def make(conn: Connection) -> dict[str, set[tuple[str, bool, str]]]:
        conn.exec_driver_sql("SET LOCAL search_path TO fresh")
        metadata.create_all(conn)
        return indexes(conn)

    assert await store.write(make) == migrated
    await store.close()
    await run_sql(empty_postgres_url, "DROP SCHEMA fresh CASCADE")


async def test_a_new_file_is_migrated_by_starting(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/new.db"
    assert (await schema_status(url)).standing == "empty"
    assert not (tmp_path / "new.db").exists()

    store = open_store(url)
    await store.start()
    await store.close()

    status = await schema_status(url)
    assert (status.standing, status.revision) == ("current", schema.HEAD)
    assert await upgrade(url) == status


async def test_a_database_that_has_keys_remembers_it_when_it_is_migrated(tmp_path: Path) -> None:
    for name, keys in (("with", True), ("without", False)):
        path = tmp_path / f"{name}.db"
        with sqlite_engine(path, durability="normal", busy_timeout=1.0).connect() as conn, conn.begin():
            conn.exec_driver_sql("BEGIN IMMEDIATE")
            config = schema._config()
            config.attributes["connection"] = conn
            command.upgrade(config, "0003")
            if keys:
                conn.exec_driver_sql(
                    "INSERT INTO persons (id, email, timezone, locale, created_at) VALUES ('p', 'p@x', 'UTC', 'en', 0)"
                )
                conn.exec_driver_sql(
                    "INSERT INTO keys (id, person_id, name, hash, created_at) VALUES ('k', 'p', '', 'h', 0)"
                )
        store = open_store(f"sqlite:///{path}")
        await store.start()
        assert await store.keyed() == keys
        await store.close()


async def test_what_waited_in_an_older_outbox_gets_all_its_tries(tmp_path: Path) -> None:
    path = tmp_path / "older.db"
    with sqlite_engine(path, durability="normal", busy_timeout=1.0).connect() as conn, conn.begin():
        conn.exec_driver_sql("BEGIN IMMEDIATE")
        config = schema._config()
        config.attributes["connection"] = conn
        command.upgrade(config, "0004")
        conn.exec_driver_sql(
            "INSERT INTO effects (session_id, seq, n, person_id, kind, payload, summary, status, tries, next_at)"
            " VALUES ('s', 1, 1, 'p', 'mail', '{}', '', 'waiting', 12, 5), ('s', 1, 2, 'p', 'mail', '{}', '', 'applied', 0, NULL)"
        )
    store = SqliteStore(path)
    await store.start()
    [item] = await store.undelivered(10)
    assert (item.key, item.tries, item.instance_id, item.claimed_by) == ("s:1:1", 0, None, None)
    await store.close()


async def test_a_database_of_a_newer_softrail_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "newer.db"
    await upgrade(f"sqlite:///{path}")
    with sqlite3.connect(path) as raw:
        raw.execute("UPDATE softrail_version SET version_num = '9999'")
        raw.execute("UPDATE facts SET value = '9999' WHERE name = 'runs_from'")
    raw.close()

    assert (await schema_status(f"sqlite:///{path}")).standing == "unknown"
    with pytest.raises(StoreUnavailable, match="9999, which this Softrail does not know"):
        await SqliteStore(path).start()
    with pytest.raises(StoreUnavailable, match="does not know"):
        await upgrade(f"sqlite:///{path}")


async def test_a_postgres_database_without_tables_names_the_command(postgres_url: str) -> None:
    url = await new_database(postgres_url, "bare")
    store = PostgresStore(url)

    assert (await schema_status(url)).standing == "empty"
    with pytest.raises(StoreUnavailable, match="softrail db upgrade"):
        await store.start()
    assert (await upgrade(url)).standing == "current"
    await store.start()

    await store.close()
    await drop_database(postgres_url, url)
