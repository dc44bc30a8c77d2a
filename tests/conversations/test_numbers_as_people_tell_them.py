"""Numbers as people tell them: so many a day where a week is asked for, a decade, a weight beside a price, groups of figures."""

from typing import Any

import pytest
from pydantic import BaseModel

from softrail import Done, Money, Process, Record, Turn, ask
from softrail.testing import FrozenClock, conversation
from tests.conversations.kept import kept, told


class Job(Process, name="job", version=1):
    """A job."""

    starts_on = ("find a job",)

    class Answers(BaseModel):
        hours: int = ask("How many hours a week do you want to work?", ge=5, le=48, label="hours a week")
        age: int = ask("How old are you?", ge=16, le=99)

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Kept.", effects=[Record("job", answers)])


class Shift(Process, name="shift", version=1):
    """A shift."""

    starts_on = ("plan a shift",)

    class Answers(BaseModel):
        hours: int = ask("How many hours does it take?")
        people: int = ask("How many people?")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Kept.")


class Parcel(Process, name="parcel", version=1):
    """A parcel."""

    starts_on = ("send a parcel",)

    class Answers(BaseModel):
        tracking: str = ask("What is the tracking number?", pattern=r"^[A-Za-z]{2}\d{6}$")
        worth: Money = ask("What is it worth?")
        weight: float = ask("How heavy is it, in kilograms?")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Kept.")


class Loose(Process, name="loose", version=1):
    """A form that anything may stand around, and one of figures alone."""

    starts_on = ("give a code",)

    class Answers(BaseModel):
        code: str = ask("What is the code?", pattern=r"\d{6}")
        room: str = ask("What is the number of the room?", pattern=r"^\d+$")
        note: str = ask("Anything else?")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Kept.")


async def after(process: type[Process], *lines: str) -> tuple[dict[str, Any], list[str]]:
    """The answers, and what is on buttons."""
    async with conversation(process, clock=FrozenClock()) as talk:
        for line in (process.starts_on[0], *lines):
            said = await talk.say(line)
        pending = said.reply.pending
        return await kept(talk, said), pending.options if pending is not None else []


@pytest.mark.parametrize(
    ("said", "buttons"),
    [
        ("every day 6 hour, monday until friday", ["30"]),
        ("8 hours every day from monday to thursday", ["32"]),
        ("4 hours a day, 5 days", ["20"]),
        ("6 hours per day, 5 days a week", ["30"]),
        ("two days a week, 7 hours each", ["14"]),
        ("six hours daily", ["30", "42"]),
        ("five times four hours", ["20", "5", "4"]),
    ],
)
async def test_so_many_a_day_is_asked_for_as_what_it_comes_to_in_a_week(
    said: str, buttons: list[str]
) -> None:
    assert await after(Job, said) == ({}, buttons)
    answers, _ = await after(Job, said, buttons[0])
    assert answers == {"hours": int(buttons[0])}


async def test_where_no_week_is_asked_for_it_is_the_number() -> None:
    answers, _ = await told(Shift, "4 hours a day")

    assert answers == {"hours": 4}


@pytest.mark.parametrize("said", ["50s", "in my 50s"])
async def test_a_decade_is_no_age(said: str) -> None:
    answers, _ = await told(Job, "30", said)

    assert "age" not in answers


@pytest.mark.parametrize(
    ("said", "worth"),
    [("60 euros, 2 kg", "60"), ("it's 2 kg and worth 60 euros", "60"), ("5 pounds", "5")],
)
async def test_a_weight_is_no_part_of_a_price(said: str, worth: str) -> None:
    answers, _ = await told(Parcel, "AB123456", said)

    assert answers["worth"]["amount"] == worth


async def test_a_price_for_each_of_them_is_asked_about() -> None:
    answers, _ = await told(Parcel, "AB123456", "20 euros per kilo, 3 kg")

    assert "worth" not in answers


@pytest.mark.parametrize(
    ("said", "tracking"),
    [
        ("AB 123 456", "AB123456"),
        ("it is EE 55 12 34", "EE551234"),
        ("ab-123-456", "ab123456"),
        ("a b 1 2 3 4 5 6", "ab123456"),
        ("HX 99 01 23 found it", "HX990123"),
    ],
)
async def test_a_number_in_groups_has_the_form_without_them(said: str, tracking: str) -> None:
    answers, words = await told(Parcel, said)

    assert answers == {"tracking": tracking}
    assert words.startswith(f"Tracking: {tracking}.")


@pytest.mark.parametrize("said", ["AB 123 4567", "AB 12 34 56 or AB 12 34 57"])
async def test_what_has_not_the_form_is_asked_for_again(said: str) -> None:
    answers, _ = await told(Parcel, said)

    assert answers == {}


async def test_a_form_that_anything_may_stand_around_takes_the_groups_and_nothing_around_them() -> None:
    answers, _ = await told(Loose, "it is 12 34 56")
    assert answers == {"code": "123456"}

    answers, _ = await told(Loose, "123456", "12 or 34")
    assert "room" not in answers
