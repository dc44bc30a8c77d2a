"""What waits, what was told last, and one of those just shown: each is looked up as it is asked for, once."""

from collections.abc import AsyncIterator

import pytest

from softrail.testing import FrozenClock
from tests.unit.companion.talk.kit import Talk, companion_talk


@pytest.fixture
async def c(frozen: FrozenClock) -> AsyncIterator[Talk]:
    async with companion_talk(frozen) as talk:
        yield talk


@pytest.fixture
async def project(c: Talk) -> str:
    """A project with two notes that are saved, and #3, which waits."""
    project = await c.project()
    for told in ("the van seats eight", "Paul drives"):
        await c.say(f"remember that {told}", project_id=project)
        await c.say("save it", project_id=project)
    await c.say("remember that Tom sings bass", project_id=project)
    return project


@pytest.mark.parametrize(
    "asked",
    [
        "which of them aren't saved yet",
        "are there any notes not saved yet?",
        "which notes haven't been saved?",
    ],
)
async def test_what_waits_is_shown_alone_and_once(c: Talk, project: str, asked: str) -> None:
    shown = (await c.say(asked, project_id=project)).text
    assert shown.count("#3") == 1
    assert "#1" not in shown


async def test_all_of_them_and_those_that_wait_are_both_asked_for(c: Talk, project: str) -> None:
    shown = (await c.say("show my notes and the waiting ones", project_id=project)).text
    assert shown.count("#3") == 2
    assert "#1" in shown


@pytest.mark.parametrize(
    "asked", ["what was the last thing i told you?", "so what is the latest note I gave you"]
)
async def test_what_was_told_last_is_told(c: Talk, project: str, asked: str) -> None:
    shown = (await c.say(asked, project_id=project)).text
    assert "#3" in shown
    assert "#2" not in shown


async def test_one_of_those_just_shown_is_read_out(c: Talk, project: str) -> None:
    await c.say("show my notes", project_id=project)
    shown = (await c.say("read me the second one")).text
    assert "#2" in shown
    assert "#1" not in shown
    assert "#3" not in shown


@pytest.mark.parametrize("asked", ["cool. so what's the point of you", "nice, and how long does it take"])
async def test_what_is_asked_of_questions_behind_a_word_is_no_such_thing_where_none_is_asked(
    c: Talk, asked: str
) -> None:
    assert "Nothing is being asked just now" not in (await c.say(asked)).text
