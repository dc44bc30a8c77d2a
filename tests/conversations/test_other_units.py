"""A number told in another unit than the one that is asked for is counted in that, or asked about; never kept as it stands."""

from typing import Any

import pytest
from pydantic import BaseModel

from softrail import Done, Process, Record, Turn, ask
from softrail.testing import FrozenClock, conversation
from tests.conversations.kept import kept


class Trip(Process, name="trip", version=1):
    """A way to go."""

    starts_on = ("plan a trip",)

    class Answers(BaseModel):
        way: int = ask("How far is it, in kilometres?")
        climb: int = ask("How high does it go?", label="climb in metres")
        days: int = ask("For how many days?")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Kept.", effects=[Record("trip", answers)])


async def after(*lines: str) -> tuple[dict[str, Any], list[str], str]:
    async with conversation(Trip, clock=FrozenClock()) as talk:
        for line in ("plan a trip", *lines):
            said = await talk.say(line)
        pending = said.reply.pending
        return await kept(talk, said), list(pending.options) if pending is not None else [], said.text


@pytest.mark.parametrize(
    "lines",
    [("5 miles",), ("40", "300", "4", "change the way to 5 miles"), ("40", "300", "4", "the way is 5 miles")],
    ids=["an answer", "a change in exact words", "a change"],
)
async def test_miles_are_counted_in_kilometres_and_what_is_no_whole_number_is_asked_about(
    lines: tuple[str, ...],
) -> None:
    answers, buttons, words = await after(*lines)

    assert answers.get("way") in (None, 40)
    assert buttons == ["8"]
    assert "8.05 kilometres" in words


async def test_the_unit_may_stand_in_the_label() -> None:
    assert (await after("40", "1 km"))[0]["climb"] == 1000


async def test_a_unit_of_another_kind_is_not_kept() -> None:
    answers, _, words = await after("5 kg")

    assert answers == {}
    assert "I need that in kilometres." in words


class Seed(Process, name="seed", version=1):
    """Seed for a farm."""

    starts_on = ("order seed",)

    class Answers(BaseModel):
        amount: float = ask("How many kilograms do you need?", gt=0)
        invoice: bool = ask("By invoice?")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Ordered.", effects=[Record("seed", answers)])


class Patient(Process, name="patient", version=1):
    """A new patient."""

    starts_on = ("I'm new",)

    class Answers(BaseModel):
        age: int = ask("How old are you?", ge=0, le=120)
        height: float = ask("How tall are you, in centimetres?")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Welcome.", effects=[Record("patient", answers)])


async def asked(process: type[Process], *lines: str) -> tuple[dict[str, Any], list[str], str]:
    async with conversation(process, clock=FrozenClock()) as talk:
        for line in (process.starts_on[0], *lines):
            said = await talk.say(line)
        pending = said.reply.pending
        return await kept(talk, said), list(pending.options) if pending is not None else [], said.text


@pytest.mark.parametrize(
    ("line", "kilograms"),
    [
        ("two tons", 2000),
        ("1.5t", 1500),
        ("a couple of tons", 2000),
        ("one and a half tonnes", 1500),
        ("5 tonnes and 300 kilos", 5300),
        ("two quintals", 200),
        ("11 stone 4", 71.66759446),
        ("300 pounds", 136.077711),
        ("50 kilos, that is two bags", 50),
        ("seventy two point five", 72.5),
    ],
)
async def test_a_weight_is_counted_in_kilograms(line: str, kilograms: float) -> None:
    answers, _, _ = await asked(Seed, line)

    assert answers == {"amount": kilograms}


async def test_what_was_counted_from_another_unit_is_read_back_with_digits_that_say_something() -> None:
    _, _, words = await asked(Seed, "11 stone 4")

    assert words.startswith("Amount: 71.67.")


@pytest.mark.parametrize("line", ["3 bags", "two big pallets", "I need 4 sacks", "enough for two hectares"])
async def test_things_and_areas_are_no_kilograms(line: str) -> None:
    answers, buttons, words = await asked(Seed, line)

    assert (answers, buttons) == ({}, [])
    assert "I need that in kilograms." in words


@pytest.mark.parametrize(
    ("line", "buttons"),
    [
        ("three sacks at 50 kilos", ["150", "50"]),
        ("3 bags of 25", ["75", "25"]),
        ("two hundredweight", ["101.6", "90.72"]),
        ("300 oats", ["300"]),
    ],
)
async def test_what_may_be_more_than_one_weight_is_asked_about(line: str, buttons: list[str]) -> None:
    assert (await asked(Seed, line))[:2] == ({}, buttons)


@pytest.mark.parametrize("line", ["250 for the back field", "300 works", "50 this time", "about 300 kilos"])
async def test_a_number_beside_other_words_stays_one(line: str) -> None:
    answers, _, _ = await asked(Seed, line)

    assert set(answers) == {"amount"}


@pytest.mark.parametrize("line", ["70 kg", "11 stone 4", "5'11", "two acres"])
async def test_a_weight_a_height_and_an_area_are_no_age(line: str) -> None:
    assert (await asked(Patient, line))[0] == {}


async def test_no_part_of_a_number_is_an_age() -> None:
    assert (await asked(Patient, "seventy two point five"))[0] == {}


@pytest.mark.parametrize(("line", "height"), [("5'11", 180.34), ("5’11”", 180.34), ("6'", 182.88)])
async def test_feet_and_inches_may_be_written_with_signs(line: str, height: float) -> None:
    assert (await asked(Patient, "34", line))[0]["height"] == height


@pytest.mark.parametrize(
    ("line", "amount"),
    [("one more hundred", 400), ("two more dozen", 324), ("one more thousand", 1300), ("one more", 301)],
)
async def test_one_more_hundred_is_a_hundred_more(line: str, amount: float) -> None:
    answers, buttons, _ = await asked(Seed, "300", "yes", line)

    assert answers["amount"] in (300, amount)
    assert answers["amount"] == amount or not buttons or f"Amount: {amount} instead of 300" in buttons
