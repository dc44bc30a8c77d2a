"""A number that is told by what it is made of is added up, where it is sure what is counted, and how many each part is."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace

import pytest

from softrail.core.questions import Question
from softrail.core.reading import Bars, Command, Field, Place, Reading, Value
from softrail.language import language
from softrail.processes.spoken import read_money, read_number
from softrail.processes.unread import Unread
from softrail.reader.counted import with_what_it_comes_to
from softrail.reader.learned import Piece
from tests.readers import FakeMarker, hearing, pieces

WORDS, BARS = language("en"), Bars()
ASKS = "How many people will come?"


def number(words: str) -> object:
    """The number that the words alone give."""
    with suppress(Unread):
        return read_number(words, "en", question=ASKS)
    return None


def money(words: str) -> object:
    """The amount that the words alone give."""
    with suppress(Unread):
        return read_money(words, "en")
    return None


PEOPLE = Field(name="people", wanted="number", question=ASKS, parses=number)
REMARK = Field(name="remark", wanted="text", question="Anything else?")
PLACE = Place(
    question=Question(prompt=ASKS), wanted="number", field="people", fields=lambda: (PEOPLE, REMARK)
)
ONE, MORE = 0.97, 0.03


class Counting(FakeMarker):
    """What is counted in any message, and how likely each part counts for one."""

    def __init__(self, parts: Mapping[str, float], sure: float = 1.0) -> None:
        super().__init__()
        self._parts, self._sure = parts, sure

    def items(self, message: str, asked: str) -> list[Piece]:
        starts = {message.find(text): one for text, one in self._parts.items()}
        return [
            replace(piece, begins=piece.begins * self._sure, one=starts.get(piece.start, 0.0))
            for piece in pieces(message, [*self._parts])
        ]


def stored(message: str, parts: Mapping[str, float], *commands: Command, sure: float = 1.0) -> str | None:
    """What is read for the number, where those parts of the message are counted."""
    read = with_what_it_comes_to(
        Reading(message=message, commands=commands), hearing(PLACE, Counting(parts, sure))
    )
    found = [v.text for c in read.commands if c.act == "inform" for v in c.values if v.field == "people"]
    return found[0] if found else None


@pytest.mark.parametrize(
    ("message", "parts", "total"),
    [
        ("me, my wife and our two kids", {"me": ONE, "my wife": ONE, "our two kids": MORE}, "4"),
        ("my husband me and the twins", {"my husband": ONE, "me": ONE, "the twins": MORE}, "4"),
        ("her parents, and Olek", {"her parents": MORE, "Olek": ONE}, "3"),
        ("fifteen of 9B plus the teacher", {"fifteen of 9B": MORE, "the teacher": ONE}, "16"),
        ("only Ali, he's 40", {"Ali": ONE}, "1"),
    ],
)
def test_parts_are_added_up(message: str, parts: Mapping[str, float], total: str) -> None:
    assert stored(message, parts) == total


@pytest.mark.parametrize(
    ("message", "parts"),
    [
        ("me and the kids", {"me": ONE, "the kids": MORE}),
        ("me and the kids", {"me": ONE, "the kids": 0.6}),
        ("me and my parents", {"me": ONE, "my parents": ONE}),
        ("me and two couples", {"me": ONE, "two couples": MORE}),
        ("Ida and three friends", {"Ida": ONE, "three friends": ONE}),
        ("no idea", {}),
    ],
)
def test_what_nobody_can_count_is_left_as_it_was_read(message: str, parts: Mapping[str, float]) -> None:
    assert stored(message, parts) is None


def test_nothing_is_added_up_where_it_is_not_sure_what_is_counted() -> None:
    parts = {"me": ONE, "my wife": ONE}
    assert stored("me and my wife", parts) == "2"
    assert stored("me and my wife", parts, sure=0.8) is None


def test_what_was_read_of_one_part_gives_way_to_what_they_come_to() -> None:
    read = Command(act="inform", confidence=0.9, layer="learned", values=(Value(field="people", text="two"),))
    assert stored("me and my two sons", {"me": ONE, "my two sons": MORE}, read) == "3"


def asked_about(message: str, parts: Mapping[str, float], read: str) -> bool:
    """What was read is no longer sure enough to be stored."""
    told = Value(field="people", text=read)
    command = Command(act="inform", confidence=0.9, layer="learned", values=(told,))
    reading = Reading(message=message, commands=(command,))
    found = with_what_it_comes_to(reading, hearing(PLACE, Counting(parts))).of("inform")
    return found is not None and found.confidence < BARS.inform


def test_a_single_number_that_was_read_stays_or_is_asked_about_where_the_model_sees_another() -> None:
    assert not asked_about("12, the baby is 1", {"12": MORE}, "12")
    assert not asked_about("12 and some", {"some": MORE}, "12")
    assert asked_about("41 said yes, we invited 60", {"41": MORE}, "60")
    assert asked_about("just Ida, she is 40", {"Ida": ONE}, "40")
    assert asked_about("three, and the kids", {"three": MORE, "the kids": MORE}, "three")


@pytest.mark.parametrize("message", ["5, no 6", "three or four", "20; 900", "two... make that ten"])
def test_numbers_that_are_weighed_up_are_left_to_who_reads_numbers(message: str) -> None:
    first = message.split(",")[0].split(" ")[0].strip(".;")
    assert stored(message, {first: MORE}) is None


def test_of_several_numbers_it_is_asked_which_with_what_they_come_to() -> None:
    text = stored("four at the front and three behind", {"four at the front": MORE, "three behind": MORE})
    assert text is not None
    with pytest.raises(Unread) as unread:
        read_number(text, "en", question=ASKS)
    assert [option.label for option in unread.value.either] == ["7", "4", "3"]


def test_what_is_told_of_other_answers_is_kept_and_what_the_parts_may_be_is_not_asked() -> None:
    note = Value(field="remark", text="we are all vegetarian")
    other = Command(act="inform", layer="learned", target="other", values=(note,))
    message = "me and my wife, we are all vegetarian"
    reading = Reading(message=message, commands=(other,), maybe=(Value(field="remark", text="my wife"), note))
    read = with_what_it_comes_to(reading, hearing(PLACE, Counting({"me": ONE, "my wife": ONE})))
    assert [v.text for c in read.commands for v in c.values] == ["we are all vegetarian", "2"]
    assert read.maybe == (note,)


def test_other_questions_are_read_as_before() -> None:
    place = replace(PLACE, wanted="text", field="remark")
    reading = Reading(message="me and my wife")
    assert with_what_it_comes_to(reading, hearing(place, Counting({"me": ONE, "my wife": ONE}))) is reading


def test_a_single_number_is_told_in_its_own_words() -> None:
    assert stored("about four here", {"four here": MORE}) == "four here"


def test_amounts_and_lengths_are_not_added_up() -> None:
    place = replace(PLACE, fields=lambda: (replace(PEOPLE, parses=money),))
    reading = Reading(message="five euros for me, two pounds for Ben")
    counting = Counting({"five euros for me": MORE, "two pounds for Ben": MORE})
    assert with_what_it_comes_to(reading, hearing(place, counting)) is reading
    reading = Reading(message="a morning and an evening")
    assert (
        with_what_it_comes_to(reading, hearing(place, Counting({"a morning": ONE, "an evening": ONE})))
        is reading
    )
