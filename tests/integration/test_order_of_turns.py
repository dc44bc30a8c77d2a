"""Turns of one session: in order, each once, whoever runs them."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path

import pytest
from pydantic import BaseModel

from softrail import Done, Process, Turn, build, step
from softrail.core.clock import now
from softrail.core.errors import NotFound, SessionBusy, TurnReused
from softrail.core.people import Person
from softrail.core.turns import Reply, Request
from softrail.settings import load_settings
from softrail.turns.dispatcher import Dispatcher
from tests.faults.kit import Gate, Slow
from tests.sqlite_file import with_tables

BOUND = 10.0  #: seconds after which a test that waits for what never comes has failed


@asynccontextmanager
async def server(path: Path, gate: Gate, **changed: float) -> AsyncIterator[Dispatcher]:
    settings = load_settings(
        database_url=f"sqlite:///{with_tables(path / 't.db')}",
        step_limit=30,
        beat_interval=0.02,
        dead_after=1.5,
        **changed,
    )
    async with build(settings, processes=[Slow, AtOnce], services={Gate: gate}, discover=False) as dispatcher:
        yield dispatcher


async def person_of(dispatcher: Dispatcher, email: str = "sam@example.org") -> Person:
    return await dispatcher.store.ensure_person(email, id=dispatcher.parts.ids.new(), at=now())


async def say(dispatcher: Dispatcher, person: Person, message: str, **fields: str) -> Reply:
    return Reply.model_validate_json(await dispatcher.converse(Request(message=message, **fields), person))


@pytest.fixture
def gate() -> Gate:
    return Gate()


async def test_a_turn_that_takes_long_is_written_down_while_it_runs(tmp_path: Path, gate: Gate) -> None:
    async with server(tmp_path, gate, grace=0.0) as one:
        person = await person_of(one)
        session = (await say(one, person, "do the slow thing")).session_id
        running = one.submit(Request(message="tea", session_id=session, turn_id="t1"), person)
        async with asyncio.timeout(BOUND):
            await running.accepted()
        row = await one.store.turn(person.id, "t1")

        assert row is not None
        assert (row.status, row.seq) == ("accepted", 3)
        gate.opened.set()
        reply = Reply.model_validate_json(await running.result())
        assert reply.companion_message == "Done with tea."
        assert (reply.seq, gate.times) == (3, 1)


class Looking(Gate):
    """Looks into the file before anything else can run, as a step does that never awaits."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.written: list[str] = []
        self._path = path

    async def wait(self) -> None:
        with closing(sqlite3.connect(self._path)) as file:
            self.written += [row[0] for row in file.execute("SELECT turn_id FROM turns WHERE reply IS NULL")]


class AtOnce(Process, name="at_once", version=1):
    """Its first turn runs its only step."""

    starts_on = ("do it at once",)

    def __init__(self, gate: Gate) -> None:
        self.gate = gate

    class Data(BaseModel):
        """Nothing."""

    @step()
    async def does(self, said: Turn, data: Data) -> Done:
        await self.gate.wait()
        return Done("Done.")


async def test_with_no_time_to_run_a_turn_is_written_down_before_its_step_begins(tmp_path: Path) -> None:
    gate = Looking(tmp_path / "t.db")
    async with server(tmp_path, gate, accept_after=0.0) as one:
        person = await person_of(one)
        opened = await say(one, person, "do it at once", turn_id="t1")
        await say(one, person, "do it at once", turn_id="t2", session_id=opened.session_id)

    assert gate.written == ["t1", "t2"]


async def test_an_escape_word_stops_a_running_turn_and_those_before_it(tmp_path: Path, gate: Gate) -> None:
    async with server(tmp_path, gate) as one:
        person = await person_of(one)
        session = (await say(one, person, "do the slow thing")).session_id
        first = one.submit(Request(message="tea", session_id=session, turn_id="t1"), person)
        await gate.entered.wait()
        queued = one.submit(Request(message="coffee", session_id=session, turn_id="t2"), person)

        async with asyncio.timeout(20):
            stopped = await say(one, person, "stop", session_id=session)

        assert stopped.process is not None
        assert stopped.process.state == "suspended"
        replies = [Reply.model_validate_json(await turn.result()) for turn in (first, queued)]
        assert [r.seq for r in replies] == [3, 5]
        assert stopped.seq == 7
        assert all("stopped that before it was finished" in r.companion_message for r in replies)
        gate.opened.set()
        assert await one.store.list(person.id, "slow") == []


