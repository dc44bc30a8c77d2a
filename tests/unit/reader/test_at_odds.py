"""What a reading says twice, or against the name in it, is not kept on a guess."""

import pytest

from softrail.core.reading import Bars, Command, Field, Place, Reading, Value
from softrail.reader.changes.at_odds import settled_odds
from tests.readers import hearing

YESTERDAY = Field(
    name="yesterday",
    label="yesterday",
    wanted="text",
    question="What did you do?",
    present="the tests",
    given=True,
)
GUESTS = Field(
    name="guests",
    label="guests",
    wanted="number",
    question="How many are you?",
    present="4",
    given=True,
    parses=lambda words: int(words) if words.isdecimal() else None,
)
BLOCKERS = Field(name="blockers", label="blockers", wanted="text", question="Any blockers?")


def place(*fields: Field) -> Place:
    return Place(wanted="text", field="blockers", fields=lambda: (*fields, BLOCKERS))


def read(message: str, field: str, text: str, *, changes: float) -> Reading:
    told = Value(field=field, text=text, confidence=0.95, placed=1.0)
    commands = (
        Command(act="inform", confidence=0.9, layer="learned", values=(told,)),
        Command(act="correct", confidence=changes, layer="learned"),
    )
    return Reading(message=message, commands=commands)


def test_a_value_beside_the_name_of_another_answer_is_asked_about() -> None:
    reading = read("yesterday is not it at all, the login page", "blockers", "the login page", changes=0.5)

    found = settled_odds(reading, hearing(place(YESTERDAY)))

    assert [(value.field, value.text) for value in found.maybe] == [
        ("yesterday", "the login page"),
        ("blockers", "the login page"),
    ]
    assert not any(command.values for command in found.commands)
    assert found.likely("correct") == 0.5


@pytest.mark.parametrize(
    ("message", "field", "text", "changes"),
    [
        ("yesterday was fine, the build is slow", "blockers", "the build is slow", 0.1),
        ("yesterday was wrong, and blockers are the builds", "blockers", "the builds", 0.5),
        ("it was the login page", "blockers", "the login page", 0.5),
        ("the login page of yesterday", "blockers", "the login page of yesterday", 0.5),
        ("yesterday was the login page", "yesterday", "the login page", 0.9),
        ("guests was wrong, it was the login page", "blockers", "the login page", 0.5),
    ],
)
def test_what_nobody_contradicts_stays_as_it_was_read(
    message: str, field: str, text: str, changes: float
) -> None:
    reading = read(message, field, text, changes=changes)

    assert settled_odds(reading, hearing(place(YESTERDAY, GUESTS))) is reading


def test_words_that_change_one_answer_give_no_other() -> None:
    name = Value(field="yesterday", text="Flourish & Sons", confidence=0.75)
    change = Command(act="correct", confidence=0.75, layer="learned", values=(name,))
    reading = read("make that Flourish & Sons", "blockers", "Flourish & Sons", changes=0.9)
    told = Value(field="blockers", text="flourish & sons", confidence=0.48)
    commands = (
        Command(act="inform", confidence=0.61, layer="learned", values=(told,)),
        *reading.commands[1:],
        change,
    )

    found = settled_odds(reading.evolve(commands=commands), hearing(place(YESTERDAY)))

    assert [value.field for command in found.commands for value in command.values] == ["yesterday"]
    assert found.likely("inform") == Bars().doubt


def test_words_that_change_an_answer_that_is_called_by_its_name_give_no_other() -> None:
    name = Value(field="yesterday", text="the login page", confidence=0.65)
    change = Command(act="correct", confidence=0.65, layer="learned", values=(name,))
    reading = read("change yesterday to the login page", "blockers", "the login page", changes=0.7)

    found = settled_odds(reading.evolve(commands=(*reading.commands, change)), hearing(place(YESTERDAY)))

    assert [value.field for command in found.commands for value in command.values] == ["yesterday"]


def test_words_that_answer_the_question_more_likely_than_they_change_another_answer_are_asked_about() -> None:
    name = Value(field="yesterday", text="the login page", confidence=0.65)
    change = Command(act="correct", confidence=0.65, layer="learned", values=(name,))
    reading = read("rather the login page", "blockers", "the login page", changes=0.7)

    found = settled_odds(reading.evolve(commands=(*reading.commands, change)), hearing(place(YESTERDAY)))

    assert [value.field for value in found.maybe] == ["blockers", "yesterday"]
    assert not any(command.values for command in found.commands)


@pytest.mark.parametrize(
    ("message", "acts"),
    [
        ("can we make it the login page?", []),
        ("can we make it the login page, and is it cheap?", ["ask"]),
    ],
)
def test_a_change_that_is_asked_for_politely_is_no_question_besides(message: str, acts: list[str]) -> None:
    told = Value(field="yesterday", text="the login page", confidence=0.9)
    commands = (
        Command(act="ask", confidence=1.0, target="echo"),
        Command(act="correct", confidence=0.9, layer="learned", values=(told,)),
    )
    reading = Reading(message=message, commands=commands)

    found = settled_odds(reading, hearing(place(YESTERDAY)))

    assert [command.act for command in found.commands] == [*acts, "correct"]
