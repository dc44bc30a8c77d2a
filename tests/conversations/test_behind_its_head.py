"""A message that begins with "never mind" or "dunno" and goes on may mean what stands behind; that is asked."""

from typing import Literal

import pytest
from pydantic import BaseModel

from softrail import Done, Process, Turn, ask
from softrail.testing import FrozenClock, conversation
from tests.conversations.kept import kept


class Report(Process, name="report", version=1):
    """Reports a machine that is broken."""

    starts_on = ("report a machine",)

    class Answers(BaseModel):
        machine: Literal["saw", "lathe"] = ask("Which machine?")
        problem: str = ask("What happened?")
        photo: bool = ask("Can you send a photo later?")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Reported.")


@pytest.mark.parametrize("message", ["no idea, it just stopped", "I don't know, the light is red"])
async def test_what_is_told_behind_words_for_not_knowing_is_put_to_the_person(message: str) -> None:
    async with conversation(Report, clock=FrozenClock()) as talk:
        for line in ("report a machine", "saw", message):
            said = await talk.say(line)
        assert said.reply.pending is not None
        assert list(said.reply.pending.options) == ["It is the problem", "Pause the report", "Neither"]
        assert await kept(talk, said) == {"machine": "saw"}


@pytest.mark.parametrize("message", ["dunno, ask my wife", "no idea, you tell me"])
async def test_who_tells_nothing_behind_them_is_asked_whether_to_pause(message: str) -> None:
    async with conversation(Report, clock=FrozenClock()) as talk:
        for line in ("report a machine", "saw", message):
            said = await talk.say(line)
        assert said.text.startswith("I can't go on without the problem.")


async def test_a_word_of_leaving_at_the_head_is_on_a_button() -> None:
    async with conversation(Report, clock=FrozenClock()) as talk:
        for line in ("report a machine", "saw", "it stopped", "never mind, sorted"):
            said = await talk.say(line)
        assert said.reply.pending is not None
        assert "Pause the report" in said.reply.pending.options
        assert "photo" not in await kept(talk, said)


@pytest.mark.parametrize(
    ("message", "state"),
    [
        ("that's enough for today", "suspended"),
        ("enough for now", "suspended"),
        ("that's enough", "abandoned"),
    ],
)
async def test_leaving_for_a_while_keeps_what_was_told(message: str, state: str) -> None:
    async with conversation(Report, clock=FrozenClock()) as talk:
        for line in ("report a machine", "saw", message):
            said = await talk.say(line)
        assert said.state == state
