"""Finalizing a described project: by words, by hint, from elsewhere, too early, and never unseen or against a no."""

from collections.abc import AsyncIterator

import pytest

from softrail.companion.memory.replying import ReplyFields
from softrail.testing import FrozenClock
from tests.unit.companion.talk.kit import Talk, companion_talk, described, reviewed


@pytest.fixture
async def c(frozen: FrozenClock) -> AsyncIterator[Talk]:
    async with companion_talk(frozen) as talk:
        yield talk


@pytest.mark.parametrize("hint", [None, "finalize_project"], ids=["words", "hint"])
async def test_finalizing_by_words_and_by_hint_does_the_same(c: Talk, hint: str | None) -> None:
    await described(c)
    shown = await c.say("looks good, finalize it", hint)
    assert (shown.effects, shown.pending) == ([], "confirm")
    said = await c.say("finalize it", hint)
    assert said.effects == ["project_created"]
    assert (said.process, said.state) == ("seed_conversation", "completed")
    (project,) = await c.companion.projects.details(c.me)
    assert (project.name, project.role, said.reply.project_id) == ("Court Finder", "owner", project.id)
    (specification,) = await c.companion.artifacts.list(c.me, project.id)
    assert specification.type == "specification"
    _, content = await c.companion.artifacts.read(c.me, specification.id)
    assert content.decode() == said.reply.brought(ReplyFields).draft_specification
    notes = await c.notes(project.id)
    assert [n.state for n in notes] == ["saved"] * 3
    assert "Who it is for: members of two clubs" in [n.text for n in notes]


FINALIZING = pytest.mark.parametrize(
    ("message", "hint"),
    [
        ("I think the project setup looks good, let's finalize it.", None),
        ("everything about the project is in place, let's complete it", None),
        ("please do that", "finalize_project"),
    ],
    ids=["words", "other words", "hint"],
)


@FINALIZING
async def test_a_paused_description_is_taken_up_shown_and_created(
    c: Talk, message: str, hint: str | None
) -> None:
    await described(c)
    await c.say("stop")
    shown = await c.say(message, hint)
    assert (shown.effects, shown.intent, shown.pending) == ([], "finalize_project", "confirm")
    assert shown.text.endswith("Shall I create it?")
    said = await c.say("yes")
    assert (said.process, said.state) == ("seed_conversation", "completed")
    assert said.reply.brought(ReplyFields).readiness == "ready_for_review"
    assert [p.name for p in await c.companion.projects.details(c.me)] == ["Court Finder"]
    assert await c.talk.dispatcher.store.suspended(c.me) == []


@FINALIZING
async def test_a_paused_description_with_something_missing_goes_on_asking(
    c: Talk, message: str, hint: str | None
) -> None:
    await c.say("I want to build an app for booking tennis courts", "create_project")
    await c.say("Court Finder")
    await c.say("stop")
    said = await c.say(message, hint)
    assert "I still need: audience, success condition." in said.text
    assert said.text.endswith("Who will use it, or read it?")
    assert (said.state, said.effects) == ("active", [])
    assert "members of two clubs" in (
        (await c.say("members of two clubs")).reply.brought(ReplyFields).draft_specification or ""
    )


async def two_paused(c: Talk) -> None:
    """A boat and a kite are described, and left."""
    for idea in ("a boat", "a kite"):
        await c.say(f"I want to build {idea}", "create_project")
        for answer in (f"The {idea[2:]} project", "children by the sea", "nobody gets wet"):
            await c.say(answer)
        c.talk.advance(seconds=1)
        await c.say("stop")


async def test_of_several_paused_descriptions_the_one_that_is_named_is_shown(c: Talk) -> None:
    await two_paused(c)
    said = await c.say("finalize the boat", "finalize_project")
    assert (said.effects, said.pending) == ([], "confirm")
    await c.say("yes")
    assert [p.description for p in await c.companion.projects.details(c.me)] == ["a boat"]


