"""What stands beside wishes about notes is never lost, and words of leaving where nothing can be left are said so."""

from collections.abc import AsyncIterator

import pytest

from softrail.testing import FrozenClock
from tests.unit.companion.talk.kit import Talk, companion_talk
from tests.unit.companion.talk.world import furnished, standing


@pytest.fixture
async def c(frozen: FrozenClock) -> AsyncIterator[Talk]:
    async with companion_talk(frozen) as talk:
        yield talk


@pytest.mark.parametrize(
    ("said", "beside"),
    [
        ("save 3, drop 4 and export my data", "export my data"),
        ("drop 5 and keep 6, and let's set up my projects", "set up my projects"),
        ("save 3 and drop 4, then summarise my standups", "No standup of yours is saved yet"),
    ],
)
async def test_what_is_wished_beside_two_notes_is_named_or_done(c: Talk, said: str, beside: str) -> None:
    world = await furnished(c)
    asked = await c.say(said, project_id=world.here)
    assert asked.pending == "clarify"
    assert beside in asked.text


@pytest.mark.parametrize(
    "said",
    [
        "the course isnt happening, archive it",
        "it is snowing in Oslo, archive this project",
        "book me a table at the harbour, and show me my projects",
    ],
)
async def test_what_is_served_is_answered_before_what_is_not(c: Talk, said: str) -> None:
    world = await furnished(c)
    heard = await c.say(said, project_id=world.here)
    assert heard.intent in ("archive_project", "list_projects")
    assert "can't" not in heard.text.partition("\n")[0]


async def test_what_says_why_a_project_is_archived_is_named_and_not_answered(c: Talk) -> None:
    world = await furnished(c)
    heard = await c.say("the course isnt happening, archive it", project_id=world.here)
    assert heard.pending == "clarify"
    assert "“the course isnt happening”" in heard.text
    assert "outside" not in heard.text


async def test_this_one_and_a_number_are_two_notes(c: Talk) -> None:
    world = await furnished(c)
    await c.say("note that the sign is crooked", project_id=world.here)
    await c.say("keep this one and 3", project_id=world.here)
    await c.say("Yes", project_id=world.here)
    notes = await c.notes(world.here)
    assert {note.number for note in notes if note.state == "saved"} >= {3, 9}


async def test_this_one_and_a_number_is_asked_about_where_nothing_was_spoken_of(c: Talk) -> None:
    world = await furnished(c)
    before = await standing(c, world)
    await c.say("keep this one and 3", project_id=world.here)
    assert await standing(c, world) == before


@pytest.mark.parametrize("said", ["stop", "please quit", "exit"])
async def test_words_of_leaving_where_nothing_is_under_way_are_told_so(c: Talk, said: str) -> None:
    await furnished(c)
    assert (await c.say(said)).text == "Nothing is under way that I could stop."
