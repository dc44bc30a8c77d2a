"""Who hedges between two lengths, times or amounts is asked which it is, with both on buttons; what is said at last to be it, is it."""

from datetime import time, timedelta

import pytest
from pydantic import BaseModel

from softrail import Done, Money, Process, Record, Turn, ask
from softrail.testing import FrozenClock, conversation
from tests.conversations.kept import kept


class Hire(Process, name="hire", version=1):
    """A boat for hire."""

    starts_on = ("hire a boat",)

    class Answers(BaseModel):
        length: timedelta = ask("For how long?", label="length")
        start: time = ask("At what time will you come?", label="time")
        deposit: Money = ask("How much can you leave as a deposit, in euros?", label="deposit")
        note: str = ask("Anything else?")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Kept.", effects=[Record("hire", answers)])


LINES = ("hire a boat", "2 hours", "5 pm")


async def after(*lines: str) -> tuple[dict[str, object], list[str]]:
    async with conversation(Hire, clock=FrozenClock()) as talk:
        for line in lines:
            said = await talk.say(line)
        pending = said.reply.pending
        return await kept(talk, said), list(pending.options) if pending is not None else []


@pytest.mark.parametrize(
    ("lines", "buttons"),
    [
        ((LINES[0], "A fortnight I'd say, maybe three weeks if it stays dry"), ["14 days", "21 days"]),
        ((LINES[0], "ten days I think, perhaps twelve if it is warm"), ["10 days", "12 days"]),
        ((LINES[0], "four hours? or five to be on the safe side"), ["4 hours", "5 hours"]),
        ((*LINES[:2], "fiveish in the afternoon, or was it six"), ["17:00", "18:00"]),
        ((*LINES[:2], "seven in the evening or maybe eight"), ["19:00", "20:00"]),
        ((*LINES, "maybe 60 euros, 70"), ["60 EUR", "70 EUR"]),
        ((*LINES, "40 or so, 50 perhaps"), ["40 EUR", "50 EUR"]),
    ],
)
async def test_it_is_asked_which_of_both(lines: tuple[str, ...], buttons: list[str]) -> None:
    answers, shown = await after(*lines)

    assert shown == buttons
    assert len(answers) == len(lines) - 2


@pytest.mark.parametrize(
    ("said", "length"),
    [
        ("three hours? or rather four", "PT4H"),
        ("two hours I guess", "PT2H"),
        ("ten days or so", "P10D"),
        ("two days, maybe with my brother", "P2D"),
    ],
)
async def test_what_is_said_to_be_it_is_kept(said: str, length: str) -> None:
    assert (await after(LINES[0], said))[0] == {"length": length}


async def test_what_was_said_first_is_not_kept_where_another_is_said_at_last() -> None:
    answers, _ = await after(LINES[0], "five hours? or six to be on the safe side, yes six")

    assert answers.get("length") in (None, "PT6H")


@pytest.mark.parametrize("said", ["5 pm, or so", "5 pm or with my brother"])
async def test_no_other_hour_is_no_hedge(said: str) -> None:
    assert (await after(*LINES[:2], said))[0]["start"] == "17:00:00"
