"""A new value is told by how far it is from the old one."""

from collections.abc import Callable, Sequence
from datetime import time
from typing import Any

import pytest

from softrail.core.questions import Option
from softrail.core.reading import Bars, Field, Place, Value, Wanted
from softrail.reader.changes.by_how_much import by_how_much
from softrail.reader.learned import ACTS, Joint, Marks
from tests.readers import ChoosesNone, hearing


class Says(ChoosesNone):
    """A small model that knows only how likely something changes."""

    def __init__(self, changes: float) -> None:
        self._acts = dict.fromkeys(ACTS, 0.0) | {"correct": changes}

    def mark(self, message: str, queries: Sequence[str]) -> Sequence[Marks]:
        return [Marks(acts=self._acts, start=0, end=0, value=0.0, span=0.0) for _ in queries]

    def joint(self, message: str, queries: Sequence[str]) -> Joint:
        raise AssertionError


def _nine(words: str) -> Any:
    return time(9) if "nine" in words or "09" in words else None


def field(name: str, present: str, wanted: Wanted, parses: Callable[[str], Any] | None = None) -> Field:
    options = (Option(label="small"), Option(label="large")) if wanted == "choice" else ()
    return Field(
        name=name,
        label=name,
        wanted=wanted,
        question=f"{name}?",
        present=present,
        given=True,
        options=options,
        parses=parses,
    )


DAY = field("visit", "2026-03-03", "date")
HOUR = field("hour", "10:00:00", "time", _nine)
TAPES = field("tapes", "12", "number")
SIZE = field("size", "small", "choice")
NEXT = Field(name="next", wanted="text", question="What comes next?")


def moved(message: str, *given: Field, changes: float = 0.9) -> Value | None:
    place = Place(wanted="text", field="next", fields=lambda: (*given, NEXT))
    found = by_how_much(message, hearing(place, Says(changes)))
    return found.told[0].values[0] if found is not None else None


@pytest.mark.parametrize(
    ("message", "name", "text"),
    [
        ("make it a week later please", "visit", "2026-03-10"),
        ("the week after would be better", "visit", "2026-03-10"),
        ("sorry, two days earlier", "visit", "2026-03-01"),
        ("can you come half an hour later", "hour", "10:30 AM"),
        ("three hours later then", "hour", "01:00 PM"),
        ("oh, one tape less", "tapes", "11"),
        ("I found two more", "tapes", "14"),
        ("hm, one size up", "size", ""),
    ],
    ids=lambda value: value,
)
def test_what_it_moves_by_tells_which_answer_it_is_and_its_new_value(
    message: str, name: str, text: str
) -> None:
    value = moved(message, DAY, TAPES, SIZE, HOUR)

    assert value is not None
    assert (value.field, value.text) == (name, text)
    assert Bars().is_sure(value)


def test_of_two_answers_of_a_kind_neither_moves_but_by_its_name() -> None:
    boxes = field("boxes", "4", "number")

    assert moved("one more please", TAPES, boxes) is None
    assert moved("the boxes, one more please", TAPES, boxes) is not None


@pytest.mark.parametrize(
    "message",
    [
        "oh one more thing",
        "one more question",
        "one more try",
        "just one more change",
        "two more corrections from me",
        "one more driver",
    ],
    ids=lambda value: value,
)
def test_what_is_counted_is_what_the_answer_counts(message: str) -> None:
    age = Field(
        name="age",
        label="driver's age",
        wanted="number",
        question="How old is the driver?",
        present="30",
        given=True,
    )

    assert moved(message, TAPES, DAY) is None
    assert moved(message, age, DAY) is None


@pytest.mark.parametrize("message", ["one more pupil", "three pupils more", "make it two more pupils please"])
def test_a_question_for_how_many_says_what_it_counts(message: str) -> None:
    many = Field(
        name="many",
        wanted="number",
        question="How many pupils will there be?",
        present="4",
        given=True,
    )

    assert moved(message, many, DAY) is not None


def test_one_more_thing_moves_nothing_but_what_is_told_behind_it() -> None:
    value = moved("oh one more thing, make the visit a day later", DAY, TAPES)

    assert value is not None
    assert (value.field, value.text) == ("visit", "2026-03-04")


def test_where_a_change_is_hardly_likely_it_is_asked_about_and_where_it_is_not_nothing_moves() -> None:
    maybe = moved("a week later", DAY, changes=0.4)

    assert maybe is not None
    assert not Bars().is_sure(maybe)
    assert moved("it broke a week later", DAY, changes=0.1) is None


def test_a_new_value_that_is_said_besides_is_read_by_itself() -> None:
    assert moved("an hour earlier, so nine", HOUR) is None


def test_nothing_becomes_less_than_nothing() -> None:
    assert moved("13 tapes less", TAPES) is None
