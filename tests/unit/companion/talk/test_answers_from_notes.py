"""A question that a note answers is answered by that note; a wish behind a note is a wish of its own."""

from collections.abc import AsyncIterator

import pytest

from softrail.testing import FrozenClock
from tests.unit.companion.talk.kit import Talk, companion_talk
from tests.unit.companion.talk.world import World, furnished


@pytest.fixture
async def c(frozen: FrozenClock) -> AsyncIterator[Talk]:
    async with companion_talk(frozen) as talk:
        yield talk


@pytest.fixture
async def world(c: Talk) -> World:
    return await furnished(c)


@pytest.mark.parametrize(
    ("asked", "note"),
    [
        ("What's the budget?", "#1: The budget is 80k"),
        ("when does the vet visit?", "#5 (waiting): The vet visits twice a year"),
        ("when is the launch?", "#8: The launch is in June"),
        ("who is our contact at the bank?", "#2: Anna is the contact at the bank"),
    ],
)
async def test_what_was_told_before_answers_a_question_with_its_number(
    c: Talk, world: World, asked: str, note: str
) -> None:
    answer = await c.say(asked, project_id=world.here)

    assert answer.text == f"The notes of FarmGuard say:\n{note}"
    assert answer.effects == []


async def test_of_notes_that_say_different_things_the_newest_comes_first(c: Talk, world: World) -> None:
    await c.say("remember that the budget is 90k", project_id=world.here)
    answer = await c.say("what is the budget?", project_id=world.here)

    assert answer.text.splitlines()[1:] == ["#9 (waiting): the budget is 90k", "#1: The budget is 80k"]


@pytest.mark.parametrize(
    "asked", ["what colour is the roof?", "who invented the printing press?", "how is it going?"]
)
async def test_a_question_that_no_note_answers_is_not_answered_from_notes(
    c: Talk, world: World, asked: str
) -> None:
    said = (await c.say(asked, project_id=world.here)).text
    assert not said.startswith(("The notes of FarmGuard say", "The notes of FarmGuard may answer"))


async def test_the_notes_of_another_project_answer_nothing_here(c: Talk, world: World) -> None:
    answer = await c.say("what's the budget?", project_id=world.projects["Marathon"])
    assert "80k" not in answer.text


async def test_a_note_and_a_wish_to_see_something_are_two_wishes(c: Talk, world: World) -> None:
    answer = await c.say("note that the hall is green, and show my projects", project_id=world.here)

    assert "“the hall is green”" in answer.text
    assert "- Choir News" in answer.text


@pytest.mark.parametrize(
    "text", ["the page has to list prices, and show totals", "we sell milk, and bread comes later"]
)
async def test_what_may_be_part_of_a_note_stays_in_it(c: Talk, world: World, text: str) -> None:
    assert f"“{text}”" in (await c.say(f"note that {text}", project_id=world.here)).text


@pytest.mark.parametrize("said", ["call it done", "name all the things I am working on"])
async def test_a_project_is_not_renamed_by_what_is_no_name(c: Talk, world: World, said: str) -> None:
    assert (await c.say(said, project_id=world.here)).effects == []


@pytest.mark.parametrize(
    ("asked", "note"),
    [
        ("Who owns the projector?", "#9 (waiting): the projector belongs to Olga"),
        ("what time does the bus leave?", "#10 (waiting): the bus leaves at nine"),
    ],
)
async def test_a_question_about_a_thing_is_answered_by_the_note_that_speaks_of_it(
    c: Talk, world: World, asked: str, note: str
) -> None:
    for told in ("the projector belongs to Olga", "the bus leaves at nine"):
        await c.say(f"remember that {told}", project_id=world.here)

    assert note in (await c.say(asked, project_id=world.here)).text


async def test_who_has_a_thing_that_no_note_speaks_of_is_no_question_about_members(
    c: Talk, world: World
) -> None:
    assert "who has the key?" in (await c.say("who has the key?", project_id=world.here)).text  # may be kept
    assert "alone" in (await c.say("who is in FarmGuard?", project_id=world.here)).text
