"""Notes are found by what a question means, and shown where they are asked for without one; what is near only may answer."""

import pytest

from benchmarks.free import BAKERY, world
from softrail.companion.understanding.answering import looked_up
from softrail.companion.understanding.certain import certain
from softrail.companion.understanding.phrases import phrases
from tests.unit.companion.talk.bakery import say

MAY = "may answer that"


@pytest.mark.parametrize(
    ("question", "note"),
    [
        ("who mended the oven?", "Mr. Falk"),
        ("in which month are we shut?", "in August"),
        ("how much do we pay for the shop each month?", "1,450 euros"),
        ("which bread sells out early?", "Sourdough"),
    ],
)
async def test_a_note_that_means_it_may_answer(question: str, note: str) -> None:
    async with world(BAKERY) as here:
        told = await say(here, question)
        assert MAY in told.text
        assert note in told.text


@pytest.mark.parametrize(
    ("question", "note"),
    [("and who repaired the oven", "Mr. Falk"), ("and do we close in august", "in August")],
)
async def test_a_question_goes_on_with_and_and_is_no_note(question: str, note: str) -> None:
    async with world(BAKERY) as here:
        await say(here, "note: the fryer hums")
        told = await say(here, question)
        assert note in told.text
        assert "I've noted" not in told.text


@pytest.mark.parametrize("question", ["who is the president of Chile?", "how do I bake rye bread?"])
async def test_what_no_note_means_is_answered_by_none(question: str) -> None:
    async with world(BAKERY) as here:
        assert "#" not in (await say(here, question)).text


@pytest.mark.parametrize(
    ("says", "number"),
    [
        ("show me the flour note", "#5"),
        ("could you give me the note on the vet again", "#4"),
        ("tell me the rent", "#2"),
        ("the window note, please", "#6"),
        ("would you tell me who the landlord is", "#7"),
    ],
)
async def test_a_note_is_shown_without_a_question(says: str, number: str) -> None:
    async with world(BAKERY) as here:
        before = await here.standing()
        told = await say(here, says)
        assert number in told.text
        assert told.text.count("#") == 1
        assert await here.standing() == before


async def test_the_note_that_was_shown_is_what_is_kept_then() -> None:
    async with world(BAKERY) as here:
        before = await here.standing()
        await say(here, "show me the flour note", "good, keep it")
        assert here.changed(before, await here.standing()) == {"notes": {"5": "saved"}}


async def test_another_project_answers_with_its_name_in_the_question() -> None:
    async with world(
        [{"name": "Van Hire", "notes": ()}, {"name": "Attic", "notes": [("The beams are oak", "saved")]}]
    ) as here:
        said = await here.talk.say("are the beams in the attic oak?", project_id=here.projects["Van Hire"])
        assert "The beams are oak" in said.text


@pytest.mark.parametrize("says", ["tell the vet that we are closed", "show up early", "give it up"])
def test_what_asks_for_nothing_is_to_be_shown_to_nobody(says: str) -> None:
    assert phrases().to_be_shown(says) in ("", "up early")


def test_a_look_says_what_it_was_read_as_before() -> None:
    found = looked_up(certain("general_conversation", "talk"), {"numbers": [1]}, "a note is near")
    assert (found.name, found.explanation) == ("ask_about_past_input", "talk; a note is near")


@pytest.mark.parametrize(
    ("said", "shown", "first"),
    [
        ("kindly save the one with the rolls for me", "#4: The vet next door", "A) Save #4\nB) Withdraw #4"),
        ("note 6 please to save, is correct", "#6: The window", "A) Save #6\nB) Withdraw #6"),
    ],
)
async def test_a_note_that_is_only_spoken_of_is_shown_with_what_may_be_done(
    said: str, shown: str, first: str
) -> None:
    async with world(BAKERY) as here:
        before = await here.standing()

        asked = await say(here, said)

        assert here.changed(before, await here.standing()) == {}
        assert shown in asked.text
        assert first in asked.text
