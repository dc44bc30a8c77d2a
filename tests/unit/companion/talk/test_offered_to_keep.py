"""What a reply offered to keep as a note is kept in other words than yes, or put right first; nothing is kept without one."""

from collections.abc import AsyncIterator

import pytest

from softrail.testing import FrozenClock
from tests.unit.companion.talk.kit import Talk, companion_talk

TOLD = "btw the vicar opens it at ten"


@pytest.fixture
async def offered(frozen: FrozenClock) -> AsyncIterator[Talk]:
    async with companion_talk(frozen) as c:
        await c.project("Summer Fete")
        said = await c.say(TOLD)
        assert "the vicar opens it at ten" in said.text
        yield c


async def texts(c: Talk) -> list[str]:
    (project,) = await c.companion.projects.details(c.me)
    return [note.text for note in await c.notes(project.id)]


@pytest.mark.parametrize("yes", ["keep that", "save it please", "yes"])
async def test_it_is_kept_without_the_words_around_it(offered: Talk, yes: str) -> None:
    if not await texts(offered):
        await offered.say(yes)
    assert await texts(offered) == ["the vicar opens it at ten"]


async def test_what_puts_it_right_has_another_one_offered(offered: Talk) -> None:
    before = await texts(offered)
    said = await offered.say("sorry, not the vicar, the mayor")
    assert "the mayor opens it at ten" in said.text
    assert await texts(offered) == before
    await offered.say("yes")
    assert await texts(offered) == ["the mayor opens it at ten"]


async def test_without_a_project_one_is_offered_for_it(frozen: FrozenClock) -> None:
    async with companion_talk(frozen) as c:
        said = await c.say("by the way we've got insurance now")
        assert "“we've got insurance now” needs a project" in said.text
        assert said.pending == "clarify"


async def test_a_renamed_project_is_called_what_was_meant(offered: Talk) -> None:
    await offered.say("rename the project to Spring Fete")
    asked = await offered.say("that's wrong, I meant Greenfield Spring Fete")
    assert "“Greenfield Spring Fete”" in asked.text
