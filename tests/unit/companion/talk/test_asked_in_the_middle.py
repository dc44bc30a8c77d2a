"""What is asked and told in the middle of a process is answered and noted as in free talk, and the question comes again."""

from collections.abc import AsyncIterator

import pytest

from softrail.testing import FrozenClock
from tests.readers import reader
from tests.unit.companion.talk.kit import Talk, companion_talk

QUESTION = "What's planned for today?"
QUESTIONS = {
    "when do the fireworks start?": "the fireworks start at ten",
    "what have I got so far?": "- Yesterday: finished the flyers",
    "which projects do I have?": "Harbour Days",
    "how long does this take?": "2 of 3 questions are still open",
    "who can see this?": "which is kept for you alone",
}
FACTS = {  #: with how likely each is an answer, by what it is told as
    "btw Anna moved the launch to May": ("Anna moved the launch to May", {"correct": 0.9}),
    "by the way: the ferry is fully booked": ("the ferry is fully booked", {"inform": 0.97}),
    "just so you know, Lena is on holiday until Monday": (
        "Lena is on holiday until Monday",
        {"inform": 0.4, "social": 0.5},
    ),
    "the hall is double booked, for your information": ("the hall is double booked", {"social": 0.9}),
    "one more thing: the mooring costs 1,450 euros": ("the mooring costs 1,450 euros", {"inform": 0.5}),
}
OTHERS = "can anyone else read this?"
MENDS = "hmm no, it was Omar"
ACTS = {
    MENDS: {"inform": 0.97},
    **{question: {"ask": 0.95} for question in QUESTIONS},
    OTHERS: {"human": 0.95, "ask": 0.5},
    **{message: acts for message, (_, acts) in FACTS.items()},
}
VALUES = {
    message: {"planned for": note} if "inform" in acts else {} for message, (note, acts) in FACTS.items()
}


@pytest.fixture
async def standup(frozen: FrozenClock) -> AsyncIterator[Talk]:
    async with companion_talk(frozen, reader=reader(acts=ACTS, values=VALUES)) as c:
        await c.project("Harbour Days")
        await c.say("remember that the fireworks start at ten")
        await c.say("let's do my standup")
        asked = await c.say("finished the flyers")
        assert asked.text.endswith(QUESTION)
        yield c


@pytest.mark.parametrize(("message", "answer"), QUESTIONS.items())
async def test_a_question_is_answered_as_in_free_talk(standup: Talk, message: str, answer: str) -> None:
    said = await standup.say(message)
    assert answer in said.text
    assert said.text.endswith(QUESTION)


@pytest.mark.parametrize(("message", "note"), [(message, note) for message, (note, _) in FACTS.items()])
async def test_a_fact_told_beside_it_is_noted_once_it_is_clear_that_it_is_one(
    standup: Talk, message: str, note: str
) -> None:
    said = await standup.say(message)
    if said.pending == "clarify":
        assert "note" in said.text
        ways = said.reply.suggested_actions
        said = await standup.say("Keep it as a note" if "Keep it as a note" in ways else "yes")
    assert f"“{note}”" in said.text
    assert said.text.endswith(QUESTION)
    assert (await standup.say("what have I got so far?")).text.count("- ") == 1, "no answer was stored"


async def test_a_note_just_told_is_put_right_and_no_answer_is_stored(standup: Talk) -> None:
    await standup.say("remember that Falk repaired the pump")
    asked = await standup.say(MENDS)
    assert "Omar repaired the pump" in asked.text
    said = await standup.say("yes")
    assert "“Omar repaired the pump”" in said.text
    assert said.text.endswith(QUESTION)


async def test_a_question_about_other_people_wants_no_person(standup: Talk) -> None:
    said = await standup.say(OTHERS)
    assert said.intent == "privacy"
    assert said.text.endswith(QUESTION)
