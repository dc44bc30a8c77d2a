"""What stands beside the open value: taken where one answer is meant, asked where several may be, dropped where none is."""

from collections.abc import Mapping, Sequence

import pytest

from softrail.core.questions import Option, Question
from softrail.core.reading import Bars, Command, Field, Place, Reading, Value
from softrail.language import language
from softrail.reader.learned import ACTS, Marks
from softrail.reader.remainder import with_remainder

NAME = Field(name="name", wanted="text", question="Called?")
ABOUT = Field(name="about", wanted="text", question="Does?")
WHO = Field(name="who", wanted="text", question="For whom?", label="audience")
DAY = Field(
    name="day",
    wanted="date",
    question="Which day?",
    parses=lambda words: "tomorrow" if "tomorrow" in words else None,
)
PEOPLE = Field(
    name="people",
    wanted="number",
    question="How many?",
    parses=lambda words: int(words) if words.strip().isdigit() else None,
)
SIZE = Field(
    name="size", wanted="choice", question="Size?", options=(Option(label="small"), Option(label="medium"))
)


class Marking:
    """How likely words are a value for a question, as long as they are not blanked out."""

    def __init__(self, marks: Mapping[str, tuple[float, str]]) -> None:
        self.marks = marks
        self.asked: list[str] = []

    def mark(self, message: str, queries: Sequence[str]) -> list[Marks]:
        self.asked += queries
        return [self._one(message, query) for query in queries]

    def _one(self, message: str, query: str) -> Marks:
        value, words = next((m for asks, m in self.marks.items() if asks in query), (0.0, ""))
        acts = dict.fromkeys(ACTS, 0.0)
        if not words or words not in message:
            return Marks(acts=acts, start=0, end=0, value=0.0, span=0.0)
        start = message.index(words)
        return Marks(acts=acts, start=start, end=start + len(words), value=value, span=0.9)


def read(message: str, marks: Mapping[str, tuple[float, str]], *fields: Field) -> Reading:
    """The message with the value of the first field, which is the open one, read already."""
    asked, wanted = fields[0], fields[0].wanted
    value = Value(field=asked.name, text=marks[asked.question][1])
    given = Command(act="inform", confidence=0.97, layer="learned", values=(value,))
    place = Place(
        question=Question(prompt=asked.question), wanted=wanted, field=asked.name, fields=lambda: fields
    )
    reading = Reading(message=message, commands=(given,))
    return with_remainder(reading, place, Marking(marks), Bars(), language("en"))


def told(reading: Reading) -> dict[str, str]:
    return {v.field: v.text for c in reading.commands for v in c.values}


def test_one_word_that_has_the_form_of_a_value_is_one() -> None:
    found = read("4 tomorrow", {"How many?": (0.98, "4"), "Which day?": (0.9, "tomorrow")}, PEOPLE, DAY)
    assert told(found) == {"people": "4", "day": "tomorrow"}


def test_one_word_of_any_other_kind_costs_no_reading() -> None:
    marker = Marking({"How many?": (0.98, "4"), "Does?": (0.9, "please")})
    value = Value(field="people", text="4")
    reading = Reading(message="4 please", commands=(Command(act="inform", layer="learned", values=(value,)),))
    place = Place(
        question=Question(prompt="How many?"), wanted="number", field="people", fields=lambda: (PEOPLE, ABOUT)
    )
    assert with_remainder(reading, place, marker, Bars(), language("en")) is reading
    assert not any("Does?" in query for query in marker.asked)


def test_what_two_answers_want_about_as_much_is_asked_with_the_value_that_is_clear() -> None:
    marks = {
        "Called?": (0.98, "Driftwood"),
        "Does?": (0.5, "furniture swaps"),
        "whom?": (0.6, "furniture swaps"),
    }
    found = read("Driftwood, furniture swaps", marks, NAME, ABOUT, WHO)
    assert told(found) == {"name": "Driftwood"}
    assert [value.field for value in found.beside] == ["about", "who"]


