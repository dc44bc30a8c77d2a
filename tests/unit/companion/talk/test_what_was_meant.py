"""What people say and mean of several notes and projects at once: exceptions by content, names, "it", "too", "none"."""

from collections.abc import AsyncIterator
from typing import Any

import pytest

from softrail.companion.understanding.phrases import phrases
from softrail.testing import FrozenClock
from tests.unit.companion.talk.kit import Talk, companion_talk
from tests.unit.companion.talk.world import World, furnished, standing


@pytest.fixture
async def c(frozen: FrozenClock) -> AsyncIterator[Talk]:
    async with companion_talk(frozen) as talk:
        yield talk


async def became(c: Talk, world: World, *said: str) -> dict[str, Any]:
    """What became of what, after these messages and a yes where one is asked for."""
    before = await standing(c, world)
    for message in said:
        answer = await c.say(message, project_id=world.here)
    if answer.pending == "clarify" and "Yes" in answer.reply.suggested_actions:
        await c.say("Yes", project_id=world.here)
    after = await standing(c, world)
    return {key: value[0] for key, value in after.items() if before.get(key) != value}


@pytest.mark.parametrize(
    ("message", "means"),
    [
        ("withdraw note 3 and the milk one", {"3": "withdrawn", "6": "withdrawn"}),
        ("keep the fence note, the vet note and the milk note", {"3": "saved", "5": "saved", "6": "saved"}),
        ("save both the fence and the milk note", {"3": "saved", "6": "saved"}),
        ("save everything except the milk one", {"3": "saved", "4": "saved", "5": "saved"}),
        (
            "drop all the waiting notes but the one about deliveries",
            {"3": "withdrawn", "5": "withdrawn", "6": "withdrawn"},
        ),
        ("bin 3 to 6 apart from 5 and the fence one", {"4": "withdrawn", "6": "withdrawn"}),
        ("save three and six", {"3": "saved", "6": "saved"}),
        ("delete notes one and two", {"1": "withdrawn", "2": "withdrawn"}),
        ("save 4", {"4": "saved"}),
        ("save 5... actually 6", {"6": "saved"}),
        ("nobody needs note 7, so drop it", {"7": "withdrawn"}),
        ("that milk note is wrong, get rid of it", {"6": "withdrawn"}),
        ("the fence one can go", {"3": "withdrawn"}),
        ("3 can go, 4 can stay", {"3": "withdrawn", "4": "saved"}),
        ("note 5 you can save", {"5": "saved"}),
        ("keep all but the one on the vet", {"3": "saved", "4": "saved", "6": "saved"}),
        ("don't save the fence note, save the milk note", {"6": "saved"}),
        ("save nothing but note 4", {"4": "saved"}),
        ("drop the first two", {}),
        ("one and two can go", {"1": "withdrawn", "2": "withdrawn"}),
        ("two and three can go", {"2": "withdrawn", "3": "withdrawn"}),
        ("drop one and two", {"1": "withdrawn", "2": "withdrawn"}),
        ("don't keep 4, the rest can go", {}),
        ("I'd rather you didn't withdraw note 3", {}),
    ],
)
async def test_notes_are_meant_by_number_by_word_and_by_what_they_say(
    c: Talk, message: str, means: dict[str, str]
) -> None:
    assert await became(c, await furnished(c), message) == means


@pytest.mark.parametrize(
    "message",
    ["delete none of them", "remove nothing", "withdraw not a single note", "archive none of my projects"],
)
async def test_what_is_to_be_done_to_none_is_not_done_and_no_wish_to_erase(c: Talk, message: str) -> None:
    world = await furnished(c)
    said = await c.say(message, project_id=world.here)

    assert (said.effects, said.pending) == ([], None)
    assert "DELETE" not in said.text


async def test_nothing_is_taken_back_while_it_is_not_known_what_is_spared(c: Talk) -> None:
    world = await furnished(c)

    assert await became(c, world, "withdraw everything except the piano note") == {}


