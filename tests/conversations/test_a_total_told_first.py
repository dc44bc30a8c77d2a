"""A total that is told first is the answer, where those behind it come to it; a number that is left over is asked about."""

from typing import Any

import pytest
from pydantic import BaseModel

from softrail import Done, Process, Record, Turn, ask
from softrail.testing import FrozenClock, conversation
from tests.conversations.kept import kept


class Outing(Process, name="outing", version=1):
    """A trip on the river."""

    starts_on = ("plan an outing",)

    class Answers(BaseModel):
        people: int = ask("How many people will come?", ge=1)
        fear: int = ask("How afraid of water are they, from 1 to 10?", ge=1, le=10)

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Kept.", effects=[Record("outing", answers)])


async def after(*lines: str) -> tuple[dict[str, Any], list[str]]:
    async with conversation(Outing, clock=FrozenClock()) as talk:
        for line in ("plan an outing", *lines):
            said = await talk.say(line)
        pending = said.reply.pending
        return await kept(talk, said), list(pending.options) if pending is not None else []


@pytest.mark.parametrize(
    ("line", "people"),
    [
        ("we are 5, father mother and 3 child", 5),
        ("six: mum, dad, gran and 3 kids", 6),
        ("four with me, my husband, our two boys", 4),
        ("there are seven of us, my parents, three cousins and two friends", 7),
        ("nine: four adults and five pupils", 9),
        ("3: me, my wife and Tom", 3),
    ],
)
async def test_what_is_told_first_is_the_total(line: str, people: int) -> None:
    assert (await after(line))[0] == {"people": people}


@pytest.mark.parametrize(
    ("line", "people"),
    [
        ("two adults, a baby and a dog", 4),
        ("me, my wife and the twins", 4),
        ("two from Bern, three from Basel", 5),
    ],
)
async def test_what_is_told_one_by_one_is_counted_as_before(line: str, people: int) -> None:
    assert (await after(line))[0].get("people", people) == people


@pytest.mark.parametrize(
    ("lines", "buttons"),
    [
        (("upstairs one and downstairs two, no three",), ["4", "1", "3"]),
        (("we are 5, that's me and 3 kids",), ["8", "5", "3"]),
        (("4", "in the morning 8 but when they swim 4"), ["8", "4"]),
    ],
)
async def test_a_number_that_is_left_over_is_asked_about(lines: tuple[str, ...], buttons: list[str]) -> None:
    answers, offered = await after(*lines)

    assert len(answers) == len(lines) - 1
    assert offered == buttons
