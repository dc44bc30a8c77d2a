"""A question behind an answer that only asks whether it was heard or will do: the answer is read back, and that is enough."""

from datetime import date

import pytest
from pydantic import BaseModel

from softrail import Done, Process, Record, Turn, ask
from softrail.testing import FrozenClock, conversation


class Loan(Process, name="loan", version=1):
    """A loan of tools."""

    starts_on = ("borrow some tools",)

    class Answers(BaseModel):
        tools: list[str] = ask("Which tools would you like?", min_length=1)
        day: date = ask("On which day?")
        people: int = ask("How many people come?")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Kept.", effects=[Record("loan", answers)])


BEFORE = ("borrow some tools", "a drill and a saw", "9 March 2026")
NO_ANSWER = "I have no answer to that here."


@pytest.mark.parametrize(
    ("before", "said", "read"),
    [
        (2, "on Monday, did you get that?", "Day: Monday"),
        (2, "next Friday. Have you got that down?", "Day: Friday"),
        (2, "the 20th of March, or is that too late?", "Day: Friday, 20 March 2026"),
        (2, "next Friday, will that do?", "Day: Friday"),
        (3, "eighteen, is that too many?", "People: 18"),
        (3, "18, does that work for you?", "People: 18"),
    ],
)
async def test_only_the_answer_is_read_back(before: int, said: str, read: str) -> None:
    async with conversation(Loan, clock=FrozenClock()) as talk:
        for line in BEFORE[:before]:
            await talk.say(line)
        answered = await talk.say(said)
        assert NO_ANSWER not in answered.text
        assert read in answered.text


@pytest.mark.parametrize(
    "said", ["next Friday, when do you close?", "next Friday, when do you close, is that clear?"]
)
async def test_what_wants_an_answer_is_not_passed_over(said: str) -> None:
    async with conversation(Loan, clock=FrozenClock()) as talk:
        for line in BEFORE[:2]:
            await talk.say(line)
        answered = await talk.say(said)
        assert NO_ANSWER in answered.text
