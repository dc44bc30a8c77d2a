"""Many turns at once to one session: so many wait, the rest is told to come again, and nobody else notices."""

import asyncio

import pytest

from softrail.core.clock import now
from softrail.core.errors import TooManyTurns
from softrail.core.turns import Request
from softrail.store import MemoryStore
from softrail.turns import queue
from softrail.turns.dispatcher import Dispatcher
from tests.faults.kit import Gate, Slow, person_of, say, worker
from tests.integration.api_server import ADA, served, settings


async def at_once(dispatcher: Dispatcher, session_id: str) -> tuple[list[object], object, object]:
    """Ten turns to one session, one that leaves, and one to another session; what came of each."""
    ada = await dispatcher.store.ensure_person("ada@example.org", id="unused", at=now())

    def say(message: str, session: str | None, turn_id: str | None = None) -> asyncio.Future[object]:
        request = Request(message=message, session_id=session, turn_id=turn_id)
        return asyncio.ensure_future(dispatcher.submit(request, ada).result())

    ten = [say(f"hello {n}", session_id, f"t{n}") for n in range(10)]
    leaving, other = say("cancel", session_id), say("hello", None)
    found = await asyncio.gather(*ten, return_exceptions=True)
    return list(found), await leaving, await other


def test_the_line_of_a_session_has_an_end() -> None:
    with served(chosen=settings(waiting_limit=3)) as server:
        session_id = server.say("hello")["session_id"]
        portal = server.client.portal
        assert portal is not None

        found, leaving, other = portal.call(at_once, server.dispatcher, session_id)

        refused = [isinstance(one, TooManyTurns) for one in found]
        assert refused == [False] * 3 + [True] * 7, "in the order in which they came"
        assert isinstance(leaving, str)
        assert isinstance(other, str)
        again = server.say("hello 9", session_id, turn_id="t9")
        assert again["turn_id"] == "t9", "its id was not used up"


def test_a_refused_turn_is_told_when_to_come_again() -> None:
    with served(chosen=settings(waiting_limit=1)) as server:
        session_id = server.say("hello")["session_id"]
        server.dispatcher._queue._here[session_id] = 1  # one is under way
        answer = server.client.post(
            "/converse", json={"message": "hi", "session_id": session_id}, headers=ADA
        )

    assert answer.status_code == 429
    assert answer.json()["error"]["code"] == "too_many_turns"
    assert int(answer.headers["retry-after"]) >= 1


async def test_a_turn_of_another_person_comes_before_those_that_wait_in_a_long_line() -> None:
    order: list[str] = []
    async with worker("sqlite://", store=MemoryStore(), changed={"accept_after": 60.0}) as one:
        hot, other = await person_of(one, "hot"), await person_of(one, "other")
        session = (await say(one, hot, "/help")).session_id
        theirs = (await say(one, other, "/help")).session_id
        one.observe(lambda decision: order.append(decision.turn_id))
        runs = [
            one.submit(Request(message="/help", session_id=session, turn_id=f"hot {n:02}"), hot)
            for n in range(20)
        ]
        runs.append(one.submit(Request(message="/help", session_id=theirs, turn_id="other"), other))

        await asyncio.gather(*(run.result() for run in runs))

    assert order.index("other") <= 1, order
    order.remove("other")
    assert order == [f"hot {n:02}" for n in range(20)]


async def test_a_short_line_is_over_long_before_several_long_ones() -> None:
    order: list[str] = []
    async with worker("sqlite://", store=MemoryStore(), changed={"accept_after": 60.0}) as one:
        hot, other = await person_of(one, "hot"), await person_of(one, "other")
        sessions = [(await say(one, hot, "/help")).session_id for _ in range(4)]
        theirs = (await say(one, other, "/help")).session_id
        one.observe(lambda decision: order.append(decision.turn_id))
        runs = [
            one.submit(Request(message="/help", session_id=session, turn_id=f"{session} {n}"), hot)
            for n in range(10)
            for session in sessions
        ]
        for n in range(3):
            runs.append(one.submit(Request(message="/help", session_id=theirs, turn_id=f"other {n}"), other))

        await asyncio.gather(*(run.result() for run in runs))

    # One turn of each long line was under way already; in turns with all of them it would be the fifteenth.
    assert order.index("other 2") <= 8, order


async def test_who_thinks_for_long_does_not_hold_up_a_long_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(queue, "GIVES_WAY", 0.001)
    gate = Gate()
    changed = {"step_limit": 3600.0, "grace": 0.0}
    async with worker("sqlite://", Slow, services={Gate: gate}, changed=changed) as one:
        hot, other = await person_of(one, "hot"), await person_of(one, "other")
        session = (await say(one, hot, "/help")).session_id
        theirs = (await say(one, other, "do the slow thing")).session_id
        slow = one.submit(Request(message="tea", session_id=theirs), other)
        await gate.entered.wait()

        await asyncio.gather(*(say(one, hot, "/help", session_id=session) for _ in range(10)))

        assert not slow.finished
        gate.opened.set()
        await slow.result()
