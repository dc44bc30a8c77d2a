"""A day and a time of it in one breath, where each is an answer of its own."""

from datetime import date, datetime, time

import pytest
from pydantic import BaseModel

from softrail import Done, Process, Turn, ask
from tests.conversations.kept import told


class Table(Process, name="table", version=1):
    """A table."""

    starts_on = ("reserve a table",)

    class Answers(BaseModel):
        day: date = ask("Which day?")
        at: time = ask("What time?")
        name: str = ask("Under which name?")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Reserved.")


class Visit(Process, name="visit", version=1):
    """A visit."""

    starts_on = ("plan a visit",)

    class Answers(BaseModel):
        moment: datetime = ask("When do you come?")
        leaves: time = ask("Until what time do you stay?")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Planned.")


@pytest.mark.parametrize(
    ("line", "day"),
    [
        ("the middle of may would suit me, the 15th if there is a choice", "2026-05-15"),
        ("in april, maybe the 12th", "2026-04-12"),
        ("the first week of june, the 3rd would be great", "2026-06-03"),
        ("april? no, the 9th of may", "2026-05-09"),
    ],
)
async def test_a_month_said_before_the_number_is_kept(line: str, day: str) -> None:
    answers, _ = await told(Table, line)

    assert answers["day"] == day


@pytest.mark.parametrize(
    "line",
    ["saturday evening around eight", "saturday at 8 in the evening", "saturday 8pm", "on saturday at 20:00"],
)
async def test_both_are_kept(line: str) -> None:
    answers, words = await told(Table, line)

    assert answers == {"day": "2026-03-07", "at": "20:00:00"}
    assert "no place" not in words


async def test_the_day_may_come_with_the_time() -> None:
    answers, _ = await told(Table, "tomorrow", "at 7pm, please")

    assert answers == {"day": "2026-03-03", "at": "19:00:00"}


async def test_a_time_that_may_be_of_the_morning_is_asked_for_and_the_day_is_kept() -> None:
    answers, words = await told(Table, "saturday around eight")

    assert answers == {"day": "2026-03-07"}
    assert "What time?" in words


async def test_a_moment_has_its_own_time() -> None:
    answers, _ = await told(Visit, "saturday at 8 in the evening")

    assert "leaves" not in answers
