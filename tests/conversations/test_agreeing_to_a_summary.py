"""What is shown at the end is agreed to in words that nobody has listed, also with thanks or a farewell; a doubt above it is left with a yes."""

import pytest
from pydantic import BaseModel

from softrail import Done, Process, Record, Turn, ask
from softrail.testing import Conversation, FrozenClock, conversation


class Order(Process, name="order", version=1):
    """Orders cakes."""

    starts_on = ("order a cake",)

    class Answers(BaseModel):
        kind: str = ask("What kind of cake?")
        pieces: int = ask("How many pieces?")
        people: int = ask("How many people eat of it?")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Ordered.", effects=[Record("order", answers)])


async def said_to_the_summary(talk: Conversation, *messages: str) -> str:
    for message in ("order a cake", "plum", "12", "4", *messages):
        said = await talk.say(message)
    return said.text


@pytest.mark.parametrize(
    "words",
    [
        "spot on",
        "bang on, thank you",
        "couldn't be better",
        "nothing to change",
        "no change, is good",
        "as good as it gets",
        "Thank you kindly, you may send it",
        "all ok thank you, goodbye",
        "thanks, that's everything, bye",
        "looks right to me, have to run, bye",
    ],
)
async def test_it_is_a_yes(words: str) -> None:
    async with conversation(Order, clock=FrozenClock()) as talk:
        assert await said_to_the_summary(talk, words) == "Ordered."


@pytest.mark.parametrize(
    "words",
    [
        "hm",
        "well",
        "oh",
        "fine whatever",
        "nearly right",
        "you got nearly everything right",
        "it could be better",
        "nothing is right",
        "not quite, thanks",
        "thanks, but no",
        "yes, later, bye",
        "fine, I'll do it tomorrow",
        "thank you, goodbye",
        "that is not correct, bye",
        "thanks, I'll think about it, bye",
    ],
)
async def test_it_is_none(words: str) -> None:
    async with conversation(Order, clock=FrozenClock()) as talk:
        assert "Ordered." not in await said_to_the_summary(talk, words)
        assert await talk.records("order") == []


@pytest.mark.parametrize(
    "yes",
    ["yes", "looks good", "ok just send it", "yes that is right, submit", "go on", "that's all", "done"],
)
async def test_a_yes_to_what_is_to_change_leaves_that_and_the_next_one_is_to_the_summary(yes: str) -> None:
    async with conversation(Order, clock=FrozenClock()) as talk:
        asked = await said_to_the_summary(talk, "seventh")
        assert "Which of these is it" in asked

        left = await talk.say(yes)

        assert left.text.startswith("Here is what I have:")
        assert "Pieces: 12" in left.text
        assert (await talk.say(yes)).text == "Ordered."
