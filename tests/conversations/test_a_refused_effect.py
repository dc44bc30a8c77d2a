"""An effect that its handler refuses: nothing is kept of the turn, and the person is told why, in one sentence."""

from typing import Any

import pytest
from pydantic import BaseModel

from softrail import Done, Effect, Process, Turn, ask
from softrail.store import MemoryStore
from softrail.testing import FrozenClock, conversation


class Loan(Process, name="loan", version=1):
    """A book is lent."""

    starts_on = ("lend a book",)
    confirm = False

    class Answers(BaseModel):
        book: str = ask("Which book?")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Lent.", effects=[Effect(kind="lend", summary="Lent", payload={"book": answers.book})])


@pytest.mark.parametrize("why", ["That book is away", "That book is away."])
async def test_why_is_said_in_one_sentence_whether_or_not_the_handler_ends_its_own(why: str) -> None:
    def refuses(tx: Any, effect: Effect) -> str:
        raise ValueError(why)

    store = MemoryStore(effect_handlers={"lend": refuses})
    async with conversation(Loan, clock=FrozenClock(), store=store) as talk:
        await talk.say("lend a book")
        said = await talk.say("Emma")

    assert said.text.startswith("I could not save that: That book is away. Nothing was changed.")
    assert said.effects == []
