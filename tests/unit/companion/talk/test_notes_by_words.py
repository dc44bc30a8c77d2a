"""Notes by words: what is to be noted always is, a question never is, and a yes means the note just spoken of."""

from collections.abc import AsyncIterator

import pytest

from softrail.companion.understanding.phrases import phrases
from softrail.companion.understanding.wishes import wishes
from softrail.testing import FrozenClock
from tests.unit.companion.talk.kit import Talk, companion_talk


@pytest.fixture
async def c(frozen: FrozenClock) -> AsyncIterator[Talk]:
    async with companion_talk(frozen) as talk:
        yield talk


ALWAYS = {
    "remember that we want to create a project for the school later": "we want to create a project for the school later",
    "Remember that John approves the drafts": "John approves the drafts",
    "remember that the standup is at 10": "the standup is at 10",
    "remember that I am q": "I am q",
    "Remember that the deadline is March 15th.": "the deadline is March 15th",
    "Please note that nothing is to be saved": "nothing is to be saved",
    "remember that she asked: who pays? Then she left.": "she asked: who pays? Then she left.",
    "**Remember that** the **roof** leaks": "the **roof** leaks",
    "“Remember that the roof leaks”": "the roof leaks",
    "remember the milk": "the milk",
    "don’t forget to call the bank": "call the bank",
    "note:\n- one\n- two": "- one\n- two",
    "Could you remember that the roof leaks?": "the roof leaks",
    "remember that " + "the barn is old. Is it? " * 390 + "Yes.": "the barn is old. Is it? " * 390 + "Yes.",
}


@pytest.mark.parametrize("message", ALWAYS, ids=lambda message: message[:40])
async def test_what_is_to_be_remembered_is_noted_whatever_it_holds(c: Talk, message: str) -> None:
    project = await c.project()
    said = await c.say(message, project_id=project)
    assert said.intent == "add_knowledge"
    assert [(note.text, note.state) for note in await c.notes(project)] == [(ALWAYS[message], "waiting")]


@pytest.mark.parametrize(
    "message", ["do you remember that the roof leaks?", "remember the milk?", "remember that", "remember me"]
)
def test_what_asks_for_no_note_is_none(message: str) -> None:
    assert phrases().aside(message) == ""


def test_however_often_a_word_stands_there_reading_ends() -> None:
    for head in ("please ", "can you please ", "and then "):
        assert phrases().aside(head * 3_000) == ""
        assert not wishes(head * 3_000).sure


@pytest.mark.parametrize("message", ["remember in Beta that it rains", "for Beta: remember that it rains"])
async def test_a_note_goes_to_the_project_that_is_named_for_it(c: Talk, message: str) -> None:
    alpha, beta = await c.project("Alpha"), await c.project("Beta")
    said = await c.say(message, project_id=alpha)
    assert said.text.startswith("I've noted for Beta: “it rains”.")
    assert [note.text for note in await c.notes(beta)] == ["it rains"]
    assert (await c.say("save it", project_id=alpha)).text == "Note #1 of Beta is saved."
    assert await c.notes(alpha) == []


async def test_a_project_that_is_not_there_loses_no_word(c: Talk) -> None:
    alpha = await c.project("Alpha")
    await c.say("remember in Delta that it rains", project_id=alpha)
    assert [note.text for note in await c.notes(alpha)] == ["remember in Delta that it rains"]


async def test_a_note_and_a_question_of_one_message_are_both_heard(c: Talk) -> None:
    project = await c.project()
    said = await c.say(
        "Remember that our budget is ten thousand. What have I told you about the soil?", project_id=project
    )
    assert said.effects == ["note_saved"]
    assert all("budget is ten thousand" in note.text for note in await c.notes(project))


@pytest.mark.parametrize(
    "message",
    ["when is the deadline?", "do we use Postgres?", "who is our customer?", "do we use Postgres for it"],
)
async def test_a_question_is_never_noted(c: Talk, message: str) -> None:
    project = await c.project()
    said = await c.say(message, project_id=project)
    assert said.effects == []
    assert await c.notes(project) == []


@pytest.mark.parametrize(
    ("answer", "state"),
    [
        ("Yes.", "saved"),
        ("Yes please", "saved"),
        ("ok", "saved"),
        ("no", "withdrawn"),
        ("forget it", "withdrawn"),
        ("later", "waiting"),
    ],
)
async def test_a_bare_answer_is_to_the_note_just_made(c: Talk, answer: str, state: str) -> None:
    project = await c.project()
    await c.say("remember that it rains", project_id=project)
    await c.say(answer, project_id=project)
    assert [note.state for note in await c.notes(project)] == [state]


@pytest.mark.parametrize("between", ["how is it going?", "thanks", "hello"])
async def test_a_turn_later_a_bare_answer_means_nothing(c: Talk, between: str) -> None:
    project = await c.project()
    await c.say("remember that it rains", project_id=project)
    await c.say(between, project_id=project)
    assert (await c.say("yes", project_id=project)).effects == []
    assert [note.state for note in await c.notes(project)] == ["waiting"]


async def test_a_bare_answer_in_another_session_means_nothing(c: Talk) -> None:
    project = await c.project()
    await c.say("remember that it rains", project_id=project)
    c.talk.session_id = None
    assert (await c.say("yes", project_id=project)).effects == []


