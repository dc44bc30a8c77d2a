"""Every store keeps every promise of the port."""

from collections.abc import AsyncIterator, Mapping
from pathlib import Path

import pytest

from softrail.core.ports import EffectHandler, Store
from softrail.store import MemoryStore, SqliteStore
from softrail.store.postgres import PostgresStore
from softrail.testing.contracts.store import SharedStoreContract, StoreContract
from softrail.testing.contracts.values import MakeStore
from tests.making_stores import making
from tests.sqlite_file import with_tables


@pytest.fixture
async def store(make_store: MakeStore) -> Store:
    return await make_store()


class TestMemoryStore(StoreContract):
    @pytest.fixture
    async def make_store(self) -> MakeStore:
        async def make(*, effect_handlers: Mapping[str, EffectHandler] | None = None) -> Store:
            return MemoryStore(effect_handlers=effect_handlers)

        return make


class TestSqliteStore(SharedStoreContract):
    @pytest.fixture
    async def make_store(self, tmp_path: Path) -> AsyncIterator[MakeStore]:
        async with making(
            lambda handlers: SqliteStore(with_tables(tmp_path / "softrail.db"), effect_handlers=handlers)
        ) as make:
            yield make


class TestPostgresStore(SharedStoreContract):
    @pytest.fixture
    async def make_store(self, empty_postgres_url: str) -> AsyncIterator[MakeStore]:
        async with making(
            lambda handlers: PostgresStore(empty_postgres_url, pool_size=4, effect_handlers=handlers)
        ) as make:
            yield make
