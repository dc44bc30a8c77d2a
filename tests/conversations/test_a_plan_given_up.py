"""A day that was planned and fell through is no answer: it is asked about, and what only goes on with "but" is taken."""

from datetime import date

import pytest
from pydantic import BaseModel

from softrail import Done, Process, Turn, ask
from softrail.testing import Conversation
from softrail.testing.plugin import Talk


class Visit(Process, name="visit", version=1):
    """When somebody comes."""

    starts_on = ("plan a visit",)

    class Answers(BaseModel):
        day: date = ask("When will you be arriving?")
        guide: str = ask("Who shows you around?")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("See you then.")


@pytest.mark.parametrize(
    "said",
    [
        "I was going to do Sunday, but I have a wedding that day",
        "I had planned the 7th, but the flights are sold out",
    ],
)
async def test_a_day_that_fell_through_is_asked_about(talk: Talk, said: str) -> None:
    asked = await (await _asked(talk)).say(said)

    assert asked.reply.pending is not None
    assert asked.reply.pending.options
    assert "Who shows you around?" not in asked.text


@pytest.mark.parametrize("said", ["Friday, but late in the evening", "Tuesday, but don't tell anybody"])
async def test_a_day_with_a_reserve_is_taken(talk: Talk, said: str) -> None:
    assert "Who shows you around?" in (await (await _asked(talk)).say(said)).text


async def _asked(talk: Talk) -> Conversation:
    begun = await talk(Visit)
    await begun.say("plan a visit")
    return begun
