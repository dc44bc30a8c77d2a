"""With a model several answers come from one message, and nothing that was not said."""

import json

import pytest

from softrail.testing import FrozenClock, ScriptedModel
from tests.unit.companion.talk.kit import companion_talk


async def test_with_a_model_several_answers_come_from_one_message_and_inventions_do_not(
    frozen: FrozenClock,
) -> None:
    found = (
        '{"name": null, "what": "an app for booking tennis courts", "who": "members of two clubs", '
        '"success": "every investor doubles their money", "voice": null, "constraints": null, "notes": null}'
    )
    model = ScriptedModel({"seed_conversation": [found]})
    async with companion_talk(frozen, model=model) as c:
        await c.say("create a project", "create_project")
        said = await c.say("It is an app for booking tennis courts, and members of two clubs will use it.")
        draft = said.reply.draft_specification or ""
        assert "members of two clubs" in draft
        assert "investor" not in draft
        assert said.text.endswith("I would call it “Booking Tennis Courts”.")
        assert said.model_calls == 1
        assert (await c.say("yes")).model_calls == 0


async def test_a_model_that_fails_leaves_the_answer_to_the_question(frozen: FrozenClock) -> None:
    model = ScriptedModel({"seed_conversation": ["not JSON at all"]})
    async with companion_talk(frozen, model=model) as c:
        await c.say("create a project", "create_project")
        said = await c.say("It is an app for booking tennis courts, and members of two clubs will use it.")
        assert "members of two clubs will use it." in (said.reply.draft_specification or "")


def found(**answers: str) -> str:
    """What a model answers: these parts, and null for the others."""
    keys = ("name", "what", "who", "success", "voice", "constraints", "notes")
    return json.dumps({key: answers.get(key) for key in keys})


BIKES = "we build bikes for kids in Rome and it should be cheap and fun"


@pytest.mark.parametrize(
    ("key", "value", "believed"),
    [
        ("success", "kids in Rome sell 500 bikes daily", False),
        ("success", "it should be cheap in 3 years", False),
        ("constraints", "it should be cheap and sustainable", False),
        ("constraints", "it should be cheap and fun", True),
        ("who", "kids in Rome", True),
        ("who", "kid", True),
    ],
)
async def test_an_answer_is_believed_when_its_words_and_numbers_were_said(
    frozen: FrozenClock, key: str, value: str, believed: bool
) -> None:
    model = ScriptedModel({"seed_conversation": [found(what="bikes for kids", **{key: value})]})
    async with companion_talk(frozen, model=model) as c:
        await c.say("create a project", "create_project")
        said = await c.say(BIKES)
        assert (value in (said.reply.draft_specification or "").splitlines()) is believed


async def test_what_was_found_in_one_message_is_read_back_by_part(frozen: FrozenClock) -> None:
    answer = found(what="bikes for kids", who="kids in Rome", constraints="it should be cheap and fun")
    async with companion_talk(frozen, model=ScriptedModel({"seed_conversation": [answer, answer]})) as c:
        await c.say("create a project", "create_project")
        said = await c.say(BIKES)
        assert said.text.startswith("Noted: what the work is, who it is for, its constraints.")


async def test_what_the_first_message_tells_beside_the_idea_is_read_back_too(frozen: FrozenClock) -> None:
    answer = found(who="kids in Rome", constraints="it should be cheap and fun")
    async with companion_talk(frozen, model=ScriptedModel({"seed_conversation": [answer]})) as c:
        said = await c.say(f"create a project: {BIKES}", "create_project")
        assert "Noted: who it is for, its constraints." in said.text
