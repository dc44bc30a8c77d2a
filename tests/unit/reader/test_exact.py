"""Words that leave no doubt, and that nothing else is read by them."""

from typing import Any

import pytest

from softrail.core.questions import Option, Question
from softrail.core.reading import Field, Place, Reading
from softrail.language import language
from softrail.reader.exact import exact, settled

ENGLISH = language("en")
NUMBER = Field(
    name="amount",
    wanted="number",
    question="How much?",
    parses=lambda words: int(words) if words.strip().isdigit() else None,
)


def place(**more: Any) -> Place:
    given: dict[str, Any] = {"question": Question(prompt="What?"), "wanted": "text", "field": "name"}
    return Place(**given | more)


def read(message: str, where: Place) -> Reading:
    return exact(message, where, ENGLISH)


@pytest.mark.parametrize(
    ("message", "act"),
    [
        ("/help", "slash"),
        ("stop", "pause"),
        ("stop the standup", "leave"),
        ("undo", "undo"),
        ("resume", "resume"),
        ("start over", "start_over"),
        ("skip", "open"),
        ("skip all", "open"),
        ("go back", "back"),
        ("that's all", "none"),
        ("hello", "social"),
        ("no thanks", "negate"),
    ],
)
def test_words_that_are_certain_decide(message: str, act: Any) -> None:
    where = place(names=("standup",))
    reading = read(message, where)

    assert reading.exactly(act) is not None
    assert settled(reading, where)


@pytest.mark.parametrize(
    "message",
    [
        "FarmGuard",
        "I think teachers",
        "ugh stop",
        "Stop Motion Studio",
        "not at the moment",
        "let me think",
        "sure",
    ],
)
def test_what_is_not_certain_is_left_to_the_other_layers(message: str) -> None:
    where = place()

    assert not settled(read(message, where), where)


def test_yes_decides_only_where_yes_is_an_answer() -> None:
    for where, decides in (
        (place(), False),
        (place(wanted="bool"), True),
        (place(offer=True, wanted="bool"), True),
    ):
        assert settled(read("yes", where), where) is decides


def test_a_yes_chooses_none_of_the_changes_that_it_may_be_a_word_of() -> None:
    labels = ("Piano: yes instead of no", "Rooms: 4 instead of 3", "None of these")
    options = tuple(Option(label=label, value=str(at)) for at, label in enumerate(labels))
    doubted = place(doubt=Question(prompt="Which of these is it?", options=options))

    assert read("yes please", doubted).exactly("inform", target="doubt") is None
    assert read("the piano", doubted).exactly("inform", target="doubt") is not None
    consents = place(
        doubt=Question(prompt="A yes or a no?", options=(Option(label="Yes"), Option(label="No")))
    )
    assert read("yes please", consents).exactly("inform", target="doubt") is not None


def test_what_is_to_be_done_is_a_yes_only_where_that_was_asked() -> None:
    def asked(prompt: str) -> Reading:
        return read("save it", place(wanted="bool", question=Question(prompt=prompt)))

    assert asked("Should I save it now?").exactly("affirm") is not None
    assert asked("Should the food be vegetarian?").exactly("affirm") is None
    assert read("save it", place(wanted="confirm")).exactly("affirm") is not None


def test_a_number_alone_is_the_number_and_one_among_others_is_not() -> None:
    where = place(wanted="number", field="amount", fields=lambda: (NUMBER,))

    assert read("30", where).values["amount"].text == "30"
    assert not settled(read("30 medium", where), where)


def test_a_button_decides_and_so_does_one_of_a_doubt() -> None:
    options = (Option(label="Small"), Option(label="Stop"))
    where = place(question=Question(prompt="Which?", options=options), wanted="choice")
    doubted = place(
        doubt=Question(prompt="Was it?", options=(Option(label="It is the name", value="answer"),))
    )

    assert read("Stop", where).exactly("inform", target="option") is not None
    settles = read("It is the name", doubted).exactly("inform", target="doubt")
    assert settles is not None
    assert settles.values[0].text == "answer"


def test_a_choice_by_its_place_is_certain_however_politely_it_is_said() -> None:
    sizes = Question(
        prompt="Which size?", options=tuple(Option(label=o) for o in ("small", "medium", "large"))
    )
    polite = read("The second option, please.", place(question=sizes, wanted="choice", field="size"))
    assert [v.text for c in polite.commands for v in c.values] == ["medium"]
    told = "the second time that I bought one here it was far too small for my dog"
    assert not read(told, place(question=sizes, wanted="choice", field="size")).commands


def test_with_nothing_open_only_what_is_said_to_the_framework_is_read() -> None:
    assert read("skip", Place()).commands == ()
    assert read("resume", Place()).exactly("resume") is not None


def test_a_change_by_name_is_certain_at_the_question_of_a_step_of_ones_own() -> None:
    given = Field(name="age", wanted="number", question="How old are you?", label="age", given=True)
    own = place(field=None, wanted="own", own=True, fields=lambda: (given,))

    command = read("change age to 20", own).exactly("correct")

    assert command is not None
    assert [(v.field, v.text) for v in command.values] == [("age", "20")]
    anything = Place(
        question=Question(prompt="What?", takes_anything=True), own=True, fields=lambda: (given,)
    )
    assert read("change age to 20", anything).exactly("correct") is None
    assert read("change the date to 20", own).exactly("correct") is None
