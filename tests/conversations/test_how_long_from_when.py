"""How long something is and from when, in one breath, are two answers."""

from datetime import date

import pytest
from pydantic import BaseModel

from softrail import Done, Process, Turn, ask
from softrail.testing import FrozenClock, conversation
from tests.conversations.kept import kept, told


class Stay(Process, name="stay", version=1):
    """A room for some days."""

    starts_on = ("book a stay",)

    class Answers(BaseModel):
        guest: str = ask("Who is it for?")
        start: date = ask("From which day?")
        days: int = ask("For how many days?")
        note: str = ask("Anything else?")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Kept.")


@pytest.mark.parametrize(
    "said",
    [
        "for 10 days from 5 May",
        "10 days from 5 May",
        "from 5 May for 10 days",
        "we need it for about ten days starting on the 5th of May",
    ],
)
@pytest.mark.parametrize("before", [("Ida",), ("Ida", "7 May")], ids=["asked from when", "asked how long"])
async def test_both_are_kept_whichever_is_asked_for(before: tuple[str, ...], said: str) -> None:
    answers, _ = await told(Stay, *before, said)

    assert (answers["start"], answers["days"]) == ("2026-05-05", 10)


@pytest.mark.parametrize("said", ["for 10 days from 5 May", "10 days from 5 May"])
async def test_both_are_changed_at_the_summary(said: str) -> None:
    async with conversation(Stay, clock=FrozenClock()) as talk:
        for line in ("book a stay", "Ida", "7 May", "3", "a quiet room", said):
            reply = await talk.say(line)
        answers = await kept(talk, reply)

    assert (answers["start"], answers["days"]) == ("2026-05-05", 10)


async def test_so_long_from_today_is_a_day() -> None:
    answers, _ = await told(Stay, "Ida", "10 days from today")

    assert answers == {"guest": "Ida", "start": "2026-03-12"}
