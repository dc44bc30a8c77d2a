"""Two values of a kind where one is asked for: what was taken back is kept nowhere, and what nobody named changes nothing."""

from datetime import date

import pytest
from pydantic import BaseModel

from softrail import Done, Process, Turn, ask
from tests.conversations.kept import told


class Trip(Process, name="trip", version=1):
    """A trip."""

    starts_on = ("plan a trip",)

    class Answers(BaseModel):
        leaves: date = ask("When do you leave?")
        comes_back: date = ask("When are you back?")
        who: str = ask("Who travels?")
        seats: int = ask("How many seats?")
        first: bool = ask("Is it the first time?")
        town: str = ask("Which town?")
        money: int = ask("How much may it cost?")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Noted.")


UP_TO = {
    "seats": ("5 may", "9 may", "me"),
    "town": ("5 may", "9 may", "me", "4", "no"),
}


@pytest.mark.parametrize(
    ("lines", "name", "last"),
    [
        (("friday, no, saturday",), "leaves", "2026-03-07"),
        (("the 12th, sorry, the 13th of may",), "leaves", "2026-05-13"),
        (("could we do thursday? oh wait, is friday possible instead",), "leaves", "2026-03-06"),
        ((*UP_TO["seats"], "20, no wait, 25"), "seats", 25),
        ((*UP_TO["seats"], "I need 20, actually 25"), "seats", 25),
    ],
)
async def test_what_was_taken_back_is_no_answer_to_anything(
    lines: tuple[str, ...], name: str, last: object
) -> None:
    answers, words = await told(Trip, *lines)

    assert answers.get(name) == last or (name not in answers and "which one is it" in words)
    assert len(answers) <= len(lines)
    assert "money" not in answers
    assert name == "seats" or "comes_back" not in answers


@pytest.mark.parametrize(
    ("lines", "which"),
    [
        ((*UP_TO["seats"], "20; 900"), "more than one number"),
    ],
)
async def test_where_either_may_be_meant_it_is_asked_which(lines: tuple[str, ...], which: str) -> None:
    answers, words = await told(Trip, *lines)

    assert len(answers) == len(lines) - 1, "nothing of it is kept"
    assert which in words


async def test_a_second_number_changes_none_that_was_given_and_not_named() -> None:
    answers, _ = await told(Trip, *UP_TO["town"], "around 1500, can stretch to 1800 if needed")

    assert answers["seats"] == 4


async def test_a_change_turns_no_yes_round_that_nobody_named() -> None:
    answers, words = await told(Trip, *UP_TO["town"], "actually it's for my husband Karl, not me")

    assert answers["first"] is False
    assert "first" not in words
    assert answers["who"] == "my husband Karl"


async def test_a_number_that_is_held_against_another_is_asked_about() -> None:
    answers, words = await told(Trip, *UP_TO["town"], "Lyon", "it was 650 but I paid 50 of it already")

    assert "money" not in answers
    assert "more than one number" in words
