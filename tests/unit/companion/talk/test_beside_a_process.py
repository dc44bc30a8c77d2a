"""What is done beside a process that waits is undone there, and a doubt is let go without leaving it."""

import pytest

from softrail.settings import Settings
from softrail.testing import FrozenClock
from tests.unit.companion.talk.kit import companion_talk


async def test_what_was_done_in_the_middle_of_a_process_is_undone_there(frozen: FrozenClock) -> None:
    async with companion_talk(frozen) as c:
        project = await c.project()
        await c.say("remember that we use Stripe", project_id=project)
        await c.say("create a project")
        await c.say("what did I tell you?", "ask_about_past_input", project_id=project)
        await c.say("withdraw note 1", "save_note", project_id=project)
        assert [note.state for note in await c.notes(project)] == ["withdrawn"]

        said = await c.say("undo", project_id=project)
        assert [note.state for note in await c.notes(project)] == ["waiting"], said


async def test_an_answer_is_nothing_that_an_undo_takes_back(frozen: FrozenClock) -> None:
    async with companion_talk(frozen) as c:
        await c.say("create a project")
        said = await c.say("undo")
        assert said.text.startswith("There is nothing to take back")
        assert said.text.endswith("What is the work about? A sentence or two is enough.")
        assert said.process == "seed_conversation"


@pytest.mark.parametrize("words", ["leave it", "no, leave it as it is", "forget it", "never mind"])
async def test_a_doubted_change_is_let_go_and_the_process_stays(frozen: FrozenClock, words: str) -> None:
    async with companion_talk(frozen, settings=Settings()) as c:
        for said in (
            "let's do my standup",
            "fixed the oven",
            "I think we should rename the project to Crumb",
        ):
            asked = await c.say(said)
        assert asked.pending == "clarify"

        left = await c.say(words)
        assert left.state == "active"
        assert left.text == "What's planned for today?"


async def test_an_undo_takes_back_the_pause_and_what_it_was_for(frozen: FrozenClock) -> None:
    async with companion_talk(frozen, settings=Settings()) as c:
        project = await c.project()
        await c.say("remember that we use Stripe", project_id=project)
        await c.say("let's do my standup")
        paused = await c.say("withdraw note 1", project_id=project)
        assert (paused.state, [note.state for note in await c.notes(project)]) == ("suspended", ["withdrawn"])

        back = await c.say("undo", project_id=project)
        assert (back.state, [note.state for note in await c.notes(project)]) == ("active", ["waiting"])
        assert back.text.startswith("Taken back. We're in your standup again.")
        assert "There is nothing to take back" not in back.text


@pytest.mark.parametrize(("words", "kept"), [("as well", True), ("also", True), ("instead", False)])
async def test_one_more_item_is_added_or_takes_the_place_in_a_word(
    frozen: FrozenClock, words: str, kept: bool
) -> None:
    async with companion_talk(frozen, settings=Settings()) as c:
        for said in (
            "let's do my standup",
            "fixed the oven",
            "wait, I forgot: the bank call",
        ):
            asked = await c.say(said)
        assert "as well" in asked.text

        said_so = await c.say(words)
        assert said_so.text.endswith("What's planned for today?")
        assert ("fixed the oven" in said_so.text) is kept
        assert "bank call" in said_so.text


async def test_an_answer_in_words_is_no_other_for_what_is_told_beside_it(frozen: FrozenClock) -> None:
    async with companion_talk(frozen, settings=Settings()) as c:
        for said in (
            "create a project",
            "a cookbook, called Two Pots",
            "broke students",
            "they cook twice a week",
        ):
            await c.say(said)
        told = await c.say("oh and the publisher wants it before christmas")
        assert "Audience" not in told.text


async def test_a_description_in_the_making_is_shown_to_whoever_asks_for_it(frozen: FrozenClock) -> None:
    async with companion_talk(frozen) as c:
        await c.say("create a project")
        await c.say("a cookbook")
        said = await c.say("what is it about?", "describe_project")
        assert "a cookbook" in said.text
