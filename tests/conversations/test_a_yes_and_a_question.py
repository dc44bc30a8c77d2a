"""A yes to a summary with a question: in a sentence of its own the question takes nothing from the yes."""

import pytest
from pydantic import BaseModel

from softrail import Done, Process, Turn, ask
from softrail.testing import Conversation
from softrail.testing.plugin import Talk


class Table(Process, name="table", version=1):
    """Books a table."""

    starts_on = ("book a table",)

    class Answers(BaseModel):
        place: str = ask("Which restaurant?")
        people: int = ask("How many are you?")

    async def summary(self, answers: Answers, turn: Turn) -> str:
        return f"A table for {answers.people} at {answers.place}."

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("The table is booked.")


@pytest.mark.parametrize(
    "said",
    [
        "Yes, that's right. What's the address?",
        "Yes. That's perfect. Can you tell me if they have parking?",
        "Yeah, that's good. Where is it, and when do they close?",
        "ok, that works for me. how do I get there?",
    ],
)
async def test_what_is_asked_in_a_sentence_of_its_own_takes_no_yes_back(talk: Talk, said: str) -> None:
    shown = await _shown(talk)

    reply = await shown.say(said)

    assert "The table is booked." in reply.text


@pytest.mark.parametrize(
    "said",
    [
        "sounds good, can we have the window?",
        "okay great and can you make sure it is a quiet one",
        "yes, but what does it cost?",
        "Yes. If we may sit outside.",
        "ok but put it on the terrace",
        "Yes, once Tom has agreed. What's the address?",
    ],
)
async def test_what_is_asked_or_set_as_a_condition_with_it_comes_first(talk: Talk, said: str) -> None:
    shown = await _shown(talk)

    reply = await shown.say(said)

    assert "The table is booked." not in reply.text
    assert reply.state == "active"


@pytest.mark.parametrize(
    "said", ["Tom is away then. Can we make it 3 people?", "hm, could it be 3 people?", "can you make that 3"]
)
async def test_a_change_that_is_asked_for_is_no_question_without_an_answer(talk: Talk, said: str) -> None:
    shown = await _shown(talk)

    reply = await shown.say(said)

    assert "A table for 3 at Luigi's." in reply.text
    assert "no answer" not in reply.text


async def test_a_question_beside_a_change_is_still_heard(talk: Talk) -> None:
    shown = await _shown(talk)

    reply = await shown.say("Can we make it 3 people? Is there a garden?")

    assert "A table for 3 at Luigi's." in reply.text
    assert "no answer" in reply.text


async def _shown(talk: Talk) -> Conversation:
    begun = await talk(Table)
    for said in ("book a table", "Luigi's", "4"):
        await begun.say(said)
    return begun
