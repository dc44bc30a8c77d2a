"""An option that is meant in words of one's own is asked about, the nearest in meaning first; none is ever taken for it."""

from collections.abc import Sequence
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
ACTS = {
    CHEAP: {"inform": 0.95},
    "the one for our lot": {"inform": 0.4},
    "what does it cost": {"ask": 0.95},
    "no idea": {"open": 0.95},
    "anything but the student one": {"inform": 0.9},
    "not for grown-ups": {"inform": 0.9},
    "my friend brings it": {"inform": 0.9},
}
ALIKE = {
    CHEAP: {"adult": 0.5, "student": 0.7, "family": 0.4},
    "the one for our lot": {"adult": 0.5, "student": 0.3, "family": 0.51},
    "not for grown-ups": {"adult": 0.9, "student": 0.3, "family": 0.4},
    "my friend brings it": {"post": 0.7, "pickup": 0.4},
}


class Scale:
    """Knows how alike texts are from a table, and what it was asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def alike(self, said: str, others: Sequence[str]) -> Sequence[float]:
        self.asked.append(said)
        known = next((table for words, table in ALIKE.items() if said.endswith(words)), {})
        return [known.get(other.rpartition("? ")[2], 0.0) for other in others]


class Broken:
    """Fails at whatever it is asked."""

    def alike(self, said: str, others: Sequence[str]) -> Sequence[float]:
        raise OSError("no such file")


def reader(scale: Scale | Broken | None) -> LayeredReader:
    marker = FakeMarker(acts=ACTS, values={words: {} for words in ACTS})
    return LayeredReader(lambda: marker, likeness=lambda: scale)


async def asked(talk: Talk, *said: str, scale: Scale | Broken | None = None) -> Conversation:
    spoken = await talk(Card, reader=reader(scale or Scale()))
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

    assert said.text.startswith("Please choose which of these you mean.")


async def test_the_second_time_the_options_are_told_as_they_stand(talk: Talk) -> None:
    spoken = await asked(talk, CHEAP)

    said = await spoken.say(CHEAP)

    assert said.text.startswith("Please choose one of these: adult, student, family.")


@pytest.mark.parametrize("words", ["what does it cost", "no idea"])
async def test_what_chooses_nothing_is_compared_with_nothing(talk: Talk, words: str) -> None:
    scale = Scale()
    spoken = await asked(talk, scale=scale)

    said = await spoken.say(words)

    assert not [one for one in scale.asked if one.endswith(words)]
    assert "Is that" not in said.text


async def test_an_option_that_is_left_out_is_not_asked_about(talk: Talk) -> None:
    spoken = await asked(talk)

    said = await spoken.say("anything but the student one")

    assert said.text.startswith("Please choose one of these: adult, student, family.")


async def test_where_something_is_denied_no_option_is_asked_about_by_itself(talk: Talk) -> None:
    spoken = await asked(talk)

    assert (await spoken.say("not for grown-ups")).text.startswith("Is that adult or family?")


async def test_where_nothing_compares_the_options_are_told(talk: Talk) -> None:
    spoken = await talk(Card, reader=reader(None))
    await spoken.say("get a card")

    assert (await spoken.say(CHEAP)).text.startswith("Please choose one of these: adult, student, family.")


async def test_what_fails_to_compare_fails_no_turn(talk: Talk, caplog: pytest.LogCaptureFixture) -> None:
    spoken = await asked(talk, scale=Broken())

    assert (await spoken.say(CHEAP)).text.startswith("Please choose one of these: adult, student, family.")
    assert "Options could not be compared" in caplog.text
