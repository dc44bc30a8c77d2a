"""Where a pattern says what an answer looks like, the part of the words that has this form is the answer."""

import re
from collections.abc import Callable
from typing import Literal

import pytest
from pydantic import BaseModel

from softrail import Done, Process, Turn, ask
from softrail.core.outcomes import Outcome
from softrail.processes.fitting_part import fitting_part, like
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
        ("my order 20 41 77 96 has still not come although " + "they said it would " * 5, "20 41 77 96"),
        ("20 41 77 96 " + "x " * 100, None),
    ],
)
def test_the_one_part_that_has_the_form_is_found(said: str, part: str | None) -> None:
    found = fitting_part(said, _digits)
    assert (found and found.value) == part


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
    found = fitting_part(said, lambda one: re.fullmatch(r"[A-Za-z]{2}\d{6}", one) is not None)
    assert (found and found.value) == part


def test_a_form_that_anything_may_stand_around_takes_no_more_groups_than_it_needs() -> None:
    assert fitting_part("it is 12 34 56 78", lambda one: re.search(r"\d{6}", one) is not None) is None


CODE = r"^[A-Z]{2}\d{6}$"
HYPHEN = r"^[A-Z]{2}-\d{4}$"


def _fits(pattern: str) -> Callable[[str], bool]:
    return lambda one: re.fullmatch(pattern, one) is not None


@pytest.mark.parametrize(
    ("said", "pattern", "value", "words"),
    [
        ("it's ab123456", CODE, "AB123456", "ab123456"),
        ("here you go: ab-123-456", CODE, "AB123456", "ab-123-456"),
        ("ok got it ab 12 34 56", CODE, "AB123456", "ab 12 34 56"),
        ("kx7041", HYPHEN, "KX-7041", "kx7041"),
        ("the plate is KX 7041", HYPHEN, "KX-7041", "KX 7041"),
        ("040123", r"^\d{3}-\d{3}$", "040-123", "040123"),
        ("eur", "^[A-Z]{3}$", "EUR", "eur"),
    ],
)
def test_a_code_is_found_in_the_writing_that_its_form_wants(
    said: str, pattern: str, value: str, words: str
) -> None:
    assert fitting_part(said, _fits(pattern), pattern=pattern) == (value, words)


@pytest.mark.parametrize(
    ("said", "pattern"),
    [
        ("ab123456 or ab123457", CODE),
        ("ab12345", CODE),
        ("it is 123456", CODE),
        ("I pay in eur", "^[A-Z]{3}$"),
        ("12345", r"^\d+-\d+$"),
    ],
    ids=["two of them", "a digit short", "an ordinary word", "letters alone", "several ways"],
)
def test_a_code_that_may_be_another_is_none(said: str, pattern: str) -> None:
    assert fitting_part(said, _fits(pattern), pattern=pattern, ordinary={"is", "in"}.__contains__) is None


@pytest.mark.parametrize(
    ("pattern", "example"),
    [
        (CODE, "AB123456"),
        (HYPHEN, "AB-1234"),
        (r"^\d{4} ?[A-Z]{2}$", "1234AB"),
        (r"\A[a-z]+\d\Z", "a1"),
        (r"^(NL|BE)\d{3}$", ""),
    ],
)
def test_a_code_of_a_form_is_made_where_the_pattern_is_plain(pattern: str, example: str) -> None:
    assert like(pattern, _fits(pattern)) == example


class Policy(Process, name="policy", version=1):
    """A policy with a code, and one that is described."""

    class Answers(BaseModel):
        policy: str = ask("Which policy is it?", pattern=CODE, description="two letters and six digits")
        plate: str = ask("Which plate does it have?", pattern=HYPHEN)
        place: str = ask("Which zone is it parked in?", pattern=r"^(north|south) \d$", examples=["north 4"])

    async def complete(self, answers: Answers, turn: Turn) -> Outcome:
        return Done(f"{answers.policy}, {answers.plate}, {answers.place}.")


async def test_what_has_not_the_form_is_refused_with_the_form_that_is_wanted() -> None:
    talk = Talk(Policy)
    await talk.start()
    assert "the form I need: two letters and six digits, like AB123456." in str(await talk.say("AB 12"))
    await talk.say("a b one two three four five six")
    assert "the form I need: like AB-1234." in str(await talk.say("seven"))
    await talk.say("kx 7041")
    assert "the form I need: like north 4." in str(await talk.say("somewhere"))
    assert '"policy":"AB123456","plate":"KX-7041","place":"south 2"' in str(await talk.say("South 2"))
