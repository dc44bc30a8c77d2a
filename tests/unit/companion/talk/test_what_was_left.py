"""What was under way before is told by what it was, and only what can be begun anew is offered."""

import pytest

from softrail.testing import FrozenClock
from tests.unit.companion.talk.kit import companion_talk


@pytest.mark.parametrize("leaving", ["no", "never mind"])
async def test_a_question_that_was_let_go_is_nothing_that_was_under_way(
    frozen: FrozenClock, leaving: str
) -> None:
    async with companion_talk(frozen) as c:
        asked = await c.say("what did you ask me first")
        await c.say(leaving)
        answer = await c.say("what did we start with?")

    assert asked.process == "clarification"
    assert answer.intent == "left_off"
    assert "question" not in answer.text
