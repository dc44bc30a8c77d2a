"""Which answer is taken back, by its name, by what it is asked with, or by what was given; and what is put on buttons."""

from collections.abc import Sequence

import pytest

from softrail.core.reading import Bars, Command, Field, Place, Reading, Value, Wanted
from softrail.language import language
from softrail.reader.changes.spoken_of import likeness, spoken_of
from softrail.reader.changes.taken_back import with_taken_back
from softrail.reader.learned import Joint, Marks
from tests.readers import ChoosesNone, hearing

WORDS = language("en")


class Silent(ChoosesNone):
    """A small model that is sure of nothing."""

    def mark(self, message: str, queries: Sequence[str]) -> Sequence[Marks]:
        return [Marks(acts={}, start=0, end=0, value=0.0, span=0.0) for _ in queries]

    def joint(self, message: str, queries: Sequence[str]) -> Joint:
        raise AssertionError


def field(name: str, question: str, present: str, wanted: Wanted = "text") -> Field:
    return Field(name=name, label=name, wanted=wanted, question=question, present=present, given=True)


BORN = field("dob", "What is your date of birth?", "1957-11-30", "date")
SEEN = field("last", "When was your last test?", "2024-10-01", "date")
HOUR = field("start", "When shall we begin?", "09:00:00", "time")
DOGS = field("dogs", "How many dogs come?", "2", "number")
CRATE = field("crate", "Does it need a crate?", "True", "bool")
FAULTS = field("faults", "What is to be looked at?", "squeaky wheel; loose chain; dead lamp", "list")
WISH = field("wish", "Any wishes?", "a seat by the fountain")
GIVEN = (BORN, SEEN, HOUR, DOGS, CRATE, FAULTS, WISH)
ASKED = Field(name="phone", label="phone", wanted="text", question="Where can we reach you?")


def read(message: str, *commands: Command, changes: float = 0.0, wanted: Wanted = "text") -> Reading:
    place = Place(wanted=wanted, field="phone", required=True, fields=lambda: (*GIVEN, ASKED))
    denied = [(0.05, one) for one in GIVEN if one.wanted != "bool"]
    reading = Reading(message=message, commands=commands)
    return with_taken_back(reading, hearing(place, Silent()), denied, 0.0, changes=changes)


def asked_anew(reading: Reading) -> list[tuple[str, str]]:
    return [(v.field, v.text) for c in reading.commands if c.act == "correct" for v in c.values]


@pytest.mark.parametrize(
    ("message", "name"),
    [
        ("please erase the start again, the ferry is late", "start"),
        ("forget the time, I have to ask around", "start"),
        ("scratch the number of dogs, my sister isn't sure", "dogs"),
        ("you can bin that bit with the fountain", "wish"),
    ],
    ids=lambda value: value,
)
def test_what_is_taken_back_by_its_words_is_asked_for_anew(message: str, name: str) -> None:
    assert asked_anew(read(message)) == [(name, "")]


def test_of_several_items_the_one_that_is_called_goes() -> None:
    found = read("forget the chains, my neighbour fixed that")

    [value] = [v for c in found.commands for v in c.values]
    assert (value.field, value.text) == ("faults", "squeaky wheel\ndead lamp")
    assert Bars().is_sure(value)


def test_a_yes_that_is_scrapped_is_asked_about_as_a_no() -> None:
    [value] = [v for c in read("scrap the crate, she sleeps on the floor").commands for v in c.values]

    assert (value.field, value.text) == ("crate", "no")
    assert value.placed < Bars().placed


def test_who_wants_to_go_takes_nothing_back_besides() -> None:
    wish = Command(act="request", confidence=0.9, layer="learned")

    found = read("could you delete the wish?", wish)

    assert asked_anew(found) == [("wish", "")]
    assert found.of("request") is None


def test_a_sure_answer_takes_nothing_back() -> None:
    told = Value(field="phone", text="drop it by the fountain")
    answer = Command(act="inform", confidence=0.9, layer="learned", values=(told,))

    assert read("drop it by the fountain", answer).commands == (answer,)


def test_words_of_two_answers_take_back_neither() -> None:
    assert asked_anew(read("forget the dogs and the crate")) == []


def test_what_may_be_wrong_is_on_buttons_the_likeliest_first() -> None:
    wrong = Command(act="correct", confidence=0.8, layer="learned")

    found = read("the birthday you have there isn't right", wrong)

    assert len(found.maybe) == 3
    assert found.maybe[0].field == "dob"


@pytest.mark.parametrize(
    ("message", "name"),
    [
        ("the number I gave you isn't right", "dogs"),
        ("that time is nonsense, can I redo it?", "start"),
        ("we talked about the fountain, that can't stand", "wish"),
    ],
    ids=lambda value: value,
)
def test_the_one_answer_that_the_words_speak_of_is_asked_for_anew(message: str, name: str) -> None:
    away = Command(act="leave", confidence=0.6, layer="learned")

    found = read(message, away, changes=0.55)

    assert asked_anew(found) == [(name, "")]
    assert found.of("leave") is None


@pytest.mark.parametrize(
    ("message", "name", "text"),
    [
        ("hm, about that crate I was mistaken", "crate", "no"),
        ("the chain shouldn't be on it", "faults", "squeaky wheel\ndead lamp"),
    ],
    ids=lambda value: value,
)
def test_a_yes_turns_and_an_item_goes_only_after_a_tap(message: str, name: str, text: str) -> None:
    found = read(message, changes=0.55)

    assert [(one.field, one.text) for one in found.maybe] == [(name, text)]
    assert not asked_anew(found)


@pytest.mark.parametrize(("changes", "kept"), [(0.55, True), (0.65, False)])
def test_a_no_beside_an_answer_that_is_called_wrong_is_no_answer(changes: float, kept: bool) -> None:
    no = Command(act="negate", confidence=0.98, layer="learned")

    found = read("no wait, the wish is wrong", no, changes=changes, wanted="bool")

    assert (found.of("negate") is not None) == kept
    assert asked_anew(found) == ([] if kept else [("wish", "")])


def test_words_that_deny_speak_of_no_answer() -> None:
    broken = field("broken", "What is broken?", "the heater does not work")

    assert spoken_of("that's not it", [broken, HOUR], WORDS) == []


def test_a_word_of_several_answers_tells_less_of_each() -> None:
    like = likeness("the date is odd", GIVEN, WORDS)

    assert 0 < like["dob"] == like["last"] < 2
    assert spoken_of("the date is odd", GIVEN, WORDS) == []
