"""Softrail inside of an application that has a DBOS of its own: that hands out our wakes too, and stays the application's."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Annotated, Any

import asyncpg
import pytest
from dbos import DBOS, DBOSClient, _dbos
from fastapi import FastAPI, Header
from fastapi.testclient import TestClient

from softrail import create_router
from softrail.bootstrap import build, plugin_tables
from softrail.execution import Dbos
from softrail.execution.dbos import psycopg_url
from softrail.settings import Settings
from softrail.store import SqlStore, upgrade
from softrail.store.postgres import PostgresStore
from softrail.testing.contracts.counting import KIND, Counting, metadata, until
from softrail.testing.contracts.engines import EngineContract, LocalHost, MakeEngine, running
from tests.dbos_of_a_host import SCHEMA, forget_all, greet, launched, made


@pytest.fixture
async def url(url_without_wakes: str) -> str:
    await forget_all(url_without_wakes)
    return url_without_wakes


@pytest.fixture
async def store(url: str) -> AsyncIterator[PostgresStore]:
    store = PostgresStore(url, pool_size=4)
    await store.start()
    yield store
    await store.write(metadata.drop_all)
    await store.close()


@pytest.fixture
async def work(store: PostgresStore) -> Counting:
    work = Counting(store)
    await work.prepare()
    return work


async def wakes(url: str) -> list[tuple[str, str, str]]:
    """The runs of the wakes in the host's DBOS, their states and versions, the oldest first."""
    conn = await asyncpg.connect(url)
    try:
        rows = await conn.fetch(
            "SELECT workflow_uuid, status, application_version FROM dbos_of_host.workflow_status "
            "WHERE name = 'softrail.drive' ORDER BY created_at, workflow_uuid"
        )
    finally:
        await conn.close()
    return [(row[0].rpartition(":")[0], row[1], row[2]) for row in rows]


async def finished(work: Counting, run_id: str, steps: int) -> None:
    async def done() -> bool:
        return list(await work.done(run_id)) == list(range(1, steps + 1))

    await until(done)


class TestDbosOfTheHost(EngineContract):
    """Every promise of an engine holds where the host's DBOS hands out the wakes."""

    @pytest.fixture
    async def store(self, url: str) -> AsyncIterator[SqlStore]:
        store = PostgresStore(url, pool_size=4)
        await store.start()
        async with launched(url):
            yield store
        await store.write(metadata.drop_all)
        await store.close()

    @pytest.fixture
    def make_engine(self, store: SqlStore, url: str) -> MakeEngine:
        return lambda: Dbos(store, url, look_every=0.02, poll_every=0.5)


async def test_the_hosts_own_work_goes_on_before_during_and_after_ours(
    store: PostgresStore, work: Counting, url: str
) -> None:
    async with launched(url):
        assert await asyncio.to_thread(greet, "before") == "hello before"
        async with running(Dbos(store, url, look_every=0.02), LocalHost(store, "w1"), work) as engine:
            await work.add("r1", 2)
            engine.wake(KIND, "r1")
            await finished(work, "r1", 2)
            assert await asyncio.to_thread(greet, "during") == "hello during"
            assert DBOS.application_version == "host-1"

        assert await asyncio.to_thread(greet, "after") == "hello after"
        assert {(run, version) for run, _, version in await wakes(url)} == {("count:r1", "host-1")}


async def test_ours_waits_for_a_dbos_that_the_host_has_made_and_not_launched(
    store: PostgresStore, work: Counting, url: str, caplog: pytest.LogCaptureFixture
) -> None:
    made(url)
    try:
        await work.add("r1", 2)
        async with running(Dbos(store, url, look_every=0.02), LocalHost(store, "w1"), work):

            async def said() -> bool:
                return "until DBOS.launch() no long work is driven here" in caplog.text

            await until(said)
            assert await work.done("r1") == []
            await asyncio.to_thread(DBOS.launch)
            await finished(work, "r1", 2)
    finally:
        await asyncio.to_thread(DBOS.destroy, workflow_completion_timeout_sec=1)  # as the host above
    assert caplog.text.count("until DBOS.launch()") == 1


async def test_a_host_that_listens_to_some_queues_is_told_to_name_ours(
    store: PostgresStore, work: Counting, url: str, caplog: pytest.LogCaptureFixture
) -> None:
    async with (
        launched(url, listens=["mail"]),
        running(Dbos(store, url, look_every=0.02), LocalHost(store, "w1"), work),
    ):

        async def said() -> bool:
            return "not to softrail-count: name them too in DBOS.listen_queues" in caplog.text

        await until(said)
        assert await asyncio.to_thread(greet, "you") == "hello you"
    async with (
        launched(url, listens=["mail", "softrail-count"]),
        running(Dbos(store, url, look_every=0.02), LocalHost(store, "w1"), work) as engine,
    ):
        await work.add("r1", 2)
        engine.wake(KIND, "r1")  # it looks by itself once a minute, and may have just done so
        await finished(work, "r1", 2)


