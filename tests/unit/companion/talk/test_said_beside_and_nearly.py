"""Wishes beside a note, slips in a wish, what cannot be done with a note, how many there are, and who is let in or out."""

from collections.abc import AsyncIterator
from time import process_time

import pytest

from softrail.companion.understanding.phrases import phrases
from softrail.companion.understanding.wishes import wishes
from softrail.testing import FrozenClock
from tests.unit.companion.talk.kit import Talk, companion_talk
from tests.unit.companion.talk.world import furnished, standing


@pytest.fixture
async def c(frozen: FrozenClock) -> AsyncIterator[Talk]:
    async with companion_talk(frozen) as talk:
        yield talk


# -- a note and what is wished beside it


@pytest.mark.parametrize(
    ("message", "noted"),
    [
        ("remember that the well is deep and withdraw note 4", "the well is deep"),
        ("please note that Otto mends the gate, and then archive Marathon", "Otto mends the gate"),
        ("keep in mind that hay is dear and rename Choir News to Song News", "hay is dear"),
        ("remember that the ram is ill and save notes 5 and 6", "the ram is ill"),
    ],
)
async def test_a_change_wished_beside_a_note_is_shown_first_and_no_part_of_the_note(
    c: Talk, message: str, noted: str
) -> None:
    world = await furnished(c)
    before = await standing(c, world)
    said = await c.say(message, project_id=world.here)
    done = await standing(c, world)

    assert done.pop("9") == ("waiting", noted)
    assert done == before, "a change that shares a sentence with a note is asked about"
    assert said.pending == "clarify"
    await c.say("Yes", project_id=world.here)
    after = await standing(c, world)
    assert {name: after[name] for name in before} != before


@pytest.mark.parametrize(
    ("message", "noted"),
    [
        ("note that the hens lay well and group my notes", "the hens lay well"),
        ("remember: the press is borrowed. Organise the notes.", "the press is borrowed"),
    ],
)
async def test_notes_are_grouped_where_that_is_wished_beside_a_note(
    c: Talk, message: str, noted: str
) -> None:
    world = await furnished(c)
    said = await c.say(message, project_id=world.here)

    assert said.effects == ["note_saved", "organise_requested"]
    assert (await standing(c, world))["9"] == ("waiting", noted)


@pytest.mark.parametrize(
    "noted",
    [
        "we sweep the yard and organise the notes",
        "I write to the bank and list the projects for them",
        "Rosa keeps the keys and the stamps",
        "the board wants to save water and remove the fence",
    ],
)
async def test_what_the_persons_of_a_note_do_stays_in_it(c: Talk, noted: str) -> None:
    world = await furnished(c)
    said = await c.say(f"remember that {noted}", project_id=world.here)

    assert (await standing(c, world))["9"] == ("waiting", noted)
    assert said.effects == ["note_saved"]


@pytest.mark.parametrize(
    "noted",
    [
        "the poster is torn and replace it",
        "the gate is open and close it",
        "the hinges squeak, and fix them",
        "the old sign hangs there and take it away",
    ],
)
async def test_what_is_to_be_done_with_what_a_note_tells_of_stays_in_it(c: Talk, noted: str) -> None:
    world = await furnished(c)
    said = await c.say(f"note that {noted}", project_id=world.here)

    assert (await standing(c, world))["9"] == ("waiting", noted)
    assert said.effects == ["note_saved"]


@pytest.mark.parametrize(
    "message", ["note that the sink drips and save it", "note that the sink drips. Save it."]
)
async def test_a_note_that_is_to_be_kept_in_the_same_breath_is_saved_and_no_other(
    c: Talk, message: str
) -> None:
    world = await furnished(c)
    before = await standing(c, world)
    await c.say(message, project_id=world.here)
    after = await standing(c, world)

    assert after.pop("9") == ("saved", "the sink drips")
    assert after == before


async def test_a_note_that_is_to_go_in_the_same_breath_takes_no_other_with_it(c: Talk) -> None:
    world = await furnished(c)
    before = await standing(c, world)
    await c.say("show note 1", project_id=world.here)
    await c.say("note that the sink drips. Withdraw it.", project_id=world.here)
    after = await standing(c, world)

    assert after.pop("9") == ("waiting", "the sink drips")
    assert after == before


async def test_what_else_is_wished_beside_such_a_note_is_a_wish(c: Talk) -> None:
    world = await furnished(c)
    said = await c.say("note that the poster is torn and replace it and save note 4", project_id=world.here)

    assert "the poster is torn" in (await standing(c, world))["9"][1]
    assert said.pending == "clarify"


