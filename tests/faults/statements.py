"""A process that ends between two statements of a write: each in turn, and before the COMMIT.

What a store does is cut where it talks to its database. From the chosen statement on nothing reaches it any more, and
the transaction that was open is rolled back, as a database does when whoever opened it is gone.
"""

from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import Engine, event, insert, select

from softrail.core.commits import Accepted, Committed, Taken, TurnCommit
from softrail.core.effects import Effect, Forget, Record
from softrail.core.instances import State, Transition, Trigger
from softrail.core.ports import EffectTransaction
from softrail.store import SqlStore, erasing, sqlite
from softrail.store.at_hand import AtHand, Elsewhere
from softrail.store.statements import Statement
from softrail.store.tables import facts, metadata
from softrail.testing.contracts.outbox import mail
from softrail.testing.contracts.values import (
    AT,
    acceptance,
    answer_to,
    fresh,
    loaded,
    opened,
    own_item,
    row,
    running,
    someone,
    started,
    turn_on,
)

Write = Callable[[], Awaitable[object]]
Prepare = Callable[[SqlStore], Awaitable[Write]]
WRITES: dict[str, Prepare] = {}


FEWEST = {"an answer that is alone": 2}  #: points of a write; on PostgreSQL it is one statement

NOTED = "noted"  #: the kind of an effect whose handler writes rows


def noted(tx: EffectTransaction, effect: Effect) -> str:
    """Two rows, as a plugin may write into tables of its own."""
    for half in ("a", "b"):
        tx.execute(insert(facts).values(name=f"{effect.payload['name']} {half}", value="there"))
    return str(effect.payload["name"])


class Ended(Exception):
    """This process is no more."""


class Points:
    """Counts the statements that reach the database, and ends the process at one of them."""

    def __init__(self) -> None:
        self.at = 0  #: which of them is the first that is not run; 0: none
        self.seen = 0
        self.ended = False

    @contextmanager
    def ending(self, at: int) -> Iterator[None]:
        """Within the block the process ends before that statement."""
        self.at, self.seen, self.ended = at, 0, False
        try:
            yield
        finally:
            self.at = 0

    def reached(self) -> None:
        """A statement is about to be run."""
        if self.at == 0:
            return
        self.seen += 1
        if self.seen >= self.at:
            self.ended = True
            raise Ended


@contextmanager
def watched() -> Iterator[Points]:
    """Within the block every statement of every store is a point."""
    points = Points()

    def before_statement(*_: Any) -> None:
        points.reached()

    def counted(method: Callable[..., Any]) -> Callable[..., Any]:
        def run(*args: Any) -> Any:
            points.reached()
            return method(*args)

        return run

    transaction = AtHand._transaction

    def cut_at_its_end(self: AtHand, begin: str, fn: Any, end: Callable[[Any], None]) -> Any:
        def ending(raw: Any) -> None:
            points.reached()
            end(raw)

        return transaction(self, begin, fn, ending)

    events = ("before_cursor_execute", "commit")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(AtHand, "_transaction", cut_at_its_end)  # it says COMMIT to the driver itself
        for name in ("rows", "each", "said"):  # these go past SQLAlchemy's events
            patch.setattr(Statement, name, counted(getattr(Statement, name)))
        for name in events:
            event.listen(Engine, name, before_statement)
        try:
            yield points
        finally:
            for name in events:
                event.remove(Engine, name, before_statement)


async def contents(store: SqlStore) -> Mapping[str, Sequence[Any]]:
    """Every row of every table."""
    return await store.read(
        lambda conn: {
            table.name: sorted(tuple(found) for found in conn.execute(select(table)))
            for table in metadata.sorted_tables
        }
    )


async def half_done(store: SqlStore, name: str) -> list[str]:
    """What a write leaves half done, wherever it is cut: a sentence each. At last it is made in full."""
    wrong, at = list[str](), 0
    write = await WRITES[name](store)
    before = await contents(store)
    with watched() as points:
        while True:
            at += 1
            with points.ending(at), suppress(Ended):
                await write()
            found = await contents(store)
            if not points.ended:
                break
            torn = [table for table in before if found[table] != before[table]]
            if torn:
                wrong.append(f"cut before statement {at}, {name} has changed {', '.join(torn)} alone")
                break
    if at < FEWEST.get(name, 4):
        wrong.append(f"{name} was over after {at - 1} statements")
    if not wrong and found == before:
        wrong.append(f"{name} has written nothing")
    return wrong


def write(prepare: Prepare) -> Prepare:
    """Makes a function one of the writes."""
    WRITES[prepare.__name__.replace("_", " ")] = prepare
    return prepare


@write
async def a_turn_that_changes_everything(store: SqlStore) -> Write:
    ada = await someone(store)
    first, old = running(fresh(ada)), Record("old", {"n": 1}, key="old")
    snapshot = await opened(store, ada, instances=[first], transitions=[started(first)], effects=[old])
    [here] = snapshot.instances
    ended = here.evolve(state=State.COMPLETED, holds=False, moves=2)
    second = running(snapshot, "i2")
    done = Transition(
        instance_id=here.id,
        n=2,
        trigger=Trigger.COMPLETE,
        source=State.ACTIVE,
        dest=State.COMPLETED,
        session_id="s1",
        seq=snapshot.session.next_seq,
        at=AT,
        process=here.process,
        step=here.step,
    )
    commit = turn_on(
        snapshot,
        "t1",
        instances=[ended, second],
        transitions=[done, started(second)],
        effects=[Record("kept", {"n": 2}, key="k"), Forget("old", "old"), mail()],
    )
    return lambda: store.commit([commit])


