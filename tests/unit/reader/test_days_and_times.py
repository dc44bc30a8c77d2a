"""A question for words may ask for a day or a time: the small model says so itself, and reads the answer as one."""

import pytest

from softrail.reader.learned import LearnedReader, Marks, learned, query
from softrail.reader.when import as_a_day_or_time


@pytest.fixture(scope="module")
def model() -> LearnedReader:
    found = learned()
    assert found is not None
    return found


def informs(model: LearnedReader, question: str, message: str) -> float:
    def read(message: str, asked: str) -> Marks:
        return model.mark(message, [asked])[0]

    plain = read(message, query("text", question))
    return as_a_day_or_time(message, question, plain, read).acts["inform"]


@pytest.mark.parametrize(
    ("question", "message"),
    [
        ("When will you be leaving again?", "the 19th"),
        ("On what day shall we come?", "the 2nd of June"),
        ("What is the departure date?", "22nd"),
        ("At what time shall we ring?", "half past nine"),
        ("When would you like the viewing to start?", "around 4 pm"),
    ],
)
def test_a_bare_day_or_time_answers_a_question_for_one(
    model: LearnedReader, question: str, message: str
) -> None:
    assert informs(model, question, message) > 0.8


@pytest.mark.parametrize("message", ["the 19th", "around 4 pm"])
def test_it_is_read_as_before_where_something_else_is_asked(model: LearnedReader, message: str) -> None:
    question = "What is your project called?"
    assert (
        informs(model, question, message) == model.mark(message, [query("text", question)])[0].acts["inform"]
    )


@pytest.mark.parametrize("message", ["good question", "what do you mean?", "I have to go now", "no idea yet"])
def test_what_is_no_answer_is_no_day_either(model: LearnedReader, message: str) -> None:
    assert informs(model, "When will you be leaving again?", message) < 0.5
