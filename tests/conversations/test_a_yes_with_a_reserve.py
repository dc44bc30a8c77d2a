"""“Sure, but what does it cost?” wants an answer first: nothing is done for it."""

import pytest
from pydantic import BaseModel

from softrail import Done, Process, Record, Turn, ask
from softrail.testing import FrozenClock, conversation


class Order(Process, name="order", version=1):
    """Orders a thing."""

    title = "your order"
    starts_on = ("order something",)

    class Answers(BaseModel):
        item: str = ask("What shall we order?")
        colour: str = ask("Which colour?")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        """Orders it."""
        return Done("It is ordered.", effects=[Record("order", answers)])


@pytest.mark.parametrize(
    ("said", "ordered"),
    [
        ("ok, but how heavy is one of them?", False),
        ("yes though when would it get here?", False),
        ("that's right, but could you tell me the price first", False),
        ("yes, once the old ones are paid", False),
        ("sure, as long as they arrive this week", False),
        ("great, provided there is no fee", False),
        ("yes when my salary is in", False),
        ("fine by me if nobody else minds", False),
        ("I think so", False),
        ("looks good I guess? not sure", False),
        ("sounds good, can we have them by Friday?", False),
        ("yes. how heavy is it?", True),
        ("looks right to me, thanks", True),
        ("lovely, do it like that", True),
        ("yes, all right", True),
    ],
)
async def test_what_is_asked_with_a_reserve_is_answered_before_anything_is_done(
    said: str, ordered: bool
) -> None:
    async with conversation(Order, clock=FrozenClock()) as talk:
        for words in ("order something", "two desk lamps", "grey"):
            await talk.say(words)

        reply = await talk.say(said)

        assert (reply.state == "completed") is ordered
        assert len(await talk.records("order")) == ordered
        if not ordered:
            done = await talk.say("yes")
            assert done.state == "completed"
