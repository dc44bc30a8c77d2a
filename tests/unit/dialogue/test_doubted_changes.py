"""An answer is changed only where the field and its new value are both sure; else what was read is on buttons."""

from collections.abc import Mapping, Sequence

import pytest
from pydantic import BaseModel

from softrail import Done, Process, Record, Turn, ask
from softrail.reader import LayeredReader
from softrail.reader.learned import ACTS, Edited, Joint, Marks
from softrail.testing import Conversation
from softrail.testing.plugin import Talk
from tests.readers import ChoosesNone, joint, pieces


class Ride(Process, name="ride", version=1):
    """A ride: from where, to where, what is taken along."""

    title = "your ride"
    starts_on = ("book a ride",)

    class Answers(BaseModel):
        """What is asked."""

        start: str = ask("Where do you start?", label="start")
        goal: str = ask("Where do you go?", label="goal")
        luggage: list[str] = ask("What do you take along?", label="luggage")
        note: str = ask("Anything else?", default="")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Booked.", effects=[Record("ride", answers)])


class Marker(ChoosesNone):
    """Marks the fields of one message as it was told: how likely a value is, which words, how likely those."""

    def __init__(self, message: str, marks: Mapping[str, tuple[float, str, float]], **acts: float) -> None:
        self._message = message
        self._marks = marks
        self._acts = acts

    def mark(self, message: str, queries: Sequence[str]) -> list[Marks]:
        return [self._one(message, query) for query in queries]

    def joint(self, message: str, queries: Sequence[str]) -> Joint:
        return joint(self.mark(message, queries), queries)

    def _one(self, message: str, query: str) -> Marks:
        if message != self._message:
            return Marks(
                acts=dict.fromkeys(ACTS, 0.0) | {"inform": 0.97},
                start=0,
                end=len(message),
                value=0.95,
                span=0.95,
            )
        value, words, span = next((m for k, m in self._marks.items() if k in query), (0.0, "", 0.0))
        start = message.index(words)
        acts = dict.fromkeys(ACTS, 0.0) | self._acts
        return Marks(acts=acts, start=start, end=start + len(words), value=value, span=span)


SAID = "no, Harbour Road"
EITHER = {"you go": (0.95, "Harbour Road", 0.95), "you start": (0.93, "Harbour Road", 0.95)}
CLEAR = {"you go": (0.95, "Harbour Road", 0.95), "you start": (0.2, "Harbour Road", 0.95)}
SOMEWHERE = {"you go": (0.95, "Harbour Road", 0.3)}


async def at_the_note(
    talk: Talk, message: str, marks: Mapping[str, tuple[float, str, float]]
) -> Conversation:
    marker = Marker(message, marks, correct=0.97)
    spoken = await talk(Ride, reader=LayeredReader(lambda: marker))
    for words in ("book a ride", "Mill Lane", "Castle Hill", "a bicycle"):
        await spoken.say(words)
    return spoken


async def test_a_change_that_fits_one_answer_is_made(talk: Talk) -> None:
    spoken = await at_the_note(talk, SAID, CLEAR)

    said = await spoken.say(SAID)

    assert "Goal: Harbour Road" in said.text


async def test_words_that_two_answers_may_want_change_neither_and_both_are_on_buttons(talk: Talk) -> None:
    spoken = await at_the_note(talk, SAID, EITHER)

    said = await spoken.say(SAID)

    assert said.reply.pending is not None
    assert said.reply.pending.kind == "clarify"
    assert said.reply.pending.options == [
        "Goal: Harbour Road instead of Castle Hill",
        "Start: Harbour Road instead of Mill Lane",
        "None of these",
    ]
    assert (await spoken.say("stop")).text.count("Harbour Road") == 0


@pytest.mark.parametrize(
    ("button", "there"),
    [
        ("Goal: Harbour Road instead of Castle Hill", "Goal: Harbour Road"),
        ("Start: Harbour Road instead of Mill Lane", "Start: Harbour Road"),
    ],
    ids=["the likelier", "the other"],
)
async def test_the_button_makes_the_change_and_the_open_question_comes_again(
    talk: Talk, button: str, there: str
) -> None:
    spoken = await at_the_note(talk, SAID, EITHER)
    await spoken.say(SAID)

    said = await spoken.say(button)

    assert said.text.endswith("Anything else?")
    assert there in said.text


