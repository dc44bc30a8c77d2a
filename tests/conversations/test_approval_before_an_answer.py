"""“Looks good but friendly” gives a voice that is friendly; approval alone gives none, and a yes to a question for words waits for them."""

import pytest
from pydantic import BaseModel

from softrail import Done, Process, Turn, ask
from softrail.testing import FrozenClock, conversation
from tests.conversations.kept import kept


class Pitch(Process, name="pitch", version=1):
    """A pitch of a project."""

    starts_on = ("pitch something",)

    class Answers(BaseModel):
        name: str = ask("What is it called?", description="the name of the project")
        success: str = ask("How will you know that it is a success?", label="success condition")
        voice: str = ask("Which voice should it have: plain, formal, playful?", default="")
        limits: str = ask("Are there constraints to keep: money, time, rules?", default="")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Kept.")


START = ("pitch something", "Bee House")
TO_VOICE = (*START, "honey by august")


@pytest.mark.parametrize(
    ("message", "voice"),
    [
        ("looks good but friendly tone", "friendly tone"),
        ("looks good but friendly and slow", "friendly and slow"),
        ("plain, but friendly", "plain, but friendly"),
    ],
)
async def test_approval_is_no_part_of_the_answer(message: str, voice: str) -> None:
    async with conversation(Pitch, clock=FrozenClock()) as talk:
        for line in (*TO_VOICE, message):
            said = await talk.say(line)
        assert said.text.startswith(f"Voice: {voice}.")


async def test_approval_beside_another_answer_is_no_answer() -> None:
    async with conversation(Pitch, clock=FrozenClock()) as talk:
        for line in (*START, "cool. oh and the voice should be plain"):
            said = await talk.say(line)
        answers = await kept(talk, said)
        assert answers.get("voice") == "plain"
        assert "success" not in answers


@pytest.mark.parametrize("name", ["Good, Bad, Ugly", "Fine and Dandy"])
async def test_a_name_may_begin_as_approval_does(name: str) -> None:
    async with conversation(Pitch, clock=FrozenClock()) as talk:
        for line in ("pitch something", name):
            said = await talk.say(line)
        assert said.text.startswith(f"Name: {name}.")


@pytest.mark.parametrize("words", ["yes", "sure", "yes please"])
async def test_a_yes_to_a_question_for_words_waits_for_them(words: str) -> None:
    async with conversation(Pitch, clock=FrozenClock()) as talk:
        for line in (*TO_VOICE, "plain", words):
            said = await talk.say(line)
        assert said.text.startswith("Tell me, then.")
        assert "limits" not in await kept(talk, said)
        said = await talk.say("500 euros at most")
        assert (await kept(talk, said))["limits"]