async def test_saving_twice_stays_with_the_note_and_says_what_else_waits(c: Talk) -> None:
    project = await c.project()
    for what in ("it rains", "it snows"):
        await c.say(f"remember that {what}", project_id=project)
    first = await c.say("save it", project_id=project)
    second = await c.say("save it", project_id=project)
    assert first.text == "Note #2 of FarmGuard is saved. Still waiting: #1. “Save all” keeps those too."
    assert (second.effects, second.text[:28]) == ([], "Saved already in FarmGuard: ")
    assert [note.state for note in await c.notes(project)] == ["waiting", "saved"]

    await c.say("withdraw it", project_id=project)
    assert [note.state for note in await c.notes(project)] == ["waiting", "withdrawn"]
    await c.say("keep them all", project_id=project)
    assert [note.state for note in await c.notes(project)] == ["saved", "withdrawn"]


@pytest.mark.parametrize(
    "message",
    [
        "save the whales",
        "save all the whales",
        "forget everything I told you",
        "did you save it?",
        "don't delete note 1",
        "save the note about snow",
    ],
)
async def test_what_is_no_clear_wish_changes_no_note(c: Talk, message: str) -> None:
    project = await c.project()
    await c.say("remember that it rains", project_id=project)
    said = await c.say(message, project_id=project)
    assert said.effects == []
    assert [note.state for note in await c.notes(project)] == ["waiting"]


async def test_a_note_is_shown_and_changed_by_number(c: Talk) -> None:
    project = await c.project()
    await c.say("remember that it rains", project_id=project)
    assert "#1 (waiting): it rains" in (await c.say("list note 1", project_id=project)).text
    said = await c.say("change note 1 to a CRM for vets", project_id=project)
    assert said.text == "Note #1 of FarmGuard now says: “a CRM for vets”."
    assert [(note.text, note.state) for note in await c.notes(project)] == [("a CRM for vets", "waiting")]
    assert (await c.say("list note 9", project_id=project)).text == "There is no note #9 in FarmGuard."


async def test_a_question_that_the_notes_may_answer_is_answered_with_them(c: Talk) -> None:
    project = await c.project()
    await c.say("remember that the deadline is in May", project_id=project)
    said = await c.say("do you remember that the deadline is in May?", project_id=project)
    assert said.effects == []
    assert "the deadline is in May" in said.text


async def test_who_it_is_and_what_it_cannot_do_are_said(c: Talk) -> None:
    project = await c.project()
    renamed = await c.say("rename the project to Molar 2", project_id=project)
    assert (renamed.text, renamed.effects) == ("FarmGuard is called Molar 2 now.", ["project_changed"])
    assert "owners" in (await c.say("invite bob@x.org to the project", project_id=project)).text
    assert (await c.say("who are you?", project_id=project)).text.startswith("I'm Companion")


# -- while a project is described


async def test_before_anything_was_told_of_a_new_project_that_is_said(c: Talk) -> None:
    await c.say("create a project")
    said = await c.say("what have I told you?", "ask_about_past_input")
    assert said.text.startswith("You have told me nothing of your new project yet.")


async def test_what_is_not_kept_while_describing_is_said_with_the_way_to_keep_it(c: Talk) -> None:
    await c.say("create a project")
    await c.say("an irrigation planner for farmers")
    said = await c.say("the fields are wet", "add_knowledge")
    assert said.effects == []
    assert said.text.startswith("Notes: the fields are wet.")
    files = await c.say("the report please", "request_download")
    assert files.text.startswith("Your new project is not created yet, so it has no notes and no files.")


async def test_a_new_project_that_is_described_is_not_ready_and_that_is_said(c: Talk) -> None:
    await c.say("create a project")
    said = await c.say("is the project ready?")
    assert "No project is being described" not in said.text
    assert said.process == "seed_conversation"


CORRECTED = {
    "Remember that the deadline is March 3. No, sorry, March 5.": "the deadline is March 5",
    "Remember that the deadline is March 3. wait, I got that wrong. It's March 5.": "the deadline is March 5",
    "Remember that our shop opens at nine. Instead of invoices we send receipts.": (
        "our shop opens at nine. Instead of invoices we send receipts."
    ),
}


@pytest.mark.parametrize("message", CORRECTED, ids=lambda message: message[-30:])
async def test_a_note_holds_what_was_meant_in_the_end(c: Talk, message: str) -> None:
    project = await c.project()
    await c.say(message, project_id=project)
    assert [note.text for note in await c.notes(project)] == [CORRECTED[message]]


@pytest.mark.parametrize(
    "message",
    [
        "delete 2 notes",
        "remove 1 note please",
        "save the 2 notes",
        "save 1 of my notes",
        "save all 2 notes",
        "drop the 2 latest notes",
        "save the 2 waiting ones",
        "take it",
        "please take this one",
        "take note of 2",
        "throw note 2",
        "save note 2\u00b2",
    ],
)
async def test_how_many_is_no_number_of_a_note_and_taking_is_not_taking_back(c: Talk, message: str) -> None:
    project = await c.project()
    for what in ("it rains", "it snows", "it hails"):
        await c.say(f"remember that {what}", project_id=project)
    said = await c.say(message, project_id=project)
    assert said.effects == []
    assert [note.state for note in await c.notes(project)] == ["waiting"] * 3


@pytest.mark.parametrize("message", ["take note 2 out", "take out note 2", "throw note 2 away"])
async def test_taking_with_a_particle_takes_back(c: Talk, message: str) -> None:
    project = await c.project()
    for what in ("it rains", "it snows"):
        await c.say(f"remember that {what}", project_id=project)
    await c.say(message, project_id=project)
    assert [note.state for note in await c.notes(project)] == ["waiting", "withdrawn"]


def test_a_raised_figure_is_no_number() -> None:
    assert not wishes("save note 2\u00b2").sure
