"""Several values in one message: which clause is which answer's, and what no clause gives surely."""

import re

import pytest

from softrail.core.questions import Option
from softrail.core.reading import Field
from tests.unit.reader.test_form import BOTH, NAME, PEOPLE, Said, read, told

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


@pytest.mark.parametrize(
    ("words", "room"), [("it drips in the cellar", "cellar"), ("the garden one", "garden flat")]
)
def test_the_very_word_of_an_option_is_that_option_where_it_is_hardly_seen(words: str, room: str) -> None:
    said = Said(
        words={"Called": "Apus", "room": words},
        given={"room": 0.2 if room in words else 0.4},
        acts=BOTH,
        chosen={room: 0.4},
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
