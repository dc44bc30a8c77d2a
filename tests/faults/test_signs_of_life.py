"""A busy worker is not a dead one, a start counts when its process is gone, and given up is never final."""

import asyncio
import logging
import sys
import threading
import time
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager

import pytest
from pydantic import BaseModel

from softrail import Done, Process, Record, Turn, step
from softrail.core.clock import now
from softrail.core.commits import Acceptance, Accepted, AcceptResult, Signs, TurnRow
from softrail.core.errors import StoreUnavailable, TurnReused
from softrail.core.ids import TimeOrderedIds
from softrail.core.os_process import tag
from softrail.core.outcomes import Outcome
from softrail.core.people import Person
from softrail.core.turns import Reply, Request
from softrail.dialogue.sentences import SENTENCES
from softrail.store import MemoryStore, open_store
from softrail.store.sqlstore import SqlStore, SqlWorkers
from softrail.testing.contracts.counting import until
from softrail.turns.dispatcher import Dispatcher
from softrail.turns.worker import STUCK, Watch, Worker
from tests.faults.kit import contents, person_of, say, worker

QUICK = {"beat_interval": 0.05, "dead_after": 0.3, "step_limit": 30.0}
#: A beat that waits for a processor longer than that is rare on a machine with five programs for each of its cores.
PATIENT = {**QUICK, "dead_after": 2.0}
LONGER = 2.6  #: seconds without a turn of the event loop


class Computes(Process, name="computes", version=1):
    """Computes; all of pi for longer than a dead worker is waited for, without letting anyone else run."""

    starts_on = ("compute with me",)

    class Data(BaseModel):
        """Nothing."""

    @step(asks="What?", takes_anything=True)
    async def what(self, said: Turn, data: Data) -> Outcome:
        end = time.monotonic() + (LONGER if said.message == "all of pi" else 0.0)
        while time.monotonic() < end:
            pass
        return Done(f"Computed {said.message}.", effects=[Record("computed", {"what": said.message})])


@pytest.fixture
def brisk_threads() -> Iterator[None]:
    """Who computes gives way ten times as often: two workers beat from one process here, which are two processes elsewhere.

    With the usual five milliseconds for every step of a thread, of three that want to go on one may wait for seconds.
    """
    before = sys.getswitchinterval()
    sys.setswitchinterval(before / 10)
    yield
    sys.setswitchinterval(before)


async def beaten(one: Dispatcher) -> bool:
    """Every worker has written a beat or two: its thread has its connection."""
    return min((await one.store.workers()).values()) > 1


@pytest.mark.usefixtures("brisk_threads")
async def test_a_worker_whose_event_loop_is_busy_is_not_buried(
    url: str, caplog: pytest.LogCaptureFixture
) -> None:
    async with (
        worker(url, Computes, changed=PATIENT) as one,
        worker(url, Computes, changed=PATIENT) as two,
    ):
        person = await person_of(one, "busy")
        session = (await say(one, person, "compute with me")).session_id
        await until(lambda: beaten(one))
        before = set(await one.store.workers())

        reply = await say(one, person, "all of pi", session_id=session, turn_id="pi")

        assert reply.companion_message == "Computed all of pi."
        await say(two, person, "hello", session_id=session)
        assert set(await one.store.workers()) == before == {one.worker.id, two.worker.id}
        row = await one.store.turn(person.id, "pi")
        assert row is not None
        assert row.starts <= 1
        assert "declared dead" not in caplog.text
        assert len(await one.store.list(person.id, "computed")) == 1


class Spins(Process, name="spins", version=1):
    """Lets nobody else run until it is told, or half a minute is over."""

    starts_on = ("spin with me",)

    def __init__(self, told: threading.Event) -> None:
        self.told = told

    class Data(BaseModel):
        """Nothing."""

    @step()
    async def spins(self, said: Turn, data: Data) -> Done:
        self.told.wait(30.0)
        return Done("Spun.", effects=[Record("spun", {})])


def told_of_acceptances(store: SqlStore, accepted: list[AcceptResult], told: threading.Event) -> SqlStore:
    """That store, which says when another thread than the event loop's has had a turn accepted."""
    beside = store.beside

    @asynccontextmanager
    async def watched() -> AsyncIterator[SqlWorkers]:
        async with beside() as workers:
            accept = workers.accept

            async def accepts(acceptance: Acceptance) -> AcceptResult:
                accepted.append(await accept(acceptance))
                told.set()
                return accepted[-1]

            workers.accept = accepts  # type: ignore[method-assign]  # it is this one's alone
            yield workers

    store.beside = watched  # type: ignore[method-assign]
    return store


