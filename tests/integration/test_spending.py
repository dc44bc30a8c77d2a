"""What is set aside of a budget holds over threads and workers, on every database."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path

import pytest

from softrail.core.errors import StoreUnavailable
from softrail.store import SqliteStore, SqlStore
from softrail.store.postgres import PostgresStore
from softrail.store.spending import KIND, Spent, reserve, settle, spent_on

AT = datetime(2026, 3, 2, 9, tzinfo=UTC)
DAY = "2026-03-02"


@asynccontextmanager
async def started(stores: Sequence[SqlStore]) -> AsyncIterator[list[SqlStore]]:
    for store in stores:
        await store.start()
    yield list(stores)
    for store in stores:
        await store.close()


class Suite:
    """What holds on every database, asked by two workers."""

    async def test_a_hundred_calls_at_once_over_two_workers_never_pass_the_limit(
        self, workers: list[SqlStore]
    ) -> None:
        async def ask(n: int) -> bool:
            return await workers[n % 2].write(lambda conn: reserve(conn, "ada", DAY, 10, limit=505, at=AT))

        granted = await asyncio.gather(*(ask(n) for n in range(100)))

        assert sum(granted) == 50
        spent = await workers[0].read(lambda conn: spent_on(conn, "ada", DAY))
        assert spent == Spent(tokens=500)

    async def test_what_was_not_used_can_be_used_and_costs_are_summed_exactly(
        self, workers: list[SqlStore]
    ) -> None:
        here, there = workers
        assert await here.write(lambda conn: reserve(conn, "ada", DAY, 100, limit=100, at=AT))
        assert not await there.write(lambda conn: reserve(conn, "ada", DAY, 1, limit=100, at=AT))
        assert await there.write(lambda conn: reserve(conn, "bob", DAY, 100, limit=100, at=AT))
        assert await there.write(lambda conn: reserve(conn, "ada", "2026-03-03", 100, limit=100, at=AT))

        cheap = Spent(tokens=-70, cost_usd=Decimal("0.1"))
        own = Spent(own_tokens=7, cost_usd=Decimal("0.2"))
        await asyncio.gather(
            here.write(lambda conn: settle(conn, "ada", DAY, cheap, at=AT)),
            there.write(lambda conn: settle(conn, "ada", DAY, own, at=AT)),
            there.write(lambda conn: settle(conn, "ada", DAY, Spent(own_tokens=1, unpriced=True), at=AT)),
        )

        assert await here.read(lambda conn: spent_on(conn, "ada", DAY)) == Spent(
            tokens=30, own_tokens=8, cost_usd=Decimal("0.3"), unpriced=True
        )
        assert await there.write(lambda conn: reserve(conn, "ada", DAY, 70, limit=100, at=AT))

    async def test_what_was_used_goes_with_the_person(self, workers: list[SqlStore]) -> None:
        store = workers[0]
        await store.ensure_person("ada@example.org", id="ada", at=AT)
        await store.write(lambda conn: settle(conn, "ada", DAY, Spent(tokens=5), at=AT))
        assert [record.kind for record in await store.records("ada")] == [KIND]

        await store.delete_person("ada")

        assert await store.records("ada") == []


class TestSqlite(Suite):
    @pytest.fixture
    async def workers(self, tmp_path: Path) -> AsyncIterator[list[SqlStore]]:
        async with started([SqliteStore(tmp_path / "talk.db") for _ in range(2)]) as stores:
            yield stores


class TestPostgres(Suite):
    @pytest.fixture
    async def workers(self, empty_postgres_url: str) -> AsyncIterator[list[SqlStore]]:
        async with started([PostgresStore(empty_postgres_url) for _ in range(2)]) as stores:
            yield stores


async def test_nothing_is_set_aside_in_a_store_that_is_away(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "talk.db")
    with pytest.raises(StoreUnavailable):
        await store.write(lambda conn: reserve(conn, "ada", DAY, 1, limit=1, at=AT))
