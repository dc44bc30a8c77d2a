"""Every engine keeps every promise of the port, on every database."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from softrail.core.execution import Engine
from softrail.execution import Dbos, Embedded
from softrail.store import MemoryStore, SqliteStore, SqlStore
from softrail.store.postgres import PostgresStore
from softrail.testing.contracts.counting import metadata
from softrail.testing.contracts.engines import EngineContract, MakeEngine


class EmbeddedContract(EngineContract):
    @pytest.fixture
    def make_engine(self, store: SqlStore) -> MakeEngine:
        def make() -> Engine:
            return Embedded(store, look_every=0.02, poll_every=0.5)

        return make


class TestEmbeddedInMemory(EmbeddedContract):
    @pytest.fixture
    def store(self) -> SqlStore:
        return MemoryStore()


class TestEmbeddedOnSqlite(EmbeddedContract):
    @pytest.fixture
    async def store(self, tmp_path: Path) -> AsyncIterator[SqlStore]:
        store = SqliteStore(tmp_path / "softrail.db")
        await store.start()
        yield store
        await store.close()


class TestEmbeddedOnPostgres(EmbeddedContract):
    @pytest.fixture
    async def store(self, empty_postgres_url: str) -> AsyncIterator[SqlStore]:
        store = PostgresStore(empty_postgres_url, pool_size=4)
        await store.start()
        yield store
        await store.write(metadata.drop_all)
        await store.close()


class TestDbosOnPostgres(EngineContract):
    @pytest.fixture
    async def store(self, url_without_wakes: str) -> AsyncIterator[SqlStore]:
        store = PostgresStore(url_without_wakes, pool_size=4)
        await store.start()
        yield store
        await store.write(metadata.drop_all)
        await store.close()

    @pytest.fixture
    def make_engine(self, store: SqlStore, url_without_wakes: str) -> MakeEngine:
        def make() -> Engine:
            return Dbos(store, url_without_wakes, look_every=0.02, poll_every=0.5)

        return make
