"""A day and a time of it in one breath are two answers, whichever of them is asked for."""

from dataclasses import replace
from datetime import UTC, date, datetime, time

import pytest

from softrail.core.reading import Bars, Command, Field, Place, Reading, Value
from softrail.reader.moments import with_other_half

DAY = Field(
    name="day",
    wanted="date",
    question="Which day?",
    parses=lambda words: date(2026, 3, 6) if "friday" in words else None,
)
AT = Field(
    name="at",
    wanted="time",
    question="What time?",
    parses=lambda words: time(19) if "7 pm" in words else None,
)
NAME = Field(name="name", wanted="text", question="Who is it for?")
SAID = "Novak, friday at 7 pm"


def told(reading: Reading, place: Place) -> list[tuple[str, str]]:
    found = with_other_half(reading, place, Bars())
    return [(value.field, value.text) for command in found.commands for value in command.values]


def read(field: str, text: str, *, target: str = "other", likely: float = 0.9) -> Reading:
    value = Value(field=field, text=text)
    command = Command(act="inform", confidence=likely, layer="learned", target=target, values=(value,))
    return Reading(message=SAID, commands=(command,))


def test_the_time_beside_a_day_that_nobody_asked_for_is_told_too() -> None:
    place = Place(wanted="text", field="name", fields=lambda: (NAME, DAY, AT))

    assert told(read("day", "friday"), place) == [("day", "friday"), ("at", SAID)]


def test_the_time_beside_a_day_that_was_asked_for_is_told_too() -> None:
    place = Place(wanted="date", field="day", fields=lambda: (DAY, AT))

    assert told(read("day", "friday", target=""), place) == [("day", "friday"), ("at", SAID)]


@pytest.mark.parametrize(
    ("fields", "likely"),
    [
        ((NAME, DAY), 0.9),
        ((NAME, DAY, AT, replace(AT, name="until")), 0.9),
        ((NAME, DAY, AT), 0.2),
    ],
)
def test_without_one_place_for_it_or_with_doubt_of_the_day_it_is_not(
    fields: tuple[Field, ...], likely: float
) -> None:
    place = Place(wanted="text", field="name", fields=lambda: fields)

    assert told(read("day", "friday", likely=likely), place) == [("day", "friday")]


@pytest.mark.parametrize(
    ("fields", "more"),
    [((NAME, DAY, AT), [("day", SAID)]), ((NAME, AT, DAY), [("day", SAID)]), ((AT, NAME, DAY), [])],
)
def test_the_day_beside_a_time_is_that_which_is_asked_for_beside_it(
    fields: tuple[Field, ...], more: list[tuple[str, str]]
) -> None:
    place = Place(wanted="text", field="name", fields=lambda: fields)

    assert told(read("at", "7 pm"), place) == [("at", "7 pm"), *more]


def test_a_moment_keeps_both_to_itself() -> None:
    start = Field(
        name="start", wanted="date", question="When?", parses=lambda _: datetime(2026, 3, 6, 19, tzinfo=UTC)
    )
    place = Place(wanted="date", field="start", fields=lambda: (start, AT))
    both = read("start", SAID, target="")

    assert told(both.evolve(commands=(*both.commands, *read("at", "7 pm").commands)), place) == [
        ("start", SAID)
    ]
