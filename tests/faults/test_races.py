"""Turns at once: to one session, under one id, against an escape word, a timer, a departing client (rows A9, B, G1, I2)."""

import asyncio
import gc
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path
from random import Random

import httpx2
import pytest
from pydantic import BaseModel

from softrail import Ask, Done, Process, Record, Turn, ask, step
from softrail.api import create_app
from softrail.core.errors import SessionBusy, StoreUnavailable, TurnReused
from softrail.core.instances import State
from softrail.core.outcomes import Outcome
from softrail.core.ports import ModelAnswer, ModelRequest
from softrail.core.turns import Reply, Request
from softrail.store import open_store
from softrail.testing import FrozenClock
from tests.faults.crashing import CrashingStore
from tests.faults.kit import Gate, Slow, contents, file_url, person_of, say, settings, worker


class Counting(Process, name="counting", version=1):
    """Counts what it is told; the order of answers shows in what it keeps."""

    starts_on = ("count with me",)
    idle_timeout = timedelta(minutes=10)

    class Data(BaseModel):
        said: list[str] = []

    @step(asks="Next?", goes_to=("count",), takes_anything=True)
    async def count(self, said: Turn, data: Data) -> Outcome:
        told = [*data.said, said.message]
        return Ask("Next?", data=self.Data(said=told), effects=[Record("counted", {"said": told})])


class Rival(Process, name="rival", version=1):
    """Wants the session too."""

    starts_on = ("let me rival",)

    class Answers(BaseModel):
        why: str = ask("Why?")

    async def complete(self, answers: Answers, turn: Turn) -> Outcome:
        return Done("Well.")


async def test_64_turns_at_once_keep_their_order_and_none_is_lost(tmp_path: Path) -> None:
    async with worker(file_url(tmp_path), Counting) as one:
        person = await person_of(one)
        for round_ in range(2):
            session = (await say(one, person, "count with me")).session_id
            messages = [f"{round_}: number {n}" for n in range(64)]
            replies = await asyncio.gather(*(say(one, person, m, session_id=session) for m in messages))

            assert [r.seq for r in replies] == list(range(3, 131, 2))  # in the order they were sent
            assert await contents(one, person, session) == ["count with me", *messages]
            kept = await one.store.list(person.id, "counted")
            assert kept[-1].data["said"] == messages


async def test_the_same_turn_eight_times_at_once_runs_once_whoever_gets_it(url: str) -> None:
    for accept_after in (0.0, 5.0):
        changed = {"accept_after": accept_after}
        async with (
            worker(url, Counting, changed=changed) as one,
            worker(url, Counting, changed=changed) as two,
        ):
            person = await person_of(one, f"eight-times-{accept_after:g}")
            session = (await say(one, person, "count with me")).session_id
            for n in range(10):
                tried = Request(message=f"{n}", session_id=session, turn_id=f"in-{n}")
                opens = Request(message=f"hello {n}", turn_id=f"opens-{n}")
                for request_ in (tried, opens):
                    replies = await asyncio.gather(*(d.converse(request_, person) for d in (one, two) * 4))
                    assert len(set(replies)) == 1
            kept = await one.store.list(person.id, "counted")
            assert [len(k.data["said"]) for k in kept] == list(range(1, 11))
            assert len(await one.store.sessions(person.id, before=None, limit=50)) == 11


async def test_a_turn_id_belongs_to_one_body_and_one_person(tmp_path: Path) -> None:
    async with worker(file_url(tmp_path), Counting) as one:
        sam, robin = await person_of(one, "sam"), await person_of(one, "robin")
        mine = (await say(one, sam, "count with me")).session_id
        theirs = (await say(one, robin, "count with me")).session_id
        for n in range(20):
            first = await say(one, sam, f"mine {n}", session_id=mine, turn_id=f"id-{n}")
            for other in ({"message": f"other {n}", "session_id": mine}, {"message": f"mine {n}"}):
                with pytest.raises(TurnReused):
                    await one.converse(Request(turn_id=f"id-{n}", **other), sam)
            own = await say(one, robin, f"theirs {n}", session_id=theirs, turn_id=f"id-{n}")
            assert (own.session_id, first.session_id) == (theirs, mine)
            assert own.companion_message == first.companion_message
        for person, session, word in ((sam, mine, "mine"), (robin, theirs, "theirs")):
            kept = await one.store.list(person.id, "counted")
            assert kept[-1].data["said"] == [f"{word} {n}" for n in range(20)]
            assert len(await contents(one, person, session)) == 21


