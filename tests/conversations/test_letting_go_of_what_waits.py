"""What is waited for can be ended in words that do not name it: it is told how, for "it" may be anything."""

import pytest

from softrail.testing import FrozenClock, conversation
from tests.conversations.kinds import Booking

HOW = "Nothing is asked just now, but the booking is still under way. Say “cancel the booking” to end it."


@pytest.mark.parametrize(
    "said",
    [
        "cancel it then",
        "let it go",
        "let the booking go",
        "give it back",
        "forget it",
        "stop",
        "we can't come after all",
    ],
)
async def test_it_is_told_how_what_waits_is_ended(said: str) -> None:
    async with conversation(Booking, clock=FrozenClock()) as talk:
        for line in ("book a table", "Robin", "yes"):
            await talk.say(line)

        reply = await talk.say(said)

        assert reply.text == HOW
        [button] = reply.reply.suggested_actions
        assert (await talk.say(button)).state == "abandoned"


@pytest.mark.parametrize("said", ["thanks", "let us go", "how is the weather?", "give me a break"])
async def test_anything_else_is_answered_as_always(said: str) -> None:
    async with conversation(Booking, clock=FrozenClock()) as talk:
        for line in ("book a table", "Robin", "yes"):
            await talk.say(line)

        assert (await talk.say(said)).text != HOW


async def test_where_nothing_waits_there_is_nothing_to_end() -> None:
    async with conversation(Booking, clock=FrozenClock()) as talk:
        assert (await talk.say("cancel")).text == "Nothing is under way that I could stop."
