"""An answer of words that nobody asked for: what speaks for a clause is weighed together."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import pytest

from softrail.core.questions import Question
from softrail.core.reading import Bars, Field, Place
from softrail.language import language
from softrail.reader.evidence import told_in_words
from softrail.reader.heard import Heard
from softrail.reader.learned import ACTS, Joint, Marks, Told
from tests.readers import ChoosesNone

DAY = Field(name="day", wanted="date", question="By when?")
KEY = Field(name="key", wanted="text", question="Where do we find the key?", label="key")
HELPERS = Field(name="helpers", wanted="list", question="Who helps?", label="helpers")


@dataclass(frozen=True, kw_only=True)
class Readings(ChoosesNone):
    """What is read of one field: jointly, by itself, and of a clause; how likely, and which words."""

    jointly: tuple[float, str] = (0.0, "")
    placed: float = 0.9
    alone: tuple[float, str] = (0.0, "")
    clauses: Mapping[str, tuple[float, str]] = field(default_factory=dict)

    def mark(self, message: str, queries: Sequence[str]) -> list[Marks]:
        likely, words = self.clauses.get(message.strip(), self.alone)
        start = max(message.find(words), 0)
        acts = dict.fromkeys(ACTS, 0.0)
        return [
            Marks(acts=acts, start=start, end=start + len(words), value=likely, span=0.8) for _ in queries
        ]

    def joint(self, message: str, queries: Sequence[str]) -> Joint:
        raise NotImplementedError


def told(message: str, said: Readings, *fields: Field, answer: str = "Sunday", tells: float = 0.5) -> Told:
    """What is told of the last of those fields, where a day is asked for and given."""
    wanted, here = (
        fields[-1],
        Told(given=0.99, start=0, end=len(answer), placed=0.9, denied=0.0, yes=0.0, no=0.0),
    )
    place = Place(
        question=Question(prompt=DAY.question), wanted="date", field="day", fields=lambda: (DAY, *fields)
    )
    heard = Heard(
        message=message,
        place=place,
        fields=fields,
        joint=Joint(told=(here,), acts={"inform_other": tells}),
        marks=Marks(acts={"inform": 0.9}, start=0, end=len(answer), value=0.9, span=0.9),
        reading=True,
        marker=said,
        bars=Bars(),
        language=language("en"),
    )
    likely, words = said.jointly
    start = max(message.find(words), 0)
    one = replace(here, given=likely, start=start, end=start + len(words), placed=said.placed)
    return told_in_words(wanted, one, heard)


POT = "it lies under the blue pot"
SHY = Readings(jointly=(0.25, "the blue pot"), alone=(0.85, "the blue pot"), clauses={POT: (0.95, POT)})


def test_what_one_reading_hardly_sees_is_told_where_all_of_them_speak_for_it() -> None:
    assert told(f"Sunday, {POT}", SHY, KEY).given > 0.6


def test_of_what_is_not_asked_for_next_it_is_less_likely() -> None:
    assert told(f"Sunday, {POT}", SHY, HELPERS, KEY).given < 0.45


def test_a_word_of_the_question_speaks_for_it() -> None:
    said = replace(SHY, clauses={"the key lies under the blue pot": (0.95, "under the blue pot")})
    plain = told(f"Sunday, {POT}", SHY, HELPERS, KEY).given
    assert told("Sunday, the key lies under the blue pot", said, HELPERS, KEY).given > plain


@pytest.mark.parametrize("alone", [0.02, 0.98])
def test_what_is_read_for_the_field_alone_is_not_enough(alone: float) -> None:
    said = Readings(
        jointly=(0.02, "lovely weather"),
        alone=(alone, "lovely weather"),
        clauses={"lovely weather today": (0.5, "lovely weather")},
    )
    assert told("Sunday, lovely weather today", said, KEY).given < 0.45


def test_the_open_answer_is_no_clause_of_another() -> None:
    said = Readings(jointly=(0.02, "Sunday"), alone=(0.99, "Sunday"), clauses={"Sunday": (0.99, "Sunday")})
    assert told("Sunday", said, KEY).given == 0.02


def test_the_joint_reading_knows_where_it_stands_if_it_is_sure() -> None:
    message = f"Sunday, {POT}"
    one = told(message, SHY, KEY)
    assert message[one.start : one.end] == "the blue pot"

    one = told(message, replace(SHY, placed=0.3), KEY)
    assert message[one.start : one.end] == POT


@pytest.mark.parametrize("called", ["the key is", "key:", "The key should be"])
def test_what_it_is_called_by_is_no_part_of_it(called: str) -> None:
    said = Readings(
        jointly=(0.2, "key"),
        placed=0.2,
        alone=(0.9, "the pot"),
        clauses={"under the pot": (0.9, "under the pot")},
    )
    message = f"Sunday, {called} under the pot"
    one = told(message, said, HELPERS, KEY)
    assert (message[one.start : one.end], one.given > 0.6) == ("under the pot", True)


@pytest.mark.parametrize(
    "remark", ["key people were away", "the key of the shed was lost", "we lost the key"]
)
def test_a_clause_that_has_its_name_and_says_something_else_hardly_gives_it(remark: str) -> None:
    said = Readings(jointly=(0.2, remark), placed=0.4, alone=(0.3, remark), clauses={remark: (0.7, remark)})
    assert told(f"Sunday, {remark}", said, HELPERS, KEY).given < 0.45


def test_of_a_list_all_items_are_taken_that_the_joint_reading_finds() -> None:
    items = "Sven, Aziz and my sister"
    said = Readings(jointly=(0.5, items), placed=0.2, alone=(0.9, "Sven"), clauses={"Sven": (0.97, "Sven")})
    message = f"Sunday, {items}"
    one = told(message, said, HELPERS)
    assert message[one.start : one.end] == items


def test_an_answer_that_was_given_is_left_to_the_path_of_changes() -> None:
    one = told(f"Sunday, {POT}", SHY, replace(KEY, given=True, present="at the bakery"))
    assert one.given == 0.25
