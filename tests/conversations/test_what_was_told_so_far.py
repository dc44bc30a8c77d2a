"""What was told so far is read back in the middle of a process, whoever's it is, and the open question comes again."""

import pytest

from softrail.testing import Conversation
from softrail.testing.plugin import Talk
from tests.conversations.test_told_beside import READ, VALUES, Pitch
from tests.readers import reader

ASKS = (
    "what have I got so far?",
    "read me back what I've told you",
    "where were we?",
    "show me my answers",
    "hang on, what did I say up to now?",
    "can you give me a quick recap so far?",
    "what have you written down so far?",
    "please, what I have told until now?",
)
OTHERS = ("what have I forgotten?", "tell me what you need", "where are the answers kept?")


@pytest.fixture
async def pitching(talk: Talk) -> Conversation:
    acts = {
        **READ,
        **{asked: {"ask": 0.6, "repeat": 0.5} for asked in ASKS},
        **{asked: {"ask": 0.9} for asked in OTHERS},
    }
    values = {**VALUES, **{asked: {"nothing of it": ""} for asked in (*ASKS, *OTHERS)}}
    c = await talk(Pitch, reader=reader(acts=acts, values=values))
    await c.say("pitch something")
    return c


@pytest.mark.parametrize("message", ASKS)
async def test_it_is_read_back_and_the_question_comes_again(pitching: Conversation, message: str) -> None:
    nothing = await pitching.say(message)
    assert nothing.text == "You have told me nothing for your pitch yet.\n\nWhat is it called?"
    await pitching.say("Swift")
    told = await pitching.say(message)
    assert told.text == "This is what you have told me so far:\n\n- Name: Swift\n\nWho is it for?"


@pytest.mark.parametrize("message", OTHERS)
async def test_another_question_is_none_for_that(pitching: Conversation, message: str) -> None:
    await pitching.say("Swift")
    said = await pitching.say(message)
    assert "so far" not in said.text
    assert said.text.endswith("Who is it for?")