async def test_what_is_to_be_done_one_day_stays_whole(c: Talk) -> None:
    world = await furnished(c)
    await c.say("don't forget to mow the lawn and tidy up the notes", project_id=world.here)

    assert (await standing(c, world))["9"] == ("waiting", "mow the lawn and tidy up the notes")


@pytest.mark.parametrize(
    "message",
    [
        "find the milk note and drop it",
        "find the milk note and get rid of it",
        "find the milk note and take it back",
        "show me the note about the vet and withdraw it",
    ],
)
async def test_it_is_what_was_looked_for_and_asked_about(c: Talk, message: str) -> None:
    world = await furnished(c)
    before = await standing(c, world)
    said = await c.say(message, project_id=world.here)

    assert await standing(c, world) == before
    assert said.pending == "clarify"
    await c.say("Yes", project_id=world.here)
    changed = [one for one, how in (await standing(c, world)).items() if how != before[one]]
    assert changed == (["6"] if "milk" in message else ["5"])


# -- slips, and words that are said of projects


@pytest.mark.parametrize(
    ("message", "after"),
    [
        ("delte note 3", {"3": "withdrawn"}),
        ("svae notes 4 and 5", {"4": "saved", "5": "saved"}),
        ("withdarw noet 6", {"6": "withdrawn"}),
        ("archive note 2", {"2": "withdrawn"}),
        ("bring back note 4", {"4": "saved"}),
    ],
)
async def test_a_wish_with_a_slip_is_shown_first_and_then_done(
    c: Talk, message: str, after: dict[str, str]
) -> None:
    world = await furnished(c)
    before = await standing(c, world)
    said = await c.say(message, project_id=world.here)

    assert await standing(c, world) == before
    assert said.reply.suggested_actions[:2] == ["Yes", "No"]
    await c.say("Yes", project_id=world.here)
    done = await standing(c, world)
    assert {n: how[0] for n, how in done.items() if how != before[n]} == after


@pytest.mark.parametrize("message", ["close it", "retire it", "please close this"])
async def test_what_may_end_anything_archives_nothing_unasked(c: Talk, message: str) -> None:
    world = await furnished(c)
    before = await standing(c, world)
    await c.say(message, project_id=world.here)

    assert await standing(c, world) == before


async def test_what_a_note_is_to_say_goes_on_behind_its_verbs(c: Talk) -> None:
    world = await furnished(c)
    await c.say("change note 2 to we clean and close", project_id=world.here)

    assert (await standing(c, world))["2"][1] == "we clean and close"


@pytest.mark.parametrize(
    "word", ["share", "move", "list", "Dropp", "saves", "deleted", "clone", "exit", "forge", "storm", "stone"]
)
def test_a_word_that_people_say_and_a_name_are_no_slips(word: str) -> None:
    assert not wishes(f"Anna {word} note 3").nearly


@pytest.mark.parametrize(
    "message", ["delete none of them", "clone note 3", "my nose hurts", "the node is down", "exit now please"]
)
async def test_a_word_that_is_only_like_one_of_a_wish_offers_nothing(c: Talk, message: str) -> None:
    world = await furnished(c)
    before = await standing(c, world)
    said = await c.say(message, project_id=world.here)

    assert await standing(c, world) == before
    assert said.reply.suggested_actions[:2] != ["Yes", "No"], said.text
    assert "I'm not sure what you want with notes" not in said.text


def test_what_a_note_is_to_say_holds_no_slips() -> None:
    wish = wishes("change note 2 to we deliver noets and delte the rest")

    assert not wish.nearly
    assert [one.text for one in wish.clauses] == ["we deliver noets and delte the rest"]


async def test_one_note_but_not_another_is_that_one(c: Talk) -> None:
    world = await furnished(c)
    before = await standing(c, world)
    await c.say("keep 5 but not 6", project_id=world.here)
    done = await standing(c, world)

    assert [n for n, how in done.items() if how != before[n]] == ["5"]


# -- what cannot be done with a note, and what names one alone


@pytest.mark.parametrize(
    "message", ["laminate note 3", "star note 3", "frame note 3 in gold", "is it wise to drop note 3?"]
)
async def test_what_nothing_does_with_a_note_is_said_with_what_helps(c: Talk, message: str) -> None:
    world = await furnished(c)
    before = await standing(c, world)
    said = await c.say(message, project_id=world.here)

    assert await standing(c, world) == before
    assert "“show note 3”" in said.text
    assert "Which note do you mean" not in said.text


