"""Workers on one PostgreSQL tell each other which sessions have moved."""

import asyncio

import asyncpg
import pytest

from softrail.core.errors import StoreUnavailable
from softrail.store.news import PostgresNews
from softrail.store.postgres import PostgresStore
from tests.faults.kit import person_of, say, worker
from tests.postgres import run_sql


async def test_who_watches_a_session_hears_what_another_worker_commits(empty_postgres_url: str) -> None:
    url = empty_postgres_url
    async with worker(url) as here, worker(url) as there:
        here.watched._hearing = 3600.0  # only what is told is heard
        person = await person_of(here)
        session = (await say(here, person, "/help")).session_id
        with here.watched.watch(session):
            async with asyncio.timeout(30):
                assert await here.notifier.wait(session)  # the first look
                while not await _listeners(url):  # noqa: ASYNC110 - nobody tells
                    await asyncio.sleep(0.01)
                news = asyncio.create_task(here.notifier.wait(session))
                await asyncio.sleep(0)
                await say(there, person, "/help", session_id=session)
                assert await news


async def _listeners(url: str) -> int:
    conn = await asyncpg.connect(url)
    try:
        found = await conn.fetchval("SELECT count(*) FROM pg_stat_activity WHERE query LIKE 'LISTEN %'")
    finally:
        await conn.close()
    return int(found)


async def test_a_connection_that_is_cut_is_noticed(empty_postgres_url: str) -> None:
    store = PostgresStore(empty_postgres_url, pool_size=1)
    heard: list[str] = []
    async with store.news.listening(heard.extend) as still, asyncio.timeout(30):
        assert still()
        await run_sql(
            empty_postgres_url,
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN %'",
        )
        while still():  # noqa: ASYNC110 - nobody tells
            await asyncio.sleep(0.01)
    await store.close()


async def test_what_it_has_told_itself_and_what_is_no_news_is_not_heard(empty_postgres_url: str) -> None:
    one, two = (PostgresStore(empty_postgres_url, pool_size=1) for _ in range(2))
    heard: list[str] = []
    async with one.news.listening(heard.extend), asyncio.timeout(30):
        await one.news.tell(["mine"])
        await run_sql(empty_postgres_url, "NOTIFY softrail_sessions, 'no news'", "NOTIFY softrail_sessions")
        await two.news.tell([f"s{n:03}" for n in range(150)])
        while len(heard) < 150:  # noqa: ASYNC110 - nobody tells
            await asyncio.sleep(0.01)
    assert heard == [f"s{n:03}" for n in range(150)]
    for store in (one, two):
        await store.close()


async def test_where_there_is_no_database_nobody_is_heard() -> None:
    news = PostgresNews("postgresql://nobody@127.0.0.1:1/none", lambda statement, values: asyncio.sleep(0))
    with pytest.raises(StoreUnavailable):
        async with news.listening(lambda ids: None):
            raise AssertionError
