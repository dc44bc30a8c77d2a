"""While a clarification covers a process, every way in and out of both still works."""

from typing import Any

from softrail import IntentDefinition, Turn
from softrail.core.instances import State
from softrail.core.intents import Intent
from softrail.testing import Conversation
from softrail.testing.plugin import Talk
from tests.conversations.kinds import Trip
from tests.conversations.test_clarification import _open as open_talk


async def _covered(talk: Talk) -> Conversation:
    c = await open_talk(talk)
    await c.say("plan a trip")
    asked = await c.say("what about my projects?", intent_hint="how_is")
    assert (asked.process, asked.pending) == ("clarification", "clarify")
    return c


async def _holding(c: Conversation) -> list[str]:
    assert c.session_id is not None
    return [i.process for i in await c.dispatcher.store.instances(c.session_id) if i.holds]


async def test_another_process_asked_for_by_name_gets_the_session_and_both_make_way(talk: Talk) -> None:
    c = await _covered(talk)

    said = await c.say("let's do my standup")

    assert (said.process, said.state) == ("standup", "active")
    assert "I've paused the trip" in said.text
    assert "my question" not in said.text
    assert await _holding(c) == ["standup"]


async def test_resuming_another_process_makes_both_give_way(talk: Talk) -> None:
    c = await open_talk(talk)
    await c.say("let's do my standup")
    await c.say("stop")
    await c.say("plan a trip")
    await c.say("what about my projects?", intent_hint="how_is")

    said = await c.say("resume")

    assert (said.process, said.state) == ("standup", "active")
    assert await _holding(c) == ["standup"]


async def test_asking_for_the_covered_process_drops_the_question_and_keeps_its_answers(talk: Talk) -> None:
    c = await open_talk(talk)
    await c.say("plan a trip")
    await c.say("Lisbon")
    await c.say("what about my projects?", intent_hint="how_is")

    said = await c.say("plan a trip")

    assert (said.process, said.step, said.pending) == ("trip", "gathering_days", "ask")
    assert said.text.endswith("How many days in Lisbon?")


async def test_a_dropped_question_that_is_taken_back_covers_the_process_again(talk: Talk) -> None:
    for leaving in ("stop", "never mind"):
        c = await _covered(talk)
        left = await c.say(leaving)
        assert (left.process, left.pending) == ("trip", "ask")

        back = await c.say("undo")
        answered = await c.say("FarmGuard")

        assert (back.process, back.pending) == ("clarification", "clarify")
        assert "paused" not in back.text
        assert answered.text == "FarmGuard is fine.\n\nWhere to?"
        assert await _holding(c) == ["trip"]


async def test_the_covered_process_is_left_by_its_name(talk: Talk) -> None:
    for words in ("cancel the trip", "I don't want to do the trip"):
        c = await _covered(talk)

        said = await c.say(words)

        assert (said.process, said.state, said.pending) == ("trip", "abandoned", None)
        assert await _holding(c) == []
        assert (await c.say("undo")).process == "trip"


async def test_starting_over_drops_the_question(talk: Talk) -> None:
    c = await _covered(talk)

    said = await c.say("start over")

    assert said.decision.trouble is None
    assert (said.process, said.pending) == ("trip", "ask")


async def test_questions_do_not_pile_up(talk: Talk) -> None:
    c = await _covered(talk)
    for _ in range(3):
        assert (await c.say("release it")).pending == "clarify"

    said = await c.say("stop")

    assert said.text == "Okay, I've stopped my question.\n\nWhere to?"
    assert await _holding(c) == ["trip"]
    assert c.session_id is not None
    left = await c.dispatcher.store.instances(c.session_id)
    assert [i.process for i in left if i.state is State.ACTIVE] == ["trip"]


async def test_a_handler_that_returns_nothing_leaves_the_process_asking(talk: Talk) -> None:
    async def broken(turn: Turn, intent: Intent) -> Any:
        return None

    c = await talk(Trip, intents=[(IntentDefinition(name="broken", description="Broken."), broken)])
    await c.say("plan a trip")

    said = await c.say("what is it?", intent_hint="broken")

    assert said.text.endswith("Where to?")
    assert (said.process, said.pending) == ("trip", "ask")


async def test_two_dropped_questions_are_not_told_of_and_not_resumed(talk: Talk) -> None:
    c = await open_talk(talk)
    for _ in range(2):
        await c.say("release it")
        stopped = await c.say("stop")
        assert stopped.text == "Okay, I've stopped my question."
    await c.say("it rains")

    assert (await c.say("/status")).text == "Nothing is under way."
    assert (await c.say("resume")).process is None
