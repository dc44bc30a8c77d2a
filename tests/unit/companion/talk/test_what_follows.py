"""The same for others, the one at that place of a list, and notes by a word of theirs: all against the notes there are."""

import pytest

from benchmarks.free import BAKERY, world
from softrail.companion.understanding.phrases import phrases
from tests.unit.companion.talk.bakery import say


@pytest.mark.parametrize(
    ("says", "number"),
    [
        ("same for the vet one", "4"),
        ("and the flour note too, please", "5"),
        ("the window as well", "6"),
    ],
)
async def test_the_same_is_asked_about_for_a_note_by_what_it_says(says: str, number: str) -> None:
    async with world(BAKERY) as here:
        await say(here, "save note 3")
        before = await here.standing()
        asked = await say(here, says)
        assert f"#{number}" in asked.text
        assert await here.standing() == before
        await say(here, "yes")
        assert here.changed(before, await here.standing()) == {"notes": {number: "saved"}}


async def test_a_fact_behind_and_is_none_of_them() -> None:
    async with world(BAKERY) as here:
        told = await say(here, "save note 3", "and the oven is dirty")
        assert "save" not in told.text.partition("note")[0]
        assert told.pending is None


async def test_a_note_by_its_place_in_what_was_listed() -> None:
    async with world(BAKERY) as here:
        listed = await say(here, "what's still waiting?")
        assert listed.text.index("#6") < listed.text.index("#5")
        before = await here.standing()
        shown = await say(here, "keep the first one")
        assert "note #6" in shown.text
        await say(here, "yes", "and the second", "yes", "the other two can go", "yes")
        wanted = {"6": "saved", "5": "saved", "4": "withdrawn", "3": "withdrawn"}
        assert here.changed(before, await here.standing()) == {"notes": wanted}


@pytest.mark.parametrize("says", ["keep the fifth one", "the first loaf is burnt", "the other three can go"])
async def test_what_is_not_in_the_list_changes_nothing(says: str) -> None:
    async with world(BAKERY) as here:
        await say(here, "what's still waiting?")
        before = await here.standing()
        said = await say(here, says)
        assert not {"notes", "texts"} & here.changed(before, await here.standing()).keys()
        assert "Shall I?" not in said.text


@pytest.mark.parametrize(
    ("says", "wanted"),
    [
        ("keep the flour and bin the vet", {"5": "saved", "4": "withdrawn"}),
        ("drop the rolls", {"4": "withdrawn"}),
    ],
)
async def test_notes_are_meant_by_a_word_of_theirs(says: str, wanted: dict[str, str]) -> None:
    async with world(BAKERY) as here:
        before = await here.standing()
        asked = await say(here, says)
        assert asked.pending == "clarify"
        await say(here, "yes")
        assert here.changed(before, await here.standing()) == {"notes": wanted}


async def test_what_is_to_be_noted_is_not_lost_beside_what_is_asked_about() -> None:
    async with world(BAKERY) as here:
        before = await here.standing()
        asked = await say(here, "drop 5 and 6, and remember that the glazier is Bo")
        assert asked.pending == "clarify"
        await say(here, "yes")
        done = here.changed(before, await here.standing())
        assert done == {"notes": {"5": "withdrawn", "6": "withdrawn"}, "added": ["the glazier is Bo"]}


async def test_a_look_beside_a_project_by_a_part_of_its_name() -> None:
    async with world(BAKERY) as here:
        before = await here.standing()
        told = await say(here, "archive the kite, and tell me the rent")
        assert "1,450" in told.text
        await say(here, "yes")
        assert here.changed(before, await here.standing()) == {"archived": ["Blue Kite"]}


@pytest.mark.parametrize(
    "says", ["save note 4, she comes each week", "I'd rather not have the notes on August any longer"]
)
async def test_a_reason_and_a_word_on_notes_are_no_notes(says: str) -> None:
    async with world(BAKERY) as here:
        before = await here.standing()
        await say(here, says)
        assert "added" not in here.changed(before, await here.standing())


def test_what_the_same_is_wished_for() -> None:
    assert phrases().notes.other_than_likewise("and the same for the vet one, please") == "vet one"
    assert phrases().notes.other_than_likewise("my roof too!") == "roof"
