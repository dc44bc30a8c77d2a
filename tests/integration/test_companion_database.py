"""The companion's tables on both databases: migrations lead to them, and notes are numbered under load."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import asyncpg
import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection, MetaData, create_engine, inspect

from softrail.companion.memory.tables import metadata
from softrail.companion.plugin import TABLES, companion
from softrail.core.clock import now
from softrail.core.commits import Committed
from softrail.core.errors import StoreUnavailable
from softrail.core.ports import Project
from softrail.store import open_store, schema_status, upgrade
from softrail.store import tables as of_store
from softrail.store.postgres import PostgresStore
from softrail.store.projects import RecordProjects
from tests.integration.companion_server import founded, person, turn
from tests.postgres import drop_database, new_database

PLUGINS = [TABLES]


@pytest.fixture(scope="module")
def companion_url(postgres_url: str) -> Iterator[str]:
    """A PostgreSQL database of its own, not migrated."""
    url = asyncio.run(new_database(postgres_url, "companion"))
    yield url
    asyncio.run(drop_database(postgres_url, url))


def differences(conn: Connection) -> list[object]:
    """What the database has that the tables do not say, and the other way round."""
    both = MetaData()
    for one in (of_store.metadata, metadata):
        for table in one.tables.values():
            table.to_metadata(both)
    versions = {TABLES.version_table, "softrail_version"}
    opts = {"include_name": lambda name, kind, parents: kind != "table" or name not in versions}
    return list(compare_metadata(MigrationContext.configure(conn, opts=opts), both))


def indexes(conn: Connection) -> dict[str, set[tuple[str, bool, str]]]:
    """Every index with its condition, which `compare_metadata` does not look at."""
    return {
        table.name: {
            (
                str(index["name"]),
                bool(index["unique"]),
                str({k: str(v) for k, v in index.get("dialect_options", {}).items()}),
            )
            for index in inspect(conn).get_indexes(table.name)
        }
        for table in metadata.sorted_tables
    }


async def test_migrated_and_made_at_once_are_the_same_sqlite_schema(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/migrated.db"
    assert (await upgrade(url, plugins=PLUGINS)).standing == "current"
    with create_engine(url).connect() as migrated:
        assert differences(migrated) == []
        with create_engine("sqlite://").connect() as fresh:
            metadata.create_all(fresh)
            assert indexes(migrated) == indexes(fresh)


async def test_a_file_from_before_the_companion_is_migrated_by_starting(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/older.db"
    await upgrade(url)
    behind = await schema_status(url, plugins=PLUGINS)
    assert (behind.standing, behind.of) == ("empty", "companion")
    assert behind.sentence == ("The database has no tables of companion yet. Run `softrail db upgrade`.")

    store = open_store(url, plugins=PLUGINS)
    await store.start()
    await store.close()

    assert (await schema_status(url, plugins=PLUGINS)).standing == "current"
    assert (await schema_status(url)).standing == "current"


async def test_projects_kept_as_records_before_are_taken_over(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/older.db"
    before = open_store(url)
    await before.start()
    ada = await person(before, "ada")
    noted = Project(id="p1", name="Atlas", description="maps", repository="ada/atlas", main=True)
    assert isinstance(await turn(before, ada, RecordProjects(before).create(noted)), Committed)
    await before.close()

    store = open_store(url, plugins=PLUGINS)
    await store.start()

    assert await companion(store).projects.list(ada.id) == [noted]
    assert await companion(store).projects.role(ada.id, "p1") == "owner"
    await store.close()


async def test_tables_of_a_newer_companion_are_refused_and_left_alone(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/newer.db"
    await upgrade(url, plugins=PLUGINS)
    with create_engine(url).begin() as conn:
        conn.exec_driver_sql("UPDATE companion_softrail_version SET version_num = '9999'")
        conn.exec_driver_sql("UPDATE facts SET value = '9999' WHERE name = 'runs_from:companion'")

    assert (await schema_status(url, plugins=PLUGINS)).standing == "unknown"
    with pytest.raises(StoreUnavailable, match="9999, which the one installed does not know"):
        await open_store(url, plugins=PLUGINS).start()


async def test_a_postgres_database_without_the_tables_is_refused_until_it_is_upgraded(
    companion_url: str,
) -> None:
    await upgrade(companion_url)
    store = PostgresStore(companion_url, plugins=PLUGINS)
    with pytest.raises(StoreUnavailable, match="no tables of companion yet"):
        await store.start()

    assert (await upgrade(companion_url, plugins=PLUGINS)).standing == "current"

    await store.start()
    assert await store.read(differences) == []
    migrated = await store.read(indexes)

    def make(conn: Connection) -> dict[str, set[tuple[str, bool, str]]]:
        conn.exec_driver_sql("CREATE SCHEMA fresh")
        conn.exec_driver_sql("SET LOCAL search_path TO fresh")
        metadata.create_all(conn)
        return indexes(conn)

    assert await store.write(make) == migrated
    await store.write(lambda conn: conn.exec_driver_sql("DROP SCHEMA fresh CASCADE"))
    await store.close()


async def test_64_notes_at_once_of_two_people_over_two_workers_are_numbered_1_to_64(
    companion_url: str,
) -> None:
    await upgrade(companion_url, plugins=PLUGINS)
    stores = [
        PostgresStore(companion_url, plugins=PLUGINS, pool_size=32) for _ in range(2)
    ]  # none waits for a place
    people = [await person(stores[0], name) for name in ("ada", "bob")]
    services = [companion(store) for store in stores]
    project = await founded(stores[0], people[0])
    await services[0].projects.add_member(people[0].id, project, people[1].email, "member")

    async def add(n: int) -> None:
        one, who = n % 2, people[(n // 2) % 2]
        if n % 4 == 3:  # some by request, most by turns
            await services[one].notes.add(who.id, project, f"note {n}")
            return
        effect = services[one].notes.saving(project, f"note {n}")
        assert isinstance(await turn(stores[one], who, effect), Committed)

    await asyncio.gather(*(add(n) for n in range(64)))

    found = await services[1].notes.list(people[1].id, project, limit=100)
    assert [note.number for note in found] == list(range(1, 65))
    assert {note.text for note in found} == {f"note {n}" for n in range(64)}
    counts = await services[0].notes.counts(people[0].id, project)
    assert (counts.waiting, counts.saved) == (48, 16)
    for store in stores:
        await store.close()


async def test_turns_that_change_two_projects_crosswise_all_get_through(companion_url: str) -> None:
    await upgrade(companion_url, plugins=PLUGINS)
    stores = [
        PostgresStore(companion_url, plugins=PLUGINS, pool_size=32) for _ in range(2)
    ]  # none waits for a place
    ada = await person(stores[0], "crosswise")
    services = companion(stores[0])
    one, two = await founded(stores[0], ada), await founded(stores[0], ada)

    async def add(n: int) -> None:
        order = (one, two) if n % 2 else (two, one)
        effects = [services.notes.saving(project, f"note {n}") for project in order]
        assert isinstance(await turn(stores[n % 2], ada, *effects), Committed)

    await asyncio.gather(*(add(n) for n in range(16)))

    for project in (one, two):
        assert (await services.notes.counts(ada.id, project)).waiting == 16
    for store in stores:
        await store.close()


WAITING = "SELECT count(*) FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY(pg_blocking_pids(pid))"
SAME = """INSERT INTO companion_artifacts (id, project_id, title, type, file_name, media_type, sha256, author_kind,
  author_name, told_by, created_at) SELECT 'other', $2, title, type, file_name, media_type, sha256, author_kind,
  author_name, told_by, created_at FROM companion_artifacts WHERE id = $1"""


async def test_content_that_another_file_is_about_to_have_is_not_erased(companion_url: str) -> None:
    await upgrade(companion_url, plugins=PLUGINS)
    store = PostgresStore(companion_url, plugins=PLUGINS)
    ada, files = await person(store, "giver"), companion(store).artifacts
    one, two = await founded(store, ada), await founded(store, ada)
    given = await files.store(
        ada.id, one, title="Plan", type="plan", file_name="plan.txt", content=b"the plan"
    )
    other = await asyncpg.connect(companion_url)
    async with other.transaction():
        await other.execute(SAME, given.id, two)
        erasing = asyncio.create_task(files.erase(ada.id, given.id))
        async with asyncio.timeout(20):
            while not await other.fetchval(WAITING):  # noqa: ASYNC110 - nobody tells
                await asyncio.sleep(0.01)

    await erasing
    assert (await files.read(ada.id, "other"))[1] == b"the plan"
    await other.close()
    await store.close()


async def test_a_person_let_go_while_they_write_has_written_before_or_not_at_all(companion_url: str) -> None:
    await upgrade(companion_url, plugins=PLUGINS)
    stores = [
        PostgresStore(companion_url, plugins=PLUGINS, pool_size=32) for _ in range(2)
    ]  # none waits for a place
    ada, bob = await person(stores[0], "keeper"), await person(stores[0], "leaver")
    services = [companion(store) for store in stores]
    project = await founded(stores[0], ada)
    await services[0].projects.add_member(ada.id, project, bob.email, "member")
    gone = asyncio.Event()
    late: list[int] = []

    async def write(n: int) -> bool:
        after = gone.is_set()
        result = await turn(stores[1], bob, services[1].notes.saving(project, f"note {n}"))
        if after and isinstance(result, Committed):
            late.append(n)
        return isinstance(result, Committed)

    async def let_go() -> None:
        await services[0].projects.remove_member(ada.id, project, bob.email)
        gone.set()

    written, _ = await asyncio.gather(asyncio.gather(*(write(n) for n in range(24))), let_go())
    assert await write(99) is False

    assert late == []
    found = await services[0].notes.list(ada.id, project)
    assert [note.number for note in found] == list(range(1, sum(written) + 1))
    for store in stores:
        await store.close()


FIRST_TABLES = (
    "DROP TABLE companion_blob_pieces",
    "ALTER TABLE companion_blobs DROP COLUMN pieces",
    "DROP TABLE companion_note_words",
    "DROP INDEX ix_companion_notes_changed_in",
    "DROP INDEX ix_companion_notes_changed_at",
    "ALTER TABLE companion_notes DROP COLUMN changed_in",
    "ALTER TABLE companion_projects DROP COLUMN organised_in",
    "ALTER TABLE companion_projects DROP COLUMN archived_at",
    "CREATE INDEX ix_companion_notes_changed_at ON companion_notes (project_id, changed_at)",
    "UPDATE companion_softrail_version SET version_num = '0001'",
)


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
async def test_notes_from_before_there_was_a_search_are_found_and_stay_grouped(
    kind: str, tmp_path: Path, companion_url: str
) -> None:
    url = companion_url if kind == "postgresql" else f"sqlite:///{tmp_path}/older.db"
    await upgrade(url, plugins=PLUGINS)
    store = open_store(url, plugins=PLUGINS)
    await store.start()
    ada, services = await person(store, "searcher"), companion(store)
    project = await founded(store, ada, notes=["clay soil", "sandy soil", "a price"])
    kept = await services.artifacts.store(
        ada.id, project, title="Plan", type="plan", file_name="plan.txt", content=b"the plan"
    )
    await services.notes.change(ada.id, project, 3, state="withdrawn")
    await services.groups.organise(ada.id, project)
    [item] = await store.outbox(now(), 10)
    await services.deliverers[item.kind](item)
    await store.delivered(item)
    await services.notes.add(ada.id, project, "loamy soil")

    def as_it_was(conn: Connection) -> None:
        for statement in FIRST_TABLES:
            conn.exec_driver_sql(statement)

    await store.write(as_it_was)
    await store.close()
    assert (await schema_status(url, plugins=PLUGINS)).standing == "behind"

    assert (await upgrade(url, plugins=PLUGINS)).standing == "current"

    store = open_store(url, plugins=PLUGINS)
    await store.start()
    services = companion(store)
    assert [n.number for n in await services.notes.about(ada.id, project, "soil")] == [4, 2, 1]
    assert await services.notes.about(ada.id, project, "price") == []
    assert (await services.artifacts.read(ada.id, kept.id))[1] == b"the plan"
    assert [n.number for n in await services.notes.since_groups(ada.id, project)] == [4]
    assert await store.read(differences) == []
    await store.close()
