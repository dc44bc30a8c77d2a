"""Where a pattern says what an answer looks like, the part of the words that has this form is the answer."""

import re
from typing import Literal

import pytest
from pydantic import BaseModel

from softrail import Done, Process, Turn, ask
from softrail.core.outcomes import Outcome
from softrail.processes.fitting_part import fitting_part
from tests.unit.processes.kit import Talk


def _digits(part: str) -> bool:
    return re.fullmatch(r"\d[\d -]*", part) is not None


@pytest.mark.parametrize(
    ("said", "part"),
    [
        ("it is room 423", "423"),
        ("Room 423, please.", "423"),
        ("my number is 040 123 4567, thanks", "040 123 4567"),
        ("“423”, I think", "423"),
        ("423 or 424", None),
        ("423 and not 17", None),
        ("the one beside the lift", None),
        ("423", None),
        ("", None),
        ("7 " + "x " * 40, None),
    ],
)
def test_the_one_part_that_has_the_form_is_found(said: str, part: str | None) -> None:
    assert fitting_part(said, _digits) == part


class Stay(Process, name="stay", version=1):
    """A guest says where they stay."""

    class Answers(BaseModel):
        room: str = ask("What is your room number?", pattern=r"^\d{2,4}$")
        wing: Literal["north", "south"] = ask("Which wing?")

    async def complete(self, answers: Answers, turn: Turn) -> Outcome:
        return Done(f"Room {answers.room}, {answers.wing}.")


async def test_a_sentence_around_a_value_of_the_wanted_form_is_left_out_and_the_value_read_back() -> None:
    talk = Talk(Stay)
    await talk.start()
    move = await talk.say("it is room 423")
    assert "423" in str(move)
    assert "Which wing?" in str(move)


async def test_two_values_of_the_wanted_form_are_asked_again() -> None:
    talk = Talk(Stay)
    await talk.start()
    assert "What is your room number?" in str(await talk.say("it is 423 or 424"))


@pytest.mark.parametrize(
    ("said", "part"),
    [
        ("it is AB 123 456", "AB123456"),
        ("ab-123-456", "ab123456"),
        ("AB 123 456 or AB 123 457", None),
        ("AB 123 4567", None),
        ("AB one two three", None),
    ],
)
def test_where_nothing_fits_as_it_is_the_signs_between_groups_are_left_out(
    said: str, part: str | None
) -> None:
    assert fitting_part(said, lambda one: re.fullmatch(r"[A-Za-z]{2}\d{6}", one) is not None) == part


def test_a_form_that_anything_may_stand_around_takes_no_more_groups_than_it_needs() -> None:
    assert fitting_part("it is 12 34 56 78", lambda one: re.search(r"\d{6}", one) is not None) is None