async def test_a_turn_that_holds_the_event_loop_is_written_down_meanwhile_and_runs_once(url: str) -> None:
    told, accepted = threading.Event(), list[AcceptResult]()
    store = told_of_acceptances(open_store(url), accepted, told)
    # On a busy machine the loop may come round once more before the step holds it, and write the turn down itself.
    changed = {**QUICK, "accept_after": 30.0}
    async with worker(url, Spins, changed=changed, store=store, services={threading.Event: told}) as one:
        person = await person_of(one, "held")

        reply = await say(one, person, "spin with me", turn_id="held")

        assert (reply.companion_message, accepted) == ("Spun.", [Accepted(seq=1, fence=1)])
        row = await one.store.turn(person.id, "held")
        assert row is not None
        assert (row.starts, row.begun_by, row.status) == (1, (one.worker.id,), "committed")
        assert len(await one.store.list(person.id, "spun")) == 1
        assert (await say(one, person, "/help", session_id=reply.session_id)).seq == 3  # its session is free


async def ended_twice(one: Dispatcher, person: Person, session: str, request: Request) -> None:
    """Have a turn accepted, and two processes end while they run it."""
    loaded = await one.store.load(person, session)
    assert loaded.snapshot is not None
    turn = TurnRow(
        session_id=session,
        seq=0,
        person_id=person.id,
        turn_id=request.turn_id or "",
        hash=request.hash,
        request=request.model_dump_json(),
        accepted_at=now(),
    )
    acceptance = Acceptance(turn=turn, session=loaded.snapshot.session, worker="gone-1")
    assert isinstance(await one.store.accept(acceptance), Accepted)
    await one.store.take(session, "gone-2")


async def test_a_turn_that_was_given_up_gets_its_reply_when_it_is_sent_again(url: str) -> None:
    async with worker(url, Computes, changed=PATIENT) as one:
        person = await person_of(one, "given-up")
        session = (await say(one, person, "compute with me")).session_id
        request = Request(message="pi", session_id=session, turn_id="killer")
        await ended_twice(one, person, session, request)

        given_up = Reply.model_validate_json(await one.converse(request, person))
        assert given_up.companion_message == SENTENCES["gave_up"]
        assert await one.store.list(person.id, "computed") == []
        await say(one, person, "/help", session_id=session)  # it blocks nobody

        with pytest.raises(TurnReused):
            await one.converse(request.model_copy(update={"message": "another"}), person)
        again = await one.converse(request, person)

        assert Reply.model_validate_json(again).companion_message == "Computed pi."
        assert Reply.model_validate_json(again).seq == given_up.seq
        assert await one.converse(request, person) == again
        assert await contents(one, person, session) == ["compute with me", "pi", "/help"]
        assert len(await one.store.list(person.id, "computed")) == 1


def test_silence_is_counted_while_somebody_watches() -> None:
    watch = Watch(2.0, most=1.0)
    assert watch.silent(0.0, {"me": 1, "other": 5}, but="me") == []

    seen = [watch.silent(clock, {"me": 1, "other": 5}, but="me") for clock in (0.5, 1.0, 1.5, 2.0)]

    assert seen == [[], [], [], [("other", 5)]]
    assert watch.silent(2.5, {"other": 6}, but="me") == []
    assert watch.silent(3.0, {}, but="me") == []


def test_who_slept_cannot_tell_whether_the_others_did() -> None:
    watch = Watch(2.0, most=1.0)
    watch.silent(0.0, {"other": 5}, but="me")

    assert watch.silent(60.0, {"other": 5}, but="me") == []
    assert watch.silent(61.0, {"other": 5}, but="me") == [("other", 5)]


class Rows:
    """The rows of workers, kept in a list of what was done to them."""

    def __init__(self) -> None:
        self.beats: list[tuple[str, int]] = []
        self.dead: set[str] = set()

    async def beat(self, worker: str, beat: int) -> bool:
        self.beats.append((worker, beat))
        return worker not in self.dead

    async def pulse(self, worker: str, beat: int) -> Signs:
        registered = await self.beat(worker, beat)
        return Signs(registered=registered, beats={}, leases=await self.leases(worker) if registered else {})

    async def workers(self) -> Mapping[str, int]:
        return {}

    async def leases(self, worker: str) -> Mapping[str, int]:
        raise StoreUnavailable("The database is away.")

    async def remove_worker(self, worker: str, beat: int | None = None, *, leaves: bool = False) -> bool:
        raise AssertionError

    async def accept(self, acceptance: Acceptance) -> AcceptResult:
        raise AssertionError


async def by_hand(one: Worker) -> str:
    """The name of a worker whose thread has ended: the test beats, and nobody beside it."""
    name = await one.ready()
    one._stopping.set()
    assert one._thread is not None
    await asyncio.to_thread(one._thread.join)
    await asyncio.sleep(0)  # the loop comes round, if the thread had asked it to
    return name