@write
async def a_first_turn(store: SqlStore) -> Write:
    ada = await someone(store)
    commit = turn_on(fresh(ada), "t1", instances=[running(fresh(ada))], effects=[mail()])
    return lambda: store.commit([commit])


@write
async def two_turns_at_once(store: SqlStore) -> Write:
    ada = await someone(store)
    both = [turn_on(await opened(store, ada, s), f"t-{s}", effects=[mail()]) for s in ("s1", "s2")]
    return lambda: store.commit(both)


@write
async def a_turn_that_is_alone(store: SqlStore) -> Write:
    """On a file the event loop commits it by itself, over a connection of its own."""
    snapshot = await opened(store, await someone(store))
    first = running(snapshot)
    commit = turn_on(snapshot, "t1", instances=[first], transitions=[started(first)], alone=True)
    return _by_the_loop(store, commit)


def _by_the_loop(store: SqlStore, commit: TurnCommit) -> Write:
    async def committed() -> None:
        if isinstance(store._own, sqlite._Threads):
            with suppress(Elsewhere):  # what a thread would do then is cut in the other writes
                store._own._commit_here(commit)
        else:
            await store.commit([commit])

    return committed


@write
async def an_answer_that_is_alone(store: SqlStore) -> Write:
    """The rows of most turns: what they were computed from is saved where it is, and the driver itself is spoken to."""
    ada = await someone(store)
    await store.commit([turn_on(before := await opened(store, ada), "t1", instances=[running(before)])])
    snapshot = await loaded(store, ada)
    answered = snapshot.instances[0].evolve(step="further")
    commit = turn_on(snapshot, "t2", instances=[answered], alone=True)
    return _by_the_loop(store, commit)


@write
async def a_turn_whose_effect_writes_rows_of_its_own(store: SqlStore) -> Write:
    snapshot = await opened(store, await someone(store))
    effects = [Effect(kind=NOTED, summary="Noted", payload={"name": n}) for n in ("one", "other")]
    commit = turn_on(snapshot, "t1", effects=[*effects, Record("kept", {"n": 1}, key="k")])
    return lambda: store.commit([commit])


@write
async def an_item_of_its_own(store: SqlStore) -> Write:
    snapshot = await opened(store, await someone(store))
    commit = own_item(snapshot, "plan:7:done", effects=[Record("plan", {"done": True}, key="7")])
    return lambda: store.commit([commit])


@write
async def an_acceptance(store: SqlStore) -> Write:
    ada = await someone(store)
    accepted = acceptance(await opened(store, ada), "t1")
    return lambda: store.accept(accepted)


@write
async def the_answer_to_an_accepted_turn(store: SqlStore) -> Write:
    ada = await someone(store)
    await store.beat("w1", 0)
    snapshot = await opened(store, ada)
    assert isinstance(await store.accept(acceptance(snapshot, "t1")), Accepted)
    commit = answer_to(snapshot, row(snapshot, "t1"), 1, effects=[Record("kept", {"n": 1}, key="k"), mail()])
    return lambda: store.commit([commit])


@write
async def taking_over_from_a_dead_worker(store: SqlStore) -> Write:
    ada = await someone(store)
    for worker in ("w1", "w2"):
        await store.beat(worker, 0)
    await store.accept(acceptance(await opened(store, ada), "t1"))
    await store.remove_worker("w1")

    async def take() -> None:
        assert isinstance(await store.take("s1", "w2"), Taken)

    return take


@write
async def trying_again_what_was_given_up(store: SqlStore) -> Write:
    ada = await someone(store)
    await store.beat("w1", 0)
    snapshot = await opened(store, ada)
    await store.accept(acceptance(snapshot, "t1"))
    [result] = await store.commit([answer_to(snapshot, row(snapshot, "t1"), 1, status="failed")])
    assert isinstance(result, Committed)
    return lambda: store.reopen(ada.id, "t1")


@write
async def packing_old_turns(store: SqlStore) -> Write:
    ada = await someone(store)
    snapshot = await opened(store, ada, effects=[Record("kept", {"n": 1}, key="k"), mail()])
    await store.commit([turn_on(snapshot, "t1")])
    return lambda: store.archive("s1", AT + timedelta(days=1))


@write
async def erasing_a_session(store: SqlStore) -> Write:
    ada = await someone(store)
    first = running(fresh(ada))
    await opened(store, ada, instances=[first], transitions=[started(first)], effects=[mail()])
    await opened(store, ada, "s2")
    return lambda: store.write(lambda conn: erasing.delete_session(conn, ada.id, "s1", ()))


@write
async def erasing_a_person(store: SqlStore) -> Write:
    ada = await someone(store)
    snapshot = await opened(store, ada, effects=[Record("kept", {"n": 1}, key="k"), mail()])
    await store.commit([replace(turn_on(snapshot, "t1"), instances=(running(snapshot),))])
    await loaded(store, ada)
    return lambda: store.write(lambda conn: erasing.delete_person(conn, ada.id, ()))
