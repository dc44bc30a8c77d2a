"""Of two days in one form, a new one takes the place of the one that it can be of; else it is asked."""

from datetime import date, time
from typing import Any

import pytest
from pydantic import BaseModel

from softrail import Done, Process, Record, Turn, ask
from softrail.testing import FrozenClock, conversation
from tests.conversations.kept import told


class Visit(Process, name="visit", version=1):
    """A visit to the physiotherapist."""

    starts_on = ("book a visit",)

    class Answers(BaseModel):
        since: date = ask("Since when does it hurt?")
        day: date = ask("Which day would you like to come?")
        at: time = ask("At what time?", label="time")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Booked.", effects=[Record("visit", answers)])


BOOKED = ("20 February", "10 March", "10:00")


@pytest.mark.parametrize(
    ("said", "changed"),
    [
        ("the 11th at half past nine, please", {"day": "2026-03-11", "at": "09:30:00"}),
        ("move it to the 12th at noon", {"day": "2026-03-12", "at": "12:00:00"}),
        ("16 march", {"day": "2026-03-16"}),
        ("it began on the 18th of february", {"since": "2026-02-18"}),
        ("18 february", {"since": "2026-02-18"}),
        ("since the 22nd", {"since": "2026-02-22"}),
        ("the day is wrong, I meant the 12th", {"day": "2026-03-12"}),
    ],
)
async def test_a_new_day_is_of_the_answer_that_it_can_be_of(said: str, changed: dict[str, Any]) -> None:
    before, _ = await told(Visit, *BOOKED)
    after, _ = await told(Visit, *BOOKED, said)
    assert after == before | changed


@pytest.mark.parametrize("said", ["the 15th would be better", "make that the 12th instead"])
async def test_a_day_that_may_be_of_either_is_asked_about(said: str) -> None:
    before, _ = await told(Visit, *BOOKED)
    async with conversation(Visit, clock=FrozenClock()) as talk:
        for line in (Visit.starts_on[0], *BOOKED, said):
            asked = await talk.say(line)
    assert asked.reply.pending is not None
    offers = asked.reply.pending.options
    assert [offer.split(":")[0] for offer in offers[:-1]] in (["Day", "Since"], ["Since", "Day"])
    assert (await told(Visit, *BOOKED, said))[0] == before
