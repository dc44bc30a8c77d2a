"""Words for coming back are no answers when there is nothing to come back to."""

from softrail.processes.builtin.standup import Standup
from softrail.testing.plugin import Talk
from tests.conversations.kinds import Trip


async def test_undo_and_resume_leave_the_question_open(talk: Talk) -> None:
    c = await talk(Trip)
    await c.say("plan a trip")

    for words in ("undo", "resume", "continue"):
        said = await c.say(words)
        assert (said.step, said.pending) == ("gathering_place", "ask")
        assert said.text.endswith("Where to?")


async def test_undo_is_no_late_answer(talk: Talk) -> None:
    c = await talk(Standup)
    await c.say("let's do my standup")
    c.advance(days=1)

    assert (await c.say("undo")).process is None
    assert (await c.say("resume")).step == "gathering_yesterday"


async def test_a_hint_for_the_process_that_holds_does_not_swallow_the_answer(talk: Talk) -> None:
    c = await talk(Trip)
    await c.say("plan a trip")

    said = await c.say("Lisbon", intent_hint="start_trip")

    assert said.text == "Place: Lisbon.\n\nHow many days in Lisbon?"
