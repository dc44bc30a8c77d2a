"""Erasing leaves no row: every table that can hold something of a person is filled, and looked through."""

from collections.abc import AsyncIterator, Mapping
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import func, select

from softrail.core.commits import AccessKey
from softrail.core.effects import Record
from softrail.core.keys import hash_key
from softrail.core.people import Person
from softrail.store import SqliteStore, SqlStore
from softrail.store.files import SqlAttachments
from softrail.store.postgres import PostgresStore
from softrail.store.tables import claims, facts, keys, metadata, persons, records, workers
from softrail.testing.contracts.outbox import mail
from softrail.testing.contracts.values import AT, fresh, loaded, opened, running, someone, started, turn_on
from tests.sqlite_file import with_tables

NOT_OF_PEOPLE = {workers.name, claims.name, facts.name}
#: What is the person's and not the session's.
THEIR_OWN = {persons.name, keys.name, records.name}


@pytest.fixture(params=["sqlite", "postgres"])
def unopened(request: pytest.FixtureRequest, tmp_path: Path) -> SqlStore:
    if request.param == "sqlite":
        return SqliteStore(with_tables(tmp_path / "softrail.db"))
    return PostgresStore(request.getfixturevalue("empty_postgres_url"), pool_size=2)


@pytest.fixture
async def store(unopened: SqlStore) -> AsyncIterator[SqlStore]:
    await unopened.start()
    yield unopened
    await unopened.close()


async def bytes_of(content: bytes) -> AsyncIterator[bytes]:
    yield content


async def filled(store: SqlStore) -> Person:
    """A person with something in every table that can hold something of people."""
    ada = await someone(store)
    await store.add_key(
        AccessKey(id="k1", name="laptop", person_id=ada.id, hash=hash_key("sr_x"), created_at=AT)
    )
    await opened(store, ada)
    await store.archive("s1", AT + timedelta(days=1))
    snapshot = await loaded(store, ada)
    here = running(snapshot)
    effects = [mail(), Record("kept", {"n": 1}, key="k")]
    await store.commit(
        [turn_on(snapshot, "t1", instances=[here], transitions=[started(here)], effects=effects)]
    )
    await SqlAttachments(store).keep(ada.id, "s1", "plan.txt", bytes_of(b"words"), id="f1")
    before = await rows(store)
    assert [table for table, count in before.items() if count == 0] == [], "a table is not filled"
    return ada


async def rows(store: SqlStore) -> Mapping[str, int]:
    """How many rows each table has that can hold something of people."""
    tables = [table for table in metadata.sorted_tables if table.name not in NOT_OF_PEOPLE]
    return await store.read(
        lambda conn: {
            table.name: int(conn.scalar(select(func.count()).select_from(table)) or 0) for table in tables
        }
    )


async def test_erasing_a_person_leaves_no_row_in_any_table(store: SqlStore) -> None:
    ada = await filled(store)

    await store.delete_person(ada.id)

    assert {table for table, count in (await rows(store)).items() if count} == set()


async def test_erasing_a_session_leaves_what_is_the_persons_own_and_no_other_row(store: SqlStore) -> None:
    ada = await filled(store)

    assert await store.delete_session(ada.id, "s1")

    assert {table for table, count in (await rows(store)).items() if count} == THEIR_OWN


async def test_erasing_one_person_leaves_every_row_of_another(store: SqlStore) -> None:
    await filled(store)
    bob = await someone(store, "bob")
    await store.commit([turn_on(fresh(bob, "s2"), "t2", effects=[mail()])])

    await store.delete_person(bob.id)

    assert all((await rows(store)).values())