async def test_another_application_over_the_same_dbos_keeps_its_queue_and_it_is_said(
    store: PostgresStore, work: Counting, url: str, caplog: pytest.LogCaptureFixture
) -> None:
    async with launched(url):
        other = DBOSClient(
            system_database_url=psycopg_url(url), dbos_system_schema=SCHEMA, application_name="other"
        )
        await asyncio.to_thread(other.register_queue, "softrail-count")
        other.destroy()
        async with running(Dbos(store, url, look_every=0.02), LocalHost(store, "w1"), work):

            async def said() -> bool:
                return "Another application has the queues of Softrail (softrail-count)" in caplog.text

            await until(said)


async def test_what_waited_under_an_older_version_of_the_host_is_driven_under_the_next(
    store: PostgresStore, work: Counting, url: str
) -> None:
    engine = Dbos(store, url, look_every=0.02, poll_every=0.1)
    async with launched(url, version="host-1"):
        async with running(engine, LocalHost(store, "w1"), work):
            await engine.ready()
        await work.add("r1", 2)
        # As a worker of that version puts it down that is killed before it is handed out.
        conn = await asyncpg.connect(url)
        await conn.execute(
            "INSERT INTO dbos_of_host.workflow_status (workflow_uuid, status, name, queue_name, application_version, "
            "application_name, inputs, serialization, deduplication_id, created_at) VALUES ('count:r1:1', 'ENQUEUED', "
            "'softrail.drive', 'softrail-count', 'host-0', 'host', '{\"positionalArgs\": [\"count\", \"r1\", true, 0], "
            "\"namedArgs\": {}}', 'portable_json', 'count:r1:host-0', 0)"
        )
        await conn.close()
    async with launched(url, version="host-2"):
        engine = Dbos(store, url, look_every=0.02, poll_every=0.1)
        async with running(engine, LocalHost(store, "w2"), work):
            await finished(work, "r1", 2)

            async def forgotten() -> bool:
                return {version for _, _, version in await wakes(url)} == {"host-2"}

            await until(forgotten)  # it was of a day long ago


async def test_a_host_that_ends_its_dbos_with_all_that_it_knew_has_ours_again_after_its_next_launch(
    store: PostgresStore, work: Counting, url: str
) -> None:
    known = _dbos._get_or_create_dbos_registry()
    try:
        for n in range(2):
            async with (
                launched(url),
                running(Dbos(store, url, look_every=0.02), LocalHost(store, f"w{n}"), work) as engine,
            ):
                await work.add(f"r{n}", 2)
                engine.wake(KIND, f"r{n}")
                await finished(work, f"r{n}", 2)
            await asyncio.to_thread(DBOS.destroy, destroy_registry=True)
            assert "ERROR" not in {state for _, state, _ in await wakes(url)}
    finally:
        _dbos._dbos_global_registry = (
            known  # with the work of the host, as it was when this module was loaded
        )


def test_a_plan_of_an_application_with_a_dbos_of_its_own_comes_to_its_end(url: str) -> None:
    tables = plugin_tables(discover=False)
    asyncio.run(upgrade(url, plugins=tables))
    dispatcher = build(
        Settings(database_url=url, engine="dbos", encoder="none", bundled=("plans",), beat_interval=0.05),
        store=PostgresStore(url, plugins=tables),
    )

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        async with launched(url), dispatcher:
            yield

    async def who(authorization: Annotated[str, Header()]) -> str:
        return authorization

    app = FastAPI(lifespan=lifespan)
    app.include_router(create_router(dispatcher, identity=who), prefix="/assistant")
    ada = {"Authorization": "ada@example.org"}
    plan = {
        "problem": "Six times seven",
        "steps": [{"id": "a", "action": "compute", "arguments": {"expression": "6 * 7"}}],
    }
    with TestClient(app, base_url="http://localhost", headers=ada) as client:
        session = client.post("/assistant/sessions").json()["id"]
        where = f"/assistant/sessions/{session}/plan"
        assert client.post(where, json=plan).status_code == 201
        client.post("/assistant/converse", json={"message": "yes", "session_id": session})

        async def done() -> bool:
            found: dict[str, Any] = await asyncio.to_thread(lambda: client.get(where).json())
            return [step["state"] for step in found["steps"]] == ["done"]

        asyncio.run(until(done, 30))
        assert client.portal is not None
        assert client.portal.call(asyncio.to_thread, greet, "you") == "hello you"
