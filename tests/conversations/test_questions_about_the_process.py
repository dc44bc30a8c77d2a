"""A question in the middle of a process is answered there, and begins nothing."""

import pytest

from softrail.testing import FrozenClock, conversation


@pytest.mark.parametrize(
    "question", ["what is a project?", "What's a project?", "hm, what even is a project here?"]
)
@pytest.mark.parametrize("told", [False, True], ids=["at first", "with one told"])
async def test_a_question_about_its_subject_begins_nothing_else(
    frozen: FrozenClock, question: str, told: bool
) -> None:
    async with conversation(clock=frozen, discover=True) as talk:
        asked = await talk.say("set up my projects")
        if told:
            asked = await talk.say("My main project is called Harbor")

        said = await talk.say(question)

    assert said.step == "gathering_projects"
    assert "what the project is called" in said.text
    assert asked.reply.pending is not None
    assert said.text.endswith(asked.reply.pending.prompt)


async def test_a_wish_put_as_a_question_is_still_a_wish(frozen: FrozenClock) -> None:
    async with conversation(clock=frozen, discover=True) as talk:
        await talk.say("set up my projects")

        said = await talk.say("can we do my standup instead please?")

    assert said.step is not None
    assert "That I can't answer here." not in said.text
