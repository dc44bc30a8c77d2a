"""A yes behind a reason is a yes to a question; where it lets something be done, it is asked for once more."""

import pytest
from pydantic import BaseModel

from softrail import Done, Process, Record, Turn, ask
from softrail.testing import FrozenClock, conversation
from tests.conversations.kept import told


class Order(Process, name="order", version=1):
    """Orders a thing."""

    title = "your order"
    starts_on = ("order something",)

    class Answers(BaseModel):
        item: str = ask("What shall we order?")
        insured: bool = ask("Shall it be insured?")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("It is ordered.", effects=[Record("order", answers)])


@pytest.mark.parametrize(
    ("said", "ordered"),
    [
        ("he's away, so yes", False),
        ("it's raining, so yes", False),
        ("my boss is on holiday, so yes", False),
        ("the kids are asleep, yes", False),
        ("rent is due tomorrow so yes", False),
        ("it all fits, so yes", True),
        ("that's everything, yes", True),
        ("no changes, so yes", True),
        ("looks good, so yes", True),
        ("everything is in order, so yes", True),
        ("I'm happy with that, so yes", True),
        ("oh thank you, yes", True),
        ("well, yes", True),
        ("yes, he is away", True),
    ],
)
async def test_what_is_done_for_a_reason_that_is_none_is_asked_about(said: str, ordered: bool) -> None:
    async with conversation(Order, clock=FrozenClock()) as talk:
        for words in ("order something", "two desk lamps", "no"):
            await talk.say(words)

        reply = await talk.say(said)

        assert (reply.state == "completed") is ordered
        assert len(await talk.records("order")) == ordered
        if not ordered:
            assert reply.reply.pending is not None
            assert reply.reply.pending.options
            assert (await talk.say("yes")).state == "completed"


@pytest.mark.parametrize("said", ["he's away, so yes", "it's raining, so yes", "they break easily, so yes"])
async def test_to_a_question_a_yes_behind_a_reason_is_one(said: str) -> None:
    answers, _ = await told(Order, "two desk lamps", said)

    assert answers["insured"] is True
