"""A SQLite file under trouble: locked, full, missing, shared, asked from several sides."""

import asyncio
import math
import sqlite3
import threading
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, event

import softrail.store.sqlite as sqlite_store
from softrail.core.commits import Accepted, CommitResult, Committed, Refused, Seen, TurnCommit
from softrail.core.errors import StoreUnavailable
from softrail.store import MemoryStore, SqliteStore, open_store, threads
from softrail.store.commit import commit_turns
from softrail.store.outage import sqlite_start_fault
from softrail.testing.contracts.values import (
    AT,
    acceptance,
    fresh,
    loaded,
    opened,
    row,
    running,
    someone,
    turn_on,
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "softrail.db"


@pytest.fixture
async def impatient(path: Path) -> AsyncIterator[SqliteStore]:
    """A store that waits a twentieth of a second for others."""
    store = SqliteStore(path, busy_timeout=0.05)
    await store.start()
    yield store
    await store.close()


@contextmanager
def writing_elsewhere(path: Path) -> Iterator[None]:
    """Someone else holds the write lock of the file within the block."""
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    try:
        yield
    finally:
        other.execute("ROLLBACK")
        other.close()


def integrity(path: Path) -> str:
    with sqlite3.connect(path) as raw:
        [(answer,)] = raw.execute("PRAGMA integrity_check").fetchall()
    raw.close()
    return str(answer)


async def test_a_file_that_is_locked_too_long_is_unavailable_and_works_again_afterwards(
    impatient: SqliteStore, path: Path
) -> None:
    ada = await someone(impatient)
    snapshot = await opened(impatient, ada)

    with writing_elsewhere(path):
        attempts = [impatient.commit([turn_on(snapshot, f"t{n}")]) for n in range(3)]
        outcomes = await asyncio.gather(
            *attempts, impatient.accept(acceptance(snapshot, "t9")), return_exceptions=True
        )
        assert await loaded(impatient, ada) == snapshot, "reading goes on"

    assert {type(outcome) for outcome in outcomes} == {StoreUnavailable}
    assert "locked" not in str(outcomes[0])
    assert "Another process is writing" in str(outcomes[0])
    [result] = await impatient.commit([turn_on(snapshot, "t1")])
    assert isinstance(result, Committed)


async def test_a_lock_that_is_let_go_in_time_is_waited_for(path: Path) -> None:
    store = SqliteStore(path, busy_timeout=30)
    await store.start()
    ada = await someone(store)
    other = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")

    committing = asyncio.ensure_future(store.commit([turn_on(fresh(ada), "t1")]))
    # The event loop is not blocked: it answers a read while the writer waits.
    assert await store.person(ada.id) == ada
    assert not committing.done()
    other.execute("ROLLBACK")

    assert isinstance((await committing)[0], Committed)
    other.close()
    await store.close()


async def test_a_full_disk_is_unavailable_and_what_was_committed_stays(path: Path) -> None:
    store = SqliteStore(path)
    await store.start()
    ada = await someone(store)
    snapshot = await opened(store, ada)
    big = turn_on(snapshot, "big", decision='"' + "x" * 500_000 + '"')
    pages = await store.write(lambda conn: conn.exec_driver_sql("PRAGMA page_count").scalar_one())
    await store.write(lambda conn: conn.exec_driver_sql(f"PRAGMA max_page_count = {pages + 5}").all())

    with pytest.raises(StoreUnavailable, match="no space left"):
        await store.commit([big])
    assert await loaded(store, ada) == snapshot
    assert await store.turn(ada.id, "big") is None
    await store.write(lambda conn: conn.exec_driver_sql("PRAGMA max_page_count = 1000000").all())

    assert isinstance((await store.commit([big]))[0], Committed)
    await store.close()
    assert integrity(path) == "ok"


async def test_turns_that_wait_are_committed_in_one_transaction(path: Path) -> None:
    store = SqliteStore(path)
    await store.start()
    ada = await someone(store)
    commits: list[str] = []

    def count(conn: object) -> None:
        if threading.current_thread().name.startswith("softrail-write"):
            commits.append("one")

    event.listen(Engine, "commit", count)
    try:
        free = threading.Event()
        busy = asyncio.ensure_future(store.write(lambda conn: free.wait(3)))
        lists = [
            asyncio.ensure_future(store.commit([turn_on(fresh(ada, f"s{n}"), f"t{n}")])) for n in range(40)
        ]
        accepting = asyncio.ensure_future(store.accept(acceptance(fresh(ada, "other"), "t-other")))
        await store.person(ada.id)  # by the time this is answered, all of them stand in the queue
        free.set()
        results = [result for results in await asyncio.gather(*lists) for result in results]
    finally:
        event.remove(Engine, "commit", count)

    assert await busy
    assert {type(result) for result in results} == {Committed}
    assert isinstance(await accepting, Accepted)
    assert len(commits) <= 2
    await store.close()


async def test_a_write_that_fails_spoils_no_turn_that_waits_with_it(path: Path) -> None:
    store = SqliteStore(path)
    await store.start()
    ada = await someone(store)

    def fails(conn: object) -> None:
        raise ZeroDivisionError

    good, bad = await asyncio.gather(
        store.commit([turn_on(fresh(ada), "t1")]), store.write(fails), return_exceptions=True
    )

    assert isinstance(bad, ZeroDivisionError)
    assert isinstance(good, list)
    assert isinstance(good[0], Committed)
    assert (await loaded(store, ada)).session.rev == 1
    await store.close()


async def test_what_a_caller_gave_up_on_is_written_all_the_same(path: Path) -> None:
    store = SqliteStore(path)
    await store.start()
    ada = await someone(store)
    free = threading.Event()
    busy = asyncio.ensure_future(store.write(lambda conn: free.wait(3)))
    given_up = asyncio.ensure_future(store.commit([turn_on(fresh(ada), "t1")]))
    await store.person(ada.id)
    given_up.cancel()
    free.set()
    await busy

    await store.close()
    again = SqliteStore(path)
    await again.start()
    assert await again.turn(ada.id, "t1") == row(fresh(ada), "t1")
    await again.close()


async def test_two_stores_that_start_at_once_on_a_new_file_both_start(path: Path) -> None:
    stores = [SqliteStore(path) for _ in range(4)]

    await asyncio.gather(*(store.start() for store in stores))

    ada = await someone(stores[0])
    assert await stores[3].person(ada.id) == ada
    for store in stores:
        await store.close()
    assert integrity(path) == "ok"


async def test_a_closed_store_says_so_and_starts_again(path: Path) -> None:
    store = SqliteStore(path)
    with pytest.raises(StoreUnavailable, match="not started"):
        await store.check()
    await store.start()
    await store.close()
    with pytest.raises(StoreUnavailable):
        await store.check()

    await store.start()
    await store.check()
    await store.close()


@pytest.mark.parametrize(
    ("url", "says"),
    [
        pytest.param("sqlite:///{}/none/x.db", "does not exist", id="no folder"),
        pytest.param("sqlite:///{}", "is a folder", id="a folder"),
        pytest.param("sqlite:///{}/text.db", "is not a SQLite database", id="not a database"),
    ],
)
async def test_a_file_that_cannot_be_used_stops_the_start_with_one_sentence(
    tmp_path: Path, url: str, says: str
) -> None:
    (tmp_path / "text.db").write_text("This is a letter. " * 100)
    store = open_store(url.format(tmp_path))

    with pytest.raises(StoreUnavailable, match=says) as caught:
        await store.start()

    assert "\n" not in str(caught.value)


async def test_a_file_that_may_only_be_read_stops_the_start(path: Path) -> None:
    sqlite3.connect(path).close()
    uri = f"file:{path}?mode=ro"
    raw = sqlite3.connect(uri, uri=True)
    with pytest.raises(sqlite3.OperationalError) as caught:
        raw.execute("CREATE TABLE x (y)")
    raw.close()

    said = sqlite_start_fault(caught.value, path)

    assert str(path) in str(said)
    assert "cannot be opened for writing" in str(said)


@pytest.mark.parametrize("url", ["mysql://u@h/d", "what is this", "sqlite+nothing"], ids=str)
def test_a_url_of_no_known_database_is_refused(url: str) -> None:
    with pytest.raises(StoreUnavailable, match="sqlite:///FILE"):
        open_store(url)


def test_a_url_without_a_file_is_a_store_in_memory() -> None:
    assert isinstance(open_store("sqlite://"), MemoryStore)


async def test_durability_is_what_was_asked_for(path: Path) -> None:
    found = []
    for durability in ("full", "normal"):
        store = open_store(f"sqlite:///{path}", durability=durability)
        await store.start()
        found.append(
            await store.write(
                lambda conn: [
                    conn.exec_driver_sql(f"PRAGMA {name}").scalar()
                    for name in ("journal_mode", "synchronous")
                ]
            )
        )
        await store.close()

    assert found == [["wal", 2], ["wal", 1]]


async def test_the_path_of_a_turn_reads_no_whole_table(path: Path) -> None:
    store = SqliteStore(path, pool_size=1)
    await store.start()
    ada = await someone(store)
    await opened(store, ada)
    texts: list[str] = []
    raws = [await look(lambda conn: conn.connection.driver_connection) for look in (store.read, store.glance)]
    for raw in raws:
        assert raw is not None
        raw.set_trace_callback(texts.append)
    await store.load(ada, "s1", "t1")
    await store.items(ada.id, session_id="s1", after=1)
    await store.due(AT, 10)
    for raw in raws:
        assert raw is not None
        raw.set_trace_callback(None)
    await store.close()

    selects = {text for text in texts if text.startswith("SELECT")}
    with sqlite3.connect(path) as other:
        plans = [str(plan[3]) for text in selects for plan in other.execute(f"EXPLAIN QUERY PLAN {text}")]
    other.close()
    assert [plan for plan in plans if plan.startswith("SCAN") and "CONSTANT" not in plan] == []
    assert len(selects) >= 3


def test_an_event_loop_that_ended_early_does_not_end_the_writer(path: Path) -> None:
    store = SqliteStore(path)
    free = threading.Event()

    async def give_up() -> None:
        await store.start()
        writing = asyncio.ensure_future(
            store.write(lambda conn: free.wait(1))
        )  # closing the loop waits for it
        await store.check()  # by now the writer is at it
        writing.cancel()

    async def go_on() -> bool:
        ada = await someone(store)
        [result] = await store.commit([turn_on(fresh(ada), "t1")])
        await store.close()
        return isinstance(result, Committed)

    asyncio.run(give_up())
    free.set()
    assert asyncio.run(go_on())


async def test_a_turn_that_is_alone_is_committed_without_a_thread(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite_store, "QUICK", math.inf)  # however slow this machine is
    store = SqliteStore(path)
    await store.start()
    ada = await someone(store)
    snapshot = await opened(store, ada)

    with pytest.raises(StopIteration) as ended:  # it has nothing to wait for
        store.commit([turn_on(snapshot, "t1", alone=True)]).send(None)
    assert isinstance(ended.value.value[0], Committed)
    assert (await store.turn(ada.id, "t1")) is not None

    [again] = await store.commit([turn_on(snapshot, "t1", alone=True)])
    assert isinstance(again, Seen)
    other = await opened(store, ada, session_id="another")
    [elsewhere] = await store.commit([turn_on(other, "t1", alone=True)])
    assert isinstance(elsewhere, Seen), "what clashes is resolved as for any other turn"
    [refused] = await store.commit([turn_on(other, "half of a pair: \ud800", alone=True)])
    assert isinstance(refused, Refused), "and so is what cannot be kept"
    [good] = await store.commit([turn_on(other, "t2", alone=True)])
    assert isinstance(good, Committed)
    await store.close()


async def test_a_turn_that_is_alone_waits_for_whoever_writes_and_not_on_the_event_loop(path: Path) -> None:
    store = SqliteStore(path, busy_timeout=30)
    await store.start()
    snapshot = await opened(store, await someone(store))

    with writing_elsewhere(path):
        committing = asyncio.ensure_future(store.commit([turn_on(snapshot, "t1", alone=True)]))
        await asyncio.sleep(0)
        assert not committing.done()

    [result] = await committing
    assert isinstance(result, Committed)
    await store.close()


async def test_an_instance_that_stays_in_its_place_changes_no_index(path: Path) -> None:
    store = SqliteStore(path)
    await store.start()
    ada = await someone(store)

    async def pages(turn_id: str, *, step: str) -> int:
        """How many pages a turn writes that brings the instance to that step; none where it is there already."""
        snapshot = await loaded(store, ada)
        [held] = snapshot.instances
        changed = (held.evolve(step=step),) if held.step != step else ()
        before = log.stat().st_size
        [result] = await store.commit([turn_on(snapshot, turn_id, instances=changed)])
        assert isinstance(result, Committed)
        return (log.stat().st_size - before) // 1024

    log = path.with_name(f"{path.name}-wal")
    await opened(store, ada, instances=(running(fresh(ada), step="first"),))
    alone = await pages("t1", step="first")
    assert await pages("t2", step="second") <= alone + 2, (
        "the page of the instance, and one that a table grows by"
    )
    await store.close()


async def test_what_is_put_in_while_the_loop_goes_on_is_written_together(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = SqliteStore(path)
    await store.start()
    people = [await someone(store, f"p{n}") for n in range(8)]
    together: list[int] = []
    real = commit_turns

    def counting(conn: Any, commits: Sequence[TurnCommit], handlers: Any) -> list[CommitResult]:
        together.append(len(commits))
        return real(conn, commits, handlers)

    monkeypatch.setattr(sqlite_store, "commit_turns", counting)
    monkeypatch.setattr(threads, "GATHER", 60.0)

    async def passing(n: int) -> Sequence[CommitResult]:
        for _ in range(n):  # each is ready a pass of the loop after the one before
            await asyncio.sleep(0)
        return await store.commit([turn_on(fresh(people[n], f"s{n}"), f"t{n}")])

    done = await asyncio.gather(*(passing(n) for n in range(8)))

    assert all(isinstance(result, Committed) for [result] in done)
    assert together == [8]
    await store.close()


async def test_what_was_put_in_before_the_store_closed_is_written(path: Path) -> None:
    store = SqliteStore(path)
    await store.start()
    ada = await someone(store)

    committing = asyncio.ensure_future(store.commit([turn_on(fresh(ada), "t1")]))
    await asyncio.sleep(0)
    await store.close()

    assert isinstance((await committing)[0], Committed)