@pytest.mark.parametrize(
    ("message", "shown"),
    [
        ("#5", ["#5"]),
        ("notes 1 and 7", ["#1", "#7"]),
        ("the last two notes please", ["#7", "#8"]),
        ("the waiting notes", ["#3", "#4", "#5", "#6"]),
    ],
)
async def test_notes_that_are_only_named_are_shown(c: Talk, message: str, shown: list[str]) -> None:
    world = await furnished(c)
    said = await c.say(message, project_id=world.here)

    assert said.intent == "ask_about_past_input"
    assert [number for number in (f"#{n}" for n in range(1, 9)) if number in said.text] == shown


@pytest.mark.parametrize(
    "message",
    [
        "how many notes have I got by now",
        "count the notes",
        "what's the total of my notes",
        "how many notes wait",
    ],
)
async def test_how_many_notes_there_are_is_counted(c: Talk, message: str) -> None:
    world = await furnished(c)
    said = await c.say(message, project_id=world.here)

    assert "8 notes: 4 saved, 4 waiting" in said.text


@pytest.mark.parametrize("message", ["which notes mention Bruno", "which of my notes mention the milk"])
async def test_notes_that_mention_something_are_searched(c: Talk, message: str) -> None:
    world = await furnished(c)
    said = await c.say(message, project_id=world.here)

    assert said.pending is None
    assert ("#6" in said.text) == ("milk" in message)
    assert ("No note" in said.text) == ("Bruno" in message)


# -- nothing on a guess


async def test_nothing_is_taken_back_where_nothing_was_spoken_of(c: Talk) -> None:
    world = await furnished(c)
    before = await standing(c, world)
    said = await c.say("drop it", project_id=world.here)

    assert await standing(c, world) == before
    assert said.reply.suggested_actions[:2] == ["Yes", "No"]


@pytest.mark.parametrize(
    "message",
    ["ungroup everything", "unorganise my notes", "don't group the notes", "delete all groups please"],
)
async def test_groups_that_are_not_wanted_are_not_made(c: Talk, message: str) -> None:
    world = await furnished(c)
    assert (await c.say(message, project_id=world.here)).effects == []


@pytest.mark.parametrize(
    "message",
    [
        "group my notes, I never know where they are",
        "organise my notes but don't lose any",
        "group the notes and forget nothing",
    ],
)
async def test_groups_are_made_whatever_else_is_not_wanted(c: Talk, message: str) -> None:
    world = await furnished(c)
    assert (await c.say(message, project_id=world.here)).effects == ["organise_requested"]


@pytest.mark.parametrize(
    "message",
    [
        "please take Viktor off the team",
        "throw Rosa out of the project",
        "give ines@example.org access",
        "let ines@example.org see this project",
        "share the project with ines@example.org",
        "take the rights from ines@example.org",
        "make Otto an owner of this project",
        "I'd like to leave this project",
    ],
)
async def test_who_is_let_in_or_out_is_said_to_be_done_elsewhere(c: Talk, message: str) -> None:
    world = await furnished(c)
    before = await standing(c, world)
    said = await c.say(message, project_id=world.here)

    assert await standing(c, world) == before
    assert said.pending is None
    assert "POST /projects/ID/members" in said.text


@pytest.mark.parametrize(
    "message",
    [
        "make sure that anna@example.org is in the loop",
        "get tickets from info@example.org in May",
        "get the project plan from ben@example.org",
        "set note 3 to: ask ben@example.org to come into the team",
    ],
)
async def test_an_address_in_what_is_told_lets_nobody_in_or_out(c: Talk, message: str) -> None:
    world = await furnished(c)
    said = await c.say(message, project_id=world.here)

    assert "POST /projects/ID/members" not in said.text


async def test_a_note_is_rewritten_with_an_address_in_it(c: Talk) -> None:
    world = await furnished(c)
    await c.say("set note 3 to: ask ben@example.org to come in", project_id=world.here)

    assert (await standing(c, world))["3"][1] == "ask ben@example.org to come in"


@pytest.mark.parametrize("message", ["let " + "a@" * 1_000, "give " * 400, "invite " + " " * 2_000 + "x"])
def test_who_is_let_in_is_told_apart_in_no_time(message: str) -> None:
    began = process_time()
    phrases().notes.manages_members(message)

    assert process_time() - began < 0.2, "the time grows no faster than the message"


async def test_what_is_taken_away_and_not_known_is_not_said_to_be_kept(c: Talk) -> None:
    world = await furnished(c)
    said = await c.say("remove the ladder from the project", project_id=world.here)

    assert "I can't tell what that takes away" in said.text


async def test_a_project_that_is_named_is_the_one_that_is_asked_about(c: Talk) -> None:
    world = await furnished(c)
    said = await c.say("could you put Old Mill among my projects again", project_id=world.here)

    assert "Bring back Old Mill" in said.text


