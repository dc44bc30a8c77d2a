"""What the joint reading tells of a form becomes commands: given, changed, taken back, or asked about."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import pytest

from softrail.core.questions import Option, Question
from softrail.core.reading import Bars, Command, Field, Place, Reading, Value, Wanted
from softrail.reader.learned import ACTS, Chosen, Joint, Marks, Told
from softrail.reader.marking import marked
from tests.readers import ChoosesNone, hearing

BARS = Bars()
NAME = Field(name="name", wanted="text", question="Called?", label="name")
ABOUT = Field(name="about", wanted="text", question="Does?", label="about")
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


@dataclass(frozen=True, kw_only=True)
class Said(ChoosesNone):
    """What the two models make of one message, by a word of the query of each field."""

    words: Mapping[str, str]  #: the value of each field
    given: Mapping[str, float] = field(default_factory=dict)  #: how likely it is, 0.97 where nothing is told
    denied: Mapping[str, float] = field(default_factory=dict)
    acts: Mapping[str, float] = field(default_factory=dict)
    yes: Mapping[str, float] = field(default_factory=dict)
    alone: Mapping[str, Mapping[str, float]] = field(default_factory=dict)  #: acts of a part, read by itself
    chosen: Mapping[str, float] = field(default_factory=dict)  #: how likely each option is meant
    placed: float = 0.9  #: how sure it is of every place

    def choose(self, message: str, asks: str, options: Sequence[str], *, beside: bool = False) -> Chosen:
        likely = tuple(self.chosen.get(option, 0.0) for option in options)
        return Chosen(options=likely, open=0.0, none=0.0, aside=1.0 - sum(likely))

    def mark(self, message: str, queries: Sequence[str]) -> list[Marks]:
        return [self._mark(message, query) for query in queries]

    def _mark(self, message: str, query: str) -> Marks:
        told = self._told(message, query)
        acts = dict.fromkeys(ACTS, 0.0) | dict(self.alone.get(message, self.acts))
        return Marks(acts=acts, start=told.start, end=told.end, value=told.given, span=told.placed)

    def joint(self, message: str, queries: Sequence[str]) -> Joint:
        acts = dict.fromkeys(ACTS, 0.0) | dict(self.acts)
        return Joint(told=tuple(self._told(message, query) for query in queries), acts=acts)

    def _told(self, message: str, query: str) -> Told:
        key = next((k for k in (*self.words, *self.denied, *self.yes) if k in query), "")
        words = self.words.get(key, "")
        start = message.find(words) if words and words in message else 0
        end = start + len(words) if words and words in message else 0
        return Told(
            given=self.given.get(key, 0.97) if end else 0.0,
            start=start,
            end=end,
            placed=self.placed if end else 0.0,
            denied=self.denied.get(key, 0.0),
            yes=self.yes.get(key, 0.0),
            no=0.0,
        )


def read(message: str, said: Said, *fields: Field, wanted: Wanted | None = None) -> Reading:
    """The message as it is read where the first of those fields is asked for."""
    asked = fields[0]
    place = Place(
        question=Question(prompt=asked.question, options=asked.options),
        wanted=wanted or asked.wanted,
        field=asked.name,
        required=asked.required,
        fields=lambda: fields,
    )
    return marked(Reading(message=message), hearing(place, said))


def told(reading: Reading) -> dict[str, str]:
    """The values that are sure enough to be kept."""
    return {v.field: v.text for c in reading.commands if c.confidence >= 0.5 for v in c.values}


def changes(reading: Reading) -> list[Command]:
    return [c for c in reading.commands if c.act == "correct" and c.values]


def given(one: Field, present: str) -> Field:
    return Field(
        name=one.name,
        wanted=one.wanted,
        question=one.question,
        label=one.label,
        options=one.options,
        parses=one.parses,
        present=present,
        given=True,
    )


BOTH = {"inform": 0.98, "inform_other": 0.95}


def test_one_message_fills_every_answer_that_it_gives() -> None:
    said = Said(
        words={"Called": "Apus", "Does": "counts swifts", "How many": "3", "day": "tomorrow"}, acts=BOTH
    )
    reading = read("Apus, counts swifts, 3 of us, tomorrow", said, NAME, ABOUT, PEOPLE, DAY)
    assert told(reading) == {"name": "Apus", "about": "counts swifts", "people": "3", "day": "tomorrow"}


def test_words_that_may_be_for_either_of_two_answers_are_asked_about() -> None:
    said = Said(
        words={"Called": "Apus", "Does": "bird people", "whom": "bird people"},
        given={"Does": 0.5, "whom": 0.6},  # the first of them is asked for next
        acts=BOTH,
    )
    reading = read("Apus, bird people", said, NAME, ABOUT, WHO)
    assert told(reading) == {"name": "Apus"}
    assert {value.field for value in reading.beside} == {"about", "who"}


def test_of_two_answers_the_far_likelier_has_the_words() -> None:
    said = Said(
        words={"Called": "Apus", "Does": "bird people", "whom": "bird people"},
        given={"Does": 0.1, "whom": 0.9},
        acts=BOTH,
    )
    assert told(read("Apus, bird people", said, NAME, ABOUT, WHO)) == {"name": "Apus", "who": "bird people"}


def test_a_remark_is_no_value_where_the_message_tells_nothing_else() -> None:
    said = Said(
        words={"Called": "Apus", "Does": "my aunt chose it"},
        given={"Does": 0.3},
        acts={"inform": 0.98, "inform_other": 0.02},
    )
    assert told(read("Apus, my aunt chose it", said, NAME, ABOUT)) == {"name": "Apus"}


def test_the_open_value_ends_where_another_one_stands_behind_a_mark() -> None:
    said = Said(words={"Called": "Rungs: used ladders", "Does": "used ladders"}, acts=BOTH)
    assert told(read("Rungs: used ladders", said, NAME, ABOUT)) == {"name": "Rungs", "about": "used ladders"}


@pytest.mark.parametrize("words", ["4 one", "4 that"])
def test_words_around_a_choice_are_no_value(words: str) -> None:
    seats = Field(name="seats", wanted="date", question="When?", parses=lambda words: words)
    said = Said(words={"How many": "4"}, acts={"inform": 0.98})
    assert told(read(words, said, PEOPLE, seats)) == {"people": "4"}


def test_an_answer_is_changed_by_a_value_that_denies_the_old_one() -> None:
    said = Said(words={"Does": "a library"}, denied={"Does": 0.95}, acts={"correct": 0.95})
    reading = read("no, make it a library", said, NAME, given(ABOUT, "an app"))
    assert [(c.values[0].field, c.values[0].text) for c in changes(reading)] == [("about", "a library")]
    assert told(reading) == {"about": "a library"}


def test_the_old_value_said_again_changes_nothing() -> None:
    said = Said(words={"Does": "an app"}, denied={"Does": 0.9}, acts={"correct": 0.9})
    assert changes(read("it is an app, I said", said, NAME, given(ABOUT, "an app"))) == []


@pytest.mark.parametrize(("wanted", "sure"), [("confirm", True), ("text", False)])
def test_at_the_summary_a_change_that_is_sure_is_one_of_the_only_answer_that_it_can_be(
    wanted: Wanted, sure: bool
) -> None:
    said = Said(
        words={"How many": "6"}, given={"How many": 0.4}, denied={"How many": 0.4}, acts={"correct": 0.97}
    )
    fields = (NAME, given(PEOPLE, "4"), given(ABOUT, "an app"))
    [change] = changes(read("make it 6", said, *fields, wanted=wanted))
    assert (change.values[0].field, change.confidence >= Bars().changed) == ("people", sure)


def test_where_two_answers_may_be_changed_both_are_on_buttons() -> None:
    said = Said(
        words={"Does": "a library", "whom": "a library"},
        denied={"Does": 0.9, "whom": 0.9},
        given={"Does": 0.9, "whom": 0.9},
        acts={"correct": 0.97},
    )
    [change] = changes(read("no, a library", said, NAME, given(ABOUT, "an app"), given(WHO, "nurses")))
    assert [v.field for v in (change.values[0], *change.values[0].rivals)] == ["about", "who"]


def test_words_that_change_nothing_by_their_act_change_no_words() -> None:
    said = Said(words={"Called": "Apus", "Does": "Apus"}, denied={"Does": 0.9}, acts={"inform": 0.98})
    assert changes(read("Apus it is", said, NAME, given(ABOUT, "an app"))) == []


@pytest.mark.parametrize(
    ("words", "sure"),
    [
        ("it has to be cheap", False),  # nothing speaks of the audience: any words could be one
        ("the audience, it has to be cheap", True),
        ("no, cheap", True),
        ("my dad thinks cheap", True),  # it speaks of the one that was given
    ],
)
def test_an_answer_of_any_words_is_changed_where_the_message_speaks_of_it(words: str, sure: bool) -> None:
    said = Said(words={"whom": "cheap"}, denied={"whom": 0.9}, acts={"correct": 0.6})
    [change] = changes(read(words, said, NAME, given(WHO, "my dad")))
    assert BARS.is_sure(change.values[0]) is sure


@pytest.mark.parametrize("words", ["also it has to be cheap", "oh and it has to be cheap"])
def test_what_is_told_besides_changes_no_answer_of_words_that_it_does_not_call(words: str) -> None:
    said = Said(words={"whom": "cheap"}, denied={"whom": 0.9}, acts={"correct": 0.95})
    assert changes(read(words, said, NAME, given(WHO, "my dad"))) == []


def test_new_words_that_only_deny_the_old_ones_are_not_sure_of_their_place() -> None:
    said = Said(words={"Does": "no app but a library"}, denied={"Does": 0.9}, acts={"correct": 0.95})
    [change] = changes(read("no app but a library", said, NAME, given(ABOUT, "app")))
    assert change.values[0].placed == 0.0


def test_what_is_called_wrong_is_asked_for_again_and_kept_until_then() -> None:
    said = Said(words={}, denied={"Does": 0.9}, acts={"correct": 0.9})
    reading = read("that is all wrong", said, NAME, given(ABOUT, "an app"), given(PEOPLE, "4"))
    assert [c.values[0] for c in changes(reading)] == [
        Value(field="about", text="", confidence=0.9, placed=1.0)
    ]


def test_which_answer_is_wrong_is_asked_where_it_may_be_several() -> None:
    said = Said(words={}, denied={"Does": 0.4, "How many": 0.35}, acts={"correct": 0.9})
    reading = read("there is a mistake", said, NAME, given(ABOUT, "an app"), given(PEOPLE, "4"))
    assert changes(reading) == []
    assert [(v.field, v.text) for v in reading.maybe] == [("about", ""), ("people", "")]


def test_there_is_none_of_what_a_clause_calls_and_denies() -> None:
    nuts = Field(name="nuts", wanted="list", question="Nuts?", label="nuts", required=False)
    said = Said(words={"Called": "Apus"}, acts=BOTH, alone={"no nuts": {"none": 0.95}})
    assert told(read("Apus, no nuts", said, NAME, nuts)) == {"name": "Apus", "nuts": ""}


def test_a_wish_is_no_value_of_an_answer_that_any_words_could_be() -> None:
    said = Said(words={"Called": "hold the work"}, acts={"request": 0.9, "inform_other": 0.5})
    assert told(read("hold the work", said, PEOPLE, NAME)) == {}


def test_what_was_taken_back_in_the_same_breath_is_no_other_answer() -> None:
    seats = Field(name="seats", wanted="number", question="Seats?", label="seats", parses=PEOPLE.parses)
    said = Said(words={"How many": "25", "Seats": "20"}, acts=BOTH)
    assert told(read("20, no wait, 25", said, PEOPLE, seats)) == {"people": "25"}


def test_nothing_takes_nothing_back_where_the_answer_may_be_left_out() -> None:
    notes = Field(name="notes", wanted="list", question="Notes?", label="notes", required=False)
    said = Said(words={}, denied={"Does": 0.95}, acts={"none": 0.95})
    assert changes(read("nothing", said, notes, given(ABOUT, "an app"))) == []


CHANGES = {"correct": 0.97}


def _placed(message: str, words: str, *fields: Field, where: str = "How many") -> bool:
    """Whether the change of the second field is sure where its place is not."""
    said = Said(words={where: words}, denied={where: 0.9}, acts=CHANGES, placed=0.3)
    [command] = changes(read(message, said, *fields, wanted="confirm"))
    return Bars().is_sure(command.values[0])


ASKED = Field(name="ok", wanted="text", question="Right?")
MANY = replace(PEOPLE, parses=lambda words: int(n[0]) if len(n := re.findall(r"\d+", words)) == 1 else None)
AGE = replace(MANY, name="age", question="What age?")


def test_a_number_that_only_one_answer_can_be_needs_no_sure_place() -> None:
    assert _placed("make that 7 people, we got two late yeses", "7", ASKED, given(MANY, "5"))


def test_of_two_numbers_the_one_that_the_words_speak_of_is_meant() -> None:
    people, cars = (given(replace(MANY, name=name, label=name), "5") for name in ("people", "cars"))
    assert _placed("make that 7 people", "7", ASKED, people, cars)
    assert not _placed("make that 7 cars and people", "7", ASKED, people, cars)


@pytest.mark.parametrize(
    ("message", "more"),
    [
        ("make that 7 people", (given(AGE, "30"),)),
        ("make that 7 or 8", ()),
        ("make that 05 people", ()),
    ],
    ids=["another number was given", "two numbers", "it is what it was"],
)
def test_a_number_that_may_be_something_else_is_asked_about(message: str, more: Sequence[Field]) -> None:
    words = "05" if "05" in message else "7"
    assert not _placed(message, words, ASKED, given(MANY, "5"), *more)
