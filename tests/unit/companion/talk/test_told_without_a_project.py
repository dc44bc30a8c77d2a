"""What is told before there is any project: it is not lost, a project is offered that begins with it."""

import pytest

from softrail.testing import FrozenClock
from tests.unit.companion.talk.kit import companion_talk

TOLD = "remember that the roof leaks"


@pytest.mark.parametrize("yes", ["yes", "Yes, begin a project with it", "create a project", "begin one"])
async def test_a_fact_told_without_a_project_is_the_first_note_of_the_one_that_is_begun(
    frozen: FrozenClock, yes: str
) -> None:
    async with companion_talk(frozen) as c:
        asked = await c.say(TOLD)
        assert "“the roof leaks”" in asked.text
        assert asked.effects == []

        begun = await c.say(yes)
        assert "What is the work about?" in begun.text
        for answer in (
            "a house in the hills",
            "Hilltop",
            "our family",
            "we live there",
            "skip",
            "skip",
            "skip",
        ):
            said = await c.say(answer)
        assert "the roof leaks" in said.text  # in the summary that is shown for a yes
        await c.say("yes")

        notes = (await c.say("what did I tell you about the roof?")).text
        assert "the roof leaks" in notes


async def test_a_no_drops_it_and_says_so(frozen: FrozenClock) -> None:
    async with companion_talk(frozen) as c:
        await c.say(TOLD)
        said = await c.say("no")
        assert "never mind" in said.text
        assert said.effects == []


async def test_whoever_has_a_project_is_not_asked(frozen: FrozenClock) -> None:
    async with companion_talk(frozen) as c:
        project = await c.project()
        said = await c.say(TOLD, project_id=project)
        assert said.text.startswith("I've noted")
