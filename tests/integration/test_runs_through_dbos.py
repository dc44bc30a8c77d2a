"""What `Dbos` adds to what every engine promises: what DBOS knows of runs, places, bad luck, and its end."""

import asyncio
import json
import threading
from collections.abc import AsyncIterator, Sequence
from typing import Any

import asyncpg
import pytest

from softrail.bootstrap import build
from softrail.core.errors import DefinitionError
from softrail.core.execution import Claim
from softrail.execution import Dbos, Embedded, fleet
from softrail.execution.dbos import psycopg_url
from softrail.settings import Settings
from softrail.store import MemoryStore
from softrail.store.postgres import PostgresStore
from softrail.testing.contracts.counting import KIND, Counting, metadata, until
from softrail.testing.contracts.engines import LocalHost, Pause, running
from tests.postgres import run_sql

WORDS = "my blood pressure is 180"


@pytest.fixture
async def store(url_without_wakes: str) -> AsyncIterator[PostgresStore]:
    store = PostgresStore(url_without_wakes, pool_size=4)
    await store.start()
    yield store
    await store.write(metadata.drop_all)
    await store.close()


async def asked(url: str, query: str) -> list[Any]:
    """The rows of a query."""
    conn = await asyncpg.connect(url)
    try:
        return list(await conn.fetch(query))
    finally:
        await conn.close()


async def wakes(url: str) -> list[tuple[str, str]]:
    """The runs of the wakes that DBOS knows, and their states, the oldest first."""
    rows = await asked(
        url,
        "SELECT workflow_uuid, status FROM softrail_dbos.workflow_status ORDER BY created_at, workflow_uuid",
    )
    return [(row[0].rpartition(":")[0], row[1]) for row in rows]


class Looked(Counting):
    """Counts, and tells when it was asked what is left."""

    def __init__(self, *of: Any) -> None:
        super().__init__(*of)
        self.looked = asyncio.Event()

    async def left(self) -> Sequence[str]:
        found = await super().left()
        self.looked.set()
        return found


async def test_dbos_keeps_the_kind_and_the_id_of_a_run_and_nothing_that_anybody_said(
    store: PostgresStore, url_without_wakes: str, caplog: pytest.LogCaptureFixture
) -> None:
    failed = asyncio.Event()

    async def fails_once(run_id: str, n: int, claim: Claim) -> None:
        if not failed.is_set():
            failed.set()
            raise ValueError(WORDS)

    work = Looked(store, fails_once)
    await work.prepare()
    async with running(
        Dbos(store, url_without_wakes, look_every=0.02), LocalHost(store, "w1"), work
    ) as engine:
        assert isinstance(engine, Dbos)
        await work.looked.wait()  # later the run would be found and handed out before it is woken
        await work.add("r1", 3)
        engine.wake(KIND, "r1")

        async def put_off() -> bool:
            return len(await wakes(url_without_wakes)) > 1

        await until(put_off)
        engine.wake(KIND, "r1")

        async def done() -> bool:
            return await work.done("r1") == [1, 2, 3]

        await until(done)
    tables = await asked(
        url_without_wakes,
        "SELECT table_name FROM information_schema.tables WHERE table_schema = 'softrail_dbos'",
    )
    kept = [
        str(row)
        for (name,) in tables
        for row in await asked(url_without_wakes, f'TABLE softrail_dbos."{name}"')
    ]
    inputs = await asked(url_without_wakes, "SELECT inputs FROM softrail_dbos.workflow_status")
    inputs += await asked(url_without_wakes, "SELECT inputs FROM softrail_dbos.workflow_input")
    given = [json.loads(row[0]) for row in inputs if row[0]]
    assert {"positionalArgs": ["count", "r1", True, 0], "namedArgs": {}} in given
    assert {"positionalArgs": ["count", "r1", False, 1], "namedArgs": {}} in given
    assert all(one["positionalArgs"][:2] == ["count", "r1"] and not one["namedArgs"] for one in given)
    assert {type(more) for one in given for more in one["positionalArgs"][2:]} == {bool, int}
    assert not [row for row in kept if WORDS in row]
    assert WORDS not in [record.getMessage() for record in caplog.records]


