"""The day on which something is over, told by how long it is: "for five days", "three nights"."""

from datetime import date
from typing import Literal

import pytest
from pydantic import BaseModel

from softrail import Done, Process, Record, Turn, ask
from tests.conversations.kept import told


class Rental(Process, name="rental", version=1):
    """A van for some days."""

    starts_on = ("rent a van",)

    class Answers(BaseModel):
        place: Literal["airport", "station"] = ask("Where would you like to pick it up?")
        pickup: date = ask("On what day do you want to pick it up?", label="pick-up day")
        giveback: date = ask("And what day will you bring it back?", label="return day")
        age: int = ask("How old is the driver?", ge=18, le=99)

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Kept.", effects=[Record("rental", answers)])


class Leave(Process, name="leave", version=1):
    """Days off: the last of them is one."""

    starts_on = ("days off",)

    class Answers(BaseModel):
        start: date = ask("From which day are you away?")
        end: date = ask("Until which day?")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Noted.")


@pytest.mark.parametrize(
    ("said", "day"),
    [
        ("5 days", "2026-03-14"),
        ("for 4 days", "2026-03-13"),
        ("three nights", "2026-03-12"),
        ("for about two weeks", "2026-03-23"),
        ("+4 days", "2026-03-13"),
        ("one week after", "2026-03-16"),
        ("a month", "2026-04-09"),
    ],
)
async def test_it_is_counted_from_the_first_day_and_read_back(said: str, day: str) -> None:
    answers, words = await told(Rental, "airport", "9 march", said)

    assert answers["giveback"] == day
    assert words.startswith("Return day: ")
    assert "no place" not in words


@pytest.mark.parametrize(
    ("said", "pickup", "giveback"),
    [
        ("from friday for a week", "2026-03-06", "2026-03-13"),
        ("on the 10th, three nights", "2026-03-10", "2026-03-13"),
        ("friday for 5 days", "2026-03-06", "2026-03-11"),
        ("5 days, starting friday", "2026-03-06", "2026-03-11"),
        ("in 5 days for a week", "2026-03-07", "2026-03-14"),
    ],
)
async def test_both_days_are_kept(said: str, pickup: str, giveback: str) -> None:
    answers, _ = await told(Rental, "airport", said)

    assert (answers["pickup"], answers["giveback"]) == (pickup, giveback)


async def test_both_days_are_kept_at_the_question_before() -> None:
    answers, _ = await told(Rental, "station, 14 march, 5 days")

    assert answers == {"place": "station", "pickup": "2026-03-14", "giveback": "2026-03-19"}


@pytest.mark.parametrize("said", ["4 or 5 days", "4 days or 5", "5 days at most", "after a week"])
async def test_what_is_no_one_length_is_asked(said: str) -> None:
    answers, _ = await told(Rental, "airport", "9 march", said)

    assert "giveback" not in answers


@pytest.mark.parametrize(
    ("said", "pickup"), [("in a week", "2026-03-09"), ("a week from friday", "2026-03-13")]
)
async def test_a_length_from_today_or_from_a_day_is_a_day(said: str, pickup: str) -> None:
    answers, _ = await told(Rental, "airport", said)

    assert answers == {"place": "airport", "pickup": pickup}


async def test_where_the_last_day_is_one_of_them_nobody_counts() -> None:
    answers, _ = await told(Leave, "monday", "5 days")

    assert "end" not in answers
