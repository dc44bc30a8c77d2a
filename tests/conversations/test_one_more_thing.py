"""“One more” counts what an answer counts: “one more thing” is no number, whatever else is told behind it."""

from datetime import date, time
from typing import Any, Literal

import pytest
from pydantic import BaseModel

from softrail import Done, Process, Record, Turn, ask
from tests.conversations.kept import told


class Hire(Process, name="hire", version=1):
    """Hires a boat."""

    starts_on = ("hire a boat",)

    class Answers(BaseModel):
        leave: date = ask("On what day do you leave?", label="first day")
        back: date = ask("And on what day are you back?", label="return day")
        boat: Literal["canoe", "dinghy", "barge"] = ask("Which boat?")
        age: int = ask("How old is the skipper?", label="skipper's age")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Kept.", effects=[Record("hire", answers)])


class Class(Process, name="class", version=1):
    """An evening class."""

    starts_on = ("plan a class",)

    class Answers(BaseModel):
        pupils: int = ask("How many pupils come?")
        start: time = ask("At what time does it start?", label="start")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Kept.", effects=[Record("class", answers)])


HIRED = ("9 March 2026", "14 March 2026", "canoe", "30")
PLANNED = ("4", "16:30")


@pytest.mark.parametrize(
    ("said", "changed"),
    [
        ("oh one more thing, make the return a day later", {"back": "2026-03-15"}),
        ("one more thing, put the return on sunday", {"back": "2026-03-15"}),
        ("one more thing before you go on, the return a day earlier", {"back": "2026-03-13"}),
        ("two more changes: the barge and the return a day later", {"boat": "barge", "back": "2026-03-15"}),
    ],
)
async def test_one_more_thing_changes_what_is_told_behind_it_and_no_number(
    said: str, changed: dict[str, Any]
) -> None:
    before, _ = await told(Hire, *HIRED)
    after, _ = await told(Hire, *HIRED, said)

    assert after == before | changed


@pytest.mark.parametrize(
    "said",
    ["just one more change: the barge please", "one more try", "one more question", "one more skipper"],
)
async def test_nothing_is_counted_that_no_answer_counts(said: str) -> None:
    answers, _ = await told(Hire, *HIRED, said)

    assert answers["age"] == 30


@pytest.mark.parametrize(
    ("said", "pupils"), [("one more pupil", 5), ("two pupils more", 6), ("one pupil less", 3)]
)
async def test_what_an_answer_counts_is_counted(said: str, pupils: int) -> None:
    answers, _ = await told(Class, *PLANNED, said)

    assert answers["pupils"] == pupils


async def test_a_number_that_is_a_part_of_a_time_is_not_denied() -> None:
    answers, _ = await told(Class, *PLANNED, "its at 5 not half past 4")

    assert answers["pupils"] == 4
    assert answers["start"] == "17:00:00"
