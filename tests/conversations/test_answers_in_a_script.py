"""`answers:` in a script says something to one question, and says clearly when there is none."""

import pytest
from pydantic import BaseModel

from softrail import Done, Process, Turn, ask
from softrail.replay.script import Mismatch, ScriptError
from softrail.testing import FrozenClock, conversation


class Order(Process, name="order"):
    """A pizza."""

    starts_on = ("order a pizza",)

    class Answers(BaseModel):
        size: str = ask("Which size?", options=("Small", "Large"))
        pieces: int = ask("How many?", gt=0)

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done(f"{answers.pieces} {answers.size}.")


async def play(script: str) -> list[str]:
    async with conversation(Order, clock=FrozenClock()) as talk:
        return [one.text for one in await talk.play(script)]


async def test_words_and_values_answer_the_question_above() -> None:
    said = await play("person: order a pizza\nanswers: Large\nanswers: = 2\nanswers: Yes")

    assert said[-1] == "2 Large."


async def test_a_question_in_quotes_may_be_an_old_one() -> None:
    said = await play('person: order a pizza\nanswers: large\nanswers: "Which size?" Small')

    assert said[-1].startswith("That question is no longer open")


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ('answers: "Which colour?" red', "nobody has asked 'Which colour?' before, so nothing can answer it"),
        ("answers: = two", "after '=' comes JSON, for example 'answers: = 20'"),
    ],
    ids=["no such question", "no JSON"],
)
async def test_what_cannot_be_answered_is_named_with_its_line(line: str, complaint: str) -> None:
    with pytest.raises(ScriptError, match=r"script:2: ") as raised:
        await play(f"person: order a pizza\n{line}")

    assert complaint in raised.value.message


@pytest.mark.parametrize("before", ["", "person: hello\n"], ids=["nothing was said", "nothing is asked"])
async def test_where_nothing_is_asked_nothing_is_answered(before: str) -> None:
    with pytest.raises(ScriptError, match="asks nothing"):
        await play(f"{before}answers: Yes")


async def test_what_is_checked_afterwards_is_about_its_answer() -> None:
    with pytest.raises(Mismatch, match="How many"):
        await play("person: order a pizza\nanswers: Large\nus: Which size?")
