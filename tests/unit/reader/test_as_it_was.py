"""What of an old answer stays where the new words leave it out."""

import re
from collections.abc import Sequence
from datetime import time

import pytest

from softrail.core.reading import Bars, Command, Field, Place, Reading, Value, Wanted
from softrail.language import language
from softrail.reader.changes.as_it_was import with_what_was
from softrail.reader.fields import beside_its_name
from tests.readers import hearing

WORDS = language("en")


def _hour(words: str) -> time | None:
    found = re.fullmatch(r"(\d+) ?(am|pm)", words)
    return time(int(found[1]) % 12 + 12 * (found[2] == "pm")) if found is not None else None


def field(name: str, present: str, wanted: Wanted = "text") -> Field:
    return Field(
        name=name,
        label=name,
        wanted=wanted,
        question=f"{name}?",
        present=present,
        given=True,
        parses=_hour if wanted == "time" else None,
        either=(lambda words: words.isdecimal()) if wanted == "time" else None,
    )


def changed(to: str, of: Field) -> Value:
    value = Value(field=of.name, text=to, confidence=0.9)
    reading = Reading(message=to, commands=(Command(act="correct", values=(value,)),))
    place = Place(wanted="text", field="next", fields=lambda: (of,))
    return with_what_was(reading, hearing(place)).commands[0].values[0]


@pytest.mark.parametrize(
    ("was", "said", "now"),
    [
        ("17:00:00", "4", "4 pm"),
        ("07:00:00", "9", "9 am"),
        ("11:00:00", "1", "1 pm"),
        ("17:00:00", "4 am", "4 am"),
    ],
)
def test_a_time_moves_by_a_few_hours_where_nobody_says_which_half_of_the_day(
    was: str, said: str, now: str
) -> None:
    assert changed(said, field("hour", was, "time")).text == now


def test_which_half_it_is_stays_open_far_from_both() -> None:
    assert changed("1", field("hour", "07:00:00", "time")).text == "1"


@pytest.mark.parametrize(
    ("was", "said", "now"),
    [
        ("Marguerite Oyelaran", "Oyelarin", "Marguerite Oyelarin"),
        ("27 Ferry Road", "72", "72 Ferry Road"),
        ("Marguerite Oyelaran", "Bellweather", "Bellweather"),
        ("Oyelaran", "Oyelarin", "Oyelarin"),
        ("from 3 to 5", "7", "7"),
    ],
)
def test_one_word_puts_one_of_several_right(was: str, said: str, now: str) -> None:
    value = changed(said, field("name", was))

    assert value.text == now
    assert Bars().is_sure(value)


def test_a_word_that_was_there_is_asked_about() -> None:
    assert not Bars().is_sure(changed("Marguerite", field("name", "Marguerite Oyelaran")))


def test_beside_a_value_that_is_there_another_without_a_name_is_asked_about() -> None:
    hour, until = field("hour", "17:00:00", "time"), field("until", "18:00:00", "time")
    values = (Value(field="hour", text="5 pm"), Value(field="until", text="7 pm"))
    place = Place(wanted="text", field="next", fields=lambda: (hour, until))

    def read(message: str) -> Sequence[Value]:
        reading = Reading(message=message, commands=(Command(act="correct", values=values),))
        return with_what_was(reading, hearing(place)).commands[0].values

    assert [Bars().is_sure(value) for value in read("you wrote 5 pm, it was 7 pm")] == [True, False]
    assert [Bars().is_sure(value) for value in read("5 pm is fine, but until 7 pm")] == [True, True]


@pytest.mark.parametrize(
    ("said", "left"),
    [
        ("the audience is teachers", "teachers"),
        ("teachers and poets for the audience", "teachers and poets"),
        ("the audience", ""),
        ("audience figures", "audience figures"),
        ("teachers", "teachers"),
    ],
)
def test_the_name_of_an_answer_is_no_part_of_its_value(said: str, left: str) -> None:
    assert beside_its_name(field("audience", "students"), said, WORDS) == left
