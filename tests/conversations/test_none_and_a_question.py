"""“None. Who reads this?” says that there is none, and the question is heard beside it."""

import pytest

from softrail.processes.builtin.standup import Standup
from softrail.testing import FrozenClock, conversation
from tests.conversations.kept import kept


@pytest.mark.parametrize(
    "message",
    [
        "none. who reads this?",
        "no. what else do you ask?",
        "nothing, and how long does it take",
        "no blockers, why do you ask?",
    ],
)
async def test_there_is_none_and_the_summary_comes(message: str) -> None:
    async with conversation(Standup, clock=FrozenClock()) as talk:
        for line in (Standup.starts_on[0], "fixed the printer", "call Bob"):
            await talk.say(line)
        said = await talk.say(message)
        assert said.step == "refining"
        assert not (await kept(talk, said)).get("blockers")
        assert said.text.endswith("Is that right?")


@pytest.mark.parametrize(
    "message", ["no, what do you mean?", "no idea, what do you mean?", "not sure. what counts?"]
)
async def test_a_no_to_what_was_meant_says_nothing_of_the_list(message: str) -> None:
    async with conversation(Standup, clock=FrozenClock()) as talk:
        for line in (Standup.starts_on[0], "fixed the printer", "call Bob"):
            await talk.say(line)
        said = await talk.say(message)
        assert said.step == "gathering_blockers"


async def test_nothing_is_lost_where_an_item_begins_so() -> None:
    async with conversation(Standup, clock=FrozenClock()) as talk:
        for line in (Standup.starts_on[0], "fixed the printer", "call Bob"):
            await talk.say(line)
        said = await talk.say("no more coffee")
        assert (await kept(talk, said))["blockers"] == ["no more coffee"]