async def test_an_escape_word_takes_effect_while_a_turn_runs_long(tmp_path: Path) -> None:
    for n, word in enumerate(("stop", "cancel", "never mind", "exit please")):
        gate = Gate()
        folder = tmp_path / str(n)
        folder.mkdir()
        async with worker(file_url(folder), Slow, services={Gate: gate}, changed={"step_limit": 600}) as one:
            person = await person_of(one)
            session = (await say(one, person, "do the slow thing")).session_id
            running = one.submit(Request(message="tea", session_id=session, turn_id="long"), person)
            await gate.entered.wait()

            async with asyncio.timeout(60):  # on a busy machine, too, long before the step is at its limit
                stopped = await say(one, person, word, session_id=session)

            assert stopped.process is not None
            assert stopped.process.state == "suspended"
            gate.opened.set()  # whatever the old turn still does, it writes nothing
            interrupted = Reply.model_validate_json(await running.result())
            assert "stopped that before it was finished" in interrupted.companion_message
            assert await one.store.list(person.id, "slow") == []
            [instance] = await one.store.instances(session)
            assert instance.state is State.SUSPENDED


async def test_of_two_processes_that_want_the_session_exactly_one_holds_it(tmp_path: Path) -> None:
    url = file_url(tmp_path)
    async with worker(url, Counting, Rival) as one, worker(url, Counting, Rival) as two:
        person = await person_of(one)
        for n in range(100):
            session = (await say(one, person, f"hello {n} there")).session_id
            wants = ["count with me", "let me rival"]
            Random(n).shuffle(wants)
            await asyncio.gather(
                say(one, person, wants[0], session_id=session), say(two, person, wants[1], session_id=session)
            )
            instances = await one.store.instances(session)
            holding = [i.process for i in instances if i.holds]
            started = [m for m in await contents(one, person, session) if m in wants]
            assert holding == [
                "counting" if started[-1] == "count with me" else "rival"
            ]  # the later one asked


async def test_a_turn_refused_for_want_of_a_place_burns_no_key(tmp_path: Path) -> None:
    gate = Gate()
    changed = {"wait_limit": 0.05, "step_limit": 30}
    async with worker(file_url(tmp_path), Slow, services={Gate: gate}, changed=changed) as one:
        person = await person_of(one)
        session = (await say(one, person, "do the slow thing")).session_id
        first = one.submit(Request(message="tea", session_id=session), person)
        await gate.entered.wait()
        requests = [Request(message=f"word {n}", session_id=session, turn_id=f"k{n}") for n in range(20)]
        refused = await asyncio.gather(*(one.converse(r, person) for r in requests), return_exceptions=True)
        assert all(isinstance(error, SessionBusy) for error in refused)

        gate.opened.set()
        await first.result()
    async with worker(
        file_url(tmp_path), Slow, services={Gate: gate}
    ) as two:  # one that waits as long as it takes
        replies = [Reply.model_validate_json(await two.converse(r, person)) for r in requests]

        assert sorted(r.seq for r in replies) == list(range(5, 45, 2))
        assert sorted(await contents(two, person, session)) == sorted(
            ["do the slow thing", "tea", *(r.message for r in requests)]
        )


async def test_a_turn_refused_by_a_store_that_is_away_burns_no_key(tmp_path: Path) -> None:
    url = file_url(tmp_path)
    away = AwayStore(open_store(url))
    # Beside another worker, one reads before every turn.
    async with worker(url, Counting), worker(url, Counting, store=away) as one:
        person = await person_of(one)
        session = (await say(one, person, "count with me")).session_id
        for n in range(20):
            away.away = "commit" if n % 2 else "load"
            request = Request(message=f"{n}", session_id=session, turn_id=f"k{n}")
            with pytest.raises(StoreUnavailable):
                await one.converse(request, person)
            away.away = ""
            await one.converse(request, person)
        kept = await one.store.list(person.id, "counted")
        assert kept[-1].data["said"] == [f"{n}" for n in range(20)]


class AwayStore(CrashingStore):
    """A store that is away for calls of one name."""

    away = ""

    def __getattr__(self, name: str) -> object:
        if name == self.away:
            raise StoreUnavailable("The database cannot be reached. Try again in a moment.")
        return super().__getattr__(name)


class GatedModel:
    """Answers when the gate opens."""

    name = "gated"

    def __init__(self, gate: Gate) -> None:
        self._gate = gate

    async def answer(self, request: ModelRequest) -> ModelAnswer:
        await self._gate.wait()
        return ModelAnswer(text="The sea is wide.", model=self.name)

    async def stream(self, request: ModelRequest) -> AsyncIterator[str | ModelAnswer]:
        yield await self.answer(request)


