"""A number told in another unit than the one that is asked for is counted in that, or asked about; never kept as it stands."""

from typing import Any

import pytest
from pydantic import BaseModel

from softrail import Done, Process, Record, Turn, ask
from softrail.testing import FrozenClock, conversation
from tests.conversations.kept import kept


class Trip(Process, name="trip", version=1):
    """A way to go."""

    starts_on = ("plan a trip",)

    class Answers(BaseModel):
        way: int = ask("How far is it, in kilometres?")
        climb: int = ask("How high does it go?", label="climb in metres")
        days: int = ask("For how many days?")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Kept.", effects=[Record("trip", answers)])


async def after(*lines: str) -> tuple[dict[str, Any], list[str], str]:
    async with conversation(Trip, clock=FrozenClock()) as talk:
        for line in ("plan a trip", *lines):
            said = await talk.say(line)
        pending = said.reply.pending
        return await kept(talk, said), list(pending.options) if pending is not None else [], said.text


@pytest.mark.parametrize(
    "lines",
    [("5 miles",), ("40", "300", "4", "change the way to 5 miles"), ("40", "300", "4", "the way is 5 miles")],
    ids=["an answer", "a change in exact words", "a change"],
)
async def test_miles_are_counted_in_kilometres_and_what_is_no_whole_number_is_asked_about(
    lines: tuple[str, ...],
) -> None:
    answers, buttons, words = await after(*lines)

    assert answers.get("way") in (None, 40)
    assert buttons == ["8"]
    assert "8.05 kilometres" in words


async def test_the_unit_may_stand_in_the_label() -> None:
    assert (await after("40", "1 km"))[0]["climb"] == 1000


async def test_a_unit_of_another_kind_is_not_kept() -> None:
    answers, _, words = await after("5 kg")

    assert answers == {}
    assert "I need that in kilometres." in words
