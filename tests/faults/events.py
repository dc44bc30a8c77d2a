"""Everything that may write to a session at once: turns, reminders that are due, deliveries that are over, edits."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import timedelta
from itertools import pairwise
from typing import Any

from pydantic import BaseModel

from softrail import Ask, Done, Effect, Process, Record, Turn, Wait, step
from softrail.core.effects import OutboxItem
from softrail.core.instances import State
from softrail.core.outcomes import Outcome
from softrail.core.people import Person
from softrail.testing import FrozenClock
from softrail.turns.dispatcher import Dispatcher
from tests.faults.kit import Gate, person_of, say, worker


class Data(BaseModel):
    """What the processes keep."""

    said: list[str] = []


class Reminding(Process, name="reminding", version=1):
    """Waits in the background, and says so when its time has come."""

    starts_on = ("remind me",)

    @step(goes_to=("wait",))
    async def wait(self, said: Turn, data: Data) -> Outcome:
        if said.origin == "timer":
            return Done("It is time.", effects=[Record("reminded", {"at": said.at.isoformat()}, key=said.id)])
        return Wait(say="I will.", until=timedelta(minutes=10))


class Sending(Process, name="sending", version=1):
    """Has something delivered in the background, and says when it is."""

    starts_on = ("send it",)

    @step(goes_to=("sent",))
    async def begin(self, said: Turn, data: Data) -> Outcome:
        letter = Effect(kind="letter", summary="On its way", after_commit=True)
        return Wait(say="It is on its way.", step="sent", effects=[letter])

    @step(on=("delivered", "failed"))
    async def sent(self, said: Turn, data: Data) -> Outcome:
        assert said.signal is not None
        name = said.signal.name
        return Done("It is there.", effects=[Record("sent", {"was": name}, key=said.signal.key)])


class Counting(Process, name="counting", version=1):
    """Holds the session and keeps everything it is told."""

    starts_on = ("count with me",)
    idle_timeout = None

    @step(asks="Next?", goes_to=("count",), takes_anything=True)
    async def count(self, said: Turn, data: Data) -> Outcome:
        told = [*data.said, said.message]
        return Ask("Next?", data=Data(said=told), effects=[Record("counted", {"said": told}, key="counted")])


@asynccontextmanager
async def two_workers(url: str, gate: Gate) -> AsyncIterator[Sequence[Dispatcher]]:
    """Two workers on one database that deliver once the gate is open."""

    async def deliver(item: OutboxItem) -> None:
        await gate.wait()

    parts: dict[str, Any] = {"deliverers": {"letter": deliver}, "changed": {"delivery_limit": 600.0}}
    processes = (Reminding, Sending, Counting)
    async with worker(url, *processes, **parts) as one, worker(url, *processes, **parts) as two:
        yield one, two


async def faults_of(url: str, clock: FrozenClock, *, count: int) -> list[str]:
    """What is lost, doubled or out of order when so many of each happen at once to one session."""
    gate = Gate()
    async with two_workers(url, gate) as workers:
        one = workers[0]
        person = await person_of(one)
        session = (await say(one, person, "remind me")).session_id
        for message in ("remind me",) * (count - 1) + ("send it",) * count + ("count with me",):
            await say(one, person, message, session_id=session)
        clock.advance(minutes=11)

        messages = [f"number {n}" for n in range(count)]
        turns = [
            asyncio.create_task(say(workers[n % 2], person, message, session_id=session))
            for n, message in enumerate(messages)
        ]
        gate.opened.set()
        edits = [one.store.call_session(person.id, session, f"Title {n}") for n in range(count)]
        async with asyncio.timeout(600):
            await asyncio.gather(*edits, *(_sweep(each, session) for each in workers), *turns)
        return await _found(one, person, session, messages)


async def _sweep(one: Dispatcher, session: str) -> None:
    """Sweep until nothing is left that waits for a time or a delivery."""
    while any(i.state is State.ACTIVE and not i.holds for i in await one.store.instances(session)):
        await one.sweep()


async def _found(one: Dispatcher, person: Person, session: str, messages: Sequence[str]) -> list[str]:
    count, store = len(messages), one.store
    items = await store.items(person.id, session_id=session, limit=20 * count)
    said = [item.content for item in items if item.role == "operator"][-count:]
    instances = await store.instances(session)
    moves = [str(move.trigger) for move in await store.transitions([i.id for i in instances])]
    kept = {kind: await store.list(person.id, kind) for kind in ("counted", "reminded", "sent")}
    told = Counter(item.content for item in items if item.role == "companion")
    wrong = {
        "turns lost or doubled": sorted(said) != sorted(messages),
        "updates lost": kept["counted"][-1].data["said"] != said,
        "numbers out of order": any(before.seq >= after.seq for before, after in pairwise(items)),
        "reminders lost": len(kept["reminded"]) != count,
        "deliveries not told": len(kept["sent"]) != count,
        "told more or less than once": (told["It is time."], told["It is there."]) != (count, count),
        "moved more or less than once": Counter(moves) != {"start": 2 * count + 1, "complete": 2 * count},
    }
    return [what for what, is_wrong in wrong.items() if is_wrong]
