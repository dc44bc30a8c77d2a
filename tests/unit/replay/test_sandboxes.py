"""Sandboxes: what happens there happens nowhere else, and there are never many."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime
from typing import Any

import pytest
from pydantic import BaseModel

from softrail import Done, Effect, Process, Turn, ask
from softrail.core.clock import now
from softrail.core.decisions import Decision
from softrail.core.effects import OutboxItem
from softrail.core.errors import TooManySandboxes
from softrail.core.execution import Host
from softrail.core.ports import ModelAnswer, ModelRequest
from softrail.dialogue.metered_model import asking
from softrail.replay.recorded import Recorded, recorded
from softrail.replay.sandbox import IDLE, MOST, Sandbox, Sandboxes
from softrail.replay.writing import script
from softrail.store import SqlStore
from softrail.store.inspecting import Conversations, Wanted
from softrail.testing import Conversation, FrozenClock, ScriptedModel, conversation
from tests.conversations.kinds import Booking


class Order(Process, name="order", version=1):
    """Orders tea, and tells the kitchen."""

    starts_on = ("order tea",)
    confirm = False

    class Answers(BaseModel):
        """What is asked."""

        cups: int = ask("How many cups?", ge=1)

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Ordered.", effects=[Effect(kind="ordered", summary="Tea ordered", after_commit=True)])


class Kitchen:
    """Hears of orders, and whether it was begun."""

    def __init__(self) -> None:
        self.heard: list[str] = []
        self.life: list[str] = []

    async def __call__(self, item: OutboxItem) -> None:
        self.heard.append(item.kind)

    async def start(self, host: Host) -> None:
        self.life.append("start")

    async def stop(self, grace: float) -> None:
        self.life.append("stop")


async def kept(talk: Conversation, **which: Any) -> Recorded:
    """The newest conversation, as it is stored."""
    store = talk.dispatcher.store
    assert isinstance(store, SqlStore)
    everything = Conversations(store)
    seen, *_ = await everything.latest(Wanted(), before=None, limit=1)
    return await recorded(talk.dispatcher, everything, seen, **which)


@asynccontextmanager
async def talking(*used: Any, **parts: Any) -> AsyncIterator[Conversation]:
    async with conversation(*used, clock=FrozenClock(), **parts) as talk:
        yield talk


async def test_nothing_is_delivered_told_or_begun_from_a_sandbox() -> None:
    kitchen, decisions = Kitchen(), list[Decision]()
    async with talking(
        Order,
        deliverers={"ordered": kitchen},
        services={Kitchen: kitchen},
        on_turn=[decisions.append],
    ) as talk:
        for words in ("order tea", "two cups"):
            await talk.say(words)
        await talk.sweep()
        before = (list(kitchen.heard), list(kitchen.life), len(decisions))
        recording = await kept(talk)
        sandbox = Sandbox(talk.dispatcher, recording)
        await sandbox.begin()
        said = await sandbox.say("order tea")
        assert (await sandbox.say("3")).effects == ["ordered"]
        await sandbox.advance(3600)
        await sandbox.end()

        assert said.pending == "ask"
        assert recording.lacks == ("deliveries",)
        assert before == (["ordered"], ["start"], 2)
        assert (list(kitchen.heard), list(kitchen.life), len(decisions)) == before
        assert "Ordered.\n" in script(recording)
        assert script(recording).endswith("model calls: 0\nsweep\n")


async def test_a_turn_that_would_go_another_way_now_is_told() -> None:
    class Dearer(Order, name="order", version=1):
        """The same process, changed meanwhile."""

        class Answers(BaseModel):
            """What is asked."""

            cups: int = ask("How many cups of tea?", ge=3)

    async with talking(Order) as talk, talking(Dearer) as changed:
        await talk.say("order tea")
        await talk.say("two cups")
        sandbox = Sandbox(changed.dispatcher, await kept(talk))
        await sandbox.begin()
        await sandbox.end()

        told = [(one.seq, one.what, one.recorded) for one in sandbox.differences]

    assert told == [
        (1, "words", "How many cups?"),
        (3, "words", "Ordered."),
        (3, "process", "order completed gathering_cups"),
        (3, "pending", "none"),
        (3, "effects", "ordered"),
    ]


async def test_what_a_model_said_is_said_again_and_nothing_is_asked_of_one() -> None:
    model = ScriptedModel({"respond": ["Rain, and then more rain."]})
    async with talking(Order, model=model) as talk:
        await talk.say("what will the weather be like?")
        recording = await kept(talk)
        sandbox = Sandbox(talk.dispatcher, recording)
        await sandbox.begin()
        there = await sandbox._talk.newest_session()  # nobody but the sandbox talks to what it plays
        tried = await sandbox.say("and on Monday?")
        await sandbox.end()

        assert there.text == "Rain, and then more rain."
        assert "Rain" not in tried.text
        assert tried.model_calls == 0
        assert (sandbox.differences, recording.lacks) == ([], ("model",))
        assert "us: …\n" in script(recording)
        assert model.left == 0


class Watched(ScriptedModel):
    """Knows in whose turn it was asked, and when."""

    def __init__(self, answers: dict[str, list[str]]) -> None:
        super().__init__(answers)
        self.when: list[tuple[str | None, datetime]] = []

    async def answer(self, request: ModelRequest) -> ModelAnswer:
        self.when.append((asking(), now()))
        return await super().answer(request)


async def test_what_is_said_in_a_sandbox_is_answered_by_a_model_where_somebody_wants_it() -> None:
    model = Watched({"respond": ["Rain, and then more rain.", "Sun, on Tuesday."]})
    async with talking(Order, model=model) as talk:
        await talk.say("what will the weather be like?")
        sandbox = Sandbox(talk.dispatcher, await kept(talk))
        await sandbox.begin()
        alone = await sandbox.say("and on Monday?")
        await sandbox.advance(3600)
        asked = await sandbox.say("and on Tuesday?", by_model=True)
        await sandbox.end()

        # At this hour, and on nobody's behalf: nothing is booked to whoever spoke then.
        assert model.when[-1] == (None, talk.clock())

        assert (sandbox.model, alone.model_calls) == ("scripted", 0)
        assert (asked.text, asked.model_calls) == ("Sun, on Tuesday.", 1)
        assert model.left == 0

    async with talking(Order) as talk:
        await talk.say("hello")
        assert Sandbox(talk.dispatcher, await kept(talk)).model is None


async def test_what_is_said_by_itself_is_said_again_when_its_time_comes() -> None:
    async with talking(Booking) as talk:
        for words in ("book a table", "Robin", "yes"):
            await talk.say(words)
        talk.advance(minutes=65)
        await talk.sweep()
        recording = await kept(talk)
        sandbox = Sandbox(talk.dispatcher, recording)
        await sandbox.begin()
        await sandbox.end()

        assert sandbox.differences == []
        assert "wait: 65 minutes\nsweep\nsession: newest\nus: No deposit came" in script(recording)


async def test_a_value_and_a_button_are_written_as_what_they_answer() -> None:
    async with talking(Order) as talk:
        first = await talk.say("order tea")
        talk.advance(seconds=2)
        await talk.say(answers=first.question_id, value=2)
        await talk.say("Yes", answers=first.question_id)

        lines = script(await kept(talk)).splitlines()

    assert "answers: = 2" in lines
    assert 'answers: "How many cups?" Yes' in lines
    assert "wait: 2 seconds" in lines


async def test_there_are_at_most_eight_and_one_that_nobody_uses_ends() -> None:
    at = 0.0
    async with talking(Order) as talk:
        await talk.say("order tea")
        recording = await kept(talk)
        sandboxes = Sandboxes(clock=lambda: at)
        opened = [await sandboxes.open(talk.dispatcher, recording) for _ in range(MOST)]
        with pytest.raises(TooManySandboxes, match="End one of them first"):
            await sandboxes.open(talk.dispatcher, recording)
        at = IDLE - 1
        assert await sandboxes.get(opened[0].id) is opened[0]
        at = IDLE
        assert await sandboxes.get(opened[1].id) is None
        assert await sandboxes.get(opened[0].id) is opened[0]
        assert await sandboxes.end(opened[0].id)
        assert not await sandboxes.end(opened[0].id)
        await sandboxes.open(talk.dispatcher, recording)
        await sandboxes.close()
