"""An open question is changed by what is said to it, a note by what it has otherwise, and a process tells of itself."""

import pytest

from benchmarks.free import World
from tests.unit.companion.talk.bakery import say


@pytest.mark.parametrize(
    ("asked", "changed", "done"),
    [
        ("save notes 3, 4 and 6", "but number 6 not", {"3": "saved", "4": "saved"}),
        ("withdraw 4 and 5", "no, only the flour one", {"5": "withdrawn"}),
        ("withdraw the vet note and the window note", "leave out the vet", {"6": "withdrawn"}),
        ("save 3 and 5", "and 4 too", {"3": "saved", "4": "saved", "5": "saved"}),
        ("withdraw 4, 5 and 6", "yes to 4", {"4": "withdrawn"}),
        ("withdraw 4, 5 and 6", "ok for the flour", {"5": "withdrawn"}),
        ("withdraw 4, 5 and 6", "yes but keep 5", {"4": "withdrawn", "6": "withdrawn"}),
        ("save 4 and 6", "sure, at least the vet", {"4": "saved"}),
    ],
)
async def test_what_is_shown_is_shown_anew_without_what_is_not_meant(
    here: World, asked: str, changed: str, done: dict[str, str]
) -> None:
    before = await here.standing()
    shown = await say(here, asked, changed)
    assert shown.pending == "clarify"
    assert await here.standing() == before

    await say(here, "yes")

    assert here.changed(before, await here.standing()) == {"notes": done}


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("yes, and the window one", "I haven't acted on this yet: “and the window one”"),
        ("yes, and the oven is repaired since Monday", "I've noted for Corner Bakery: “the oven is repaired"),
        ("yes but keep the vet note", "Save note #4"),
        ("yes please but rename the bakery first to Crust", "Call Corner Bakery “Crust” from now on"),
    ],
)
async def test_a_yes_is_done_and_what_is_said_behind_it_is_not_lost(
    here: World, said: str, told: str
) -> None:
    before = await here.standing()

    heard = await say(here, "delete the flour note", said)

    assert here.changed(before, await here.standing())["notes"] == {"5": "withdrawn"}
    assert told in heard.text


@pytest.mark.parametrize(
    "said",
    [
        "yes, we don't need it any more",
        "yes, wait, leave it",
        "yes, what does it say?",
        "yes, if it is an old one",
        "and it's Thursday",
    ],
)
async def test_nothing_is_done_upon_a_yes_that_may_be_none(here: World, said: str) -> None:
    before = await here.standing()

    heard = await say(here, "delete the flour note", said)

    assert here.changed(before, await here.standing()) == {}
    assert heard.text != "All right, never mind."


async def test_of_several_projects_one_is_agreed_to(here: World) -> None:
    before = await here.standing()

    await say(here, "archive Blue Kite and recap", "yes for Recap", "yes")

    assert here.changed(before, await here.standing()) == {"archived": ["Recap"]}


async def test_of_several_projects_one_is_spared(here: World) -> None:
    before = await here.standing()

    await say(here, "archive Blue Kite and recap", "not Recap", "yes")

    assert here.changed(before, await here.standing()) == {"archived": ["Blue Kite"]}


@pytest.mark.parametrize(
    ("said", "number", "says"),
    [
        (
            "the walls are fine, flour comes on Friday not Tuesday",
            "5",
            "Flour deliveries come on Friday morning",
        ),
        (
            "the vet buys fifteen rolls, please correct that",
            "4",
            "The vet next door buys fifteen rolls every Monday",
        ),
        ("note 6: the window has a new pane", "6", "The window has a new pane"),
    ],
)
async def test_a_note_that_is_told_otherwise_is_put_right_once_it_was_shown(
    here: World, said: str, number: str, says: str
) -> None:
    before = await here.standing()
    shown = await say(here, said)
    assert says in shown.text
    assert await here.standing() == before

    await say(here, "yes")

    assert here.changed(before, await here.standing()) == {"texts": {number: says}}


@pytest.mark.parametrize(
    ("asked", "hears"),
    [
        ("how many questions will you put to me?", "7 of 7 questions are still open"),
        ("will this take much longer?", "7 of 7 questions are still open"),
        ("what is this information for?", "become a new project"),
        ("who gets to see what I answer?", "become a new project"),
    ],
)
async def test_a_process_tells_of_itself_and_asks_on(here: World, asked: str, hears: str) -> None:
    begun = await say(here, "create a project")

    said = await say(here, asked)

    assert hears in said.text
    assert said.text.endswith("What is the work about? A sentence or two is enough.")
    assert (said.process, said.step) == (begun.process, begun.step)


async def test_a_question_that_one_other_project_answers_is_answered_from_there(here: World) -> None:
    said = await say(here, "how many kilometres long is the walk?")

    assert "four kilometres" in said.text


async def test_a_project_is_gone_on_with_by_a_part_of_its_name(here: World) -> None:
    said = await say(here, "all right, let's hop over to the harbor")

    assert said.text.startswith("We go on with Harbor Walk")
