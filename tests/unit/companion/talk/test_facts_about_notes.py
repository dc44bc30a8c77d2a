"""A fact that tells otherwise what a note says is no note of its own before it is asked about; it is lost in no case."""

import pytest

from benchmarks.free import BAKERY, world
from softrail.companion.understanding.amending import mended, without_values
from tests.unit.companion.talk.bakery import say

#: What is told, the number of the note it is about, and what that says then.
OTHERWISE = [
    ("the rent's gone up to 1,580", "2", "The rent is 1,580 euros a month"),
    ("flour comes on Fridays nowadays", "5", "Flour deliveries come on Friday morning"),
    ("the vet buys ten rolls every Monday", "4", "The vet next door buys ten rolls every Monday"),
    ("our landlord is Ivar Lund now", "7", "The landlord is called Ivar Lund"),
    ("rent is 1,490 actually", "2", "The rent is 1,490 euros a month"),
    ("in fact the vet buys ten rolls", "4", "The vet next door buys ten rolls every Monday"),
    ("set the rent to 1,600", "2", "The rent is 1,600 euros a month"),
    ("make the rolls fourteen please", "4", "The vet next door buys fourteen rolls every Monday"),
    ("correct the flour note, it's Thursday", "5", "Flour deliveries come on Thursday morning"),
]
SETTLED = [
    ("good news, the window is mended by the way", "6"),
    ("the window has a pane already", "6"),
    ("we never close in August any more", "8"),
]
OF_ITS_OWN = [
    "the vet has two dogs now",
    "the shop opposite closed in August",
    "Mr. Falk moved to Spain",
    "we now bake sourdough on Sundays too",
    "remember that the rent is 1,580 now",
    "actually I like the rent",
    "make 50 copies",
    "change the flour to something nicer",
]


@pytest.mark.parametrize(("told", "number", "text"), OTHERWISE)
async def test_the_note_is_offered_to_be_changed(told: str, number: str, text: str) -> None:
    async with world(BAKERY) as here:
        before = await here.standing()
        asked = await say(here, told)
        assert asked.pending == "clarify"
        assert await here.standing() == before
        await say(here, "yes")
        assert here.changed(before, await here.standing()) == {"texts": {number: text}}


@pytest.mark.parametrize(("told", "number"), SETTLED)
async def test_the_note_is_offered_to_be_withdrawn(told: str, number: str) -> None:
    async with world(BAKERY) as here:
        before = await here.standing()
        asked = await say(here, told)
        assert f"Note #{number} says" in asked.text
        await say(here, "Withdraw it")
        assert here.changed(before, await here.standing()) == {"notes": {number: "withdrawn"}}


async def test_it_may_take_the_place_of_the_note() -> None:
    async with world(BAKERY) as here:
        before = await here.standing()
        await say(here, "the window is fixed", "Have it say that instead")
        assert here.changed(before, await here.standing()) == {"texts": {"6": "The window is fixed"}}


@pytest.mark.parametrize("right", ["actually the 13th", "no, the 13th", "the 13th, I mean"])
@pytest.mark.parametrize("saved", [True, False])
async def test_a_value_right_after_a_note_puts_that_note_right(right: str, *, saved: bool) -> None:
    async with world(BAKERY) as here:
        await say(here, "remember that the dentist is on the 12th", *["save it"] * saved)
        asked = await say(here, right)
        assert "say: the dentist is on the 13th" in asked.text
        assert asked.pending == "clarify"


@pytest.mark.parametrize("told", [OTHERWISE[0][0], "the window is fixed"])
async def test_both_may_be_kept_and_a_no_changes_nothing(told: str) -> None:
    async with world(BAKERY) as here:
        before = await here.standing()
        await say(here, told, "no")
        assert await here.standing() == before
        await say(here, told, "keep both")
        assert here.changed(before, await here.standing()) == {"added": [told]}


@pytest.mark.parametrize("told", OF_ITS_OWN)
async def test_what_only_speaks_of_the_same_is_asked_about_no_note(told: str) -> None:
    async with world(BAKERY) as here:
        assert (await say(here, told)).pending is None


def test_a_name_of_several_words_is_exchanged_where_it_stands() -> None:
    assert mended("Supervisor is Dr. Haas", "my supervisor is Dr. Brandt now") == "Supervisor is Dr. Brandt"
    assert mended("Deadline is 30 June", "the deadline was moved to 15 July") == "Deadline is 15 July"
    assert mended("Mrs. Miller pays in cash", "Mrs. Miller pays by card now") is None


def test_values_are_no_words_for_what_is_told_of() -> None:
    assert without_values("the rent is 1,600 from May").split() == ["the", "rent", "is", "from"]
    assert without_values("Mr. Falk moved to Spain").split()[-2:] == ["moved", "to"]
