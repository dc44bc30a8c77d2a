"""What keeps Softrail from writing is 503 with a sentence, never 500; and a stop ends turns with 503, too."""

import signal
import sqlite3
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path

import asyncpg
import pytest
from sqlalchemy import Connection, text

from softrail.api.serving import running_until_signal
from softrail.bootstrap import build, plugin_tables
from softrail.companion.memory.blobs import Blobs
from softrail.companion.settings import CompanionSettings
from softrail.core.clock import clock, now
from softrail.core.commits import CommitResult, TurnCommit
from softrail.core.errors import Stopping, StoreUnavailable
from softrail.core.turns import Request
from softrail.store import MemoryStore, SqliteStore, people, postgres
from softrail.store.postgres import PostgresStore
from softrail.store.recent import LASTS
from softrail.testing.contracts.values import fresh, someone, turn_on
from tests.faults.kit import Gate, Slow, person_of, say, settings
from tests.integration.api_server import ADA, served
from tests.integration.companion_server import memory


@pytest.mark.parametrize(
    ("setting", "statement", "said"),
    [
        ("transaction_read_only = on", "UPDATE facts SET value = value", "may only be read"),
        ("lock_timeout = '20ms'", "SELECT * FROM workers FOR UPDATE", "busy for too long"),
        ("statement_timeout = '20ms'", "SELECT pg_sleep(5)", "took too long"),
    ],
    ids=["read-only", "lock", "statement"],
)
async def test_a_postgres_that_cannot_do_it_now_says_so_in_a_sentence(
    empty_postgres_url: str, setting: str, statement: str, said: str
) -> None:
    store = PostgresStore(empty_postgres_url, pool_size=1)
    other = await asyncpg.connect(empty_postgres_url)
    await other.execute("BEGIN; LOCK TABLE workers")

    def work(conn: Connection) -> None:
        conn.exec_driver_sql(f"SET LOCAL {setting}")
        conn.exec_driver_sql(statement)

    with pytest.raises(StoreUnavailable, match=said):
        await store.write(work)

    await other.close()
    await store.check()
    await store.close()


@pytest.mark.parametrize("table", ["sessions", "instances", "turns", "decisions"])
async def test_a_postgres_of_which_a_turn_needs_a_table_that_others_keep_is_not_ready(
    empty_postgres_url: str, table: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres, "_WAIT_A_MOMENT", text("SET LOCAL lock_timeout = '20ms'"))
    store = PostgresStore(empty_postgres_url, pool_size=1)
    other = await asyncpg.connect(empty_postgres_url)
    await store.check()
    await other.execute(f"BEGIN; LOCK TABLE {table}")
    try:
        with pytest.raises(StoreUnavailable, match="busy for too long"):
            await store.check()
    finally:  # whoever fails here leaves no lock that those behind it wait for
        await other.close()
        await store.check()
        await store.close()


class Refusing(MemoryStore):
    """A store whose database lets a look through and refuses turns, as long as it is told to."""

    def __init__(self) -> None:
        super().__init__()
        self.refuses = False
        commit = self._runner.commit

        async def committed(commits: Sequence[TurnCommit]) -> Sequence[CommitResult]:
            if self.refuses:
                raise StoreUnavailable("The database took too long.")
            return await commit(commits)

        self._runner.commit = committed  # type: ignore[method-assign]


def test_a_server_that_could_not_write_the_last_turn_is_not_ready_until_one_is_written() -> None:
    store = Refusing()
    with served(store=store) as server:
        store.refuses = True
        refused = server.client.post("/converse", json={"message": "hello", "turn_id": "t"}, headers=ADA)
        unready = server.client.get("/readyz")
        store.refuses = False
        server.say("hello", turn_id="t")
        ready = server.client.get("/readyz")

    assert (refused.status_code, unready.status_code) == (503, 503)
    assert unready.json()["error"]["message"] == "The database took too long."
    assert ready.status_code == 200


async def test_a_turn_that_was_refused_a_while_ago_says_nothing_any_more() -> None:
    store, began = Refusing(), now()
    store.refuses = True
    with clock(lambda: began):
        with pytest.raises(StoreUnavailable):
            await store.commit([turn_on(fresh(await someone(store)), "t")])
        with pytest.raises(StoreUnavailable):
            await store.check()
    with clock(lambda: began + timedelta(seconds=LASTS)):
        await store.check()  # one has to be let through to see whether that is over


