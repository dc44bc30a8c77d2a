"""Somebody who has no project yet: what they tell begins one, once they say yes, and help speaks of what is possible."""

import pytest

from softrail.settings import Settings
from softrail.testing import FrozenClock
from tests.unit.companion.talk.kit import companion_talk

LEARNED = Settings()  # the small model tells what is told
BEGIN = "You have no project yet. Shall we begin one with that?"
TOLD = "it's a newsletter about urban gardening, name's Windowsill"


@pytest.mark.parametrize(
    ("told", "kept"),
    [
        ("I run a small bakery and we're building an app called Crumbline", "Crumbline"),
        (TOLD, "Windowsill"),
        ("my project is called Tidepool, it maps rock pools", "Tidepool"),
    ],
)
async def test_what_tells_of_a_project_begins_one_on_a_yes(frozen: FrozenClock, told: str, kept: str) -> None:
    async with companion_talk(frozen, settings=LEARNED) as c:
        asked = await c.say(told)
        assert asked.text == f"{BEGIN}\n\nA) Yes, begin a project with it\nB) No"
        begun = await c.say("sure")
        assert begun.process == "seed_conversation"
        assert kept in begun.text


@pytest.mark.parametrize(
    ("wish", "kept"),
    [
        ("so we're organising a street festival in June", "street festival"),
        ("help me plan my wedding", "wedding"),
    ],
)
async def test_a_plan_that_somebody_wants_help_with_begins_a_project_at_once(
    frozen: FrozenClock, wish: str, kept: str
) -> None:
    async with companion_talk(frozen, settings=LEARNED) as c:
        begun = await c.say(wish)
        assert begun.process == "seed_conversation"
        assert kept in begun.text


async def test_a_no_begins_nothing(frozen: FrozenClock) -> None:
    async with companion_talk(frozen, settings=LEARNED) as c:
        await c.say(TOLD)
        said = await c.say("No")
        assert said.text == "All right, never mind."
        assert said.state == "declined"


@pytest.mark.parametrize(
    "again", ["what was the question again?", "hm let me think", "sorry, what did you ask?"]
)
async def test_whoever_asks_for_the_question_gets_it_as_often_as_they_like(
    frozen: FrozenClock, again: str
) -> None:
    async with companion_talk(frozen, settings=LEARNED) as c:
        await c.say(TOLD)
        for _ in range(3):
            assert (await c.say(again)).text.startswith(BEGIN)
        assert "Windowsill" in (await c.say("yes please")).text


@pytest.mark.parametrize("wish", ["I want to describe a project", "I have an idea for an app"])
async def test_a_wish_to_describe_one_begins_without_a_question(frozen: FrozenClock, wish: str) -> None:
    async with companion_talk(frozen, settings=LEARNED) as c:
        said = await c.say(wish)
        assert said.process == "seed_conversation"


@pytest.mark.parametrize(
    "wish", ["rename my project", "what's the status", "show me my notes", "tell me about my project"]
)
async def test_what_needs_a_project_says_so_and_a_yes_begins_one(frozen: FrozenClock, wish: str) -> None:
    async with companion_talk(frozen, settings=LEARNED) as c:
        said = await c.say(wish)
        assert "create a project" in said.text
        assert said.pending is None
        assert (await c.say("yes")).process == "seed_conversation"


async def test_what_is_not_understood_says_what_this_place_is_for(frozen: FrozenClock) -> None:
    async with companion_talk(frozen, settings=LEARNED) as c:
        said = await c.say("blorp the frindle")
        assert said.text.startswith("I keep what you tell me about your projects")
        assert (await c.say("ok")).process == "seed_conversation"


async def test_help_names_what_is_possible_so_far(frozen: FrozenClock) -> None:
    async with companion_talk(frozen, settings=LEARNED) as c:
        new = (await c.say("what can you do")).text
        assert "create a project" in new
        assert "save note 3" not in new
        assert "There is more once there is a project." in new

        await c.project()
        known = (await c.say("what can you do")).text
        assert "save note 3" in known
        assert "There is more" not in known


async def test_whoever_has_a_project_is_not_asked_to_begin_one(frozen: FrozenClock) -> None:
    async with companion_talk(frozen, settings=LEARNED) as c:
        project = await c.project()
        for told in ("help me plan my wedding", "so we're organising a street festival in June"):
            assert "no project yet" not in (await c.say(told, project_id=project)).text


async def test_in_the_middle_of_something_else_nothing_is_begun(frozen: FrozenClock) -> None:
    async with companion_talk(frozen, settings=LEARNED) as c:
        await c.say("create a project")
        said = await c.say("show me all my projects")
        assert "After your new project we can begin one." in said.text
        assert said.process == "seed_conversation"


@pytest.mark.parametrize(
    ("told", "kept"),
    [
        ("for Lumen: the lease ends in August", "the lease ends in August"),
        ("and for Lumen, the lease ends in August", "the lease ends in August"),
        ("the lease of Lumen ends in August", "the lease of Lumen ends in August"),
    ],
)
async def test_a_note_does_not_repeat_the_project_it_is_for(
    frozen: FrozenClock, told: str, kept: str
) -> None:
    async with companion_talk(frozen) as c:
        project = await c.project("Lumen")
        await c.say(told, "add_knowledge")
        assert [note.text for note in await c.notes(project)] == [kept]


@pytest.mark.parametrize(
    "small", ["I like a long walk", "the weather is nice today", "I'm tired", "my cat is sick"]
)
async def test_small_talk_begins_nothing(frozen: FrozenClock, small: str) -> None:
    async with companion_talk(frozen, settings=LEARNED) as c:
        said = await c.say(small)
        assert "Shall we begin one with that?" not in said.text
        assert said.pending is None


async def test_what_was_paused_is_picked_up_from_a_question_above_it(frozen: FrozenClock) -> None:
    async with companion_talk(frozen, settings=LEARNED) as c:
        for said in ("let's do my standup", "stop", TOLD):
            asked = await c.say(said)
        assert asked.text.startswith(BEGIN)
        assert (await c.say("resume")).text.endswith("What did you work on yesterday?")
