"""“Both” are two notes, and what is taken back, or cannot be, is told as it is."""

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
    """A project with three notes that wait: #1, #2, #3."""
    project = await c.project()
    for told in ("the van seats eight", "Paul drives", "Tom sings bass"):
        await c.say(f"remember that {told}", project_id=project)
    return project


@pytest.mark.parametrize(
    "said", ["save both", "save both of them", "Save both notes, please", "withdraw both"]
)
async def test_both_are_the_two_newest_and_no_third(c: Talk, project: str, said: str) -> None:
    shown = (await c.say(said, project_id=project)).text
    assert "#2" in shown
    assert "#3" in shown
    assert "#1" not in shown


async def test_both_are_those_just_spoken_of(c: Talk, project: str) -> None:
    await c.say("withdraw notes 1 and 2", project_id=project)
    await c.say("yes")
    shown = (await c.say("save both")).text
    assert "#1" in shown
    assert "#2" in shown
    assert "#3" not in shown


async def test_both_numbers_that_are_named_are_those(c: Talk, project: str) -> None:
    shown = (await c.say("save both 1 and 3", project_id=project)).text
    assert "#2" not in shown
    assert "#3" in shown


async def test_what_was_changed_before_is_named_where_the_last_message_changed_nothing(
    c: Talk, project: str
) -> None:
    await c.say("withdraw note 1", project_id=project)
    await c.say("how are you doing today")
    answer = await c.say("take that back")
    assert answer.text.startswith("There is nothing to take back: your last message changed nothing.")
    assert "Note 1 withdrawn" in answer.text
    assert answer.effects == []


async def test_what_was_taken_back_is_not_told_as_standing(c: Talk, project: str) -> None:
    await c.say("withdraw note 1", project_id=project)
    await c.say("undo")
    answer = await c.say("undo")
    assert "Note 1" not in answer.text
    assert "#3: Note kept" in answer.text


async def test_while_it_is_asked_nothing_is_taken_back_but_the_question_stays(c: Talk, project: str) -> None:
    await c.say("save both", project_id=project)
    answer = await c.say("take that back")
    assert "your last message changed nothing" in answer.text
    assert answer.pending == "clarify"
    assert [note.state for note in await c.notes(project)] == ["waiting"] * 3
