"""A no to a summary that may be to all of it: whether to pause or to change is asked, and nothing is done."""

import pytest
from pydantic import BaseModel

from softrail import Done, Process, Record, Turn, ask
from softrail.testing import Conversation
from softrail.testing.plugin import Talk


class Stay(Process, name="stay", version=1):
    """Books a room."""

    title = "your booking"
    starts_on = ("book a room",)

    class Answers(BaseModel):
        hotel: str = ask("What hotel would you like to stay at?")
        nights: int = ask("How many nights?")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("It is booked.", effects=[Record("stay", answers)])


@pytest.mark.parametrize(
    "said",
    [
        "Sorry, I changed my mind. Please don't book that.",
        "No, never mind. I'll sleep on the train.",
        "no, I've decided against it, please don't book anything",
    ],
)
async def test_it_is_asked_whether_all_of_it_is_refused(talk: Talk, said: str) -> None:
    shown = await _shown(talk)

    asked = await shown.say(said)

    assert asked.text == "Shall I pause your booking, or is something to change?"
    assert asked.state == "active"
    assert (await shown.say("pause your booking")).state == "suspended"
    assert not await shown.records("stay")


async def test_a_change_is_asked_for_where_that_is_meant(talk: Talk) -> None:
    shown = await _shown(talk)
    await shown.say("Sorry, I changed my mind. Please don't book that.")

    asked = await shown.say("Change something")

    assert asked.text.startswith("What should I change?")
    assert "Nights: 3" in (await shown.say("three nights")).text
    assert (await shown.say("yes")).state == "completed"


@pytest.mark.parametrize("said", ["no", "no, that's not right", "no, it's 3 nights"])
async def test_a_no_to_a_part_is_not_asked_about(talk: Talk, said: str) -> None:
    shown = await _shown(talk)

    reply = await shown.say(said)

    assert "Shall I pause" not in reply.text
    assert reply.state == "active"


async def _shown(talk: Talk) -> Conversation:
    begun = await talk(Stay)
    for said in ("book a room", "Hilton", "2"):
        await begun.say(said)
    return begun
