"""PostgreSQL under trouble: connections cut at any moment, nobody there, rows that others want."""

import asyncio
import selectors
from collections.abc import AsyncIterator, Callable, Iterator

import asyncpg
import pytest
from sqlalchemy import Connection, Engine, event

from softrail.core.commits import Accepted, Committed, Taken
from softrail.core.effects import Effect, Record
from softrail.core.errors import StoreUnavailable
from softrail.core.ports import EffectTransaction
from softrail.store.postgres import PostgresStore
from softrail.testing.contracts.values import acceptance, fresh, loaded, opened, someone, turn_on
from tests.postgres import run_sql

CUT_MINE = "SELECT pg_terminate_backend(pg_backend_pid())"
CUT_OTHERS = (
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
    "WHERE datname = current_database() AND pid <> pg_backend_pid()"
)


@pytest.fixture
async def store(empty_postgres_url: str) -> AsyncIterator[PostgresStore]:
    store = PostgresStore(empty_postgres_url, pool_size=4)
    await store.start()
    yield store
    await store.close()


@pytest.fixture
def at_commit() -> Iterator[Callable[..., None]]:
    """Runs SQL once, in the place of the next COMMIT or before it."""
    todo: list[list[str]] = []

    def before_commit(conn: Connection) -> None:
        if todo:
            for statement in todo.pop():
                conn.exec_driver_sql(statement)

    event.listen(Engine, "commit", before_commit)
    yield lambda *statements: todo.append(list(statements))
    event.remove(Engine, "commit", before_commit)
    assert not todo, "the commit that was waited for never came"


@pytest.mark.parametrize(
    "cut", [pytest.param([CUT_MINE], id="before"), pytest.param(["COMMIT", CUT_MINE], id="after")]
)
async def test_a_turn_whose_commit_lost_its_connection_is_committed_exactly_once(
    store: PostgresStore, at_commit: Callable[..., None], cut: list[str]
) -> None:
    ada = await someone(store)
    snapshot = await opened(store, ada)
    turn = turn_on(snapshot, "t1", effects=[Record("note", {"text": "once"})])
    at_commit(*cut)

    [result] = await store.commit([turn])

    assert turn.turn is not None
    assert result == Committed(seq=3, rev=2, reply=str(turn.turn.reply))
    assert (await loaded(store, ada)).session.rev == 2
    assert len(await store.list(ada.id, "note")) == 1


async def test_a_turn_that_runs_alone_is_committed_once_when_its_connection_is_lost(
    empty_postgres_url: str, at_commit: Callable[..., None]
) -> None:
    def refuses(tx: EffectTransaction, effect: Effect) -> str | None:
        raise ValueError("no")

    store = PostgresStore(empty_postgres_url, effect_handlers={"x": refuses})
    await store.start()
    ada = await someone(store)
    refused = turn_on(fresh(ada, "s1"), "t1", effects=[Effect(kind="x", summary="")])
    at_commit("COMMIT", CUT_MINE)

    # They fail together, so each runs alone; the one that can commit then loses its connection.
    results = await store.commit([refused, turn_on(fresh(ada, "s2"), "t2")])

    assert [type(result).__name__ for result in results] == ["Refused", "Committed"]
    assert (await loaded(store, ada, "s2")).session.rev == 1
    await store.close()


@pytest.mark.parametrize(
    "cut", [pytest.param([CUT_MINE], id="before"), pytest.param(["COMMIT", CUT_MINE], id="after")]
)
async def test_an_acceptance_that_lost_its_connection_has_one_number_and_its_hold(
    store: PostgresStore, at_commit: Callable[..., None], cut: list[str]
) -> None:
    ada = await someone(store)
    snapshot = await opened(store, ada)
    at_commit(*cut)

    assert await store.accept(acceptance(snapshot, "t1")) == Accepted(seq=3, fence=1)

    session = (await loaded(store, ada)).session
    assert (session.waiting, session.next_seq, session.fence) == (1, 5, 1)


async def test_a_hold_whose_answer_was_lost_is_still_ours(
    store: PostgresStore, at_commit: Callable[..., None]
) -> None:
    ada = await someone(store)
    await store.beat("w1", 0)
    await opened(store, ada)
    at_commit("COMMIT", CUT_MINE)

    taken = await store.take("s1", "w1")

    assert isinstance(taken, Taken)
    assert taken.fence == (await loaded(store, ada)).session.fence


async def test_the_pool_recovers_when_every_connection_was_cut(
    store: PostgresStore, empty_postgres_url: str
) -> None:
    ada = await someone(store)
    snapshots = [await opened(store, ada, f"s{n}") for n in range(8)]
    for round_ in range(3):
        await asyncio.gather(*(store.person(ada.id) for _ in range(8)))  # the pool is full
        await run_sql(empty_postgres_url, CUT_OTHERS)

        lists = await asyncio.gather(
            *(store.commit([turn_on(snapshots[n], f"t{n}-{round_}")]) for n in range(8))
        )

        assert {type(result) for results in lists for result in results} == {Committed}
        snapshots = [await loaded(store, ada, f"s{n}") for n in range(8)]


class Deaf:
    """The driver's connection, whose answers are lost."""

    def __init__(self, raw: asyncpg.Connection) -> None:
        self._raw = raw

    async def fetchval(self, *said: str | int | None) -> None:
        await self._raw.fetchval(*said)
        raise ConnectionResetError("The wire broke before the answer came.")


