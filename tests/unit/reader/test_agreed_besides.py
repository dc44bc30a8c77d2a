"""A yes or no, and a change of another answer in words of its own: both count."""

import pytest

from softrail.core.questions import Question
from softrail.core.reading import APART, Field, Place, Reading, Wanted
from softrail.reader import LayeredReader
from tests.readers import FakeMarker

NAME = Field(
    name="name", label="name", wanted="text", question="Who comes?", given=True, present="Marguerite Oyelaran"
)


async def read(message: str, wanted: Wanted = "bool") -> Reading:
    place = Place(
        question=Question(prompt="Is it a gift?"), wanted=wanted, field="gift", fields=lambda: (NAME,)
    )
    return await LayeredReader(FakeMarker, furthest="learned").read(message, place, locale="en")


@pytest.mark.parametrize(
    ("message", "act"),
    [
        ("yes please, and it's Margit not Marguerite", "affirm"),
        ("Sure! By the way her name is Oyelarin, not Oyelaran", "affirm"),
        ("No. And she goes by Margit rather than Marguerite", "negate"),
    ],
    ids=lambda value: value,
)
async def test_both_are_read(message: str, act: str) -> None:
    commands = {command.act: command for command in (await read(message)).commands}

    assert commands.keys() == {act, "correct"}
    assert commands["correct"].target == APART


async def test_a_no_before_the_change_is_of_the_change() -> None:
    reading = await read("no, Margit not Marguerite")

    assert [command.act for command in reading.commands] == ["correct"]


async def test_a_yes_to_a_summary_is_none_where_something_changes() -> None:
    reading = await read("yes, but it's Margit not Marguerite", wanted="confirm")

    assert reading.of("affirm") is None