async def test_of_several_paused_descriptions_the_last_one_asks(c: Talk) -> None:
    await two_paused(c)
    said = await c.say("please do that", "finalize_project")
    assert (said.effects, said.state) == ([], "active")
    assert "a kite" in (said.reply.brought(ReplyFields).draft_specification or "")


@FINALIZING
async def test_a_description_left_open_in_another_conversation_is_shown_here(
    c: Talk, message: str, hint: str | None
) -> None:
    await described(c)
    c.talk.new_session()
    assert (await c.say(message, hint)).pending == "confirm"
    assert (await c.say("yes")).effects == ["project_created"]
    assert len(await c.companion.projects.details(c.me)) == 1


@pytest.mark.parametrize(
    ("message", "hint"), [("looks good, finalize it", None), ("please do that", "finalize_project")]
)
async def test_a_description_that_nobody_went_on_with_for_a_day_is_shown_all_the_same(
    c: Talk, message: str, hint: str | None
) -> None:
    await described(c)
    c.talk.advance(hours=25)
    await c.talk.sweep()
    assert (await c.say(message, hint)).pending == "confirm"


@pytest.mark.parametrize("hint", [None, "finalize_project"], ids=["words", "hint"])
async def test_without_any_description_it_says_how_to_begin_one(c: Talk, hint: str | None) -> None:
    said = await c.say("finalize the project", hint)
    assert said.text == "No project is being described right now. Say “create a project” to begin one."
    assert (said.effects, said.process) == ([], None)
    assert said.reply.suggested_actions == ["create a project"]


async def test_sending_the_last_turn_twice_creates_one_project(c: Talk) -> None:
    await reviewed(c)
    first = await c.say("finalize it", turn_id="last")
    again = await c.say("finalize it", turn_id="last")
    assert first.raw == again.raw
    assert len(await c.companion.projects.details(c.me)) == 1


@pytest.mark.parametrize("hint", [None, "finalize_project"], ids=["words", "hint"])
async def test_too_early_names_what_is_missing_and_goes_on(c: Talk, hint: str | None) -> None:
    await c.say("I want to build an app for booking tennis courts", "create_project")
    await c.say("Court Finder")
    said = await c.say("looks good, finalize it", hint)
    assert said.text.startswith("I still need: audience, success condition.")
    assert (said.state, said.effects) == ("active", [])
    went_on = await c.say("members of two clubs")
    assert "members of two clubs" in (went_on.reply.brought(ReplyFields).draft_specification or "")


NOT_YET = ("don't finalize it yet", "no, don't create it", "I don't want to create it yet", "it is not ready")


@pytest.mark.parametrize("message", NOT_YET)
async def test_a_no_with_a_hint_creates_nothing(c: Talk, message: str) -> None:
    await described(c)
    asked = await c.say(message, "finalize_project")
    assert (asked.effects, asked.state) == ([], "active")
    assert asked.text.endswith("“Skip” leaves it open.")
    await c.say("that's all")
    shown = await c.say(message, "finalize_project")
    assert (shown.effects, shown.state) == ([], "active")
    assert (await c.say("yes")).effects == ["project_created"]


@pytest.mark.parametrize("message", ["is the project ready?", "make it rain", "wait"])
async def test_in_the_review_a_hint_alone_is_no_yes(c: Talk, message: str) -> None:
    await reviewed(c)
    said = await c.say(message, "finalize_project")
    assert (said.effects, said.pending) == ([], "confirm")
    assert said.text.endswith("Shall I create it?")


async def test_whether_it_is_ready_is_answered_with_what_is_missing(c: Talk) -> None:
    await c.say("I want to build an app for booking tennis courts", "create_project")
    said = await c.say("is the project ready?", "finalize_project")
    assert "I still need: name, audience, success condition." in said.text
    assert (said.process, said.state, said.effects) == ("seed_conversation", "active", [])


async def test_a_paused_description_is_not_created_by_a_wish_that_is_only_guessed(c: Talk) -> None:
    await reviewed(c)
    await c.say("stop")
    said = await c.say("is the project ready?", None)
    assert said.effects == []
    assert await c.companion.projects.details(c.me) == []