@pytest.mark.parametrize("name", ["Recap", "Open", "Notes", "Help", "Standup"])
async def test_a_project_may_be_called_as_a_wish_is(c: Talk, name: str) -> None:
    world = await furnished(c)
    project = await c.project(name)

    chosen = await c.say(f"open {name}", project_id=world.here)
    assert chosen.effects == ["project_chosen"]
    await c.say(f"archive {name}", project_id=world.here)
    await c.say("Yes", project_id=world.here)
    details = {one.id: one.archived for one in await c.companion.projects.details(c.me)}
    assert [one for one in details if details[one]] == [world.projects["Old Mill"], project]


async def test_what_follows_joins_on_to_what_was_done_or_shown(c: Talk) -> None:
    world = await furnished(c)

    assert await became(c, world, "save note 3", "and 5 too") == {"3": "saved", "5": "saved"}
    assert await became(c, world, "find milk", "save this one") == {"6": "saved"}


@pytest.mark.parametrize(
    "told",
    ["remember that the mill opens at nine", "change note 1 to The budget is 90k"],
)
async def test_nothing_joins_on_to_what_was_only_told_or_written(c: Talk, told: str) -> None:
    world = await furnished(c)
    await c.say(told, project_id=world.here)
    said = await c.say("and 5 too", project_id=world.here)

    assert (said.effects, said.pending) == ([], None)
    assert "The vet visits twice a year" in said.text


async def test_a_fact_beside_the_note_that_is_dropped_is_named(c: Talk) -> None:
    world = await furnished(c)
    said = await c.say("The milk note is wrong, the shop closes at six. Drop it", project_id=world.here)

    assert "#6" in said.text
    assert "the shop closes at six" in said.text


async def test_a_price_is_no_number_of_a_note(c: Talk) -> None:
    world = await furnished(c)
    message = "The milk note needs the new price of 4 euros, drop it"

    assert await became(c, world, message) == {"6": "withdrawn"}


@pytest.mark.parametrize("verb", ["keep", "save"])
async def test_it_is_asked_what_the_rest_is_where_one_is_not_to_be_kept(c: Talk, verb: str) -> None:
    world = await furnished(c)
    said = await c.say(f"don't {verb} 4, the rest can go", project_id=world.here)

    assert (said.effects, said.pending) == ([], "clarify")


async def test_another_note_than_the_one_before_was_meant(c: Talk) -> None:
    world = await furnished(c)

    assert await became(c, world, "withdraw note 6", "sorry, not 6, I meant 5") == {"5": "withdrawn"}


@pytest.mark.parametrize(
    ("message", "hears"),
    [
        ("list my projects and my notes", ("Blue Harbor", "The budget is 80k")),
        ("how many notes are there and which projects", ("8 notes", "Choir News")),
        ("show me what waits and the members", ("Milk is sold", "You are alone")),
        ("notes?", ("The launch is in June",)),
        ("show the notes that are not yet saved", ("Milk is sold",)),
    ],
)
async def test_several_things_of_one_verb_are_all_shown(
    c: Talk, message: str, hears: tuple[str, ...]
) -> None:
    world = await furnished(c)
    said = await c.say(message, project_id=world.here)

    assert [words for words in hears if words not in said.text] == []


@pytest.mark.parametrize(
    ("message", "hears"),
    [
        ("find vet", "The vet visits twice a year"),
        ("hm, what was it that I said about the fence", "The fence on the north side is broken"),
        ("just curious, how many notes have I got by now?", "8 notes"),
        ("tell me more about the barn", "The barn needs a new roof"),
    ],
)
async def test_what_was_told_is_found_however_it_is_asked_for(c: Talk, message: str, hears: str) -> None:
    world = await furnished(c)

    assert hears in (await c.say(message, project_id=world.here)).text


async def test_one_of_those_listed_is_chosen_by_its_place(c: Talk) -> None:
    world = await furnished(c)
    await c.say("show my projects", project_id=world.here)

    assert (await c.say("open the third one", project_id=world.here)).text == "We go on with Choir News."


async def test_it_is_the_project_that_was_spoken_of_just_before(c: Talk) -> None:
    world = await furnished(c)
    said = await c.say("get Marathon out of my sight, archive it", project_id=world.here)

    assert "Archive Marathon" in said.text


