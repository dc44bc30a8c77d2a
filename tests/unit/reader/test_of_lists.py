"""A list that was told before is changed item by item, whatever else the message does."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from softrail.core.questions import Question
from softrail.core.reading import Bars, Command, Field, Place, Reading, Value
from softrail.reader.changes.of_lists import with_changed_lists
from softrail.reader.changes.outcome import outcome
from softrail.reader.fields import question_query
from softrail.reader.learned import Edited, Piece, learned
from tests.readers import FakeMarker, hearing, pieces

SNACKS = Field(
    name="snacks",
    wanted="list",
    question="Which snacks shall we put out?",
    names=("snacks",),
    present="raisins; nuts",
    given=True,
)
GUESTS = Field(
    name="guests", wanted="number", question="How many guests will there be?", names=("guest count",)
)
PLACE = Place(
    question=Question(prompt=GUESTS.question),
    wanted="number",
    field="guests",
    fields=lambda: (GUESTS, SNACKS),
)
FORTY = Command(
    act="inform",
    confidence=0.95,
    layer="learned",
    values=(Value(field="guests", text="forty", confidence=0.95),),
)
NUTS = "forty, and no nuts please"


def read(message: str, then: Sequence[str], *commands: Command, place: Place = PLACE) -> Reading:
    marker = FakeMarker(edits={message: then})
    return with_changed_lists(Reading(message=message, commands=commands), hearing(place, marker))


def told(reading: Reading) -> list[tuple[str, str, str]]:
    return [(c.act, value.field, value.text) for c in reading.commands for value in c.values]


@pytest.mark.parametrize(
    ("message", "then", "change"),
    [
        (NUTS, ["raisins"], ("correct", "snacks", "raisins")),
        ("forty, olives instead of nuts", ["raisins", "olives"], ("correct", "snacks", "raisins\nolives")),
        ("forty, and olives besides the nuts", ["raisins", "nuts", "olives"], ("inform", "snacks", "olives")),
        ("forty, and none of those snacks", [], ("correct", "snacks", "")),
    ],
)
def test_a_list_is_changed_beside_the_answer(
    message: str, then: Sequence[str], change: tuple[str, str, str]
) -> None:
    assert told(read(message, then, FORTY)) == [("inform", "guests", "forty"), change]


def test_what_comes_is_added_to_what_there_is() -> None:
    [_, added] = read("forty, and olives besides the nuts", ["raisins", "nuts", "olives"], FORTY).commands

    assert added.values[0].adds


def test_a_list_that_stays_is_not_changed_whatever_else_was_read_of_it() -> None:
    guess = Command(
        act="correct",
        confidence=0.4,
        layer="learned",
        values=(Value(field="snacks", text="nuts", confidence=0.4),),
    )

    assert told(read("forty, the nuts are from Brazil", ["raisins", "nuts"], FORTY, guess)) == [
        ("inform", "guests", "forty")
    ]


def test_a_list_that_nothing_speaks_of_is_not_emptied() -> None:
    mistake = Command(act="correct", confidence=0.95, layer="learned")

    assert told(read("wait, I made a mistake", [], mistake)) == []
    assert told(read("forget the snacks", [], mistake)) == [("correct", "snacks", "")]


def test_certain_words_are_not_read_again() -> None:
    certain = Command(act="correct", target="labelled", values=(Value(field="snacks", text="nuts"),))

    assert told(read("snacks: nuts", ["raisins"], certain)) == [("correct", "snacks", "nuts")]


@pytest.mark.parametrize(
    ("message", "item"),
    [
        ("nuts and olives, the guest count is wrong", "guest count"),
        ("nuts and olives, not below the crooked oak", "crooked oak"),
    ],
)
def test_neither_the_name_of_an_answer_nor_its_words_come_to_a_list(message: str, item: str) -> None:
    table = Field(name="table", wanted="text", question="Where?", present="under the crooked oak", given=True)
    place = replace(PLACE, fields=lambda: (GUESTS, table, SNACKS))

    assert told(read(message, ["raisins", "nuts", "olives", item], place=place)) == [
        ("inform", "snacks", "olives")
    ]


class TwoLists(FakeMarker):
    """Both lists would take what comes; of one something goes for it."""

    def edited(self, message: str, asked: str, there: Sequence[str], question: str) -> Edited | None:
        goes = tuple(1.0 if item == "nuts" else 0.0 for item in there)
        return Edited(goes=goes, pieces=pieces(message, ["crackers"]))


def test_what_comes_is_in_one_list_that_from_which_something_goes() -> None:
    people = replace(SNACKS, name="people", question="Who comes along?", present="Ben; Ida")
    place = replace(PLACE, fields=lambda: (GUESTS, people, SNACKS))
    message = Reading(message="crackers, and not the nuts that Ben likes")

    assert told(with_changed_lists(message, hearing(place, TwoLists()))) == [
        ("correct", "snacks", "raisins\ncrackers")
    ]


class Forgets(FakeMarker):
    """Of what it sees, the figs go."""

    def edited(self, message: str, asked: str, there: Sequence[str], question: str) -> Edited | None:
        self.asked += there
        goes = tuple(1.0 if "figs" in item else 0.0 for item in there)
        return Edited(goes=goes, pieces=pieces(message, ["olives"]))


MANY = [
    *(
        f"{colour} {what}"
        for what in ("plums", "figs", "grapes")
        for colour in ("red", "blue", "green", "dried")
    )
]


@pytest.mark.parametrize(
    ("message", "seen", "gone"),
    [
        ("no blue figs, olives", ["blue figs"], ["blue figs"]),
        (
            "olives, and no figs",
            [one for one in MANY if "figs" in one],
            [one for one in MANY if "figs" in one],
        ),
        ("olives as well", MANY[:8], []),
    ],
)
def test_of_a_long_list_the_items_that_are_spoken_of_most_are_read(
    message: str, seen: list[str], gone: list[str]
) -> None:
    marker = Forgets()
    place = replace(PLACE, fields=lambda: (GUESTS, replace(SNACKS, present="; ".join(MANY))))
    said = Reading(message=message, commands=(Command(act="correct", confidence=0.9, layer="learned"),))

    [*_, (act, _, text)] = told(with_changed_lists(said, hearing(place, marker)))

    assert marker.asked == seen
    left = [one for one in MANY if one not in gone]
    assert (act, text.split("\n")) == (("correct", [*left, "olives"]) if gone else ("inform", ["olives"]))


class Unsure(FakeMarker):
    """It may be that the nuts go."""

    def edited(self, message: str, asked: str, there: Sequence[str], question: str) -> Edited | None:
        return Edited(goes=(0.01, 0.6), pieces=pieces(message, ()))


def test_a_change_in_doubt_is_asked_about_and_no_answer_is_lost_for_it() -> None:
    reading = with_changed_lists(Reading(message=NUTS, commands=(FORTY,)), hearing(PLACE, Unsure()))

    assert told(reading) == [("inform", "guests", "forty")]
    assert [(value.field, value.text) for value in reading.beside] == [("snacks", "raisins")]


def test_a_change_in_doubt_that_stands_alone_is_not_sure() -> None:
    reading = with_changed_lists(Reading(message="hardly any nuts"), hearing(PLACE, Unsure()))

    [change] = reading.commands
    assert change.act == "correct"
    assert not Bars().is_sure(change.values[0])


def test_what_has_nothing_to_do_with_the_list_is_not_put_to_the_model() -> None:
    marker = FakeMarker(edits={"forty": []})

    assert told(with_changed_lists(Reading(message="forty", commands=(FORTY,)), hearing(PLACE, marker))) == [
        ("inform", "guests", "forty")
    ]


def test_items_that_come_stand_one_behind_the_other() -> None:
    message = "put olives, dates and the salty sticks there"
    read = Edited(goes=(0.0, 0.9), pieces=pieces(message, ["olives", "dates", "the salty sticks"]))

    assert outcome(message, ["raisins", "nuts"], read).items == (
        "raisins",
        "olives",
        "dates",
        "the salty sticks",
    )


def test_an_item_that_is_there_is_not_there_twice() -> None:
    message = "nuts, again"
    read = Edited(goes=(0.0, 0.0), pieces=pieces(message, ["nuts"]))

    assert outcome(message, ["raisins", "nuts"], read).items == ("raisins", "nuts")


def test_a_part_of_a_word_begins_no_item() -> None:
    read = Edited(goes=(0.0,), pieces=[Piece(start=2, end=4, begins=0.9, inside=0.9)])

    assert outcome("nuts", ["raisins"], read).items == ("raisins",)


def test_the_model_itself_knows_what_goes_and_what_comes() -> None:
    marker = learned()
    assert marker is not None
    message = "forty. no nuts please, and put olives there instead"
    asked = question_query(SNACKS)

    read = marker.edited(message, asked, ["raisins", "nuts"], GUESTS.question)

    assert read is not None
    assert outcome(message, ["raisins", "nuts"], read).items == ("raisins", "olives")
    assert (
        marker.edited(message, asked, [f"one more of many kinds of nuts {n}" for n in range(40)], "How many?")
        is None
    )