@pytest.mark.parametrize("message", ["redo this please", "do it a second time", "the same once more"])
async def test_to_do_something_again_takes_nothing_back(c: Talk, message: str) -> None:
    world = await furnished(c)
    await c.say("save note 3", project_id=world.here)
    before = await standing(c, world)
    said = await c.say(message, project_id=world.here)

    assert await standing(c, world) == before
    assert said.intent == "general_conversation.redo"


# -- what is asked


@pytest.mark.parametrize("message", ["Choir News's notes please", "what are the notes of Choir News"])
async def test_notes_of_a_project_that_is_named_are_those_that_are_shown(c: Talk, message: str) -> None:
    world = await furnished(c)
    await c.companion.notes.add(c.me, world.projects["Choir News"], "The altos are ill", state="saved")
    said = await c.say(message, project_id=world.here)

    assert "The altos are ill" in said.text
    assert "budget" not in said.text


@pytest.mark.parametrize(
    ("message", "there"),
    [
        ("what did I note on the plan for marketing", False),
        ("what are the notes for marketing", False),
        ("what are the notes of the project marketing", True),
        ("what are the notes in the marketing project", True),
        ("marketing's notes please", True),
        ("what did I note in Marketing", True),
    ],
)
async def test_a_word_that_a_project_is_called_by_leads_nobody_out_of_their_own(
    c: Talk, message: str, there: bool
) -> None:
    world = await furnished(c)
    other = await c.project("Marketing")
    await c.companion.notes.add(c.me, other, "The plan is to print flyers", state="saved")
    said = await c.say(message, "ask_about_past_input", project_id=world.here)

    assert ("flyers" in said.text) == there


@pytest.mark.parametrize("message", ["how can I undo things", "why do you undo what you did"])
async def test_a_question_about_undoing_undoes_nothing(c: Talk, message: str) -> None:
    world = await furnished(c)
    await c.say("save note 3", project_id=world.here)
    before = await standing(c, world)
    said = await c.say(message, project_id=world.here)

    assert await standing(c, world) == before
    assert said.effects == []


async def test_whether_a_project_is_archived_is_told_and_not_changed(c: Talk) -> None:
    world = await furnished(c)
    said = await c.say("was Old Mill archived", project_id=world.here)

    assert said.pending is None
    assert "Old Mill is archived" in said.text


@pytest.mark.parametrize("message", ["delete what I said about the roof", "drop what I noted on the roof"])
async def test_a_note_is_meant_by_what_was_said_about(c: Talk, message: str) -> None:
    world = await furnished(c)
    await c.say(message, project_id=world.here)

    assert (await standing(c, world))["7"][0] == "withdrawn"


async def test_two_questions_of_one_message_are_both_answered(c: Talk) -> None:
    world = await furnished(c)
    said = await c.say("hello, how many notes are there and when is the launch?", project_id=world.here)

    assert "8 notes" in said.text
    assert "The launch is in June" in said.text
    other = await c.say("what's the budget and who is the contact at the bank?", project_id=world.here)
    assert "80k" in other.text
    assert "Anna" in other.text


async def test_where_there_are_no_files_that_is_said(c: Talk) -> None:
    world = await furnished(c)
    said = await c.say("which documents are here", project_id=world.here)

    assert "FarmGuard has no files yet" in said.text


async def test_who_speaks_of_notes_and_is_not_understood_hears_what_notes_are_good_for(c: Talk) -> None:
    world = await furnished(c)
    said = await c.say("iron all notes flat", project_id=world.here)

    assert said.effects == []
    assert "“find notes about …”" in said.text


@pytest.mark.parametrize(
    "message",
    [
        "bin collection is on Monday",
        "scrap metal comes on Friday",
        "the exit is on the left",
        "no 3 people sit there",
        "the store opens at nine",
    ],
)
async def test_what_is_told_is_offered_to_be_kept_whatever_its_words_could_be(c: Talk, message: str) -> None:
    world = await furnished(c)
    said = await c.say(message, "general_conversation", project_id=world.here)

    assert said.reply.suggested_actions == [f"Note: {message}"], said.text


@pytest.mark.parametrize(
    "message", ["remove the ladder that is broken", "delete what is wrong", "iron note 3"]
)
async def test_what_is_wished_is_not_offered_to_be_kept(c: Talk, message: str) -> None:
    world = await furnished(c)
    said = await c.say(message, "general_conversation", project_id=world.here)

    assert not any(one.startswith("Note: ") for one in said.reply.suggested_actions)


@pytest.mark.parametrize("message", ["laminate the notes", "burn my notes", "whisper the notes"])
async def test_what_is_only_like_a_wish_for_groups_makes_none(c: Talk, message: str) -> None:
    world = await furnished(c)
    assert (await c.say(message, project_id=world.here)).effects == []