@pytest.mark.parametrize(
    "message",
    ["tell Anna that we are late", "please ring the vet", "could you write to the bank on my behalf"],
)
async def test_what_somebody_else_is_to_be_told_is_no_note(c: Talk, message: str) -> None:
    world = await furnished(c)
    said = await c.say(message, project_id=world.here)

    assert (said.intent, said.effects) == ("general_conversation.sending", [])


@pytest.mark.parametrize(
    "fact",
    [
        "Phone number of the plumber is 555 123",
        "Phone: the plumber has a new number",
        "phone lines are down at the office",
        "Ring road is closed on Monday",
        "fax is broken since Tuesday",
        "mail comes for me on Monday",
        "mail to the office for me comes on Monday",
        "Text messages for me go to the office",
    ],
)
def test_a_fact_of_a_phone_or_the_mail_is_no_message_to_pass_on(fact: str) -> None:
    assert not phrases().passes_on(fact)


@pytest.mark.parametrize(
    "wish",
    [
        "ring Anna please",
        "can you fax the contract to the bank",
        "phone my landlord and say that I am late",
        "call a plumber for me",
        "call to the roofer for me",
        "could you write to the bank on my behalf",
        "send flowers to Ana for me",
    ],
)
def test_a_message_to_pass_on_has_somebody_it_is_for(wish: str) -> None:
    assert phrases().passes_on(wish)


@pytest.mark.parametrize(
    ("message", "begins"),
    [
        ("new project: Bee House", True),
        ("a new project called Bee House about bees that are on roofs", True),
        ("I'd like to start a new project called Muse", True),
        ("can you set up a new project named Muse for us", True),
        ("a new project called Muse was archived", False),
        ("we have a new project called Muse at the school", False),
        ("I have a new project called Muse and need note 3 saved", False),
        ("I want to know if the new project called Muse is there", False),
    ],
)
def test_a_project_is_begun_where_it_is_wanted_and_not_where_it_is_told_of(
    message: str, begins: bool
) -> None:
    assert phrases().begins_named(message) is begins


@pytest.mark.parametrize(
    ("question", "hears"),
    [
        ("who else sees this?", "Your conversations are shown to nobody else"),
        ("what are you exactly?", "program"),
        ("is this being recorded?", "kept in the database"),
    ],
)
async def test_a_question_about_the_assistant_is_answered_within_a_description(
    c: Talk, question: str, hears: str
) -> None:
    begun = await c.say("I want to build an app for booking tennis courts", "create_project")
    said = await c.say(question)

    assert hears in said.text or "Only you see your conversations" in said.text
    assert said.text.endswith("What shall we call it?")
    assert (said.process, said.step) == (begun.process, begun.step)


async def test_courtesy_behind_a_text_is_no_part_of_it(c: Talk) -> None:
    world = await furnished(c)
    await c.say("change note 1 to The budget is 90k, if you would.", project_id=world.here)

    assert (await standing(c, world))["1"] == ("saved", "The budget is 90k")


@pytest.mark.parametrize(
    "message",
    [
        "please take down that the mill opens at nine",
        "note the mill opens at nine and has a shop",
        "write that down properly: the mill opens at nine",
        "I'd like you to note that the mill opens at nine",
    ],
)
async def test_what_is_to_be_taken_down_is_noted_however_it_is_asked_for(c: Talk, message: str) -> None:
    world = await furnished(c)
    await c.say(message, project_id=world.here)

    assert (await standing(c, world))["9"][1].startswith("the mill opens at nine")


@pytest.mark.parametrize(
    ("message", "name", "what"),
    [
        ("start a project called Bee House about bees on roofs", "Bee House", "bees on roofs"),
        ("new project: Bee House", "Bee House", None),
        ("create a project named Bee House. It's about bees on roofs", "Bee House", "bees on roofs"),
    ],
)
async def test_what_begins_a_description_is_part_of_it(
    c: Talk, message: str, name: str | None, what: str | None
) -> None:
    said = await c.say(message, "create_project")
    draft = said.reply.draft_specification or ""  # type: ignore[attr-defined] # a field the companion adds

    assert (name is None) == (not draft.startswith("# "))
    assert (name or "") in draft
    assert (what or "") in draft
