"""What is told to one question and may be for another is asked about, and what stands beside an answer is not dropped."""

import pytest
from pydantic import BaseModel

from softrail import Done, Process, Turn, ask
from tests.conversations.kept import told


class Fair(Process, name="fair", version=1):
    """A stand at a fair."""

    starts_on = ("plan a stand",)

    class Answers(BaseModel):
        idea: str = ask("What is the stand about? A sentence is enough.", description="what the stand shows")
        helpers: str = ask("Who will help you?", description="the people who help")
        success: str = ask("How will you know that it was a success?", label="success condition")
        limits: list[str] = ask(
            "Are there limits to keep: money, time, rules?", default=[], description="budget, deadline, rules"
        )

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Kept.")


TO_SUCCESS = ("Bees in town", "my sister")


@pytest.mark.parametrize(
    ("said", "limits"),
    [
        ("good to know. also we have to finish by may", "we have to finish by may"),
        ("alright. and no noise on sundays please", "no noise on sundays"),
    ],
)
async def test_what_another_question_is_for_is_asked(said: str, limits: str) -> None:
    answers, words = await told(Fair, *TO_SUCCESS, said)
    assert words.startswith(f"Where does that belong? Limits: {limits}")
    assert "success" not in answers
    answers, _ = await told(Fair, *TO_SUCCESS, said, f"limits: {limits}")
    assert answers["limits"] == [limits]


@pytest.mark.parametrize(
    ("said", "success"),
    [
        ("ok. when all is sold", "when all is sold"),
        ("100 people come", "100 people come"),
        ("when all is sold, took us long to decide", "when all is sold"),
        ("we are done by may", "we are done by may"),
    ],
)
async def test_an_answer_with_a_remark_is_an_answer(said: str, success: str) -> None:
    answers, _ = await told(Fair, *TO_SUCCESS, said)
    assert str(answers.get("success", success)).startswith(success)
    assert "limits" not in answers


async def test_what_is_clearly_for_another_is_kept_there() -> None:
    answers, _ = await told(Fair, *TO_SUCCESS, "ok. budget 500")
    assert answers["limits"] == ["budget 500"]
    assert "success" not in answers


async def test_all_of_what_is_told_for_another_answer_is_that() -> None:
    answers, _ = await told(Fair, "just me, and Sam and Ina")
    assert answers in ({}, {"helpers": "just me, and Sam and Ina"})


async def test_the_name_of_another_answer_is_none() -> None:
    answers, _ = await told(Fair, "the helpers are just me and Sam")
    assert "idea" not in answers
