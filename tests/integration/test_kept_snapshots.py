"""A worker that is alone computes a turn from what the last one has left, and every promise holds all the same."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

from softrail import Ask, Done, Outcome, Process, Turn, build, step
from softrail.core.clock import now
from softrail.core.commits import Loaded, TurnCommit
from softrail.core.decisions import Decision
from softrail.core.errors import NotFound, TurnReused
from softrail.core.people import Person
from softrail.core.turns import Reply, Request
from softrail.testing.contracts.values import turn_on
from softrail.turns.dispatcher import Dispatcher
from tests.faults.kit import file_url, settings


class Seen(list[str]):
    """The messages that a step was given, of every attempt."""


class Counted(Process, name="counted", version=1):
    """Counts what it is told, in its data and outside."""

    starts_on = ("count with me",)
    title = "the counting"

    def __init__(self, seen: Seen) -> None:
        self.seen = seen

    class Data(BaseModel):
        said: list[str] = []

    @step(asks="What?", goes_to=("what",), takes_anything=True)
    async def what(self, said: Turn, data: Data) -> Outcome:
        self.seen.append(said.message)
        data.said.append(said.message)
        if said.message == "so much":
            return Done(f"{len(data.said)} in all.")
        return Ask(f"{len(data.said)}.", takes_anything=True, data=data)


@pytest.fixture
def seen() -> Seen:
    return Seen()


@pytest.fixture
def loads(monkeypatch: pytest.MonkeyPatch) -> list[str | None]:
    """The sessions that a server reads of which the store is `watched`."""
    return []


@asynccontextmanager
async def server(folder: Path, seen: Seen) -> AsyncIterator[Dispatcher]:
    parts: dict[str, Any] = {"processes": [Counted], "services": {Seen: seen}, "discover": False}
    async with build(
        settings(file_url(folder), beat_interval=5.0, dead_after=60.0, accept_after=30.0), **parts
    ) as dispatcher:
        yield dispatcher


def watched(dispatcher: Dispatcher, loads: list[str | None]) -> None:
    real = dispatcher.store.load

    async def load(person: Person, session_id: str | None, turn_id: str | None = None) -> Loaded:
        loads.append(session_id)
        return await real(person, session_id, turn_id)

    dispatcher.store.load = load  # type: ignore[method-assign]


async def somebody(dispatcher: Dispatcher) -> Person:
    return await dispatcher.store.ensure_person("sam@example.org", id=dispatcher.parts.ids.new(), at=now())


async def say(dispatcher: Dispatcher, person: Person, message: str, **fields: Any) -> Reply:
    return Reply.model_validate_json(await dispatcher.converse(Request(message=message, **fields), person))


async def runs_of(dispatcher: Dispatcher, person: Person, reply: Reply) -> int:
    body = await dispatcher.store.decision(person.id, reply.session_id, reply.turn_id)
    assert body is not None
    return Decision.from_json(body).runs


async def test_a_worker_that_is_alone_reads_a_session_once(
    tmp_path: Path, seen: Seen, loads: list[str | None]
) -> None:
    async with server(tmp_path, seen) as one:
        person = await somebody(one)
        watched(one, loads)
        session = (await say(one, person, "count with me")).session_id
        replies = [
            await say(one, person, word, session_id=session) for word in ("a", "b", "so much", "hello")
        ]

        assert [r.companion_message for r in replies[:3]] == ["1.", "2.", "3 in all."]
        assert loads == [None]
        stored = await one.store.load(person, session)
        assert stored.snapshot is not None
        assert stored.snapshot.session.next_seq == 11


async def test_what_is_kept_is_what_would_be_read(tmp_path: Path, seen: Seen) -> None:
    async with server(tmp_path, seen) as one:
        person = await somebody(one)
        session = (await say(one, person, "count with me")).session_id
        for word in ("a", "stop", "undo", "b", "c"):
            await say(one, person, word, session_id=session)
            kept = one._queue._kept.newest(session, person_id=person.id, turn_id="another")
            if kept is not None:
                assert kept == (await one.store.load(person, session)).snapshot
        assert kept is not None


async def test_beside_other_workers_every_turn_reads(
    tmp_path: Path, seen: Seen, loads: list[str | None]
) -> None:
    async with server(tmp_path, seen), server(tmp_path, seen) as two:
        person = await somebody(two)
        watched(two, loads)
        session = (await say(two, person, "count with me")).session_id
        await say(two, person, "a", session_id=session)

        assert not two.worker.alone
        assert loads == [None, session]


async def test_a_session_that_was_changed_elsewhere_is_read_and_the_turn_computed_again(
    tmp_path: Path, seen: Seen, loads: list[str | None]
) -> None:
    async with server(tmp_path, seen) as one:
        person = await somebody(one)
        session = (await say(one, person, "count with me")).session_id
        await say(one, person, "a", session_id=session)
        stored = (await one.store.load(person, session)).snapshot
        assert stored is not None
        [instance] = stored.instances
        changed = instance.evolve(data=instance.data.replace('"a"', '"x","y","z"'))
        await one.store.commit([TurnCommit(turn=None, session=stored.session, instances=[changed])])
        watched(one, loads)

        reply = await say(one, person, "b", session_id=session)

        assert reply.companion_message == "4."
        assert await runs_of(one, person, reply) == 2
        assert loads == [session]
        assert (await say(one, person, "c", session_id=session)).companion_message == "5."
        assert loads == [session]


async def test_a_run_that_went_on_in_another_conversation_is_not_answered_in_this_one(
    tmp_path: Path, seen: Seen
) -> None:
    async with server(tmp_path, seen) as one:
        person = await somebody(one)
        here = (await say(one, person, "count with me")).session_id
        await say(one, person, "a", session_id=here)
        there = (await say(one, person, "hello")).session_id
        moved = (await one.store.load(person, here)).snapshot
        elsewhere = (await one.store.load(person, there)).snapshot
        assert moved is not None
        assert elsewhere is not None
        instance = moved.instances[0].evolve(session_id=there)
        await one.store.commit([TurnCommit(turn=None, session=elsewhere.session, instances=[instance])])

        for word in ("/help", "b"):  # one that is not for it, and one that it would have got
            reply = await say(one, person, word, session_id=here)
            assert reply.process is None

        assert (await say(one, person, "c", session_id=there)).companion_message == "2."


async def test_what_another_persons_session_keeps_is_not_found(tmp_path: Path, seen: Seen) -> None:
    async with server(tmp_path, seen) as one:
        person = await somebody(one)
        session = (await say(one, person, "count with me")).session_id
        other = await one.store.ensure_person("kim@example.org", id=one.parts.ids.new(), at=now())

        with pytest.raises(NotFound):
            await say(one, other, "a", session_id=session)
        assert seen == []


async def test_a_session_that_was_erased_is_not_found(tmp_path: Path, seen: Seen) -> None:
    async with server(tmp_path, seen) as one:
        person = await somebody(one)
        session = (await say(one, person, "count with me")).session_id
        await one.store.delete_session(person.id, session)

        with pytest.raises(NotFound):
            await say(one, person, "a", session_id=session)
        assert seen == ["a"]


async def test_a_turn_that_is_sent_again_gets_its_reply_and_no_step_runs_for_it(
    tmp_path: Path, seen: Seen
) -> None:
    async with server(tmp_path, seen) as one:
        person = await somebody(one)
        session = (await say(one, person, "count with me")).session_id
        request = Request(message="a", session_id=session, turn_id="t1")
        first = await one.converse(request, person)
        await say(one, person, "b", session_id=session, turn_id="t2")

        assert await one.converse(request, person) == first
        assert seen == ["a", "b"]
        with pytest.raises(TurnReused):
            await say(one, person, "c", session_id=session, turn_id="t1")


async def test_a_turn_of_before_the_session_was_read_gets_its_reply_too(tmp_path: Path, seen: Seen) -> None:
    async with server(tmp_path, seen) as one:
        person = await somebody(one)
        session = (await say(one, person, "count with me")).session_id
        request = Request(message="a", session_id=session, turn_id="t1")
        first = await one.converse(request, person)
    async with server(tmp_path, seen) as two:
        await say(two, person, "b", session_id=session, turn_id="t2")

        assert await two.converse(request, person) == first
        assert (await say(two, person, "c", session_id=session)).companion_message == "3."


async def test_a_turn_that_was_given_up_is_run_when_it_is_sent_again(tmp_path: Path, seen: Seen) -> None:
    async with server(tmp_path, seen) as one:
        person = await somebody(one)
        session = (await say(one, person, "count with me")).session_id
        request = Request(message="a", session_id=session, turn_id="t1")
        stored = (await one.store.load(person, session)).snapshot
        assert stored is not None
        gave_up = turn_on(stored, "t1", status="failed")
        assert gave_up.turn is not None
        row = replace(gave_up.turn, hash=request.hash, request=request.model_dump_json())
        await one.store.commit([replace(gave_up, turn=row)])

        reply = Reply.model_validate_json(await one.converse(request, person))

        assert reply.companion_message == "1."