async def test_a_worker_that_was_thought_dead_goes_on_under_another_name_of_the_same_process() -> None:
    lost: list[Mapping[str, int]] = []
    one = Worker(
        MemoryStore(),
        TimeOrderedIds(),
        interval=60.0,
        dead_after=2.0,
        lost=lambda _, leases: lost.append(leases),
    )
    rows, first = Rows(), await by_hand(one)
    rows.dead.add(first)

    await one.pulse(rows)
    await asyncio.sleep(0)

    assert one.id == f"{first}/2"
    assert rows.beats[-1] == (one.id, 0)
    assert {} in lost
    await one.stop()


@pytest.mark.skipif(sys.platform != "linux", reason="nobody can tell elsewhere")
async def test_one_whose_process_has_ended_on_this_machine_is_removed_at_the_next_look() -> None:
    store = MemoryStore()
    one = Worker(store, TimeOrderedIds(), interval=60.0, dead_after=600.0, lost=lambda _, leases: None)
    await by_hand(one)
    machine, pid, start = tag().split(".")
    ended, elsewhere = f"ended{machine}.{pid}.{int(start) - 1}", f"elsewhere@another.{pid}.{start}"
    for other in (ended, elsewhere):
        await store.beat(other, 0)

    async with store.beside() as workers:
        await one.pulse(workers)

    assert (await store.workers()).keys() == {one.id, elsewhere}
    await one.stop()


async def test_an_event_loop_that_stands_still_for_long_gives_no_sign_of_life() -> None:
    one = Worker(MemoryStore(), TimeOrderedIds(), interval=60.0, dead_after=0.01, lost=lambda _, leases: None)
    rows = Rows()
    await by_hand(one)
    one._ask(time.monotonic())  # as its thread does with every beat
    end = time.monotonic() + 2 * STUCK * 0.01
    while time.monotonic() < end:
        pass

    await one.pulse(rows)
    assert rows.beats == []

    await asyncio.sleep(0)  # the loop comes round
    with pytest.raises(StoreUnavailable):
        await one.pulse(rows)
    assert len(rows.beats) == 1
    await one.stop()


class FarAway(MemoryStore):
    """To the rows of workers it takes a thread as long as the test wants."""

    def __init__(self) -> None:
        super().__init__()
        self.asked, self.there = threading.Event(), threading.Event()

    @asynccontextmanager
    async def beside(self) -> AsyncIterator[SqlWorkers]:
        self.asked.set()
        self.there.wait()
        async with super().beside() as workers:
            yield workers


async def test_nobody_waits_for_signs_of_life_of_a_worker_that_cannot_give_any_yet() -> None:
    store = FarAway()
    one = Worker(store, TimeOrderedIds(), interval=0.01, dead_after=2.0, lost=lambda _, leases: None)
    ready = asyncio.ensure_future(one.ready())
    try:
        await asyncio.to_thread(store.asked.wait)
        assert await store.workers() == {}
    finally:
        store.there.set()

    assert await ready in await store.workers()
    await one.stop()


class Hung(Rows):
    """Rows of a database that takes a minute to answer, while the event loop is free."""

    def __init__(self, clock: "Clock") -> None:
        super().__init__()
        self.clock = clock

    async def beat(self, worker: str, beat: int) -> bool:
        await asyncio.sleep(0)  # the loop comes round
        self.clock.at += 60.0
        return await super().beat(worker, beat)

    async def leases(self, worker: str) -> Mapping[str, int]:
        return {}


class Clock:
    """Stands still until it is told."""

    at = 1_000.0

    def monotonic(self) -> float:
        return self.at


def test_who_watches_an_event_loop_that_was_closed_ends(caplog: pytest.LogCaptureFixture) -> None:
    async def left_alone() -> Worker:
        one = Worker(
            MemoryStore(), TimeOrderedIds(), interval=0.01, dead_after=2.0, lost=lambda _, leases: None
        )
        await one.ready()
        one.start()
        return one

    one = asyncio.run(left_alone())
    thread = one._thread
    assert thread is not None
    thread.join(30.0)
    assert not thread.is_alive()
    assert [r for r in caplog.records if r.levelno >= logging.ERROR] == []


def test_a_worker_beats_on_one_event_loop_after_the_other() -> None:
    one = Worker(MemoryStore(), TimeOrderedIds(), interval=60.0, dead_after=2.0, lost=lambda _, leases: None)

    async def beats() -> str:
        found = await one.ready()
        await one.stop()
        return found

    assert asyncio.run(beats()) == asyncio.run(beats())


async def test_a_database_that_hangs_or_a_process_that_slept_is_no_event_loop_that_stands_still(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock, ended = Clock(), list[str]()
    monkeypatch.setattr("softrail.turns.worker.time", clock)
    one = Worker(MemoryStore(), TimeOrderedIds(), interval=60.0, dead_after=2.0, lost=lambda _, leases: None)
    one.when_stuck = lambda: ended.append("ended")
    rows = Hung(clock)
    await by_hand(one)

    await one.pulse(rows)
    await one.pulse(rows)
    clock.at += 60.0
    await one.pulse(rows)

    assert (ended, len(rows.beats)) == ([], 3)
    await one.stop()