async def test_cancelling_a_session_interrupts_what_runs_in_it(tmp_path: Path, gate: Gate) -> None:
    async with server(tmp_path, gate) as one:
        person = await person_of(one)
        session = (await say(one, person, "do the slow thing")).session_id
        running = one.submit(Request(message="tea", session_id=session), person)
        await running.accepted()

        assert await one.cancel(person, session) == 1
        assert await one.cancel(person, session) == 0
        reply = Reply.model_validate_json(await running.result())
        assert reply.process is None or reply.process.state == "active"
        with pytest.raises(NotFound):
            await one.cancel(person, "no-such-session")


async def test_the_same_turn_sent_eight_times_at_once_runs_once(tmp_path: Path, gate: Gate) -> None:
    async with server(tmp_path, gate) as one, server(tmp_path, gate) as two:
        person = await person_of(one)
        session = (await say(one, person, "do the slow thing")).session_id
        gate.opened.set()
        request = Request(message="tea", session_id=session, turn_id="same")

        replies = await asyncio.gather(*(d.converse(request, person) for d in (one, two) * 4))

        assert len(set(replies)) == 1
        assert len(await one.store.list(person.id, "slow")) == 1
        with pytest.raises(TurnReused):
            await one.converse(request.model_copy(update={"message": "coffee"}), person)


async def test_turns_of_two_workers_on_one_session_keep_their_order(tmp_path: Path, gate: Gate) -> None:
    async with server(tmp_path, gate) as one, server(tmp_path, gate) as two:
        person = await person_of(one)
        session = (await say(one, person, "hello")).session_id

        replies = await asyncio.gather(
            *(say((one, two)[n % 2], person, f"word {n}", session_id=session) for n in range(32))
        )

        assert sorted(r.seq for r in replies) == list(range(3, 67, 2))
        items = await two.store.items(person.id, session_id=session, limit=100)
        assert [i.seq for i in items] == list(range(1, 67))


async def test_a_dead_workers_turn_is_run_by_the_next_one_and_the_zombie_writes_nothing(
    tmp_path: Path, gate: Gate
) -> None:
    stuck = Gate()
    async with server(tmp_path, gate) as two:
        person = await person_of(two)
        session = (await say(two, person, "do the slow thing")).session_id
        settings = load_settings(database_url=f"sqlite:///{tmp_path}/t.db", beat_interval=60, dead_after=120)
        async with build(settings, processes=[Slow], services={Gate: stuck}, discover=False) as silent:
            lost = silent.submit(Request(message="tea", session_id=session, turn_id="lost"), person)
            await lost.accepted()  # from here on it gives no sign of life

            gate.opened.set()
            async with asyncio.timeout(60):
                after = await say(two, person, "thanks", session_id=session)
            row = await two.store.turn(person.id, "lost")
            assert row is not None
            assert row.reply is not None
            assert "Done with tea." in row.reply
            assert (row.seq, after.seq) == (3, 5)

            stuck.opened.set()  # it wakes up after all
            assert await lost.result() == row.reply
            assert len(await two.store.list(person.id, "slow")) == 1


async def test_a_turn_that_waits_too_long_is_told_so_and_not_lost(tmp_path: Path, gate: Gate) -> None:
    async with server(tmp_path, gate, wait_limit=0.01, grace=0.0) as one:
        person = await person_of(one)
        session = (await say(one, person, "do the slow thing")).session_id
        first = one.submit(Request(message="tea", session_id=session), person)
        await gate.entered.wait()
        request = Request(message="hello", session_id=session, turn_id="waits")

        async with asyncio.timeout(BOUND):
            with pytest.raises(SessionBusy):
                await one.converse(request, person)

        gate.opened.set()
        await first.done  # however long it waits now
        reply = Reply.model_validate_json(await one.submit(request, person).done)
        assert reply.seq == 5


async def test_someone_elses_session_is_not_found(tmp_path: Path, gate: Gate) -> None:
    async with server(tmp_path, gate) as one:
        mine, other = await person_of(one), await person_of(one, "robin@example.org")
        session = (await say(one, mine, "hello")).session_id
        with pytest.raises(NotFound):
            await say(one, other, "hello", session_id=session)
        with pytest.raises(NotFound):
            await say(one, mine, "hello", session_id="made-up")
