"""Several values in one message: which clause is which answer's, and what no clause gives surely."""

import re
from collections.abc import Mapping

import pytest

from softrail.core.questions import Option
from softrail.core.reading import Field
from tests.unit.reader.test_form import BOTH, NAME, PEOPLE, Said, read, told

LIFT = Field(name="lift", wanted="bool", question="Is there a lift?", label="lift")
INSURED = Field(name="insured", wanted="bool", question="Should it be insured?", label="insured")
ROOM = Field(
    name="room",
    wanted="choice",
    question="Which room?",
    label="room",
    options=(Option(label="cellar"), Option(label="garden flat"), Option(label="attic")),
)


def _number(words: str) -> int | None:
    found = re.findall(r"\d+", words)
    return int(found[0]) if len(found) == 1 else None


MINUTES = Field(name="minutes", wanted="number", question="For how long?", label="minutes", parses=_number)
COPIES = Field(
    name="copies", wanted="number", question="What should we print?", label="copies", parses=_number
)


def said_of_a_lift(clause: str, *, seen: float = 0.9, **acts: float) -> Said:
    words: Mapping[str, str] = {"Called": "Apus", "lift": clause}
    return Said(words=words, given={"lift": seen}, acts=BOTH, alone={clause: acts})


@pytest.mark.parametrize("clause", ["there is a lift", "two lifts in fact", "the lift works again"])
def test_a_clause_with_words_of_a_question_is_a_yes_to_it(clause: str) -> None:
    said = said_of_a_lift(clause, affirm=0.3, negate=0.6)
    assert told(read(f"Apus, and {clause}", said, NAME, LIFT)) == {"name": "Apus", "lift": "yes"}


@pytest.mark.parametrize("clause", ["there's no lift", "a lift they haven't got", "nobody built a lift"])
def test_with_a_word_that_denies_it_the_clause_is_a_no(clause: str) -> None:
    said = said_of_a_lift(clause, affirm=0.1, negate=0.6)
    assert told(read(f"Apus, {clause}", said, NAME, LIFT)) == {"name": "Apus", "lift": "no"}


@pytest.mark.parametrize(
    ("clause", "seen", "acts"),
    [
        ("there is a staircase", 0.9, {"affirm": 0.6}),  # no word of the question
        ("there is a lift", 0.05, {"affirm": 0.6}),  # hardly told, and hardly a yes
        ("he is past needing a lift", 0.9, {"affirm": 0.005, "negate": 0.99}),  # a no without a word of one
        ("no lift is too small for it", 0.9, {"affirm": 0.9, "negate": 0.1}),  # the other way round
        ("is there a lift", 0.9, {"affirm": 0.9, "ask": 0.9}),
    ],
)
def test_where_words_and_the_reading_do_not_agree_no_yes_is_told(
    clause: str, seen: float, acts: Mapping[str, float]
) -> None:
    said = said_of_a_lift(clause, seen=seen, **acts)
    assert "lift" not in told(read(f"Apus, {clause}", said, NAME, LIFT))


def test_a_word_of_any_question_speaks_of_none() -> None:
    said = Said(
        words={"Called": "Apus", "insured": "that should do it"},
        acts=BOTH,
        alone={"that should do it": {"affirm": 0.99}},
    )
    assert told(read("Apus, that should do it", said, NAME, INSURED)) == {"name": "Apus"}


@pytest.mark.parametrize(
    ("words", "room"), [("it drips in the cellar", "cellar"), ("the garden one", "garden flat")]
)
def test_the_very_word_of_an_option_is_that_option_where_it_is_hardly_seen(words: str, room: str) -> None:
    said = Said(
        words={"Called": "Apus", "room": words}, given={"room": 0.2 if room in words else 0.4}, acts=BOTH
    )
    assert told(read(f"Apus, {words}", said, NAME, ROOM)) == {"name": "Apus", "room": room}


def test_one_word_of_an_option_that_is_hardly_seen_is_none() -> None:
    said = Said(words={"Called": "Apus", "room": "garden centre"}, given={"room": 0.2}, acts=BOTH)
    assert told(read("Apus, from the garden centre", said, NAME, ROOM)) == {"name": "Apus"}


@pytest.mark.parametrize(
    "words", ["anywhere but the cellar", "it is not in the cellar", "the cellar or the attic"]
)
def test_an_option_that_is_denied_or_one_of_two_is_none(words: str) -> None:
    said = Said(words={"Called": "Apus", "room": words}, given={"room": 0.2}, acts=BOTH)
    assert told(read(f"Apus, {words}", said, NAME, ROOM)) == {"name": "Apus"}


def test_a_number_in_a_clause_of_its_own_is_that_answer_and_no_part_of_the_one_before() -> None:
    said = Said(words={"Called": "parking, 30 at the most", "long": "30"}, given={"long": 0.8}, acts=BOTH)
    assert told(read("parking, 30 at the most", said, NAME, MINUTES)) == {
        "name": "parking",
        "minutes": "30",
    }


def test_a_number_that_either_of_two_answers_may_be_is_kept_for_none() -> None:
    said = Said(
        words={"Called": "Apus", "long": "30", "print": "30"}, given={"long": 0.35, "print": 0.32}, acts=BOTH
    )
    assert told(read("Apus, let us say 30 at the very most", said, NAME, MINUTES, COPIES)) == {"name": "Apus"}


def test_a_short_clause_beside_another_remark_is_no_number_by_its_type_alone() -> None:
    said = Said(words={"Called": "Apus"}, acts=BOTH)
    assert told(read("Apus, he's 12, and afraid of his shadow", said, NAME, MINUTES, PEOPLE)) == {
        "name": "Apus"
    }


def test_what_may_be_said_once_more_of_an_answer_that_is_told_is_no_other_ones() -> None:
    people = Field(name="people", wanted="number", question="How many?", parses=_number)
    said = Said(
        words={"Called": "Apus", "How many": "4", "long": "2"},
        given={"How many": 0.97, "long": 0.4},
        acts={"inform": 0.98, "inform_other": 0.4},
    )
    reading = read("Apus here. its 4 of us, 2 of them are still in school", said, NAME, people, MINUTES)
    assert told(reading) == {"name": "Apus", "people": "4"}
    assert told(read("Apus here. 2 of them are still in school", said, NAME, MINUTES)) == {
        "name": "Apus",
        "minutes": "2 of them are still in school",
    }
