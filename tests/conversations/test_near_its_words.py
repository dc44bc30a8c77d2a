"""What comes near the words that a process starts on, where nobody is there to ask back, is told what can be said."""

import pytest
from pydantic import BaseModel

from softrail import Done, Process, Turn, ask
from softrail.testing.plugin import Talk


class Aid(Process, name="aid", version=1):
    """What a place needs."""

    starts_on = ("request aid",)

    class Answers(BaseModel):
        place: str = ask("Where is it?")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Kept.")


@pytest.mark.parametrize("said", ["aid", "please aid me", "want to request the aid"])
async def test_nothing_went_wrong_there(talk: Talk, said: str) -> None:
    reply = await (await talk(Aid)).say(said)

    assert "went wrong" not in reply.text
    assert "“request aid”" in reply.text
