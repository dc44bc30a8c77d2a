"""A list that is told in one breath is kept as its items."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from softrail.core.questions import Question
from softrail.core.reading import Command, Field, Place, Reading, Value
from softrail.language import language
from softrail.reader.items import items, with_items
from softrail.reader.learned import Piece
from tests.readers import FakeMarker, hearing

WORDS = language("en")
TOOLS = Field(name="tools", wanted="list", question="Which tools do you need?")
REMARK = Field(name="remark", wanted="text", question="Anything else?", names=("remark",))
PLACE = Place(
    question=Question(prompt=TOOLS.question), wanted="list", field="tools", fields=lambda: (TOOLS, REMARK)
)


class Unsure(FakeMarker):
    """Where items begin it is not sure."""

    def items(self, message: str, asked: str) -> list[Piece]:
        return [replace(one, begins=0.75 * one.begins) for one in super().items(message, asked)]


def kept(
    message: str,
    meant: Sequence[str],
    told: str = "",
    *others: Value,
    field: str = "tools",
    marker: type[FakeMarker] = FakeMarker,
) -> list[str]:
    """What is kept of a list that was found in the message, where its items are those."""
    value = Value(field=field, text=told or message)
    reading = Reading(message=message, commands=(Command(act="inform", values=(value, *others)),))
    read = with_items(reading, hearing(PLACE, marker(lists={message: meant})))
    return read.commands[0].values[0].text.split("\n")


@pytest.mark.parametrize(
    ("message", "meant"),
    [
        ("a hammer, two saws and a drill", ["a hammer", "two saws", "a drill"]),
        ("nuts & bolts; the big drill", ["nuts & bolts", "the big drill"]),
        ("hammer, oh and as well as that the drill", ["hammer", "the drill"]),
        ("shipped the old version", ["shipped the old version"]),
        ("salt and pepper mill", ["salt and pepper mill"]),
    ],
)
def test_each_item_is_kept_without_what_joins_them(message: str, meant: list[str]) -> None:
    assert kept(message, meant) == meant


def test_what_is_of_no_item_falls_away() -> None:
    message = "really a saw for one and a drill if that's fine"
    assert kept(message, ["a saw", "a drill"]) == ["a saw", "a drill"]
    assert kept(message, ["a saw", "a drill"], "really a saw") == ["a saw", "a drill"]


def test_only_what_joins_two_items_falls_away_where_it_is_not_sure_where_one_begins() -> None:
    message = "really a saw for one and a drill if that's fine"
    assert kept(message, ["a saw", "a drill"], marker=Unsure) == [
        "really a saw for one",
        "a drill if that's fine",
    ]
    found = "a saw for one and a drill"
    assert kept(message, ["a saw", "a drill"], found, marker=Unsure) == ["a saw for one", "a drill"]


def test_words_that_are_another_answer_s_are_no_item() -> None:
    message = "a saw and a drill, the blue one is Ben's"
    remark = Value(field="remark", text="the blue one is Ben's")
    assert kept(message, ["a saw", "a drill", "the blue one"], "a saw and a drill", remark) == [
        "a saw",
        "a drill",
    ]


def test_nothing_falls_away_that_calls_another_answer() -> None:
    message = "a saw and a drill; remark it is urgent"
    assert kept(message, ["a saw", "a drill"]) == ["a saw", "a drill; remark it is urgent"]


def test_a_list_beside_another_answer_has_the_items_that_were_told_of_it() -> None:
    message = "for Ben, a saw and a drill please, and a hammer for Ida"
    place = replace(PLACE, wanted="text", field="remark")
    value = Value(field="tools", text="a saw and a drill please")
    reading = Reading(message=message, commands=(Command(act="inform", values=(value,)),))
    marker = FakeMarker(lists={message: ["a saw", "a drill", "a hammer"]})
    assert with_items(reading, hearing(place, marker)).commands[0].values[0].text == "a saw\na drill"


def app(begins: float) -> list[Piece]:
    """The second word may begin an item of its own."""
    return [
        Piece(start=0, end=7, begins=0.9, inside=0.9),
        Piece(start=8, end=11, begins=begins, inside=0.9),
        Piece(start=12, end=15, begins=0.0, inside=0.9),
    ]


def test_no_item_begins_where_the_one_before_it_goes_on_unless_it_is_sure() -> None:
    assert items("shipped the app", (0, 15), app(0.8), WORDS) == [(0, 15)]
    assert items("hammers the saw", (0, 15), app(0.95), WORDS) == [(0, 7), (8, 15)]


def test_no_item_begins_within_a_word() -> None:
    pieces = [
        Piece(start=0, end=5, begins=0.9, inside=0.2),
        Piece(start=5, end=8, begins=0.9, inside=0.9),
        Piece(start=9, end=12, begins=0.0, inside=0.0),
        Piece(start=13, end=16, begins=0.9, inside=0.9),
    ]
    assert items("hedgehog and saw", (0, 16), pieces, WORDS) == [(0, 8), (13, 16)]


def test_no_item_ends_within_a_word() -> None:
    pieces = [
        Piece(start=0, end=5, begins=1.0, inside=1.0),
        Piece(start=5, end=8, begins=0.0, inside=0.05),
        Piece(start=9, end=12, begins=1.0, inside=1.0),
    ]
    assert items("hedgehog saw", (0, 12), pieces, WORDS) == [(0, 8), (9, 12)]


def test_a_list_is_more_than_what_was_found_of_it() -> None:
    message = "the hammer for one, a saw, then later on a drill"
    assert kept(message, ["the hammer", "a saw", "a drill"], "a saw") == ["the hammer", "a saw", "a drill"]
    assert kept(message, ["the hammer", "a saw", "a drill"], "a saw", marker=Unsure) == [
        "the hammer for one",
        "a saw",
        "a drill",
    ]


def test_what_is_written_as_a_list_is_one_already() -> None:
    assert kept("a saw, small\na drill", ["a saw", "small", "a drill"]) == ["a saw, small", "a drill"]
    assert kept("1. a saw 2. a drill", ["saw", "drill"]) == ["1. a saw 2. a drill"]


def test_words_that_are_not_in_the_message_are_cut_by_themselves() -> None:
    marker = FakeMarker(lists={"saws, drills": ["saws", "drills"]})
    value = Value(field="tools", text="saws, drills")
    reading = Reading(message="I need sawss n drills", commands=(Command(act="inform", values=(value,)),))
    assert with_items(reading, hearing(PLACE, marker)).commands[0].values[0].text == "saws\ndrills"


def test_a_text_stays_as_it_is() -> None:
    assert kept("a saw, a drill", ["a saw", "a drill"], field="remark") == ["a saw, a drill"]


def test_what_is_only_asked_about_is_cut_as_well() -> None:
    said = "a saw and a drill"
    value = Value(field="remark", text=said, rivals=(Value(field="tools", text=said, adds=True),))
    reading = Reading(message=said, maybe=(value, Value(field="tools", text=said)), beside=value.rivals)
    read = with_items(reading, hearing(PLACE, FakeMarker(lists={said: ["a saw", "a drill"]})))
    assert [one.text for one in read.maybe] == [said, "a saw\na drill"]
    assert [one.text for one in read.beside] == ["a saw\na drill"]
    assert [one.text for one in read.maybe[0].rivals] == ["a saw\na drill"]


NAME = Field(name="name", wanted="text", question="What is your name?")
BY_NAME = replace(PLACE, wanted="text", field="name", fields=lambda: (NAME, TOOLS, REMARK))


def name(message: str, meant: Sequence[str], told: str = "", marker: type[FakeMarker] = FakeMarker) -> str:
    """What is kept of a text that was found in the message, where the model marks those parts of it."""
    value = Value(field="name", text=told or message)
    reading = Reading(message=message, commands=(Command(act="inform", values=(value,)),))
    read = with_items(reading, hearing(BY_NAME, marker(lists={message: meant})))
    return read.commands[0].values[0].text


def test_a_text_is_what_is_marked_of_it_without_what_frames_it() -> None:
    assert name("me, Tomas Reyes", ["Tomas Reyes"]) == "Tomas Reyes"
    assert name("it says Candy on the front, in pink", ["Candy"], "Candy on the front") == "Candy"


def test_a_text_is_kept_as_it_was_found_where_the_marks_are_not_sure_or_not_one() -> None:
    message = "me, Tomas Reyes"
    assert name(message, ["Tomas Reyes"], marker=Unsure) == message
    assert name(message, ["me", "Tomas Reyes"]) == message
    assert name(message, []) == message
    assert name("it is Ben, the mail is elsewhere", ["elsewhere"], "Ben") == "Ben"


def test_a_text_is_kept_as_it_was_found_where_the_message_may_want_something_else() -> None:
    message = "morning, quick standup please"
    value = Value(field="name", text=message)
    wish = Command(act="request", confidence=0.4, layer="learned")
    reading = Reading(message=message, commands=(Command(act="inform", values=(value,)), wish))
    read = with_items(reading, hearing(BY_NAME, FakeMarker(lists={message: ["quick standup"]})))
    assert read.commands[0].values == (value,)


def test_a_text_loses_nothing_that_calls_another_answer() -> None:
    message = "Tomas Reyes, remark it is urgent"
    assert name(message, ["Tomas Reyes"]) == message


def test_a_text_that_was_not_asked_for_is_kept_as_it_was_found() -> None:
    message = "a saw, and it's for me, Tomas Reyes"
    value = Value(field="name", text="me, Tomas Reyes")
    reading = Reading(message=message, commands=(Command(act="inform", values=(value,)),))
    read = with_items(reading, hearing(PLACE, FakeMarker(lists={message: ["Tomas Reyes"]})))
    assert read.commands[0].values[0].text == "me, Tomas Reyes"


def test_nothing_falls_away_of_a_message_that_is_longer_than_what_is_read_of_it() -> None:
    class Half(FakeMarker):
        def items(self, message: str, asked: str) -> list[Piece]:
            return super().items(message, asked)[:3]

    message = "me, Tomas Reyes, of Porto"
    assert name(message, ["Tomas Reyes"]) == "Tomas Reyes"
    assert name(message, ["Tomas Reyes"], marker=Half) == message