async def test_none_of_these_changes_nothing(talk: Talk) -> None:
    spoken = await at_the_note(talk, SAID, EITHER)
    await spoken.say(SAID)

    said = await spoken.say("None of these")

    assert said.text.endswith("Anything else?")
    assert "Harbour Road" not in (await spoken.say("stop")).text


async def test_where_a_value_ends_must_be_sure_too(talk: Talk) -> None:
    spoken = await at_the_note(talk, SAID, SOMEWHERE)

    said = await spoken.say(SAID)

    assert said.text == (
        "I am not sure what is to change. Is it this: goal: Harbour Road instead of Castle Hill?"
    )


async def test_a_second_doubt_in_a_row_asks_the_open_question(talk: Talk) -> None:
    spoken = await at_the_note(talk, SAID, EITHER)
    await spoken.say(SAID)

    said = await spoken.say(SAID)

    assert said.pending == "ask"
    assert said.text.endswith("Anything else?")


async def test_a_list_is_not_replaced_where_something_may_be_added_to_it(talk: Talk) -> None:
    message = "I forgot the tent"
    spoken = await at_the_note(talk, message, {"take along": (0.97, "the tent", 0.97)})

    said = await spoken.say(message)

    assert said.reply.pending is not None
    assert said.reply.pending.options == [
        "Luggage: the tent instead of a bicycle",
        "Luggage: the tent as well",
        "None of these",
    ]
    assert "a bicycle; the tent" in (await spoken.say("Luggage: the tent as well")).text


class Unsure(Marker):
    """The tent may go, and what follows on "rather" may come."""

    def edited(self, message: str, asked: str, there: Sequence[str], question: str) -> Edited | None:
        goes = tuple(0.8 if item == "a tent" else 0.0 for item in there)
        come = [message.partition("rather ")[2]] if "rather " in message else []
        return Edited(goes=goes, pieces=pieces(message, come))


@pytest.mark.parametrize(
    ("message", "button", "then"),
    [
        ("hardly the tent", "Luggage without a tent", "Luggage: a bicycle."),
        ("rather a stove", "Luggage: a stove instead of a tent", "Luggage: a bicycle; a stove."),
    ],
)
async def test_of_a_list_that_may_change_only_that_is_on_the_button(
    talk: Talk, message: str, button: str, then: str
) -> None:
    marker = Unsure(message, {}, correct=0.97)
    spoken = await talk(Ride, reader=LayeredReader(lambda: marker))
    for words in ("book a ride", "Mill Lane", "Castle Hill", "a bicycle\na tent"):
        await spoken.say(words)

    said = await spoken.say(message)

    assert said.reply.pending is not None
    assert said.reply.pending.options == [button, "None of these"]
    assert then in (await spoken.say(button)).text


async def test_a_yes_to_one_way_to_read_it_is_a_yes_to_that(talk: Talk) -> None:
    spoken = await at_the_note(talk, SAID, SOMEWHERE)
    asked = await spoken.say(SAID)
    assert asked.text.startswith("I am not sure what is to change. Is it this: goal: Harbour Road")

    said = await spoken.say("yes")

    assert "Goal: Harbour Road" in said.text


async def test_a_yes_to_several_ways_agrees_to_nothing_and_leaves_them(talk: Talk) -> None:
    spoken = await at_the_note(talk, SAID, EITHER)
    await spoken.say(SAID)

    said = await spoken.say("yes")

    assert said.text == "Anything else?"
    assert await spoken.records("ride") == []


async def test_a_no_to_what_may_change_changes_nothing(talk: Talk) -> None:
    spoken = await at_the_note(talk, SAID, EITHER)
    await spoken.say(SAID)

    said = await spoken.say("no")

    assert said.text == "Anything else?"