async def test_one_run_that_always_fails_gives_its_place_to_the_others(
    store: PostgresStore, url_without_wakes: str
) -> None:
    tries = 0

    async def poisoned(run_id: str, n: int, claim: Claim) -> None:
        nonlocal tries
        if run_id == "r1":
            tries += 1
            raise ValueError("poison")

    work = Counting(store, poisoned)
    await work.prepare()
    for n in range(12):
        await work.add(f"r{n}", 20 if n == 1 else 2)
    engine = Dbos(store, url_without_wakes, at_once=1, look_every=0.02)
    async with running(engine, LocalHost(store, "w1"), work):

        async def all_but_one() -> bool:
            return await work.left() == ["r1"]

        await until(all_but_one, 120)
        assert 1 <= tries < 5  # later and later

        async def put_off() -> bool:
            delayed = ("count:r1", "DELAYED") in await wakes(url_without_wakes)
            return delayed and await store.claims_of("w1") == {}

        await until(put_off)


async def test_a_cancel_is_heard_while_every_place_is_taken(
    store: PostgresStore, url_without_wakes: str
) -> None:
    pause = Pause(at=1)
    work = Counting(store, pause)
    await work.prepare()
    await work.add("r1", 3)
    engines = [Dbos(store, url_without_wakes, at_once=1, look_every=0.02) for _ in "ab"]
    async with (
        running(engines[0], LocalHost(store, "w1"), work),
        running(engines[1], LocalHost(store, "w2"), work),
    ):
        await pause.reached.wait()
        await work.add("r2", 1)  # waits, as its turn is never
        await work.cancel("r1")
        for engine in engines:
            engine.wake(KIND, "r1")
        async with asyncio.timeout(30):
            await pause.heard.wait()
    assert await work.done("r1") == [1]


async def test_what_a_worker_was_handed_and_never_claimed_is_handed_to_another(
    store: PostgresStore, url_without_wakes: str
) -> None:
    work = Counting(store)
    await work.prepare()
    engine = Dbos(store, url_without_wakes, look_every=0.02, poll_every=0.2)
    async with running(engine, LocalHost(store, "w1"), work):
        await engine.ready()
    await work.add("r1", 2)
    await run_sql(
        url_without_wakes,
        "INSERT INTO softrail_dbos.workflow_status (workflow_uuid, status, name, queue_name, application_version, "
        "executor_id, application_name, inputs, serialization) VALUES ('count:r1:1', 'PENDING', 'softrail.drive', "
        "'softrail-count', '1', 'gone', 'softrail', '{\"positionalArgs\": [\"count\", \"r1\", true, 0], \"namedArgs\": {}}', "
        "'portable_json')",
    )
    again = Dbos(store, url_without_wakes, look_every=0.02, poll_every=0.2)
    async with running(again, LocalHost(store, "w2"), work):

        async def done() -> bool:
            handed = await wakes(url_without_wakes)
            return await work.done("r1") == [1, 2] and ("count:r1", "SUCCESS") in handed

        await until(done)


async def test_wakes_that_are_over_are_forgotten_after_a_day(
    store: PostgresStore, url_without_wakes: str
) -> None:
    work = Counting(store)
    await work.prepare()
    await work.add("r1", 1)
    engine = Dbos(store, url_without_wakes, look_every=0.02, poll_every=0.1)
    async with running(engine, LocalHost(store, "w1"), work):

        async def over() -> bool:
            return await wakes(url_without_wakes) == [("count:r1", "SUCCESS")]

        await until(over)
        await run_sql(
            url_without_wakes,
            "UPDATE softrail_dbos.workflow_status SET completed_at = completed_at - 24 * 60 * 60 * 1000",
        )

        async def forgotten() -> bool:
            return await wakes(url_without_wakes) == []

        await until(forgotten)