def test_of_two_the_one_that_is_asked_for_next_is_preferred() -> None:
    marks = {
        "Called?": (0.98, "Rutera"),
        "Does?": (0.75, "a route planner"),
        "whom?": (0.7, "a route planner"),
    }
    assert told(read("Rutera, a route planner", marks, NAME, ABOUT, WHO))["about"] == "a route planner"


def test_what_belongs_to_no_answer_is_left_alone() -> None:
    marks = {"Called?": (0.98, "Kestrel"), "Does?": (0.2, "good morning to you")}
    found = read("good morning to you, Kestrel", marks, NAME, ABOUT)
    assert (told(found), found.beside) == ({"name": "Kestrel"}, ())


def test_the_frame_of_a_value_is_no_value_of_another() -> None:
    found = read(
        "I need 2 tickets", {"How many?": (0.98, "2"), "Does?": (0.4, "I need 2 tickets")}, PEOPLE, ABOUT
    )
    assert told(found) == {"people": "2"}


@pytest.mark.parametrize(
    ("likely", "name", "people"), [(0.97, "Ivan", "300"), (0.6, "Ivan 300", None)], ids=["clearly", "perhaps"]
)
def test_a_value_at_the_end_is_cut_off_only_where_that_is_clear(
    likely: float, name: str, people: str | None
) -> None:
    found = told(
        read("to Ivan 300", {"Called?": (0.98, "Ivan 300"), "How many?": (likely, "300")}, NAME, PEOPLE)
    )
    assert (found["name"], found.get("people")) == (name, people)


def test_an_option_behind_a_number_is_no_part_of_the_number() -> None:
    marks = {"How many?": (0.98, "2 medium"), "Size?": (0.92, "medium")}
    assert told(read("2 medium", marks, PEOPLE, SIZE)) == {"people": "2", "size": "medium"}


def test_what_is_given_already_is_not_given_again() -> None:
    given = Field(name="about", wanted="text", question="Does?", given=True, present="a map")
    marks = {"Called?": (0.98, "Alba"), "Does?": (0.9, "a calendar")}
    assert told(read("Alba, a calendar", marks, NAME, given)) == {"name": "Alba"}


def test_values_are_taken_one_after_another_until_nothing_is_left() -> None:
    marks: dict[str, tuple[float, str]] = {
        "Called?": (0.98, "Alba"),
        "Does?": (0.9, "a calendar"),
        "whom?": (0.8, "small churches"),
        "Which day?": (0.9, "tomorrow"),
    }
    found = read("Alba, a calendar for small churches, tomorrow", marks, NAME, ABOUT, WHO, DAY)
    assert told(found) == {
        "name": "Alba",
        "about": "a calendar",
        "who": "small churches",
        "day": "tomorrow",
    }


def test_words_of_one_value_are_not_those_of_a_second() -> None:
    marks = {
        "Called?": (0.98, "Alba"),
        "Does?": (0.95, "a church calendar"),
        "whom?": (0.7, "a church calendar"),
    }
    assert told(read("Alba, a church calendar", marks, NAME, ABOUT, WHO)) == {
        "name": "Alba",
        "about": "a church calendar",
    }


def test_an_item_of_the_open_list_is_not_given_to_another_answer() -> None:
    items = Field(name="done", wanted="list", question="Done?")
    marks = {"Done?": (0.98, "the login page"), "Does?": (0.9, "the reset mails")}
    place = Place(
        question=Question(prompt="Done?"), wanted="list", field="done", fields=lambda: (items, ABOUT)
    )
    value = Value(field="done", text="the login page\nthe reset mails")
    given = Command(act="inform", confidence=0.97, layer="learned", values=(value,))
    reading = Reading(message="the login page, the reset mails", commands=(given,))
    assert with_remainder(reading, place, Marking(marks), Bars(), language("en")) is reading


def test_letters_of_any_script_stay_in_their_place() -> None:
    marks = {"Called?": (0.98, "Ёлка"), "Does?": (0.9, "отслеживает 🎄 деревья")}
    assert (
        told(read("Ёлка — отслеживает 🎄 деревья", marks, NAME, ABOUT))["about"] == "отслеживает 🎄 деревья"
    )
