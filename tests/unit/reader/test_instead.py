"""An answer given before is denied by its own words, and another takes its place."""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date, time
from typing import Any

import pytest

from softrail.core.questions import Option
from softrail.core.reading import Bars, Field, Place, Wanted
from softrail.reader.changes.instead import instead
from softrail.reader.learned import ACTS, Joint, Marks
from tests.readers import ChoosesNone, hearing

_DAYS = {"march 3": date(2026, 3, 3), "march 4": date(2026, 3, 4), "march 6": date(2026, 3, 6)}


class Finds(ChoosesNone):
    """A small model that sees those words, where they stand, as the new value."""

    def __init__(self, words: str = "") -> None:
        self._words = words

    def mark(self, message: str, queries: Sequence[str]) -> Sequence[Marks]:
        at = message.find(self._words) if self._words else -1
        likely, start, end = (0.9, at, at + len(self._words)) if at >= 0 else (0.0, 0, 0)
        return [
            Marks(acts=dict.fromkeys(ACTS, 0.0), start=start, end=end, value=likely, span=likely)
            for _ in queries
        ]

    def joint(self, message: str, queries: Sequence[str]) -> Joint:
        raise AssertionError


def _number(words: str) -> int | None:
    found = re.findall(r"\d+", words)
    return int(found[0]) if len(found) == 1 else None


def _day(words: str) -> date | None:
    return next((day for said, day in _DAYS.items() if said in words.casefold()), None)


def _hour(words: str) -> time | None:
    found = re.findall(r"(\d+) ?(am|pm)", words)
    return time(int(found[0][0]) % 12 + 12 * (found[0][1] == "pm")) if len(found) == 1 else None


def field(name: str, present: str, wanted: Wanted = "text") -> Field:
    parses: dict[str, Any] = {"number": _number, "date": _day, "time": _hour}
    return Field(
        name=name,
        wanted=wanted,
        question=f"{name}?",
        label=name,
        present=present,
        given=True,
        parses=parses.get(wanted),
    )


NAME = field("name", "Marguerite Oyelaran")
PLATE = field("plate", "LB71 QSD")
PEOPLE = field("people", "12", "number")
DAY = field("day", "2026-03-03", "date")
HOUR = field("hour", "16:00:00", "time")
FOOD = field("food", "oats; barley", "list")
ITEM = field("item", "red mug")
NEXT = Field(name="next", wanted="text", question="What comes next?")


def changed(message: str, *given: Field, finds: str = "") -> tuple[str, str, str] | None:
    """The answer that changes, its new value, and what is left of the message."""
    place = Place(wanted="text", field="next", fields=lambda: (*given, NEXT))
    found = instead(message, hearing(place, Finds(finds)))
    if found is None:
        return None
    [value] = found.told[0].values
    return value.field, value.text, found.message


@pytest.mark.parametrize(
    ("message", "field", "text"),
    [
        ("oh it's spelled Oyelarin not Oyelaran", "name", "Marguerite Oyelarin"),
        ("LD, not LB, is how it begins", "plate", "LD71 QSD"),
        ("it's QSF not QSD, and LB72 not 71", "plate", "LB71 QSF"),
        ("the plate is LB72 not 71", "plate", "LB72 QSD"),
        ("not Marguerite, Margit", "name", "Margit Oyelaran"),
        ("we are 14 not 12", "people", "14"),
        ("could it be 5 pm rather than 4", "hour", "5 pm"),
        ("March 4 in place of March 3 please", "day", "2026-03-04"),
    ],
    ids=lambda value: value,
)
def test_the_old_words_tell_which_answer_it_is_and_what_of_it_stays(
    message: str, field: str, text: str
) -> None:
    told = changed(message, NAME, PLATE, PEOPLE, DAY, HOUR, FOOD)

    assert told is not None
    assert told[:2] == (field, text)


@pytest.mark.parametrize(
    ("message", "done"),
    [
        ("hang on, it was thirteen not sixty", "bottled thirteen jars and swept up"),
        ("thirteen jars, not sixty", "bottled thirteen jars and swept up"),
        ("not sixty, 13", "bottled 13 jars and swept up"),
        ("two crates, a hundred and five, not sixty", "bottled a hundred and five jars and swept up"),
        ("a hundred and five rather than sixty, sorry", "bottled a hundred and five jars and swept up"),
    ],
)
def test_a_number_within_a_text_is_changed_and_the_text_stays(message: str, done: str) -> None:
    told = changed(message, field("done", "bottled sixty jars and swept up"), finds="thirteen jars")

    assert told is not None
    assert told[:2] == ("done", done)


