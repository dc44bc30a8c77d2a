"""An offer to note something stands for some turns; a wish for what was spoken of means that, and nothing else."""

import pytest

from benchmarks.free import BAKERY, world
from tests.unit.companion.talk.bakery import say

TOLD = "if the mixer fails again we'll need a loan"


@pytest.mark.parametrize("words", ["note it", "yes, write that down please", "ok, make a note of that then"])
@pytest.mark.parametrize(
    "between", [(), ("thank you",), ("what's the rent?",)], ids=["at once", "thanks", "asks"]
)
async def test_what_was_offered_is_noted_after_some_talk(words: str, between: tuple[str, ...]) -> None:
    async with world(BAKERY) as here:
        before = await here.standing()
        offered = await say(here, TOLD)
        assert offered.reply.suggested_actions == [f"Note: {TOLD}"]
        await say(here, *between, words)
        assert here.changed(before, await here.standing()) == {"added": [TOLD]}


async def test_what_was_noted_since_is_not_noted_again() -> None:
    async with world(BAKERY) as here:
        await say(here, TOLD, "note it", "what's the rent?")
        before = await here.standing()
        await say(here, "note it")
        assert here.changed(before, await here.standing()).keys() <= {"notes"}


@pytest.mark.parametrize("words", ["yes, note it", "note that down", "keep it"])
async def test_where_nothing_was_told_nothing_is_noted_or_kept(words: str) -> None:
    async with world(BAKERY) as here:
        before = await here.standing()
        await say(here, words)
        assert await here.standing() == before


async def test_one_note_alone_can_be_no_other() -> None:
    async with world([{"name": "Kiosk", "notes": [("The shutter jams", "waiting")]}]) as here:
        before = await here.standing()
        await here.talk.say("keep it", project_id=here.projects["Kiosk"])
        assert here.changed(before, await here.standing()) == {"notes": {"1": "saved"}}


@pytest.mark.parametrize(
    ("says", "name"),
    [
        ("the walk is done with, archive it", "Harbor Walk"),
        ("the kite's finished so put it away", "Blue Kite"),
        ("we need the barn again, bring it back", "Old Barn"),
    ],
)
async def test_it_is_the_project_that_a_word_of_its_name_was_said_of(says: str, name: str) -> None:
    async with world(BAKERY) as here:
        before = await here.standing()
        asked = await say(here, says)
        assert name in asked.text
        assert "Corner Bakery" not in asked.text
        assert await here.standing() == before
        await say(here, "Yes")
        assert here.changed(before, await here.standing()).popitem()[1] == [name]


@pytest.mark.parametrize("says", ["note 4 is wrong", "note 4 is out of date", "change note 4"])
async def test_a_note_that_is_only_called_wrong_is_asked_what_it_shall_say(says: str) -> None:
    async with world(BAKERY) as here:
        asked = await say(here, says)
        assert "twelve rolls" in asked.text
        assert asked.pending is None
        shown = await say(here, "it's thirteen")
        assert "buys thirteen rolls" in shown.text
        before = await here.standing()
        await say(here, "Yes")
        assert here.changed(before, await here.standing())["texts"].keys() == {"4"}


async def test_what_is_told_after_a_change_changes_nothing_more() -> None:
    async with world(BAKERY) as here:
        told = await say(here, "change note 2 to The rent is 1,500 euros", "the till is 3 years old")
        assert "note #2" not in told.text
