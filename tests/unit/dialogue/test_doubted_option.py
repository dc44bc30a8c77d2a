"""An option that is meant in words of one's own is the answer where that is sure; where it is not, it is asked about first."""

from typing import Literal

import pytest
from pydantic import BaseModel

from softrail import Done, Process, Record, Turn, ask
from softrail.reader import LayeredReader
from softrail.testing import Conversation
from softrail.testing.plugin import Talk
from tests.readers import FakeMarker


class Card(Process, name="card", version=1):
    """A library card."""

    title = "your card"
    starts_on = ("get a card",)

    class Answers(BaseModel):
        """What is asked."""

        card: Literal["adult", "student", "family"] = ask("Which card would you like?")
        sent: Literal["post", "pickup"] = ask("How do you get it?")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Made.", effects=[Record("card", answers)])


CHEAP = "the cheap one for uni people"
SURELY = "i study at the uni"
ACTS = {
    CHEAP: {"inform": 0.95},
    SURELY: {"inform": 0.4, "none": 0.6},
    "the one for our lot": {"inform": 0.4},
    "what does it cost": {"ask": 0.95},
    "no idea": {"open": 0.95},
    "adults scare me, I am a student": {"inform": 0.9},
    "my friend brings it": {"inform": 0.9},
}
CHOSEN = {
    CHEAP: {"adult": 0.1, "student": 0.6, "family": 0.05},
    SURELY: {"student": 0.93},
    "the one for our lot": {"adult": 0.4, "student": 0.05, "family": 0.41},
    "my friend brings it": {"post": 0.3, "pickup": 0.29},
    "adults scare me, I am a student": {"student": 0.95, "adult": 0.02},
}
VALUES: dict[str, dict[str, str]] = {words: {} for words in ACTS} | {
    "adults scare me, I am a student": {"card": "adult"}
}


def reader() -> LayeredReader:
    marker = FakeMarker(acts=ACTS, values=VALUES, chosen=CHOSEN)
    return LayeredReader(lambda: marker)


async def asked(talk: Talk, *said: str) -> Conversation:
    spoken = await talk(Card, reader=reader())
    for words in ("get a card", *said):
        await spoken.say(words)
    return spoken


async def test_the_nearest_option_is_asked_about_with_all_of_them_on_buttons(talk: Talk) -> None:
    spoken = await asked(talk)

    said = await spoken.say(CHEAP)

    assert said.text == "Is that student? If not, please choose one of these: adult, family."
    assert said.reply.pending is not None
    assert said.reply.pending.options == ["student", "adult", "family"]


async def test_of_two_that_are_as_near_both_are_asked_about(talk: Talk) -> None:
    spoken = await asked(talk)

    said = await spoken.say("the one for our lot")

    assert said.text == "Is that family or adult? If not, please choose one of these: student."


async def test_of_two_options_both_are_asked_about(talk: Talk) -> None:
    spoken = await asked(talk, "adult")

    assert (await spoken.say("my friend brings it")).text == "Is that post or pickup?"


@pytest.mark.parametrize(
    ("answer", "card"),
    [("yes", "student"), ("student", "student"), ("family", "family"), ("1", "student"), ("2", "adult")],
)
async def test_yes_or_an_option_answers_it(talk: Talk, answer: str, card: str) -> None:
    spoken = await asked(talk, CHEAP, answer, "post")

    await spoken.say("yes")

    assert [kept["card"] for kept in await spoken.records("card")] == [card]


async def test_no_asks_again_and_nothing_is_kept(talk: Talk) -> None:
    spoken = await asked(talk, CHEAP)

    assert (await spoken.say("no")).text == "Which card would you like?"


async def test_a_yes_to_two_options_chooses_none(talk: Talk) -> None:
    spoken = await asked(talk, "the one for our lot")

    said = await spoken.say("yes")

    assert said.text == "Which card would you like?"


async def test_the_second_time_the_options_are_told_as_they_stand(talk: Talk) -> None:
    spoken = await asked(talk, CHEAP)

    said = await spoken.say(CHEAP)

    assert said.text.startswith("Please choose one of these: adult, student, family.")


@pytest.mark.parametrize("words", ["what does it cost", "no idea"])
async def test_of_what_answers_nothing_no_option_is_asked_about(talk: Talk, words: str) -> None:
    spoken = await asked(talk)

    assert "Is that" not in (await spoken.say(words)).text


async def test_an_option_that_is_surely_meant_is_the_answer(talk: Talk) -> None:
    spoken = await asked(talk)

    for words in (SURELY, "post", "yes"):
        await spoken.say(words)

    assert [kept["card"] for kept in await spoken.records("card")] == ["student"]


async def test_an_option_that_is_named_and_not_meant_is_not_taken(talk: Talk) -> None:
    spoken = await asked(talk)

    said = await spoken.say("adults scare me, I am a student")

    assert said.reply.pending is not None
    assert said.reply.pending.options == ["student", "adult", "family"]


class Receipt(Process, name="receipt", version=1):
    """Whether there is a receipt."""

    starts_on = ("hand it back",)

    class Answers(BaseModel):
        """What is asked."""

        receipt: bool = ask("Do you still have the receipt?")
        why: str = ask("What is wrong with it?")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Taken.")


async def test_a_no_that_follows_from_a_fact_is_read_back_and_a_plain_one_is_not(talk: Talk) -> None:
    gone = "threw it out ages ago"
    marker = FakeMarker(acts={gone: {"negate": 0.4}}, values={gone: {}}, chosen={gone: {"no": 0.95}})
    for said, told in ((gone, "Receipt: no. What is wrong with it?"), ("no", "What is wrong with it?")):
        spoken = await talk(Receipt, reader=LayeredReader(lambda: marker))
        await spoken.say("hand it back")

        assert " ".join((await spoken.say(said)).text.split()) == told
