"""Of two things that are said at once none is dropped, and no answer goes because of words that say nothing of it."""

from datetime import date, time
from typing import Literal

import pytest
from pydantic import BaseModel

from softrail import Done, Money, Process, Record, Turn, ask
from tests.conversations.kept import told


class Complaint(Process, name="complaint", version=1):
    """A parcel that went wrong."""

    starts_on = ("complain",)

    class Answers(BaseModel):
        tracking: str = ask(
            "What is the tracking number?", pattern=r"^[A-Z]{2}\d{6}$", label="tracking number"
        )
        trouble: Literal["never arrived", "damaged", "late"] = ask("What went wrong?", label="trouble")
        worth: Money = ask("What was the content worth?", label="worth")
        wish: Literal["money back", "a new one", "an apology"] = ask(
            "What do you want from us?", label="wish"
        )

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Noted.", effects=[Record("complaint", answers)])


class Lesson(Process, name="lesson", version=1):
    """A lesson that is planned."""

    starts_on = ("plan a lesson",)

    class Answers(BaseModel):
        pupils: int = ask("How many pupils will there be?")
        day: date = ask("Which day is it?")
        start: time = ask("At what time does it start?", label="start")
        materials: list[str] = ask("What do they have to bring?", default=[], label="things to bring")
        topic: str = ask("What is it about?")
        online: bool = ask("Is it online?", label="online")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Planned.", effects=[Record("lesson", answers)])


BEGUN = ("AB123456", "damaged")
PLANNED = ("4", "Friday", "10:30", "pens\npaper", "fractions", "no")


@pytest.mark.parametrize(
    "said", ["nothing its not about the money, i want an apology", "nothing, i just want an apology"]
)
async def test_what_nobody_speaks_of_stays(said: str) -> None:
    answers, words = await told(Complaint, *BEGUN, said)
    assert answers == {"tracking": "AB123456", "trouble": "damaged", "wish": "an apology"}
    assert words.endswith("What was the content worth?")


@pytest.mark.parametrize(
    ("said", "asks"),
    [
        ("10:30 but the day is wrong", "Which day is it?"),
        ("10:30, and I never said how many pupils", "How many pupils will there be?"),
    ],
)
async def test_an_answer_that_is_given_beside_one_that_is_wrong_is_kept(said: str, asks: str) -> None:
    answers, words = await told(Lesson, "4", "Friday", said)
    assert answers["start"] == "10:30:00"
    assert words == f"Start: 10:30. {asks}" or words == f"Start: 10:30.\n\n{asks}"


@pytest.mark.parametrize("said", ["the day is wrong", "no, the day is not right"])
async def test_what_is_wrong_alone_is_asked_for(said: str) -> None:
    answers, words = await told(Lesson, "4", "Friday", said)
    assert "start" not in answers
    assert words == "Which day is it?"


@pytest.mark.parametrize(
    ("said", "came"),
    [
        ("forget the paper, but add rulers", "rulers"),
        ("remove paper, add scissors and glue", "scissors; glue"),
        ("add scissors and glue, remove paper", "scissors; glue"),
        ("drop the paper then add glue please", "glue"),
        ("remove the paper and add two rulers", "two rulers"),
    ],
)
async def test_what_comes_and_what_goes_are_both_carried_out_or_asked_about(said: str, came: str) -> None:
    answers, words = await told(Lesson, *PLANNED, said)
    if words.startswith("I am not sure"):
        assert (
            words == f"I am not sure what is to change. Is it this: things to bring: {came} instead of paper?"
        )
    else:
        assert answers["materials"] == ["pens", *came.split("; ")]


@pytest.mark.parametrize(
    ("said", "then"),
    [
        ("add rulers", ["pens", "paper", "rulers"]),
        ("remove the paper", ["pens"]),
        ("we have paper here, but add rulers", ["pens", "paper", "rulers"]),
    ],
)
async def test_one_thing_is_one(said: str, then: list[str]) -> None:
    answers, _ = await told(Lesson, *PLANNED, said)
    assert answers["materials"] == then


@pytest.mark.parametrize(
    ("said", "told_of"),
    [
        ("two things: make it Saturday and bring rulers as well", ("Saturday", "rulers")),
        ("the lesson is about decimals now, and the day is wrong", ("decimals", "day")),
        ("two things: make it Saturday and online", ("aturday", "online: yes instead of no")),
    ],
)
async def test_what_is_asked_about_names_all_of_it(said: str, told_of: tuple[str, str]) -> None:
    answers, words = await told(Lesson, *PLANNED, said)
    assert all(one in f"{words} {answers}" for one in told_of)


@pytest.mark.parametrize(
    "said",
    [
        "add rulers to things to bring. and i forgot, it is at 11:30",
        "add rulers to things to bring, and it is at 11:30",
    ],
)
async def test_what_is_added_ends_where_something_else_is_told(said: str) -> None:
    answers, _ = await told(Lesson, *PLANNED, said)
    assert answers["materials"] == ["pens", "paper", "rulers"]
    assert answers["start"] == "11:30:00"
