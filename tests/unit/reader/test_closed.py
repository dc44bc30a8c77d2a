"""A closed question that is answered in words of one's own: which reading is believed, and what is asked about."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from softrail.core.questions import Option, Question
from softrail.core.reading import Act, Bars, Command, Field, Place, Reading, Value, Wanted
from softrail.reader.closed import with_what_is_meant
from tests.readers import FakeMarker, hearing

MESSAGE = "the thing that keeps my milk cold"
OPTIONS = ("oven", "fridge", "dryer")
BARS = Bars()


def place(wanted: Wanted = "choice", **more: Any) -> Place:
    options = tuple(Option(label=one) for one in OPTIONS) if wanted == "choice" else ()
    question = Question(prompt="Which appliance is broken?", options=options)
    return Place(question=question, wanted=wanted, field="appliance", **more)


def read(chosen: Mapping[str, float], *commands: Command, wanted: Wanted = "choice", **more: bool) -> Reading:
    reading = Reading(message=MESSAGE, commands=commands)
    marker = FakeMarker(chosen={MESSAGE: chosen})
    return with_what_is_meant(reading, hearing(place(wanted, **more), marker))


def learned(act: Act, confidence: float, option: str = "") -> Command:
    values = (Value(field="appliance", text=option, confidence=confidence),) if option else ()
    return Command(act=act, confidence=confidence, layer="learned", values=values)


def test_an_option_that_is_surely_meant_is_told() -> None:
    told = read({"fridge": 0.9, "oven": 0.05}, learned("inform", 0.4)).of("inform")
    assert told is not None
    assert told.values[0].text == "fridge"
    assert told.confidence == 0.9


def test_who_answers_surely_leaves_nothing_open() -> None:
    assert read({"fridge": 0.9}, learned("open", 0.6), learned("none", 0.4)).likely("open", "none") < 0.2


def test_what_is_asked_besides_is_still_asked() -> None:
    assert read({"fridge": 0.9}, learned("ask", 0.7)).likely("ask") == 0.7


def test_below_the_bar_all_options_are_told_the_likeliest_first() -> None:
    found = read({"fridge": 0.6, "oven": 0.1, "dryer": 0.2})
    assert [one.text for one in found.nearest] == ["fridge", "dryer", "oven"]
    assert not found.does("inform")


def test_where_hardly_any_is_meant_none_is_told() -> None:
    assert not read({"fridge": 0.2}).nearest


def test_an_option_by_its_name_is_believed_where_hardly_another_is_meant() -> None:
    found = read({"fridge": 0.5, "oven": 0.3}, learned("inform", 0.9, "oven"))
    assert found.values["appliance"].text == "oven"
    assert found.does("inform")


def test_where_another_is_surely_meant_than_the_one_that_is_named_it_is_asked() -> None:
    found = read({"fridge": 0.95, "oven": 0.01}, learned("inform", 0.9, "oven"))
    assert not found.does("inform")
    assert found.nearest[0].text == "fridge"


@pytest.mark.parametrize(("chosen", "act"), [({"yes": 0.9}, "affirm"), ({"no": 0.9, "yes": 0.1}, "negate")])
def test_a_yes_or_no_that_follows_from_a_fact_is_one(chosen: Mapping[str, float], act: Act) -> None:
    found = read(chosen, learned("inform", 0.4), learned("affirm", 0.3), wanted="bool")
    assert found.likely(act) == 0.9
    assert found.likely(*({"affirm", "negate"} - {act})) <= 0.11  # type: ignore[arg-type]


def test_a_yes_that_both_readings_find_is_one() -> None:
    assert read({"yes": 0.75}, learned("affirm", 0.7), wanted="bool").likely("affirm") == BARS.consent


def test_a_sure_yes_that_is_hardly_meant_is_asked_about() -> None:
    odd = read({"yes": 0.1}, learned("affirm", 0.97), wanted="bool").likely("affirm")

    assert BARS.doubt <= odd < BARS.consent
    assert read({"yes": 0.3}, learned("affirm", 0.97), wanted="bool").likely("affirm") == 0.97


@pytest.mark.parametrize(
    ("sure", "other", "likely"),
    [
        (0.65, {"affirm": 0.7}, 0.7),
        (0.85, {"affirm": 0.5}, 0.5),
        (0.8, {"negate": 0.6}, 0.0),
        (0.9, {"correct": 0.8}, 0.0),
    ],
    ids=["not sure", "the other reading is not", "the other reading denies it", "another answer changes"],
)
def test_a_yes_that_is_not_sure_is_left_as_it_was_read(
    sure: float, other: Mapping[Act, float], likely: float
) -> None:
    commands = [learned(act, confidence) for act, confidence in other.items()]
    assert read({"yes": sure}, *commands, wanted="bool").likely("affirm") == likely


@pytest.mark.parametrize("where", ["own", "offer", "decides"])
def test_what_lets_something_begin_is_not_read_so(where: str) -> None:
    assert not read({"yes": 0.99}, wanted="bool", **{where: True}).does("affirm")


def test_a_summary_is_not_agreed_to_so() -> None:
    assert not read({"yes": 0.99}, wanted="confirm").does("affirm")


COLOUR = Field(
    name="colour",
    wanted="choice",
    question="Which colour?",
    options=(Option(label="red"), Option(label="grey")),
)
CHIP = Field(name="chip", wanted="bool", question="Does it have a chip?", names=("chip",))
NEW = Field(name="new", wanted="bool", question="Is it new?")


def besides(
    message: str,
    chosen: Mapping[str, float],
    *fields: Field,
    alone: Any = None,
    **acts: float,
) -> Reading:
    """What is read of it to another question; `alone`: of its last clause by itself, omitted: the same."""
    asked = Field(name="serial", wanted="text", question="What is its number?")
    where = Place(
        question=Question(prompt=asked.question),
        wanted="text",
        field="serial",
        fields=lambda: (asked, *fields),
    )
    said = tuple(learned(act, sure) for act, sure in acts.items())  # type: ignore[arg-type]
    reading = Reading(message=message, commands=said)
    said_alone = {message.rpartition(", ")[2]: chosen if alone is None else alone}
    marker = FakeMarker(chosen={**said_alone, message: chosen})
    return with_what_is_meant(reading, hearing(where, marker))


def test_another_closed_question_may_be_answered_besides() -> None:
    found = besides("K17, looks like a mouse", {"grey": 0.9}, COLOUR)
    told = found.of("inform", target="other")
    assert told is not None
    assert (told.values[0].field, told.values[0].text) == ("colour", "grey")


def test_what_it_has_may_be_changed_besides() -> None:
    had = replace(NEW, given=True, present="True")
    assert besides("K17, bought second-hand by the way", {"no": 0.9}, had).values["new"].text == "no"


def test_what_no_clause_says_alone_is_told_where_its_words_are_said() -> None:
    likely = {"yes": 0.95, "grey": 0.95}
    for message in ("K17, he ran off with it", "K17, that was on Monday"):
        assert not besides(message, likely, COLOUR, CHIP, NEW, alone={}).values
        assert not besides(message, likely, COLOUR, CHIP, NEW, alone={"yes": 0.5, "grey": 0.3}).values
    assert list(besides("K17, he has a chip from us", likely, CHIP, NEW, alone={}).values) == ["chip"]
    assert list(besides("K17, the grey one", likely, COLOUR, NEW, alone={}).values) == ["colour"]


@pytest.mark.parametrize(
    "had", [replace(NEW, given=True, present="True"), replace(COLOUR, given=True, present="grey")]
)
def test_what_it_has_already_changes_nothing(had: Field) -> None:
    assert not besides("K17, as I told you", {"yes": 0.9, "grey": 0.1}, had).values
    assert not besides("K17, as I told you", {"yes": 0.1, "grey": 0.9}, replace(had, present="grey")).of(
        "correct"
    )


@pytest.mark.parametrize(
    ("message", "sure", "acts"),
    [
        ("K17, looks like a mouse", 0.7, {}),
        ("mouse", 0.9, {}),
        ("no more of this, stop", 0.9, {"leave": 0.8}),
    ],
    ids=["not sure", "one word", "leaving"],
)
def test_nothing_is_told_besides(message: str, sure: float, acts: Mapping[str, float]) -> None:
    assert not besides(message, {"grey": sure}, COLOUR, **acts).values


def test_to_a_question_for_yes_or_no_another_is_answered_only_where_it_is_spoken_of() -> None:
    said = {"so yes": 0.0, "rent is due tomorrow, so yes": 0.95, "and it has a chip, yes": 0.95}
    place = Place(
        question=Question(prompt="Shall it be sent?"), wanted="bool", field="sent", fields=lambda: (CHIP,)
    )
    marker = FakeMarker(chosen={words: {"yes": sure} for words, sure in said.items()})
    read = [with_what_is_meant(Reading(message=words), hearing(place, marker)).values for words in said]
    assert [list(values) for values in read] == [[], [], ["chip"]]


def test_an_option_by_its_word_is_one_where_it_is_meant_rather_than_any_other() -> None:
    message = "Hi! The old oven died, we live on the fourth floor"
    clause = "The old oven died"
    marker = FakeMarker(chosen={message: {"oven": 0.1}, clause: {"oven": 0.6}, f"{clause},": {"oven": 0.6}})
    told = with_what_is_meant(Reading(message=message), hearing(place(), marker)).of("inform")
    assert told is not None
    assert told.values[0].text == "oven"


def test_a_word_of_an_option_that_means_another_is_none() -> None:
    message = "my oven is fine, the thing beside it leaks"
    marker = FakeMarker(chosen={message: {"oven": 0.1, "dryer": 0.3}, "my oven is fine": {"oven": 0.2}})
    read = with_what_is_meant(Reading(message=message), hearing(place(), marker))
    assert not read.does("inform")
