"""Notes taken back in words of one's own: the note is found, and it is shown what would become of it."""

import pytest

from benchmarks.free import World, world
from tests.unit.companion.talk.bakery import say

KEPT = (
    {
        "name": "Corner Bakery",
        "notes": (
            ("The skip costs 300 euros", "saved"),
            ("Tom has the key", "saved"),
            ("We need 40 boxes, tape and gloves", "saved"),
        ),
    },
)


async def withdrawn(here: World, message: str) -> list[str]:
    """The numbers of the notes that a message takes back, once what is shown has been agreed to."""
    before = await here.standing()
    shown = await say(here, message)
    assert await here.standing() == before, "it is shown first"
    assert shown.reply.pending is not None
    await say(here, str(shown.reply.pending.choices[0].label))
    changed = here.changed(before, await here.standing()).get("notes", {})
    assert set(changed.values()) <= {"withdrawn"}
    return sorted(changed)


@pytest.mark.parametrize(
    ("says", "numbers"),
    [
        ("scrap the skip one", ["1"]),
        ("the skip one can go", ["1"]),
        ("wipe the skip note", ["1"]),
        ("lose the key note", ["2"]),
        ("ditch the key note", ["2"]),
        ("kill the note on the key", ["2"]),
        ("i have no use for the key note", ["2"]),
        ("i don't need the skip one any more", ["1"]),
        ("delete the last one", ["3"]),
        ("delete the last two", ["2", "3"]),
        ("get rid of the notes about boxes and the skip", ["1", "3"]),
        ("delete the one about the skip and the key one too", ["1", "2"]),
    ],
)
async def test_a_note_that_is_kept_is_taken_back_in_any_words(says: str, numbers: list[str]) -> None:
    async with world(KEPT) as here:
        assert await withdrawn(here, says) == numbers


async def test_outside_a_project_the_notes_of_the_only_one_are_meant() -> None:
    async with world(KEPT) as here:
        shown = await here.talk.say("delete the last one")
        assert "#3" in shown.text


@pytest.mark.parametrize(
    ("says", "tells"),
    [
        ("keep the last one", "No note of yours waits"),
        ("drop the van note", "no note about van"),
        ("ditch the one about the skip and the key one too", "withdraw note"),
        ("delete the skip and the boxes notes", "withdraw note"),
        ("save the key note too", "leave that as it is"),
    ],
)
async def test_what_can_not_be_done_or_told_apart_changes_nothing(says: str, tells: str) -> None:
    async with world(KEPT) as here:
        before = await here.standing()
        told = await say(here, says)
        assert tells in told.text
        assert await here.standing() == before


async def test_the_one_that_waits_is_the_last_one() -> None:
    async with world([{"name": "Corner Bakery", "notes": [("Old", "saved"), ("New", "waiting")]}]) as here:
        shown = await say(here, "delete the last one")
        assert "#2" in shown.text
