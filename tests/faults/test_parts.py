"""Parts for other people at once, twice, and between workers that are gone: each asked, done and told once."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from pydantic import BaseModel

from softrail import Assign, Done, Process, Record, Turn, ask, step
from softrail.bootstrap import build
from softrail.core.assignments import ANSWERED
from softrail.core.clock import now
from softrail.core.instances import Instance
from softrail.core.outcomes import Outcome
from softrail.turns.dispatcher import Dispatcher
from softrail.turns.handing import Handing
from tests.faults.kit import file_url, person_of, say, settings, worker

BOSS = "boss@example.org"


class Nothing(BaseModel):
    pass


class Leave(Process, name="leave"):
    """Asks the boss, and keeps what comes of it."""

    starts_on = ("a day off",)

    @step(goes_to=("decided",))
    async def begin(self, said: Turn, data: Nothing) -> Outcome:
        return Assign("approve", to=BOSS, then="decided", say="Asked.")

    @step()
    async def decided(self, said: Turn, data: Nothing) -> Outcome:
        assert said.result is not None
        heard = {"left": said.result.left, "value": said.result.value}
        return Done("Decided.", effects=[Record("decided", heard)])


class Approve(Process, name="approve", confirm=False):
    """Takes one answer."""

    class Answers(BaseModel):
        word: str = ask("Which word?")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Noted.", value=answers.word)


async def decided(dispatcher: Dispatcher) -> list[dict[str, object]]:
    kept = await dispatcher.store.list((await person_of(dispatcher, "sam")).id, "decided")
    return [record.data for record in kept]


async def assigned(dispatcher: Dispatcher) -> str:
    """Sam asks the boss, who has a session; that session."""
    boss = await person_of(dispatcher, "boss")
    session = (await say(dispatcher, boss, "hello")).session_id
    await say(dispatcher, await person_of(dispatcher, "sam"), "a day off")
    return session


async def asked(dispatcher: Dispatcher) -> Instance:
    """The part, once it has reached the boss."""
    boss = await person_of(dispatcher, "boss")
    async with asyncio.timeout(20):
        while not (found := await dispatcher.asked_of(boss)):
            await dispatcher.sweep()
    [part] = found
    return part


async def questions(dispatcher: Dispatcher, session: str) -> int:
    """How often the boss was asked in a session."""
    boss = await person_of(dispatcher, "boss")
    items = await dispatcher.store.items(boss.id, session_id=session)
    return len([item for item in items if "asks you" in item.content])


@asynccontextmanager
async def resting(url: str) -> AsyncIterator[Dispatcher]:
    """A worker that does nothing by itself: what it leaves is there for the next one."""
    dispatcher = build(settings(url), processes=(Leave, Approve), discover=False)
    await dispatcher.start(background=False)
    try:
        yield dispatcher
    finally:
        await dispatcher.stop(grace=1.0)


async def told(dispatcher: Dispatcher) -> list[dict[str, object]]:
    """What Sam's process heard, once it has."""
    async with asyncio.timeout(20):
        while not (found := await decided(dispatcher)):
            await dispatcher.sweep()
    return found


async def test_two_workers_that_deliver_at_once_ask_once_and_tell_once(url: str) -> None:
    async with worker(url, Leave, Approve) as one, worker(url, Leave, Approve) as two:
        session = await assigned(one)
        await asyncio.gather(*(w.sweep() for w in (one, two, one, two)))
        await asked(one)
        boss = await person_of(one, "boss")
        assert await questions(one, session) == 1
        await say(one, boss, "yes", session_id=session)
        await say(two, boss, "fine", session_id=session)
        await asyncio.gather(*(w.sweep() for w in (one, two, one, two)))

        assert await told(one) == [{"left": "", "value": "fine"}]


async def test_a_part_that_is_done_in_two_sessions_at_once_is_done_in_one(url: str) -> None:
    async with worker(url, Leave, Approve) as one, worker(url, Leave, Approve) as two:
        session = await assigned(one)
        await asked(one)
        boss = await person_of(one, "boss")
        replies = await asyncio.gather(say(one, boss, "yes", session_id=session), say(two, boss, "approve"))
        there = [r for r in replies if r.process and r.process.state == "active"]
        assert there, replies
        [part] = await one.asked_of(boss)
        await asyncio.gather(
            *(say(w, boss, "fine", session_id=part.session_id) for w in (one, two)), return_exceptions=True
        )

        assert await told(one) == [{"left": "", "value": "fine"}]
        assert await one.asked_of(boss) == []


async def test_what_was_delivered_and_not_noted_changes_nothing_the_second_time(tmp_path: Path) -> None:
    async with resting(file_url(tmp_path)) as one:
        deliver = Handing(one.store, one._begin).deliverers
        session, boss = await assigned(one), await person_of(one, "boss")
        [ask_] = await one.store.outbox(now(), 10)
        for _ in "12":
            await deliver[ask_.kind](ask_)
        await asked(one)
        await say(one, boss, "yes", session_id=session)
        await say(one, boss, "fine", session_id=session)
        [answer] = [item for item in await one.store.outbox(now(), 10) if item.kind == ANSWERED]
        for item in (answer, ask_, answer):
            await deliver[item.kind](item)

        assert await told(one) == [{"left": "", "value": "fine"}]
        assert await questions(one, session) == 1
        assert await one.asked_of(boss) == []


async def test_a_part_whose_worker_ends_between_the_commits_is_asked_and_told_by_another_one(
    tmp_path: Path,
) -> None:
    url = file_url(tmp_path)
    async with resting(url) as one:
        session = await assigned(one)
        assert await one.asked_of(await person_of(one, "boss")) == []
    async with resting(url) as two:
        await asked(two)
        boss = await person_of(two, "boss")
        await say(two, boss, "yes", session_id=session)
        await say(two, boss, "fine", session_id=session)
        assert await decided(two) == []
    async with resting(url) as three:
        assert await told(three) == [{"left": "", "value": "fine"}]
