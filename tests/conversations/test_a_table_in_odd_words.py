"""A table is booked by people who leave options out, ask for changes politely and forget what they said."""

from datetime import date, time
from typing import Literal

import pytest
from pydantic import BaseModel

from softrail import Done, Process, Record, Turn, ask
from tests.conversations.kept import told


class Table(Process, name="table", version=1):
    """A table at a restaurant."""

    starts_on = ("book a table",)

    class Answers(BaseModel):
        who: str = ask("Who is it for?", label="name")
        guests: int = ask("How many of you?")
        day: date = ask("Which day?")
        at: time = ask("What time?", label="time")
        seat: Literal["inside", "terrace", "bar"] = ask("Where would you like to sit?")
        birthday: bool = ask("Is it a birthday?")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Booked.", effects=[Record("table", answers)])


UP_TO_SEAT = ("Novak", "3", "2030-05-03", "7 pm")


@pytest.mark.parametrize("said", ["anywhere but the bar", "everything except the bar", "not the bar please"])
async def test_an_option_that_is_left_out_is_not_taken(said: str) -> None:
    answers, words = await told(Table, *UP_TO_SEAT, said)

    assert "seat" not in answers
    assert words.startswith("Please choose one of these: inside, terrace, bar.")


@pytest.mark.parametrize(
    "said",
    ["could we be five people instead?", "could you change the guests to 5", "make it 5 guests please"],
)
async def test_a_change_that_is_asked_for_is_carried_out_and_no_question_besides(said: str) -> None:
    answers, words = await told(Table, *UP_TO_SEAT, said)

    assert answers["guests"] == 5
    assert "no answer" not in words


@pytest.mark.parametrize("said", ["wait what day did I say?", "which day was it again"])
async def test_whoever_forgot_an_answer_is_told_it(said: str) -> None:
    _, words = await told(Table, *UP_TO_SEAT, said)

    assert words == "This is what you told me: day: Friday, 3 May 2030.\n\nWhere would you like to sit?"


async def test_what_belongs_to_no_answer_is_told_nothing() -> None:
    _, words = await told(Table, *UP_TO_SEAT, "do you take cards?")

    assert words == "I have no answer to that here.\n\nWhere would you like to sit?"
