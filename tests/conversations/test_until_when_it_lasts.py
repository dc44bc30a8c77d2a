"""How long something is, told by when it is over: with its beginning, which is known or said beside it, that is a length."""

from datetime import date, time, timedelta

import pytest
from pydantic import BaseModel

from softrail import Done, Process, Record, Turn, ask
from tests.conversations.kept import told


class Hall(Process, name="hall", version=1):
    """A hall for an evening."""

    starts_on = ("book the hall",)

    class Answers(BaseModel):
        start: time = ask("At what time does it start?", label="start")
        length: timedelta = ask("How long will you need it?", label="length")
        guests: int = ask("How many guests are there?")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Kept.", effects=[Record("hall", answers)])


class Pitch(Process, name="pitch", version=1):
    """A pitch for a tent."""

    starts_on = ("book a pitch",)

    class Answers(BaseModel):
        arrival: date = ask("On which day do you arrive?")
        stay: timedelta = ask("How long do you want to stay?")
        people: int = ask("How many people are you?")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Kept.", effects=[Record("pitch", answers)])


@pytest.mark.parametrize(
    ("said", "length"),
    [
        ("till nine in the evening", "PT8H"),
        ("until six", "PT5H"),
        ("until midnight", "PT11H"),
        ("till 2.30 pm", "PT1H30M"),
        ("it should end at 5 pm", "PT4H"),
        ("until the cake is cut, so till eight in the evening", "PT7H"),
        ("until nine, so seven hours", "PT7H"),
        ("from one to ten at night", "PT9H"),
    ],
)
async def test_asked_how_long_the_end_is_told(said: str, length: str) -> None:
    answers, _ = await told(Hall, "1 pm", said)

    assert answers == {"start": "13:00:00", "length": length}


async def test_a_beginning_told_beside_the_end_is_the_new_one() -> None:
    answers, _ = await told(Hall, "1 pm", "from three to eleven")

    assert answers == {"start": "15:00:00", "length": "PT8H"}


@pytest.mark.parametrize(
    ("said", "start", "length"),
    [
        ("start at 2 pm, end at ten", "14:00:00", "PT8H"),
        ("it starts at noon and finishes at six", "12:00:00", "PT6H"),
        ("3 pm then, and we need it till the last dance, say 11 at night", "15:00:00", "PT8H"),
    ],
)
async def test_asked_when_it_starts_the_end_has_a_clause_of_its_own(
    said: str, start: str, length: str
) -> None:
    answers, _ = await told(Hall, said)

    assert answers == {"start": start, "length": length}


async def test_a_no_before_both_ends_calls_no_beginning_wrong() -> None:
    answers, _ = await told(Hall, "1 pm", "no no. start at one, end at nine")

    assert answers["start"] == "13:00:00"


@pytest.mark.parametrize("said", ["not until nine in the evening", "until it is over"])
async def test_what_is_no_end_is_no_length(said: str) -> None:
    answers, words = await told(Hall, "1 pm", said)

    assert answers == {"start": "13:00:00"}
    assert words.endswith("How long will you need it?")


@pytest.mark.parametrize(
    ("said", "stay"),
    [
        ("till the 12th", "P7D"),
        ("until 20 May", "P15D"),
        ("till the 3rd", "P29D"),
        ("until the 12th, so 7 nights", "P7D"),
    ],
)
async def test_a_stay_is_told_by_its_last_day(said: str, stay: str) -> None:
    answers, _ = await told(Pitch, "5 May", said)

    assert answers == {"arrival": "2026-05-05", "stay": stay}
