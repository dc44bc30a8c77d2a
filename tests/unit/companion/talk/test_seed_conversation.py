"""Describing a new project: in any order, correctable, never lost, created once."""

from collections.abc import AsyncIterator

import pytest

from softrail.companion.acts.seed_conversation import SeedConversation
from softrail.companion.catalogue import DOWNLOAD, bundled
from softrail.companion.memory.replying import ReplyFields
from softrail.testing import FrozenClock
from tests.unit.companion.talk.kit import ANSWERS, Talk, companion_talk, described


@pytest.fixture
async def c(frozen: FrozenClock) -> AsyncIterator[Talk]:
    async with companion_talk(frozen) as talk:
        yield talk


async def test_the_draft_grows_with_every_turn_until_it_is_ready_for_review(c: Talk) -> None:
    said = [await c.say("I want to build an app for booking tennis courts", "create_project")]
    said += [await c.say(answer) for answer in ANSWERS]
    drafts = [s.reply.brought(ReplyFields).draft_specification or "" for s in said]
    assert [len(d) for d in drafts] == sorted({len(d) for d in drafts})
    assert [s.reply.brought(ReplyFields).readiness for s in said] == ["drafting"] * 3 + ["ready_for_review"]
    for part in ("# Court Finder", "an app for booking tennis courts", *ANSWERS[1:]):
        assert part in drafts[-1]


async def test_what_the_first_message_gives_already_is_read_back(c: Talk) -> None:
    said = await c.say("I want to build an app for booking tennis courts", "create_project")
    assert said.text == "Description: an app for booking tennis courts.\n\nWhat shall we call it?"
    c.talk.new_session()
    said = await c.say("start a project called Piper Morgan", "create_project")
    assert said.text == "Name: Piper Morgan.\n\nWhat is the work about? A sentence or two is enough."


async def test_without_an_idea_it_asks_for_it_first(c: Talk) -> None:
    said = await c.say("create a project", "create_project")
    assert said.text == "What is the work about? A sentence or two is enough."


async def test_corrections_are_taken_while_asking_and_in_the_review(c: Talk) -> None:
    await described(c)
    asked = await c.say("change the audience to members of three clubs")
    assert "members of three clubs" in (asked.reply.brought(ReplyFields).draft_specification or "")
    assert asked.pending == "ask"
    reviewed = await c.say("that's all")
    assert reviewed.pending == "confirm"
    changed = await c.say("change the name to Court Master")
    assert (changed.reply.brought(ReplyFields).draft_specification or "").startswith("# Court Master")
    done = await c.say("perfect")
    assert done.effects == ["project_created"]
    assert "members of two clubs" not in (done.reply.brought(ReplyFields).draft_specification or "")


async def test_what_is_required_cannot_be_skipped_and_what_is_not_can(c: Talk) -> None:
    await c.say("create a project", "create_project")
    assert (await c.say("skip")).text.startswith("I can't do without this one")
    for answer in ("finding courts", *ANSWERS):
        await c.say(answer)
    voice = await c.say("skip")
    assert voice.text.startswith("Are there constraints")


async def test_a_description_of_the_version_before_goes_on() -> None:
    kept = {
        "told": {"name": "Muse", "what": "a guide", "notes": "it rains"},
        "left_out": ["voice"],
        "asked": "who",
    }
    answers, step = SeedConversation.migrate(kept, from_version=1, step="describing")
    assert answers == {"name": "Muse", "what": "a guide", "notes": ["it rains"], "voice": ""}
    assert step == "gathering_who"


async def test_a_question_is_answered_and_the_conversation_waits(c: Talk) -> None:
    await c.say("I want to build an app for booking tennis courts", "create_project")
    said = await c.say("What have I told you?")
    assert said.intent == "ask_about_past_input"
    assert (said.process, said.state) == ("seed_conversation", "active")
    assert "What shall we call it?" in said.text


async def test_what_was_told_is_shown_though_the_project_is_not_created_yet(c: Talk) -> None:
    await c.say("I want to build an app for booking tennis courts", "create_project")
    said = await c.say("What have I told you?")
    assert said.text.startswith("Your new project is not created yet; this is what you have told me of it:")
    assert "an app for booking tennis courts" in said.text


