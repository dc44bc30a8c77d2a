"""What the first message tells of what it begins is kept, in whatever sentence it stands."""

import json
from typing import Any

import pytest

from softrail.testing import FrozenClock, conversation


async def described(said: str) -> tuple[dict[str, Any], str]:
    """What a new project has been told of with that message, and the reply."""
    async with conversation(discover=True, clock=FrozenClock()) as talk:
        words = (await talk.say(said)).text
        [instance] = await talk.dispatcher.store.past(talk.person.id, "seed_conversation")
        return json.loads(instance.data)["answers"], words


@pytest.mark.parametrize(
    ("said", "told"),
    [
        (
            "let's begin a project. it's about bees on roofs and its called Bee House",
            {"what": "bees on roofs", "name": "Bee House"},
        ),
        ("i'm planning my move to Leeds next month", {"what": "i'm planning my move to Leeds next month"}),
        ("create a new project for me: a podcast about old bridges", {"what": "a podcast about old bridges"}),
        (
            "i'm writing a cookbook for students, can you help me set it up",
            {"what": "i'm writing a cookbook for students"},
        ),
        (
            "create a project about clearing out the attic, for me and my brother, success is when it is empty",
            {"what": "clearing out the attic", "who": "me and my brother", "success": "when it is empty"},
        ),
    ],
)
async def test_it_is_kept_by_its_parts(said: str, told: dict[str, Any]) -> None:
    answers, words = await described(said)
    assert answers == told
    assert "Say it again" not in words


@pytest.mark.parametrize(
    "said",
    [
        "i want to start a new project",
        "create a project. thanks!",
        "start a project. i'm not sure yet what",
        "let's do another project",
    ],
)
async def test_a_wish_to_begin_tells_nothing(said: str) -> None:
    answers, _ = await described(said)
    assert answers == {}


async def test_a_question_behind_it_is_answered_and_the_first_one_comes_last() -> None:
    answers, words = await described("create a project. what's the weather?")
    assert answers == {}
    assert words.endswith("What is the work about? A sentence or two is enough.")
