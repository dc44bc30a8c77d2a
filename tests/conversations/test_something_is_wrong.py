"""Who says that something is wrong, and not what, is asked which answer it is; nothing is taken for a no."""

from typing import Literal

import pytest
from pydantic import BaseModel

from softrail import Done, Process, Turn, ask
from softrail.testing import FrozenClock, conversation
from tests.conversations.kept import kept


class Stay(Process, name="stay", version=1):
    """Books a room."""

    starts_on = ("plan a stay",)

    class Answers(BaseModel):
        guest: str = ask("Who is coming?")
        nights: int = ask("How many nights?")
        room: Literal["attic", "garden room"] = ask("Which room?")
        dog: bool = ask("Is there a dog?")
        wish: str = ask("What else should we know?")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Booked.")


@pytest.mark.parametrize(
    "message",
    [
        "wait, I made a mistake",
        "one of those is wrong",
        "sorry, I got something wrong",
        "something's not right there",
    ],
)
async def test_it_is_asked_which_answer_is_wrong(message: str) -> None:
    async with conversation(Stay, clock=FrozenClock()) as talk:
        for line in ("plan a stay", "Ida", "3", "attic", message):
            said = await talk.say(line)
        assert said.text.startswith("I am not sure what is to change.")
        assert said.reply.pending is not None
        assert list(said.reply.pending.options) == ["Room: attic", "Nights: 3", "Guest: Ida", "None of these"]
        assert await kept(talk, said) == {"guest": "Ida", "nights": 3, "room": "attic"}