async def test_a_turn_that_is_alone_and_whose_answer_is_lost_is_committed_once(store: PostgresStore) -> None:
    ada = await someone(store)
    snapshot = await opened(store, ada)
    at_hand = store._own._at_hand  # type: ignore[attr-defined] # a wire that breaks just then
    at_hand._raw = Deaf(await at_hand._opened())

    [result] = await store.commit([turn_on(snapshot, "t1", alone=True)])

    assert isinstance(result, Committed)
    after = await loaded(store, ada)
    assert (after.session.rev, after.session.next_seq) == (2, 5)
    [again] = await store.commit([turn_on(after, "t2", alone=True)])  # over a new connection
    assert isinstance(again, Committed)


class Slow:
    """The driver's connection, which answers once it may."""

    def __init__(self, raw: asyncpg.Connection) -> None:
        self._raw = raw
        self.may, self.asked = asyncio.Event(), asyncio.Event()

    async def fetchval(self, *said: str | int | None) -> int | None:
        self.asked.set()
        await self.may.wait()
        found: int | None = await self._raw.fetchval(*said)
        return found


async def test_what_comes_while_a_turn_that_is_alone_is_on_its_way_does_not_wait_for_it(
    empty_postgres_url: str,
) -> None:
    store = PostgresStore(empty_postgres_url, pool_size=1)
    await store.start()
    ada = await someone(store)
    snapshots = [await opened(store, ada, f"s{n}") for n in range(2)]
    at_hand = store._own._at_hand  # type: ignore[attr-defined] # a database that takes its time just then
    slow = at_hand._raw = Slow(await at_hand._opened())

    first = asyncio.ensure_future(store.commit([turn_on(snapshots[0], "t0", alone=True)]))
    await slow.asked.wait()
    [result] = await store.commit([turn_on(snapshots[1], "t1", alone=True)])
    assert isinstance(result, Committed)
    assert not first.done()

    slow.may.set()
    assert [type(result) for result in await first] == [Committed]
    await store.close()


async def test_turns_that_are_alone_go_on_when_the_database_has_cut_their_connection(
    store: PostgresStore, empty_postgres_url: str
) -> None:
    ada = await someone(store)
    snapshot = await opened(store, ada)
    for n in range(3):
        [result] = await store.commit([turn_on(snapshot, f"t{n}", alone=True)])
        assert isinstance(result, Committed)
        await run_sql(empty_postgres_url, CUT_OTHERS)
        snapshot = await loaded(store, ada)

    assert snapshot.session.rev == 4


async def test_a_deadlock_is_run_again_and_no_one_hears_of_it(
    store: PostgresStore, empty_postgres_url: str
) -> None:
    ada = await someone(store)
    snapshots = [await opened(store, ada, f"s{n}") for n in range(2)]
    other = await asyncpg.connect(empty_postgres_url)
    await other.execute("SET deadlock_timeout = '1h'")  # the store is the one that gives way
    await other.execute("BEGIN")
    await other.execute("SELECT 1 FROM sessions WHERE id = 's1' FOR UPDATE")

    committing = asyncio.ensure_future(store.commit([turn_on(s, f"t{n}") for n, s in enumerate(snapshots)]))
    while not await other.fetchval("SELECT count(*) FROM pg_locks WHERE NOT granted"):
        assert not committing.done()
    await other.execute("SELECT 1 FROM sessions WHERE id = 's0' FOR UPDATE")
    await other.execute("COMMIT")

    assert [type(result) for result in await committing] == [Committed, Committed]
    await other.close()


async def test_a_server_that_is_not_there_is_unavailable_in_one_sentence(postgres_url: str) -> None:
    store = PostgresStore(postgres_url.replace("host=", "host=/nowhere"))

    with pytest.raises(StoreUnavailable, match="cannot be reached") as caught:
        await store.start()

    assert "/nowhere" not in str(caught.value)
    await store.close()


async def test_a_nul_refuses_its_turn_and_no_other(store: PostgresStore) -> None:
    ada = await someone(store)

    results = await store.commit(
        [turn_on(fresh(ada, "s1"), "t1", decision="a\0b"), turn_on(fresh(ada, "s2"), "t2")]
    )

    assert [type(result).__name__ for result in results] == ["Refused", "Committed"]


async def test_two_hundred_callers_share_two_connections(empty_postgres_url: str) -> None:
    store = PostgresStore(empty_postgres_url, pool_size=2, effect_handlers={"x": lambda tx, effect: None})
    await store.start()
    ada = await someone(store)

    lists = await asyncio.gather(
        *(
            store.commit([turn_on(fresh(ada, f"s{n}"), f"t{n}", effects=[Effect(kind="x", summary="")])])
            for n in range(200)
        )
    )

    assert {type(result) for results in lists for result in results} == {Committed}
    await store.close()


class Counting(selectors.DefaultSelector):
    """Counts how often its event loop came round."""

    rounds = 0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        self.rounds += 1
        return super().select(timeout)


async def test_a_sign_of_life_takes_few_rounds_of_its_event_loop(store: PostgresStore) -> None:
    # In each of them a thread waits until whoever computes gives way: with twenty, half a second on a busy machine.
    await store.beat("w1", 0)
    selector = Counting()

    async def rounds() -> int:
        async with store.beside() as workers:
            await workers.pulse("w1", 1)  # it connects, and the statement is prepared
            before = selector.rounds
            await workers.pulse("w1", 2)
            return selector.rounds - before

    def on_a_thread() -> int:
        with asyncio.Runner(loop_factory=lambda: asyncio.SelectorEventLoop(selector)) as runner:
            return runner.run(rounds())

    assert await asyncio.to_thread(on_a_thread) <= 8
    assert await store.workers() == {"w1": 2}
