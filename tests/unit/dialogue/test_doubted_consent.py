"""What may be a yes or a no, and is sure for neither, is asked: nothing is agreed to on a guess."""

import pytest
from pydantic import BaseModel

from softrail import Done, Process, Record, Turn, ask
from softrail.testing import Conversation
from softrail.testing.plugin import Talk
from tests.readers import reader


class Table(Process, name="table", version=1):
    """A table: how many sit at it, and whether a cake is wanted."""

    title = "your table"
    starts_on = ("book a table",)

    class Answers(BaseModel):
        """What is asked."""

        cake: bool = ask("Would you like a cake?", label="cake")
        people: int = ask("How many are you?", label="people")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Booked.", effects=[Record("table", answers)])


ACTS = {
    "hm, rather so I guess": {"affirm": 0.7},
    "thanks a lot for that": {"affirm": 0.4, "social": 0.9},
    "fine, I have read about it": {"affirm": 0.8, "correct": 0.6},
    "it is too loud in here": {"affirm": 0.1, "social": 0.2},
    "my aunt bakes": {"affirm": 0.2, "negate": 0.12, "inform": 0.0},
    "I'd forget my own head": {"negate": 0.55, "leave": 0.35},
    "got my licence in spring": {"negate": 0.6, "request": 0.55},
    "what a day": {"social": 0.95, "affirm": 0.2},
    "any chance of tea": {"ask": 0.95, "affirm": 0.2},
    "the bill was odd": {"correct": 0.9, "pause": 0.4, "negate": 0.35},
}

VALUES: dict[str, dict[str, str]] = {"fine, I have read about it": {}, "the bill was odd": {}}


async def asked(talk: Talk, *said: str) -> Conversation:
    spoken = await talk(Table, reader=reader(acts=ACTS, values=VALUES))
    for words in ("book a table", *said):
        await spoken.say(words)
    return spoken


async def test_half_a_yes_is_asked_about_with_yes_and_no_on_buttons(talk: Talk) -> None:
    spoken = await asked(talk)

    said = await spoken.say("hm, rather so I guess")

    assert said.text == "Is “hm, rather so I guess” a yes or a no?"
    assert said.reply.pending is not None
    assert said.reply.pending.options == ["Yes", "No"]


@pytest.mark.parametrize(("button", "cake"), [("Yes", True), ("No", False)])
async def test_the_button_is_the_answer(talk: Talk, button: str, cake: bool) -> None:
    spoken = await asked(talk, "hm, rather so I guess")

    said = await spoken.say(button)

    assert said.step == "gathering_people"
    await spoken.say("4")
    await spoken.say("yes")
    assert [kept["cake"] for kept in await spoken.records("table")] == [cake]


@pytest.mark.parametrize("words", ["thanks a lot for that", "fine, I have read about it"])
async def test_thanks_and_a_change_of_nothing_complete_no_summary(talk: Talk, words: str) -> None:
    spoken = await asked(talk, "yes", "4")

    said = await spoken.say(words)

    assert (said.state, said.pending) == ("active", "clarify")
    assert (await spoken.say("yes")).state == "completed"


async def test_the_second_time_the_question_itself_comes_again(talk: Talk) -> None:
    spoken = await asked(talk, "hm, rather so I guess")

    said = await spoken.say("hm, rather so I guess")

    assert said.text.endswith("Would you like a cake?")


async def test_what_is_hardly_one_is_not_asked_about(talk: Talk) -> None:
    spoken = await asked(talk)

    assert (await spoken.say("it is too loud in here")).text.endswith("Would you like a cake?")


async def test_words_that_nobody_knows_for_anything_else_are_asked_about(talk: Talk) -> None:
    spoken = await asked(talk)

    said = await spoken.say("my aunt bakes")

    assert said.text == "Is “my aunt bakes” a yes or a no?"
    assert (await spoken.say("my aunt bakes")).text.startswith("I did not understand that.")


async def test_a_summary_is_asked_about_as_well(talk: Talk) -> None:
    spoken = await asked(talk, "yes", "4")

    said = await spoken.say("my aunt bakes")

    assert (said.state, said.text) == ("active", "Is “my aunt bakes” a yes or a no?")


async def test_where_it_may_be_a_wish_to_leave_as_well_that_is_a_third_button(talk: Talk) -> None:
    spoken = await asked(talk)

    said = await spoken.say("I'd forget my own head")

    assert said.text == "Is “I'd forget my own head” a yes or a no, or shall I pause your table?"
    assert said.reply.pending is not None
    assert said.reply.pending.options == ["Yes", "No", "Pause your table"]
    assert (await spoken.say("Pause your table")).state == "suspended"


async def test_what_is_rather_a_yes_or_a_no_than_a_wish_is_asked_about(talk: Talk) -> None:
    spoken = await asked(talk)

    assert (await spoken.say("got my licence in spring")).pending == "clarify"


@pytest.mark.parametrize("words", ["what a day", "any chance of tea"])
async def test_talk_and_questions_stay_what_they_are(talk: Talk, words: str) -> None:
    spoken = await asked(talk)

    assert (await spoken.say(words)).pending != "clarify"


async def test_what_changes_something_is_no_doubtful_yes(talk: Talk) -> None:
    spoken = await asked(talk, "yes", "4")

    assert "a yes or a no" not in (await spoken.say("the bill was odd")).text