async def test_nothing_of_dbos_is_left_running_and_the_event_loop_is_as_it_was(
    store: PostgresStore, url_without_wakes: str
) -> None:
    work = Counting(store)
    await work.prepare()
    before = set(threading.enumerate())
    for n in range(2):
        engine = Dbos(store, url_without_wakes, look_every=0.02)
        async with running(engine, LocalHost(store, f"w{n}"), work):
            await engine.ready()
            assert any("dbos" in one.name for one in threading.enumerate())

        async def ended() -> bool:
            return not {one for one in set(threading.enumerate()) - before if "asyncio" not in one.name}

        await until(ended)
    assert await asyncio.to_thread(lambda: "the loop's own threads") == "the loop's own threads"


async def test_a_second_application_of_a_process_over_another_database_is_refused(
    store: PostgresStore, url_without_wakes: str, caplog: pytest.LogCaptureFixture
) -> None:
    work = Counting(store)
    await work.prepare()
    first = Dbos(store, url_without_wakes, look_every=0.02)
    other = Dbos(store, url_without_wakes, look_every=0.02, schema="other")
    async with running(first, LocalHost(store, "w1"), work):
        await first.ready()
        async with running(other, LocalHost(store, "w2"), work):

            async def said() -> bool:
                return "One process can have one DBOS" in caplog.text

            await until(said)
        await work.add("r1", 1)
        first.wake(KIND, "r1")

        async def done() -> bool:
            return await work.done("r1") == [1]

        await until(done)


class Nothing:
    """Work of which nothing is left."""

    async def drive(self, run_id: str, claim: Claim) -> None: ...

    async def left(self) -> Sequence[str]:
        return []


async def test_a_database_that_is_away_at_the_start_is_tried_again_and_holds_up_no_stop(
    caplog: pytest.LogCaptureFixture,
) -> None:
    store = MemoryStore()
    engine = Dbos(store, "postgresql://nobody@127.0.0.1:1/none", look_every=0.01)
    await engine.start({"nothing": Nothing()}, LocalHost(store, "w1"))

    async def tried_again() -> bool:
        return caplog.text.count("DBOS could not be started (OperationalError)") > 1

    await until(tried_again)
    await engine.stop(0)


def test_what_it_needs_is_said_before_anything_is_started(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(DefinitionError, match="needs PostgreSQL"):
        Dbos(MemoryStore(), "sqlite:///softrail.db")
    monkeypatch.setattr(fleet, "find_spec", lambda name: None)
    with pytest.raises(DefinitionError, match=r'pip install "softrail\[dbos\]"'):
        Dbos(MemoryStore(), "postgresql://localhost/softrail")


def test_the_setting_chooses_it_and_a_store_in_memory_is_driven_without_it(url_without_wakes: str) -> None:
    chosen = Settings(database_url=url_without_wakes, engine="dbos", bundled=())
    assert isinstance(build(chosen, discover=False).engine, Dbos)
    assert isinstance(build(chosen, store=MemoryStore(), discover=False).engine, Embedded)


@pytest.mark.parametrize(
    ("url", "same"),
    [
        ("postgresql://u:p%40@h:5433/n", "postgresql://u:p%40@h:5433/n?connect_timeout=10"),
        ("postgresql+asyncpg://h/n?ssl=require", "postgresql://h/n?sslmode=require&connect_timeout=10"),
        ("postgresql://u@/n?host=/run/pg", "postgresql://u@/n?host=%2Frun%2Fpg&connect_timeout=10"),
        ("postgresql:///n?host=/run/pg", "postgresql:///n?host=%2Frun%2Fpg&connect_timeout=10"),
        ("postgresql://h/n?prepared_statement_cache_size=0", "postgresql://h/n?connect_timeout=10"),
    ],
)
def test_the_address_is_that_of_the_store_as_the_other_driver_writes_it(url: str, same: str) -> None:
    assert psycopg_url(url) == same