async def test_a_project_asked_about_by_name_is_not_the_one_being_described(c: Talk) -> None:
    await described(c)
    await c.say("looks good, finalize it")
    await c.say("yes")
    await c.say("I want to build a boat", "create_project")
    said = await c.say("What have I told you about Court Finder?")
    assert "bookings take under a minute" in said.text
    assert "a boat" not in said.text


async def test_a_wish_with_a_hint_is_answered_and_is_no_answer(c: Talk) -> None:
    wish = bundled()[DOWNLOAD].examples[0]
    await c.say("I want to build an app for booking tennis courts", "create_project")
    said = await c.say(wish, DOWNLOAD)
    assert said.intent == DOWNLOAD
    assert said.text.endswith("What shall we call it?")
    for answer in (*ANSWERS, "that's all"):
        await c.say(answer)
    said = await c.say(wish, DOWNLOAD)
    assert said.intent == DOWNLOAD
    assert said.text.endswith("Shall I create it?")


async def test_what_is_to_be_remembered_is_noted_whatever_is_asked(c: Talk) -> None:
    await c.say("I want to build a barn", "create_project")
    said = await c.say("remember that the roof leaks")
    assert said.text == "Notes: the roof leaks.\n\nWhat shall we call it?"
    for answer in ("Barn", "sheep", "they stay dry", "skip", "skip"):
        await c.say(answer)
    asked = await c.say("remember that Sundays are free")
    assert asked.pending == "confirm"
    said = await c.say("remember that it rains")
    assert (said.pending, said.effects) == ("confirm", [])
    done = await c.say("yes")
    texts = [note.text for note in await c.notes(done.reply.project_id or "")]
    assert texts[-3:] == ["the roof leaks", "Sundays are free", "it rains"]


@pytest.mark.parametrize("asked", ["who", "review"])
async def test_what_is_to_be_remembered_of_another_project_is_kept_there(c: Talk, asked: str) -> None:
    farm = await c.project("FarmGuard")
    await c.say("I want to build a museum guide", "create_project")
    await c.say("Muse")
    if asked == "review":
        for answer in ("tourists", "ten visits", "that's all"):
            await c.say(answer)
    named = await c.say("remember that FarmGuard is for kids too")
    by_id = await c.say("remember that the barn is old", project_id=farm)
    for said in (named, by_id):
        assert (said.effects, said.process, said.state) == (["note_saved"], "seed_conversation", "active")
        assert said.text.endswith(
            "Shall I create it?" if asked == "review" else "Who will use it, or read it?"
        )
    assert [note.text for note in await c.notes(farm)] == ["FarmGuard is for kids too", "the barn is old"]
    assert "kids" not in (by_id.reply.brought(ReplyFields).draft_specification or "")


async def test_leaving_pauses_it_with_everything_and_resuming_goes_on(c: Talk) -> None:
    await described(c)
    left = await c.say("stop")
    assert (left.state, left.effects) == ("suspended", [])
    back = await c.say("resume")
    assert back.reply.brought(ReplyFields).readiness == "ready_for_review"
    assert (await c.say("finalize it")).pending == "confirm"
    assert (await c.say("finalize it")).effects == ["project_created"]


async def test_it_waits_for_a_day_exactly(c: Talk) -> None:
    await described(c)
    c.talk.advance(hours=24)
    assert (await c.talk.sweep()).suspended == 0
    c.talk.advance(seconds=1)
    assert (await c.talk.sweep()).suspended == 1


async def test_two_ideas_are_paused_side_by_side_and_the_same_one_only_once(c: Talk) -> None:
    for idea in ("I want to build a boat", "I want to build a kite", "I want to build a boat"):
        await c.say(idea, "create_project")
        await c.say("stop")
    paused = await c.talk.dispatcher.store.suspended(c.me)
    assert sorted(instance.slot for instance in paused) == ["a boat", "a kite"]


async def test_what_looks_like_a_template_stays_as_it_was_typed(c: Talk) -> None:
    await c.say("create a project", "create_project")
    for answer in (
        "{name} and {0} and {{7*7}} %s",
        "{companion_name.__class__}",
        "{x:>999999999}",
        "ok {it}",
    ):
        said = await c.say(answer)
    draft = said.reply.brought(ReplyFields).draft_specification or ""
    for typed in ("{name} and {0} and {{7*7}} %s", "{companion_name.__class__}", "{x:>999999999}"):
        assert typed in draft
    await c.say("finalize it")
    done = await c.say("yes")
    assert done.text.startswith("{companion_name.__class__} is created.")
