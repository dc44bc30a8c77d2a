"""Whoever says that they are away for a while gives no length of time, and no answer."""

from datetime import timedelta

import pytest
from pydantic import BaseModel

from softrail import Done, Process, Turn, ask
from softrail.testing import FrozenClock, conversation
from tests.conversations.kept import told


class Bath(Process, name="bath", version=1):
    """A bath."""

    starts_on = ("run a bath",)

    class Answers(BaseModel):
        length: timedelta = ask("How long shall it take?")
        foam: bool = ask("With foam?")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("It runs.")


@pytest.mark.parametrize(
    "said", ["brb", "back in 10", "hang on five minutes", "wait 5 min please", "be back in an hour"]
)
@pytest.mark.parametrize("before", [(), ("1 hour",)])
async def test_the_question_waits(said: str, before: tuple[str, ...]) -> None:
    async with conversation(Bath, clock=FrozenClock()) as talk:
        for line in ("run a bath", *before):
            await talk.say(line)
        answer = await talk.say(said)
        assert answer.text.startswith("Take your time.")


@pytest.mark.parametrize("said", ["hold on, it is 45 minutes", "back to 45 minutes", "45 minutes please"])
async def test_a_length_that_is_told_is_one(said: str) -> None:
    answers, _ = await told(Bath, said)
    assert answers == {"length": "PT45M"}
