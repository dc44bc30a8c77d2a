"""A turn that is committed while no other is under way takes a shorter way, and every promise holds on it."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import text

from softrail.core.commits import CommitResult, Committed, Moved, Seen, TurnCommit
from softrail.core.instances import State
from softrail.core.ports import Store
from softrail.store import SqliteStore, SqlStore
from softrail.store.lone import fits
from softrail.store.postgres import PostgresStore
from softrail.testing.contracts.leases import LeaseContract
from softrail.testing.contracts.moves import InstanceContract
from softrail.testing.contracts.turns import CommitContract, OnceContract
from softrail.testing.contracts.values import (
    MakeStore,
    acceptance,
    fresh,
    loaded,
    opened,
    running,
    someone,
    turn_on,
)
from tests.making_stores import making
from tests.sqlite_file import with_tables


class LoneSqlite(SqliteStore):
    """Told of each turn that comes by itself that no other is under way, as a worker with one busy session does it."""

    async def commit(self, commits: Sequence[TurnCommit]) -> Sequence[CommitResult]:
        return await super().commit(told(commits))


class LonePostgres(PostgresStore):
    """The same."""

    async def commit(self, commits: Sequence[TurnCommit]) -> Sequence[CommitResult]:
        return await super().commit(told(commits))


def told(commits: Sequence[TurnCommit]) -> Sequence[TurnCommit]:
    """The turns, each alone where there is one."""
    return [replace(one, alone=len(commits) == 1) for one in commits]


@pytest.fixture
async def store(make_store: MakeStore) -> Store:
    return await make_store()


class LoneTurns(CommitContract, OnceContract, LeaseContract, InstanceContract):
    """What every store promises of a turn, and what the shorter way must not leave behind."""

    async def test_an_instance_that_has_changed_since_it_was_read_keeps_the_whole_turn_away(
        self, store: SqlStore
    ) -> None:
        ada = await someone(store)
        snapshot = await opened(store, ada)
        await store.commit([turn_on(snapshot, "t1", instances=[running(snapshot)])])
        before = await loaded(store, ada)
        [instance] = before.instances
        await store.write(lambda conn: conn.execute(text("UPDATE instances SET rev = rev + 1")))

        late = turn_on(before, "t2", instances=[instance.evolve(step="elsewhere")])
        assert fits(late)
        [result] = await store.commit([late])

        assert isinstance(result, Moved)
        after = await loaded(store, ada)
        assert after.session == before.session
        assert after.instances[0].step == instance.step
        assert await store.turn(ada.id, "t2") is None

    async def test_an_instance_that_gives_the_session_up_without_a_move_is_saved_all_the_same(
        self, store: SqlStore
    ) -> None:
        ada = await someone(store)
        snapshot = await opened(store, ada)
        await store.commit([turn_on(snapshot, "t1", instances=[running(snapshot)])])
        before = await loaded(store, ada)

        freed = before.instances[0].evolve(holds=False)
        [result] = await store.commit([turn_on(before, "t2", instances=[freed])])

        assert isinstance(result, Committed)
        assert (await loaded(store, ada)).holder is None

    async def test_many_answers_in_a_row_are_all_kept(self, store: SqlStore) -> None:
        ada = await someone(store)
        snapshot = await opened(store, ada)
        await store.commit([turn_on(snapshot, "t0", instances=[running(snapshot)])])
        for n in range(1, 6):
            snapshot = await loaded(store, ada)
            answered = snapshot.instances[0].evolve(data=f'{{"n": {n}}}', step=f"step {n}")
            [result] = await store.commit([turn_on(snapshot, f"t{n}", instances=[answered])])
            assert result == Committed(
                seq=snapshot.session.next_seq,
                rev=snapshot.session.rev + 1,
                reply=f'{{"companion_message": "t{n} is answered"}}',
            )

        after = await loaded(store, ada)
        assert (after.instances[0].data, after.instances[0].state) == ('{"n": 5}', State.ACTIVE)
        assert after.session.next_seq == 15
        kept = await store.decisions(ada.id, "s1")
        assert [body for _, body in kept][-5:] == [f'{{"of": "t{n}"}}' for n in range(1, 6)]

    async def test_a_turn_that_was_said_before_is_answered_as_it_was(self, store: SqlStore) -> None:
        ada = await someone(store)
        snapshot = await opened(store, ada)
        await store.commit([turn_on(snapshot, "t1")])
        elsewhere = await opened(store, ada, "s2")

        for again in (await loaded(store, ada), elsewhere):
            [result] = await store.commit([turn_on(again, "t1")])
            assert isinstance(result, Seen)
            assert result.turn.session_id == "s1"
        assert (await loaded(store, ada)).session.rev == 2

    async def test_a_turn_does_not_overtake_one_that_waits(self, store: SqlStore) -> None:
        ada = await someone(store)
        snapshot = await opened(store, ada)
        await store.accept(acceptance(snapshot, "t1", take=False))

        [result] = await store.commit([turn_on(snapshot, "t2")])

        assert isinstance(result, Moved)

    async def test_nobody_writes_into_the_session_of_another(self, store: SqlStore) -> None:
        ada, tom = await someone(store), await someone(store, "tom")
        snapshot = await opened(store, ada)

        theirs = replace(snapshot, person=tom, session=snapshot.session.evolve(person_id=tom.id))
        [result] = await store.commit([turn_on(theirs, "t2")])

        assert result == Moved(revision=None)
        assert await store.turn(tom.id, "t2") is None

    async def test_what_opens_a_session_takes_the_usual_way(self, store: SqlStore) -> None:
        ada = await someone(store)
        assert not fits(turn_on(fresh(ada), "t1"))
        [result] = await store.commit([turn_on(fresh(ada), "t1")])
        assert isinstance(result, Committed)


class TestLoneTurnsInAFile(LoneTurns):
    @pytest.fixture
    async def make_store(self, tmp_path: Path) -> AsyncIterator[MakeStore]:
        async with making(
            lambda handlers: LoneSqlite(with_tables(tmp_path / "softrail.db"), effect_handlers=handlers)
        ) as make:
            yield make


class TestLoneTurnsInPostgres(LoneTurns):
    @pytest.fixture
    async def make_store(self, empty_postgres_url: str) -> AsyncIterator[MakeStore]:
        async with making(
            lambda handlers: LonePostgres(empty_postgres_url, pool_size=4, effect_handlers=handlers)
        ) as make:
            yield make
