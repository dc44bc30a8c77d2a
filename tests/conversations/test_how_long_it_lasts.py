"""A length of time in months and years, as a number alone, or as one of two."""

from datetime import date, time, timedelta
from typing import Any

import pytest
from pydantic import BaseModel

from softrail import Done, Process, Record, Turn, ask
from softrail.testing import FrozenClock, conversation
from tests.conversations.kept import kept


class Garage(Process, name="garage", version=1):
    """A garage to let."""

    starts_on = ("rent a garage",)

    class Answers(BaseModel):
        lease: timedelta = ask("How long do you want it for?", label="lease")
        daily: timedelta = ask("How many hours a day is it used?", label="use")
        notice: timedelta = ask("How long should the notice be, in weeks?", label="notice")
        seen_on: date = ask("When do you want to see it?", label="day")
        seen_at: time = ask("And at what time?", label="time")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Kept.", effects=[Record("garage", answers)])


ALL = ("a year", "3", "4", "10 March 2026", "10:00")


async def after(*lines: str) -> tuple[dict[str, Any], str, list[str]]:
    async with conversation(Garage, clock=FrozenClock()) as talk:
        for line in ("rent a garage", *lines):
            said = await talk.say(line)
        pending = said.reply.pending
        return await kept(talk, said), said.text, list(pending.options) if pending is not None else []


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("one year", "365 days (1 year)"),
        ("a year and a half, I think", "548 days (about 18 months)"),
        ("OH COME ON. 12 months!", "360 days (1 year)"),
        ("half a year to begin with", "183 days (about 6 months)"),
        ("24 months", "720 days (2 years)"),
        ("for nine months", "270 days (9 months)"),
        ("200 days", "200 days (about 7 months)"),
    ],
)
async def test_months_and_years_are_read_and_read_back_in_days(line: str, told: str) -> None:
    assert f"Lease: {told}." in (await after(line))[1]


async def test_one_of_two_lengths_is_chosen_on_its_button() -> None:
    _, words, buttons = await after("six months or a year")
    assert words.startswith("I found more than one length of time; which one is it?")
    assert buttons == ["180 days (6 months)", "365 days (1 year)"]

    assert (await after("six months or a year", buttons[1]))[0] == {"lease": "P1Y"}


async def test_a_number_alone_is_of_the_unit_that_is_asked_for() -> None:
    answers, _, _ = await after("a year", "eight", "4")

    assert (answers["daily"], answers["notice"]) == ("PT8H", "P28D")


async def test_where_no_unit_is_asked_for_it_is_asked_which_and_the_number_waits() -> None:
    answers, words, _ = await after("six")
    assert answers == {}
    assert words.startswith("6 of what: minutes, hours or days?")

    answers, words, _ = await after("six", "months")
    assert answers == {"lease": "P180D"}
    assert words.startswith("Lease: 180 days (6 months).")


async def test_of_two_hours_of_the_day_no_length_is_made() -> None:
    assert (await after("from eight till one"))[0] == {}


async def test_a_length_is_changed_by_its_old_one() -> None:
    assert (await after(*ALL, "two years, not one year"))[0]["lease"] == "P2Y"


async def test_a_length_that_is_longer_by_a_unit_moves_no_time_of_day() -> None:
    answers, _, buttons = await after(*ALL, "make the use an hour longer")

    assert answers["seen_at"] == "10:00:00"
    assert buttons == ["4 hours", "1 hour"]
