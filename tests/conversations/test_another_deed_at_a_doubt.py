"""Who says “save” while it is asked what is to change agrees to no change: it is asked again."""

import pytest
from pydantic import BaseModel

from softrail import Done, Process, Turn, ask
from softrail.testing import FrozenClock, conversation
from tests.conversations.kept import kept


class Order(Process, name="order", version=1):
    """Orders cakes."""

    starts_on = ("order a cake",)

    class Answers(BaseModel):
        kind: str = ask("What kind of cake?")
        pieces: int = ask("How many pieces?")
        people: int = ask("How many people eat of it?")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Ordered.")


@pytest.mark.parametrize("words", ["save", "order it"])
async def test_it_is_asked_again(words: str) -> None:
    async with conversation(Order, clock=FrozenClock()) as talk:
        for line in ("order a cake", "plum", "12", "4", "seventh"):
            said = await talk.say(line)
        doubt = said.reply.pending
        assert doubt is not None
        said = await talk.say(words)
        assert said.state == "active"
        assert await kept(talk, said) == {"kind": "plum", "pieces": 12, "people": 4}