class Spoken(Process, name="spoken", version=1):
    """Asks a model before it answers."""

    starts_on = ("speak",)

    def __init__(self, gate: Gate) -> None:
        self.model = GatedModel(gate)

    class Data(BaseModel):
        said: list[str] = []

    @step(asks="What?", goes_to=("what",), takes_anything=True)
    async def what(self, said: Turn, data: Data) -> Outcome:
        answer = await self.model.answer(ModelRequest(purpose="respond", system="", messages=()))
        return Ask(answer.text, effects=[Record("spoken", {"said": said.message})])


async def test_a_client_that_never_saw_the_answer_gets_the_same_bytes_for_one_model_call(
    tmp_path: Path,
) -> None:
    gate = Gate()
    gate.opened.set()
    url = file_url(tmp_path)
    async with worker(url, Spoken, services={Gate: gate}) as one:
        person = await person_of(one)
        session = (await say(one, person, "speak")).session_id
        told = []
        for n in range(20):
            request = Request(message=f"word {n}", session_id=session, turn_id=f"t{n}")
            run = one.submit(request, person)  # the answer is stored; the wire is cut before its first byte
            await run.result()
            told.append((request, await one.converse(request, person)))
    async with worker(url, Spoken, services={Gate: gate}) as two:  # and after a restart
        for request, before in told:
            assert await two.converse(request, person) == before
        assert gate.times == 20


async def test_clients_that_leave_lose_no_turn_and_leave_nothing_behind(tmp_path: Path) -> None:
    rng, url = Random(5), file_url(tmp_path)
    async with worker(url, Counting) as one:
        person = await person_of(one, "me")
        app = create_app(one, settings(url, local_person=person.email))
        async with httpx2.AsyncClient(
            transport=httpx2.ASGITransport(app=app), base_url="http://localhost"
        ) as http:
            started = await http.post("/converse", json={"message": "count with me"})
            session = started.json()["session_id"]
            tasks_before = len(asyncio.all_tasks())
            for n in range(200):
                body = {"message": f"{n}", "session_id": session, "turn_id": f"t{n}"}
                path = rng.choice(("/converse", "/converse/stream"))
                sending = asyncio.create_task(http.post(path, json=body))
                if rng.random() < 0.5:
                    for _ in range(rng.randrange(30)):
                        await asyncio.sleep(0)
                    sending.cancel()
                await asyncio.wait({sending})
                assert (await http.post("/converse", json=body)).status_code == 200
        gc.collect()

        assert await contents(one, person, session) == ["count with me", *(f"{n}" for n in range(200))]
        kept = await one.store.list(person.id, "counted")
        assert kept[-1].data["said"] == [f"{n}" for n in range(200)]
        assert len(asyncio.all_tasks()) <= tasks_before


async def test_a_sweep_against_an_answer_at_the_same_moment_loses_no_answer(tmp_path: Path) -> None:
    rng = Random(11)
    with FrozenClock().installed() as clock:
        async with worker(file_url(tmp_path), Counting) as one:
            person = await person_of(one)
            session = (await say(one, person, "count with me")).session_id
            for n in range(40):
                clock.advance(minutes=10, milliseconds=rng.choice((-1, 0, 1)))
                sweeping = asyncio.create_task(one.sweep())
                for _ in range(rng.randrange(6)):
                    await asyncio.sleep(0)
                reply = await say(one, person, f"{n}", session_id=session)
                await sweeping
                assert reply.process is not None
                assert reply.process.state == "active"  # in time, or late and taken up again
            kept = await one.store.list(person.id, "counted")
            assert kept[-1].data["said"] == [f"{n}" for n in range(40)]
            assert len(await one.store.instances(session)) == 1


async def test_the_same_escape_word_sent_many_times_at_once_escapes_once(url: str) -> None:
    changed = {"accept_after": 0.0}
    async with (
        worker(url, Counting, changed=changed) as one,
        worker(url, Counting, changed=changed) as two,
    ):
        person = await person_of(one, "many-escapes")
        for n in range(20):
            session = (await say(one, person, "count with me")).session_id
            request = Request(message="stop", session_id=session, turn_id=f"stop-{n}")
            replies = await asyncio.gather(*(d.converse(request, person) for d in (one, two) * 4))
            assert len(set(replies)) == 1
            reply = Reply.model_validate_json(replies[0])
            assert reply.process is not None, reply.companion_message
            assert reply.process.state == "suspended"
