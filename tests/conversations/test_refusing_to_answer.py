"""Who would rather not answer what can be left out leaves it out, or is asked whether; what is needed goes on being asked."""

from datetime import date, time

import pytest
from pydantic import BaseModel

from softrail import Done, Process, Record, Turn, ask
from softrail.testing import Conversation, FrozenClock, Said, conversation


class Search(Process, name="search", version=1):
    """Looks for a flat."""

    starts_on = ("find a flat",)

    class Answers(BaseModel):
        rooms: int = ask("How many rooms do you need?", ge=1)
        move_in: date = ask("When do you want to move in?", label="move-in day")
        call_at: time | None = ask(
            "At what time may the agent call you?", default=None, label="time of the call"
        )

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done("Looking.", effects=[Record("search", answers)])


BEFORE = ("find a flat", "3", "1 June 2026")


async def said(talk: Conversation, *messages: str, answers: int = 2) -> Said:
    for message in (*BEFORE[: answers + 1], *messages):
        found = await talk.say(message)
    return found


@pytest.mark.parametrize(
    "message", ["no calls please", "I'd rather not say", "none of your business. they can email"]
)
async def test_it_is_left_out(message: str) -> None:
    async with conversation(Search, clock=FrozenClock()) as talk:
        found = await said(talk, message)
        assert "Time of the call: nothing" in found.text


@pytest.mark.parametrize("message", ["don't call me", "better not", "email only", "by mail only", "no phone"])
async def test_it_is_asked_whether(message: str) -> None:
    async with conversation(Search, clock=FrozenClock()) as talk:
        assert (await said(talk, message)).text == f"Does “{message}” mean none?"
        assert "Time of the call: nothing" in (await talk.say("None")).text


async def test_what_may_be_a_wish_to_leave_may_be_one_to_leave_it_out() -> None:
    async with conversation(Search, clock=FrozenClock()) as talk:
        found = await said(talk, "I said they can EMAIL me. No calls.")
        assert found.text.startswith("Shall I go on without")
        assert "Time of the call: nothing" in (await talk.say("Go on without it")).text


@pytest.mark.parametrize("message", ["better not", "email only"])
async def test_who_says_no_to_that_is_asked_once_more(message: str) -> None:
    async with conversation(Search, clock=FrozenClock()) as talk:
        found = await said(talk, message, "no")
        assert found.text == "At what time may the agent call you?"


@pytest.mark.parametrize("message", ["better not", "don't call me", "they are on the stairs"])
async def test_what_answers_nothing_calls_no_other_answer_wrong(message: str) -> None:
    async with conversation(Search, clock=FrozenClock()) as talk:
        found = await said(talk, message, answers=1)
        assert "I am not sure what is to change" not in found.text
        assert "mean none" not in found.text


@pytest.mark.parametrize("message", ["no, three is wrong", "the rooms are wrong"])
async def test_what_calls_one_wrong_does(message: str) -> None:
    async with conversation(Search, clock=FrozenClock()) as talk:
        found = await said(talk, message, answers=1)
        assert "How many rooms do you need?" in found.text or "rooms" in found.text
