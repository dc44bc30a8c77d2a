"""Streams that are cut, repeated by a proxy, and stopped, at every place (rows G2, G4 and G5)."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from threading import Event
from typing import Any

import asyncpg
import httpx2
from pydantic import BaseModel
from sqlalchemy import func, select, text

from softrail import Ask, Effect, Process, Turn, step
from softrail.api import create_app
from softrail.core.intents import Intent
from softrail.core.outcomes import Outcome
from softrail.core.people import Person
from softrail.core.ports import EffectTransaction, Model, Words
from softrail.store import SqlStore
from softrail.store.tables import facts
from softrail.turns.dispatcher import Dispatcher
from tests.faults.kit import Gate, person_of, settings, worker
from tests.faults.statements import NOTED, noted
from tests.integration.api_server import events

WORDS = [f"word{n} " for n in range(46)]  #: with what comes before and after them, fifty events
PATIENCE = 60.0  #: seconds after which what is waited for here never comes


class Telling:
    """Says these words one by one, and in the middle of them waits for the gate."""

    def __init__(self, gate: Gate) -> None:
        self._gate = gate

    async def respond(
        self,
        turn: Turn,
        intent: Intent,
        data: Mapping[str, Any],
        *,
        model: Model,
        show: Callable[[str], None] | None = None,
    ) -> Words:
        for n, word in enumerate(WORDS):
            if n == len(WORDS) // 2:
                await self._gate.wait()
            if show is not None:
                show(word)
        return Words(text="".join(WORDS))

    async def polish(self, text: str, *, turn: Turn, model: Model) -> Words:
        return Words(text=text)


class Writing(Process, name="writing", version=1):
    """Waits for the gate, then writes two rows of its own in one effect."""

    starts_on = ("write with me",)

    def __init__(self, gate: Gate) -> None:
        self.gate = gate

    class Data(BaseModel):
        said: list[str] = []

    @step(asks="What?", goes_to=("what",), takes_anything=True)
    async def what(self, said: Turn, data: Data) -> Outcome:
        await self.gate.wait()
        effect = Effect(kind=NOTED, summary="Noted", payload={"name": said.message})
        return Ask("What?", data=self.Data(said=[*data.said, said.message]), effects=[effect])


def is_open() -> Gate:
    gate = Gate()
    gate.opened.set()
    return gate


@dataclass(frozen=True, kw_only=True)
class Served:
    """A worker as its clients see it, and as it is."""

    http: httpx2.AsyncClient
    worker: Dispatcher
    person: Person

    async def stream(self, body: dict[str, str], after: int | None = None) -> list[dict[str, str]]:
        headers = {} if after is None else {"Last-Event-ID": str(after)}
        answer = await self.http.post("/converse/stream", json=body, headers=headers)
        assert answer.status_code == 200, answer.text
        return events(answer.text)


@asynccontextmanager
async def served(
    url: str, gate: Gate, *, count: int = 1, handler: object = noted
) -> AsyncIterator[Sequence[Served]]:
    """So many workers on one database."""
    async with AsyncExitStack() as stack:
        found = []
        for _ in range(count):
            one = await stack.enter_async_context(
                worker(
                    url,
                    Writing,
                    services={Gate: gate},
                    responder=Telling(gate),
                    effect_handlers={NOTED: handler},
                    changed={"step_limit": 60},
                )
            )
            person = await person_of(one)
            app = create_app(one, settings(url, local_person=person.email))
            http = await stack.enter_async_context(
                httpx2.AsyncClient(transport=httpx2.ASGITransport(app=app), base_url="http://localhost")
            )
            found.append(Served(http=http, worker=one, person=person))
        yield found


SPOKEN = {"message": "tell me about the sea", "intent_hint": "general_conversation", "turn_id": "t1"}


async def test_who_comes_back_at_any_of_fifty_events_gets_the_rest_or_elsewhere_the_whole(url: str) -> None:
    gate = Gate()
    async with asyncio.timeout(PATIENCE), served(url, gate, count=2) as (here, there):
        first = asyncio.create_task(here.stream(SPOKEN))
        await gate.entered.wait()
        # Some come back while it is still told, to the same worker and to another one.
        early = [asyncio.create_task(here.stream(SPOKEN, after=n)) for n in range(0, 50, 7)]
        elsewhere = asyncio.create_task(there.stream(SPOKEN, after=5))
        gate.opened.set()
        whole = await first
        rests = [await coming for coming in early]

        assert [event["id"] for event in whole] == [str(n) for n in range(1, 51)]
        last = json.loads(whole[-1]["data"])
        assert (whole[-1]["event"], last["turn_id"], last["seq"]) == ("turn.committed", "t1", 1)
        assert rests == [whole[n:] for n in range(0, 50, 7)]
        assert [await here.stream(SPOKEN, after=n) for n in range(51)] == [whole[n:] for n in range(51)]
        for told in (await elsewhere, *[await there.stream(SPOKEN, after=n) for n in range(51)]):
            [only] = [event for event in told if event["event"] != "turn.accepted"]
            assert (only["event"], only["data"]) == ("turn.committed", whole[-1]["data"])
        assert gate.times == 1  # nothing was computed again


async def test_what_a_proxy_sends_twice_without_a_key_is_two_turns_and_one_with_the_key_that_was_made(
    url: str,
) -> None:
    async with asyncio.timeout(PATIENCE), served(url, is_open(), count=2) as (here, there):
        said = {name: SPOKEN[name] for name in ("message", "intent_hint")}

        twice = [
            await one.stream(said) for one in (here, there)
        ]  # as a proxy does that had no answer in time
        made = [json.loads(told[0]["data"]) for told in twice]
        again = [
            (await one.http.post("/converse", json={**said, "turn_id": key["turn_id"]})).text
            for one in (here, there)
            for key in made
        ]

        assert [told[0]["event"] for told in twice] == ["turn.accepted"] * 2
        assert again == [told[-1]["data"] for told in twice] * 2
        sessions = await here.worker.store.sessions(here.person.id, before=None, limit=50)
        assert sorted(one.id for one in sessions) == sorted(key["session_id"] for key in made)
        assert len(sessions) == 2


async def cancelled(at: Served, session: str) -> bool:
    return bool((await at.http.post(f"/sessions/{session}/cancel")).json()["cancelled"])


async def rows(at: Served, message: str) -> int:
    """How many rows the effect of that turn has written: two are the whole of it."""
    store = at.worker.store
    assert isinstance(store, SqlStore)
    query = select(func.count()).where(facts.c.name.in_((f"{message} a", f"{message} b")))
    return int(await store.read(lambda conn: conn.execute(query).scalar_one()))


async def status(at: Served, turn_id: str) -> str:
    row = await at.worker.store.turn(at.person.id, turn_id)
    assert row is not None
    return row.status


async def test_a_stream_that_is_cancelled_ends_once_and_stays_ended(url: str) -> None:
    gate = Gate()
    async with asyncio.timeout(PATIENCE), served(url, gate, count=2) as (here, there):
        telling = asyncio.create_task(here.stream(SPOKEN))
        await gate.entered.wait()
        row = await here.worker.store.turn(here.person.id, "t1")
        assert row is not None

        first = await cancelled(there, row.session_id)
        more = [await cancelled(one, row.session_id) for one in (here, there)]
        told = await telling  # nobody opens the gate
        again = await here.stream(SPOKEN, after=len(told) - 1)

        assert (first, more) == (True, [False, False])
        assert [event["event"] for event in told].count("turn.committed") == 1
        assert "stopped that before it was finished" in json.loads(told[-1]["data"])["companion_message"]
        assert again == told[-1:]
        assert await status(here, "t1") == "interrupted"


@asynccontextmanager
async def held(url: str) -> AsyncIterator[tuple[Callable[[EffectTransaction], object], Callable[[], Any]]]:
    """What a handler does to wait in the middle of its transaction, and what ends that."""
    if url.startswith("sqlite"):
        opened = Event()

        async def open_() -> None:
            opened.set()

        yield lambda tx: opened.wait(PATIENCE), open_
        return
    conn = await asyncpg.connect(url)  # a thread is not blocked there: the database lets its statement wait
    await conn.execute("SELECT pg_advisory_lock(7)")
    yield lambda tx: tx.execute(text("SELECT pg_advisory_xact_lock(7)")), conn.close


async def test_who_cancels_while_an_effect_is_written_comes_too_late_and_it_is_whole(url: str) -> None:
    entered, loop = asyncio.Event(), asyncio.get_running_loop()

    def slow(tx: EffectTransaction, effect: Effect) -> str:
        ref = noted(tx, effect)
        loop.call_soon_threadsafe(entered.set)
        wait(tx)
        return ref

    async with (
        asyncio.timeout(PATIENCE),
        held(url) as (wait, go_on),
        served(url, is_open(), handler=slow) as [here],
    ):
        begun = (await here.http.post("/converse", json={"message": "write with me"})).json()
        session = begun["session_id"]
        said = {"message": "tea", "session_id": session, "turn_id": "tea"}
        telling = asyncio.create_task(here.stream(said))
        await entered.wait()
        cancelling = [asyncio.create_task(cancelled(here, session)) for _ in range(2)]
        for _ in range(50):
            await asyncio.sleep(0)
        await go_on()

        assert await asyncio.gather(*cancelling) == [False, False]
        told = await telling
        assert told[-1]["event"] == "turn.committed"
        assert await cancelled(here, session) is False  # after the end, too
        assert (await here.http.post("/converse", json=said)).text == told[-1]["data"]
        assert (await status(here, "tea"), await rows(here, "tea")) == ("committed", 2)


async def test_whenever_a_turn_is_cancelled_it_has_one_end_and_its_effect_is_whole_or_not_there(
    url: str,
) -> None:
    gate, ends = Gate(), list[str]()
    async with asyncio.timeout(PATIENCE), served(url, gate) as [here]:
        begun = (await here.http.post("/converse", json={"message": "write with me"})).json()
        session = begun["session_id"]
        for n in (*range(0, 60, 3), None):
            gate.entered.clear()
            gate.opened.clear()
            said = {"message": f"m{n}", "session_id": session, "turn_id": f"t{n}"}
            telling = asyncio.create_task(here.stream(said))
            await gate.entered.wait()
            cancelling = [asyncio.create_task(cancelled(here, session)) for _ in range(2)]
            for _ in range(n or 0):
                await asyncio.sleep(0)
            if n is None:  # the last time it surely comes in time
                await asyncio.wait(cancelling)
            gate.opened.set()
            told, stopped = await telling, await asyncio.gather(*cancelling)

            end = await status(here, f"t{n}")
            ends.append(end)
            assert [event["event"] for event in told].count("turn.committed") == 1
            assert await rows(here, f"m{n}") == (2 if end == "committed" else 0)
            assert sum(stopped) == (0 if end == "committed" else 1)
            assert (await here.http.post("/converse", json=said)).text == told[-1]["data"]
        assert set(ends) <= {"committed", "interrupted"}
        assert ends[-1] == "interrupted"
