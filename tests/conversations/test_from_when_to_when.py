"""From when to when something is: where one answer is when it begins and one how long it takes, both are kept."""

import datetime as dt
from datetime import date, time, timedelta
from typing import Literal

import pytest
from pydantic import BaseModel

from softrail import Done, Process, Record, Turn, ask
from tests.conversations.kept import told


class Lesson(Process, name="lesson", version=1):
    """A lesson."""

    starts_on = ("plan a lesson",)

    class Answers(BaseModel):
        pupils: int = ask("How many pupils will there be?", ge=1, le=30)
        day: date = ask("Which day is it?")
        start: time = ask("At what time does it start?", label="start")
        length: timedelta = ask("How long will it take?", label="length")
        level: Literal["beginners", "advanced"] = ask("What level are they?")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Kept.", effects=[Record("lesson", answers)])


class Talk(Process, name="talk", version=1):
    """A talk, with its minutes as a number."""

    starts_on = ("plan a talk",)

    class Answers(BaseModel):
        begins: time = ask("At what time does it begin?")
        minutes: int = ask("How many minutes will it take?")
        guests: int = ask("How many guests come?")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Kept.", effects=[Record("talk", answers)])


class Table(Process, name="table", version=1):
    """A table, for as long as one likes."""

    starts_on = ("book a table",)

    class Answers(BaseModel):
        day: date = ask("Which day would you like to come?")
        time: dt.time = ask("At what time?")
        people: int = ask("How many of you will there be?")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Kept.", effects=[Record("table", answers)])


@pytest.mark.parametrize("said", ["friday 7 to 9 pm", "friday, from 7 till 9 in the evening"])
async def test_where_nothing_is_how_long_it_is_asked_which_time_is_meant(said: str) -> None:
    answers, words = await told(Table, said)

    assert answers == {"day": "2026-03-06"}
    assert words.endswith("At what time?")


@pytest.mark.parametrize(
    ("said", "day", "start", "length"),
    [
        ("friday 2 to 3.30pm", "2026-03-06", "14:00:00", "PT1H30M"),
        ("friday from 2 till 3.30 pm", "2026-03-06", "14:00:00", "PT1H30M"),
        ("saturday between 10 and 11:30", "2026-03-07", "10:00:00", "PT1H30M"),
        ("thursday 9 to 10", "2026-03-05", "09:00:00", "PT1H"),
        ("friday, 10:00-11:30", "2026-03-06", "10:00:00", "PT1H30M"),
        ("tomorrow, 7 to 8.30 in the evening", "2026-03-03", "19:00:00", "PT1H30M"),
        ("friday half past 4 to 5", "2026-03-06", "16:30:00", "PT30M"),
        ("friday at 3, for an hour", "2026-03-06", "15:00:00", "PT1H"),
    ],
)
async def test_the_day_the_beginning_and_how_long_are_kept(
    said: str, day: str, start: str, length: str
) -> None:
    answers, words = await told(Lesson, "4", said)

    assert answers == {"pupils": 4, "day": day, "start": start, "length": length}
    assert "no place" not in words


@pytest.mark.parametrize(
    ("said", "start", "length"),
    [
        ("from 5 till 6 in the evening", "17:00:00", "PT1H"),
        ("5 pm until quarter past 6", "17:00:00", "PT1H15M"),
        ("3 - 4pm", "15:00:00", "PT1H"),
        ("9 to 5", "09:00:00", "PT8H"),
        ("11 till 1", "11:00:00", "PT2H"),
        ("at 5 pm, half an hour", "17:00:00", "PT30M"),
    ],
)
async def test_asked_when_it_starts_how_long_is_kept_besides(said: str, start: str, length: str) -> None:
    answers, _ = await told(Lesson, "4", "friday", said)

    assert (answers["start"], answers["length"]) == (start, length)


async def test_where_only_the_half_of_the_day_is_not_clear_it_is_asked() -> None:
    answers, words = await told(Lesson, "4", "friday", "5 to 6")

    assert answers["length"] == "PT1H"
    assert "start" not in answers
    assert words.endswith("At what time does it start?")


@pytest.mark.parametrize(
    ("said", "start"),
    [("ten to eleven", "10:50:00"), ("20 to 8 in the evening", "19:40:00"), ("quarter to 5", "16:45:00")],
)
async def test_minutes_to_an_hour_are_a_time(said: str, start: str) -> None:
    answers, _ = await told(Lesson, "4", "friday", said)

    assert answers["start"] == start
    assert "length" not in answers


@pytest.mark.parametrize("said", ["5 or 6", "between 2 and 4, for half an hour"])
async def test_between_which_it_may_begin_it_is_asked(said: str) -> None:
    answers, _ = await told(Lesson, "4", "friday", said)

    assert "start" not in answers
    assert "length" not in answers


async def test_minutes_are_counted() -> None:
    answers, _ = await told(Talk, "from 2 to 3:30 pm")

    assert answers == {"begins": "14:00:00", "minutes": 90}


async def test_once_it_is_known_how_long_it_takes_nothing_changes_that() -> None:
    answers, _ = await told(Lesson, "4", "friday", "5 pm", "30 minutes", "make it 3 to 5 pm")

    assert answers["length"] == "PT30M"
