"""A length of time beside an answer is of the one that is asked how long, unless it may say since when as well."""

from datetime import date, time, timedelta
from typing import Any

import pytest
from pydantic import BaseModel

from softrail import Done, Process, Record, Turn, ask
from softrail.testing import FrozenClock, conversation
from tests.conversations.kept import kept


class Massage(Process, name="massage", version=1):
    """A massage for who is stiff."""

    starts_on = ("book a massage",)

    class Answers(BaseModel):
        since: date = ask("Since when have you been stiff?")
        stiff: int = ask("How stiff are you, from 1 to 10?", ge=1, le=10)
        day: date = ask("Which day would suit you?")
        at: time = ask("At what time?", label="time")
        length: timedelta = ask("How long should the massage be?", label="length of the massage")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Kept.", effects=[Record("massage", answers)])


async def after(*lines: str) -> dict[str, Any]:
    async with conversation(Massage, clock=FrozenClock()) as talk:
        for line in ("book a massage", *lines):
            said = await talk.say(line)
        return await kept(talk, said)


@pytest.mark.parametrize(
    "lines",
    [
        ("two weeks, it's an eight",),
        ("ten days, stiff 4",),
        ("about a week, I'd say a 7 by now",),
        ("two weeks", "8, for ten days now"),
    ],
)
async def test_what_may_say_since_when_is_no_length_of_the_massage(lines: tuple[str, ...]) -> None:
    assert "length" not in await after(*lines)


@pytest.mark.parametrize(
    ("lines", "length"),
    [
        (("two weeks, and make the massage one hour long",), "PT1H"),
        (("two weeks", "8", "10 March, for half an hour"), "PT30M"),
        (("two weeks", "8", "10 March", "5 pm, 45 minutes"), "PT45M"),
    ],
)
async def test_what_can_be_nothing_else_or_speaks_of_it_is(lines: tuple[str, ...], length: str) -> None:
    assert (await after(*lines))["length"] == length