def test_of_two_other_numbers_neither_is_taken_for_granted() -> None:
    assert changed("two crates of thirteen jars, not sixty", field("done", "bottled sixty jars")) is None


def test_one_item_of_a_list_takes_the_place_of_another() -> None:
    assert changed("the rye not the barley", FOOD, finds="the rye") == ("food", "oats\nthe rye", "")


def test_a_list_that_is_said_anew_is_the_whole_list() -> None:
    said = changed("it should be rye and oats, not barley", FOOD, finds="rye and oats")

    assert said == ("food", "rye and oats", "")


def test_most_of_words_that_are_no_name_is_all_of_them() -> None:
    assert changed("not a mug, a plate", ITEM, finds="a plate") == ("item", "a plate", "")


def test_whether_the_rest_of_a_sentence_stays_is_asked() -> None:
    late = field("late", "the flour supplier hasn't called back", "list")
    place = Place(wanted="text", field="next", fields=lambda: (late, NEXT))
    found = instead("I meant the miller, not the flour supplier", hearing(place, Finds("the miller")))

    assert found is not None
    [value] = found.told[0].values
    assert (value.text, [one.text for one in value.rivals]) == (
        "the miller hasn't called back",
        ["the miller"],
    )
    assert not Bars().is_sure(value)


def test_what_is_said_in_another_sentence_is_no_new_value() -> None:
    said = changed("Calling the bank. And put the kettle, not the mug", ITEM, finds="Calling the bank")

    assert said is None


def test_what_stands_beside_the_change_is_left() -> None:
    assert changed("tomorrow. the name is Margit not Marguerite", NAME) == (
        "name",
        "Margit Oyelaran",
        "tomorrow",
    )


@pytest.mark.parametrize("message", ["I never said Oyelaran", "not Oyelaran", "more than that", "not today"])
def test_nothing_changes_where_nothing_takes_its_place(message: str) -> None:
    assert changed(message, NAME, PEOPLE) is None


def test_words_of_two_answers_tell_neither() -> None:
    guest, host = field("guest", "Ana Prado"), field("host", "Luis Prado")

    assert changed("Prada not Prado", guest, host) is None


def test_an_article_is_no_letter_of_an_option() -> None:
    rides = (Option(label="Tram"), Option(label="Bus"), Option(label="Taxi"))
    ride = replace(field("ride", "Tram", "choice"), options=rides)

    assert changed("I would not take a taxi", ride, finds="taxi") is None
    assert changed("the bus, not the tram", ride) == ("ride", "Bus", "")


class Changes(Finds):
    """A small model that is sure that something changes, and sees no value."""

    def mark(self, message: str, queries: Sequence[str]) -> Sequence[Marks]:
        return [replace(one, acts={**one.acts, "correct": 0.9}) for one in super().mark(message, queries)]


@pytest.mark.parametrize(
    ("message", "field", "text"),
    [
        ("12 is too many, 9 will do", "people", "9"),
        ("you wrote March 3, I told you March 6!", "day", "2026-03-06"),
        ("I can't do 4 pm, come at 6 pm", "hour", "6 pm"),
    ],
    ids=lambda value: value,
)
def test_who_says_an_old_value_once_more_denies_it(message: str, field: str, text: str) -> None:
    place = Place(wanted="text", field="next", fields=lambda: (NAME, PEOPLE, DAY, HOUR, NEXT))

    found = instead(message, hearing(place, Changes()))

    assert found is not None
    [value] = found.told[0].values
    assert (value.field, value.text) == (field, text)
    assert instead(message, hearing(place, Finds())) is None  # nothing says that anything changes


def test_an_old_value_alone_changes_nothing_nor_one_that_another_answer_could_be() -> None:
    months = replace(PEOPLE, name="months", label="months", present="18")

    assert changed("12 is too many", PEOPLE) is None
    place = Place(wanted="text", field="next", fields=lambda: (NAME, PEOPLE, months, NEXT))
    assert instead("12 is too many, 9 will do", hearing(place, Changes())) is None
    assert instead("12 people are too many, 9 will do", hearing(place, Changes())) is not None
    assert instead("12 are too many, and make it 9 months", hearing(place, Changes())) is None
    place = Place(wanted="text", field="next", fields=lambda: (PEOPLE, HOUR, NEXT))
    assert instead("12 is fine, and 4 pm, too", hearing(place, Changes())) is None
