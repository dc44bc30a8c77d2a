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


@pytest.mark.parametrize(
    "said",
    ["oh no bring that back", "i want it back", "get the Paul one back", "can I have that note back please"],
)
async def test_what_was_just_withdrawn_is_wanted_back_in_whatever_words(
    c: Talk, project: str, said: str
) -> None:
    await c.say("withdraw note 2", project_id=project)
    assert (await c.say(said)).effects == ["turn_undone"]
    assert [note.state for note in await c.notes(project)] == ["waiting"] * 3


@pytest.mark.parametrize("said", ["i want my money back", "get the van one back", "bring back Nowhere"])
async def test_what_was_not_just_withdrawn_is_not_brought_back_with_it(
    c: Talk, project: str, said: str
) -> None:
    await c.say("withdraw note 2", project_id=project)
    assert (await c.say(said)).effects == []


@pytest.mark.parametrize(
    "said", ["no sorry the old name was better", "nope, back to the old one", "I liked the old name more"]
)
async def test_the_old_name_is_wanted_back_right_after_it_was_changed(
    c: Talk, project: str, said: str
) -> None:
    before = (await c.companion.projects.details(c.me))[0].name
    await c.say(f"rename {before} to Loft", project_id=project)
    assert (await c.say(said)).effects == ["turn_undone"]
    assert (await c.companion.projects.details(c.me))[0].name == before


@pytest.mark.parametrize("said", ["the old name was better", "back to the old one"])
async def test_an_old_name_is_none_where_nothing_was_renamed(c: Talk, project: str, said: str) -> None:
    await c.say("withdraw note 2", project_id=project)
    assert (await c.say(said)).effects == []


async def test_what_an_old_name_was_is_only_told(c: Talk, project: str) -> None:
    before = (await c.companion.projects.details(c.me))[0].name
    await c.say(f"rename {before} to Loft", project_id=project)
    assert (await c.say(f"the old name was {before}")).effects == []
