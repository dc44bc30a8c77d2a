"""The first minutes of somebody who knows nothing of this: what it is, and one project told in a sentence."""

import pytest

from softrail.settings import Settings
from softrail.testing import FrozenClock
from tests.unit.companion.talk.kit import companion_talk

LEARNED = Settings()  # the small model reads what is told
ANOTHER = "Do you have another project?"


async def test_what_this_is_is_told_beside_the_offer(frozen: FrozenClock) -> None:
    async with companion_talk(frozen, settings=LEARNED) as c:
        assert "Shall we set up your projects?" in (await c.say("hi")).text
        told = await c.say("so what is this thing")
        assert "Here is what you can ask for" in told.text


async def test_nothing_about_a_project_is_offered_where_there_is_none(frozen: FrozenClock) -> None:
    async with companion_talk(frozen, settings=LEARNED) as c:
        told = await c.say("so what is this thing")
        assert "See what the project is" not in told.text


@pytest.mark.parametrize(
    ("told", "name"),
    [
        ("it's this old boat shed called Moorings", "Moorings"),
        ("my podcast. It's called Night Owls", "Night Owls"),
        ("there's a cookbook named Crumb", "Crumb"),
    ],
)
async def test_what_is_called_by_a_name_is_one_project(frozen: FrozenClock, told: str, name: str) -> None:
    async with companion_talk(frozen, settings=LEARNED) as c:
        await c.say("set up my projects")
        assert (await c.say(told)).text == f"I've noted {name}.\n\n{ANOTHER}"


async def test_who_is_asked_what_was_meant_may_say_that_this_is_all(frozen: FrozenClock) -> None:
    async with companion_talk(frozen, settings=LEARNED) as c:
        await c.say("set up my projects")
        await c.say("Atlas")
        asked = await c.say("I also help out at the allotment society")
        assert "What is it?" in asked.text
        done = await c.say("nope that's it")
        assert "What is the repository of Atlas" in done.text


@pytest.mark.parametrize("said", ["nope that's it", "that'll do"])
async def test_a_name_that_was_asked_about_is_not_lost_by_it(frozen: FrozenClock, said: str) -> None:
    async with companion_talk(frozen, settings=LEARNED) as c:
        await c.say("set up my projects")
        assert "2 projects: Petal and Stem" in (await c.say("Petal & Stem")).reply.suggested_actions
        assert "What is the repository of Petal & Stem" in (await c.say(said)).text


async def test_just_the_one_is_one(frozen: FrozenClock) -> None:
    async with companion_talk(frozen, settings=LEARNED) as c:
        await c.say("set up my projects")
        await c.say("Petal & Stem")
        assert (await c.say("just the one")).text == f"I've noted Petal & Stem.\n\n{ANOTHER}"


@pytest.mark.parametrize("asked", ["can we skip the rest", "how long is this going to take us"])
async def test_what_is_asked_is_no_project(frozen: FrozenClock, asked: str) -> None:
    async with companion_talk(frozen, settings=LEARNED) as c:
        await c.say("set up my projects")
        await c.say("Atlas")
        said = await c.say(asked)
        assert said.text.endswith(ANOTHER)


async def test_what_is_told_beside_a_doubt_replaces_no_answer(frozen: FrozenClock) -> None:
    async with companion_talk(frozen, settings=LEARNED) as c:
        for said in (
            *("create a project", "a booking page with a calendar", "Lotus Desk", "my students"),
            *("when nobody rings me in the evening", "skip", "no budget for fancy stuff"),
        ):
            await c.say(said)
        assert "Is it this: name: Lotus" in (await c.say("call it Lotus then")).text

        asked = (await c.say("and the deadline is end of march")).text
        shown = (await c.say("none")).text

        assert asked.startswith("What should I change?")
        assert "no budget for fancy stuff" in shown
