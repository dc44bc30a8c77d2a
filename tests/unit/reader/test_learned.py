"""The learned layer with its real model: what it promises whatever the message is."""

import pytest

from softrail.reader.learned import ACTS, LearnedReader, Marks, learned, query

NAME = query("text", "What shall we call it?")
BLOCKERS = query("list", "Any blockers?")


@pytest.fixture(scope="module")
def reader() -> LearnedReader:
    found = learned()
    assert found is not None
    return found


def value(reader: LearnedReader, asked: str, message: str) -> str:
    marks = reader.mark(message, [asked])[0]
    return message[marks.start : marks.end]


def test_a_value_is_found_in_its_framing(reader: LearnedReader) -> None:
    message = "I think we'll call it Blue Harbor, thanks."
    marks = reader.mark(message, [NAME])[0]
    assert message[marks.start : marks.end] == "Blue Harbor"
    assert marks.value > 0.5
    assert max(marks.acts, key=lambda act: marks.acts[act]) == "inform"


def test_what_is_no_answer_has_no_value(reader: LearnedReader) -> None:
    for message in ("good question", "what do you mean?", "ugh stop", "I don't know yet"):
        marks = reader.mark(message, [NAME])[0]
        assert marks.acts["inform"] < 0.5, message
        assert marks.value < 0.5, message


def test_an_answer_with_a_word_of_leaving_is_an_answer(reader: LearnedReader) -> None:
    marks = reader.mark("Stop Motion Studio", [NAME])[0]
    assert marks.acts["inform"] > marks.acts["leave"]
    assert (marks.start, marks.end) == (0, len("Stop Motion Studio"))


def test_every_query_has_its_own_marks(reader: LearnedReader) -> None:
    message = "not 25, make it 30"
    asked = [
        query("confirm", "Send 25 euros to Ada. Right?"),
        query("number", "how much to send", present="25"),
    ]
    whole, amount = reader.mark(message, asked)
    assert whole.acts["correct"] > 0.5
    assert message[amount.start : amount.end] == "30"


def test_a_reading_does_not_depend_on_the_others(reader: LearnedReader) -> None:
    message = "Lima, for two people"
    alone = LearnedReader().mark(message, [NAME])[0]
    assert reader.mark(message, [BLOCKERS, NAME])[1] == alone


def test_an_empty_message_gives_nothing(reader: LearnedReader) -> None:
    for message in ("", "   ", "\n"):
        marks = reader.mark(message, [NAME])[0]
        assert (marks.start, marks.end, marks.value) == (0, 0, 0.0)


def test_all_acts_are_there_and_are_probabilities(reader: LearnedReader) -> None:
    marks = reader.mark("hello", [NAME])[0]
    assert tuple(marks.acts) == ACTS
    assert all(0 <= p <= 1 for p in (*marks.acts.values(), marks.value, marks.span))


@pytest.mark.parametrize(
    "message", ["Проект называется Заря", "それは空です", "🦊🦊🦊", "\x00\x01", "名前", "é" * 50, "…", "?!"]
)
def test_other_scripts_are_read_without_fault(reader: LearnedReader, message: str) -> None:
    marks = reader.mark(message, [NAME])[0]
    assert isinstance(marks, Marks)
    assert 0 <= marks.start <= marks.end <= len(message)


@pytest.mark.parametrize("unit", ["a", "word ", "🦊", ".", "漢", "é", "\n", "<", "a1-"])
def test_a_huge_message_is_read_by_its_head(reader: LearnedReader, unit: str) -> None:
    huge = unit * (100_000 // len(unit))
    assert reader.mark(huge, [NAME]) == reader.mark(huge[:1000], [NAME])


def test_a_huge_query_is_cut(reader: LearnedReader) -> None:
    asked = query("choice", "Which? " * 9000, options=["x" * 5000] * 500, present="y" * 5000)
    assert len(asked) < 1000
    assert isinstance(reader.mark("the second", [asked])[0], Marks)


def test_a_query_says_kind_question_options_and_value() -> None:
    assert query("choice", "which size?", options=("small", "large")) == "choice: which size? (small, large)"
    assert query("number", "how much  to\nsend?", present="25") == "number: how much to send? now 25"


def test_the_quotes_and_the_stop_around_a_value_are_left_out(reader: LearnedReader) -> None:
    assert value(reader, NAME, "It's called “Green Lantern”.") == "Green Lantern"
