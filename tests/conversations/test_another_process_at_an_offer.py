"""Who names another process at an offer agrees to nothing: the words are heard as what they wish for."""

import pytest

from softrail.testing import FrozenClock, conversation


@pytest.mark.parametrize(
    "said", ["yeah the standup", "the standup, sure", "standup then", "I'd rather do the standup"]
)
async def test_another_process_is_begun_by_its_name_and_not_the_one_that_is_offered(
    frozen: FrozenClock, said: str
) -> None:
    async with conversation(clock=frozen, discover=True) as talk:
        offered = await talk.say("hello")
        assert (offered.pending, offered.process) == ("offer", "onboarding")
        assert (await talk.say(said)).process == "standup"


@pytest.mark.parametrize("said", ["yes please", "sure, set up my projects", "ok"])
async def test_a_yes_that_names_nothing_else_is_one(frozen: FrozenClock, said: str) -> None:
    async with conversation(clock=frozen, discover=True) as talk:
        await talk.say("hello")
        assert (await talk.say(said)).process == "onboarding"
