"""What is known in part is shown and asked about: notes but some, a project by a word of its name, and what was left before."""

import pytest

from benchmarks.free import World, world
from softrail.companion.understanding.amending import mended
from softrail.companion.understanding.phrases import phrases
from softrail.companion.understanding.wishes import of_all
from tests.unit.companion.talk.bakery import say


@pytest.mark.parametrize(
    ("said", "way", "done"),
    [
        (
            "keep all the waiting ones sans the pane",
            "Save #3, #4, #5",
            {"3": "saved", "4": "saved", "5": "saved"},
        ),
        (
            "save everything minus what the vet buys",
            "Save #3, #5, #6",
            {"3": "saved", "5": "saved", "6": "saved"},
        ),
        ("keep everything touching sourdough", "Save #3", {"3": "saved"}),
        ("drop all waiting ones barring sourdough", "None of them", {}),
    ],
)
async def test_all_notes_in_words_around_some_are_asked_about_both_ways(
    here: World, said: str, way: str, done: dict[str, str]
) -> None:
    before = await here.standing()

    shown = await say(here, said)

    assert await here.standing() == before
    if way:
        assert way in shown.reply.suggested_actions
        await say(here, way)
    assert here.changed(before, await here.standing()) == ({"notes": done} if done else {})


@pytest.mark.parametrize(
    "said",
    [
        "save water",
        "all notes but the pane",
        "will you keep it all?",
        "keep note 3 and the pane",
        "never drop everything on the vet",
    ],
)
def test_what_begins_with_no_wish_for_all_notes_is_none(said: str) -> None:
    assert of_all(said) is None


@pytest.mark.parametrize(
    ("said", "done"),
    [
        ("archive the harbor one", {"archived": ["Harbor Walk"]}),
        ("put the kite aside, it never flew", {"archived": ["Blue Kite"]}),
        ("rename the kite to Paper Dragon", {"renamed": {"Blue Kite": "Paper Dragon"}}),
    ],
)
async def test_a_project_is_meant_by_a_word_of_its_name_and_asked_about(
    here: World, said: str, done: dict[str, object]
) -> None:
    before = await here.standing()

    shown = await say(here, said)
    assert shown.pending == "clarify"
    assert await here.standing() == before

    await say(here, "yes")

    assert here.changed(before, await here.standing()) == done


def test_what_is_denied_of_a_note_is_no_value_of_it() -> None:
    assert mended("The roof was tiled by Jo in May", "the roof was not tiled in May, it was in June") == (
        "The roof was tiled by Jo in June"
    )
    assert mended("The roof was tiled in May", "it's June not May") == "The roof was tiled in June"


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ("begin another project: Rain Barrel", "Rain Barrel"),
        ("we need a project for us – Moss and Fern", "Moss and Fern"),
        ("could you start a project, Quiet Harbour", "Quiet Harbour"),
        ("could you start a project, Maria", ""),  # who is spoken to
        ("start a project: a shop for tea", ""),
        ("Rain Barrel", ""),
    ],
)
def test_a_name_that_is_set_apart_and_written_as_one_is_a_name(said: str, name: str) -> None:
    assert phrases().written_name(said) == name


async def test_what_is_begun_has_the_name_that_the_same_message_gives_it(here: World) -> None:
    said = await say(here, "I want a project for the pond behind our school, call it Frog Watch")

    assert said.process == "seed_conversation"
    assert "Name: Frog Watch" in said.text
    assert "pond behind our school" in said.text


async def test_what_is_to_be_shown_shares_its_verb(here: World) -> None:
    said = await say(here, "let me see who is in here and the files")

    assert "alone in Corner Bakery" in said.text
    assert "Price list" in said.text


async def test_what_was_stopped_is_told_and_what_was_paused_is_offered(here: World) -> None:
    stopped = await say(here, "start my standup", "leave it", "which thing was I busy with a minute ago?")
    assert "in the middle of your standup" in stopped.text
    assert stopped.pending is None

    paused = await say(here, "start my standup", "later", "what did I leave half finished")
    assert paused.pending == "offer"
    assert (await say(here, "yes")).process == "standup"


async def test_where_nothing_was_left_it_is_told_how_things_stand(here: World) -> None:
    said = await say(here, "what was I in the midst of here?")

    assert "waits" in said.text


async def test_two_questions_in_a_breath_are_looked_up_apart(here: World) -> None:
    said = await say(here, "is it two weeks that we close in August, I keep forgetting")

    assert "two weeks in August" in said.text


async def test_a_wish_for_another_process_at_an_open_offer_is_heard() -> None:
    async with world([]) as here:
        offered = await here.talk.say("hello")
        assert (offered.pending, offered.process) == ("offer", "onboarding")

        assert (await here.talk.say("could we do the standup now")).process == "standup"
