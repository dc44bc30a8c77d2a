"""What sounds like a wish and is none begins nothing and changes nothing: it is asked about, or told honestly."""

import pytest

from benchmarks.free import World
from tests.unit.companion.talk.bakery import say


@pytest.mark.parametrize(
    "said",
    [
        "the tasting is cancelled",
        "we closed the deal with the mill",
        "our contract with the dairy has ended",
        "Rename the brioche to Parisienne",
    ],
)
async def test_what_is_told_of_something_else_changes_no_project(here: World, said: str) -> None:
    before = await here.standing()

    heard = await say(here, said)
    await say(here, "yes")

    assert "Archive" not in heard.text
    assert not {"archived", "renamed"} & here.changed(before, await here.standing()).keys()


@pytest.mark.parametrize(
    "said",
    [
        "if I archive the project can I still read it",
        "how do I get rid of a project I made by mistake?",
    ],
)
async def test_a_question_about_archiving_is_answered(here: World, said: str) -> None:
    heard = await say(here, said)

    assert heard.pending != "clarify"
    assert "nothing is deleted" in heard.text


@pytest.mark.parametrize(
    "said",
    [
        "start my standup tomorrow",
        "start the standup later",
        "let's do the standup on Monday",
        "archive the project next week, not now",
    ],
)
async def test_what_is_put_off_is_not_done_now(here: World, said: str) -> None:
    before = await here.standing()

    heard = await say(here, said)

    assert heard.process is None
    assert "I have no alarm" in heard.text
    assert here.changed(before, await here.standing()) == {}


@pytest.mark.parametrize(
    "said",
    [
        "we don't do standups here",
        "I don't want a project, just a place for a shopping list",
        "nobody here does a standup",
    ],
)
async def test_what_is_denied_does_not_begin(here: World, said: str) -> None:
    assert (await say(here, said)).process in (None, "clarification")


@pytest.mark.parametrize(
    "said",
    [
        "start the standup please",
        "let's do the standup now",
        "create a project for the fair next week",
    ],
)
async def test_what_is_wished_for_begins(here: World, said: str) -> None:
    assert (await say(here, said)).process in ("standup", "seed_conversation")


async def test_a_no_to_what_is_shown_closes_the_question(here: World) -> None:
    heard = await say(here, "archive the project", "no don't delete anything, just asking")

    assert heard.pending is None


async def test_nothing_is_put_aside_where_everything_is_to_come_back(here: World) -> None:
    assert "Archive" not in (await say(here, "bring back the bakery")).text


async def test_a_note_that_is_to_say_nothing_is_asked_about(here: World) -> None:
    before = await here.standing()
    heard = await say(here, "change 5 to nothing")

    assert "Withdraw note #5" in heard.text
    assert here.changed(before, await here.standing()) == {}


async def test_this_may_be_something_else_once_more_was_said(here: World) -> None:
    before = await here.standing()
    await say(here, "save note 4", "find the note about the flour", "I wish I could delete all of this")
    heard = await say(here, "delete this")

    assert "Shall I?" in heard.text
    assert here.changed(before, await here.standing()) == {"notes": {"4": "saved"}}


@pytest.mark.parametrize(
    "said", ["also the flour comes on Friday, not Tuesday", "the flour is on Friday now, not Tuesday"]
)
async def test_a_sentence_that_puts_a_value_right_leaves_the_note_whole(here: World, said: str) -> None:
    assert "Flour deliveries come on Friday morning" in (await say(here, said)).text