async def test_a_postgres_that_does_not_answer_in_time_is_asked_once(
    empty_postgres_url: str,
) -> None:
    store = PostgresStore(empty_postgres_url, pool_size=1)
    asked: list[str] = []

    def work(conn: Connection) -> None:
        asked.append("once")
        raise TimeoutError  # as the driver does when a statement outlasts its limit

    with pytest.raises(StoreUnavailable, match="took too long"):
        await store.write(work)
    assert asked == ["once"]
    await store.close()


async def test_a_damaged_file_says_so(tmp_path: Path) -> None:
    path = tmp_path / "softrail.db"
    store = SqliteStore(path)
    await store.start()
    where = "SELECT rootpage FROM sqlite_master WHERE tbl_name = 'persons'"
    pages = await store.read(lambda conn: conn.exec_driver_sql(where).scalars().all())
    size = await store.read(lambda conn: conn.exec_driver_sql("PRAGMA page_size").scalar_one())
    await store.close()
    with path.open("r+b") as file:
        for page in pages:
            file.seek((page - 1) * size)
            file.write(b"\xff" * size)
    store = SqliteStore(path)
    await store.start()
    with pytest.raises(StoreUnavailable, match="damaged"):
        await store.person("p")
    with pytest.raises(StoreUnavailable, match="damaged"):
        await store.glance(lambda conn: people.person(conn, "p"))
    with pytest.raises(StoreUnavailable, match="damaged"):
        await store.ensure_person("ada@example.org", id="p", at=now())
    await store.close()


async def test_a_file_that_may_only_be_read_is_not_ready(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "softrail.db", busy_timeout=0.05)
    await store.start()
    await store.check()
    other = sqlite3.connect(tmp_path / "softrail.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")

    with pytest.raises(StoreUnavailable, match="Try again"):
        await store.check()

    other.execute("ROLLBACK")
    other.close()
    await store.check()
    await store.close()


async def test_a_folder_that_takes_no_file_is_503(tmp_path: Path) -> None:
    store = MemoryStore(plugins=plugin_tables(discover=False))
    folder = tmp_path / "files"
    folder.write_text("a file where the folder should be")

    with pytest.raises(StoreUnavailable, match="cannot be kept just now"):
        await Blobs(store, folder).keep(b"content")


def test_a_folder_of_files_that_takes_none_is_not_ready_until_it_does(tmp_path: Path) -> None:
    folder = tmp_path / "files"
    folder.mkdir()
    own = {CompanionSettings: CompanionSettings(artifacts_dir=folder)}
    folder.rmdir()
    folder.write_text("a file where the folder should be")
    with served(store=memory(), services=own) as server:
        unready = server.client.get("/readyz")
        turn = server.client.post("/converse", json={"message": "/help"}, headers=ADA)
        folder.unlink()
        ready = server.client.get("/readyz")

    assert unready.status_code == 503
    assert unready.json()["error"]["message"].startswith("The folder of files takes none just now")
    assert int(unready.headers["retry-after"]) >= 1
    assert turn.status_code == 200, "turns need no file"
    assert ready.status_code == 200
    assert list(folder.iterdir()) == []


async def test_turns_that_outlast_the_grace_are_told_that_the_server_stops() -> None:
    gate = Gate()
    chosen = settings(step_limit=30.0, grace=0.1, accept_after=0.01)
    dispatcher = build(chosen, store=MemoryStore(), processes=[Slow], services={Gate: gate}, discover=False)
    async with running_until_signal(chosen)(dispatcher):
        person = await person_of(dispatcher)
        session = (await say(dispatcher, person, "do the slow thing")).session_id
        run = dispatcher.submit(Request(message="tea", session_id=session, turn_id="t"), person)
        await gate.entered.wait()

        signal.raise_signal(signal.SIGTERM)

        with pytest.raises(Stopping):
            await run.result()
    row = await dispatcher.store.turn(person.id, "t")
    assert row is None or row.reply is None
