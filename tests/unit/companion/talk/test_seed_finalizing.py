"""Finalizing a described project: by words, by hint, from elsewhere, too early, and never against a no."""

from collections.abc import AsyncIterator

import pytest

from softrail.companion.phrases import phrases
from softrail.companion.seed import Seed, missing_in
from softrail.testing import FrozenClock
from tests.unit.companion.talk.kit import Talk, companion_talk, described


@pytest.fixture
async def c(frozen: FrozenClock) -> AsyncIterator[Talk]:
    async with companion_talk(frozen) as talk:
        yield talk


@pytest.mark.parametrize("hint", [None, "finalize_project"], ids=["words", "hint"])
async def test_finalizing_by_words_and_by_hint_does_the_same(c: Talk, hint: str | None) -> None:
    await described(c)
    said = await c.say("looks good, finalize it", hint)
    assert said.effects == ["project_created"]
    assert (said.process, said.state) == ("seed_conversation", "completed")
    (project,) = await c.companion.projects.details(c.me)
    assert (project.name, project.role, said.reply.project_id) == ("Court Finder", "owner", project.id)
    (specification,) = await c.companion.artifacts.list(c.me, project.id)
    assert specification.type == "specification"
    _, content = await c.companion.artifacts.read(c.me, specification.id)
    assert content.decode() == said.reply.draft_specification
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
async def test_a_paused_description_is_taken_up_and_finalized(
    c: Talk, message: str, hint: str | None
) -> None:
    await described(c)
    await c.say("stop")
    said = await c.say(message, hint)
    assert (said.effects, said.intent) == (["project_created"], "finalize_project")
    assert (said.process, said.state) == ("seed_conversation", "completed")
    assert said.reply.readiness == "ready_for_review"
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
    assert "I still need who it is for and what success looks like." in said.text
    assert said.text.endswith("Who will use it, or read it?")
    assert (said.state, said.effects) == ("active", [])
    assert "members of two clubs" in ((await c.say("members of two clubs")).reply.draft_specification or "")


async def test_of_several_paused_descriptions_the_one_that_is_named_is_finalized(c: Talk) -> None:
    for idea in ("a boat", "a kite"):
        await c.say(f"I want to build {idea}", "create_project")
        for answer in (f"The {idea[2:]} project", "children by the sea", "nobody gets wet"):
            await c.say(answer)
        await c.say("stop")
    said = await c.say("finalize the boat", "finalize_project")
    assert said.effects == ["project_created"]
    assert [p.description for p in await c.companion.projects.details(c.me)] == ["a boat"]


async def test_of_several_paused_descriptions_none_is_finalized_unseen(c: Talk) -> None:
    for idea in ("a boat", "a kite"):
        await c.say(f"I want to build {idea}", "create_project")
        for answer in (f"The {idea[2:]} project", "children by the sea", "nobody gets wet"):
            await c.say(answer)
        c.talk.advance(seconds=1)
        await c.say("stop")
    said = await c.say("please do that", "finalize_project")
    assert (said.effects, said.state) == ([], "active")
    assert "a kite" in (said.reply.draft_specification or "")
    assert (await c.say("finalize it")).effects == ["project_created"]
    assert [p.description for p in await c.companion.projects.details(c.me)] == ["a kite"]


@FINALIZING
async def test_a_description_left_open_in_another_conversation_is_finalized_here(
    c: Talk, message: str, hint: str | None
) -> None:
    await described(c)
    c.talk.new_session()
    said = await c.say(message, hint)
    assert said.effects == ["project_created"]
    assert len(await c.companion.projects.details(c.me)) == 1


@FINALIZING
async def test_a_description_that_nobody_went_on_with_for_a_day_is_finalized_all_the_same(
    c: Talk, message: str, hint: str | None
) -> None:
    await described(c)
    c.talk.advance(hours=25)
    await c.talk.sweep()
    assert (await c.say(message, hint)).effects == ["project_created"]


@pytest.mark.parametrize("hint", [None, "finalize_project"], ids=["words", "hint"])
async def test_without_any_description_it_says_how_to_begin_one(c: Talk, hint: str | None) -> None:
    said = await c.say("finalize the project", hint)
    assert said.text == "No project is being described right now. Say “create a project” to begin one."
    assert (said.effects, said.process) == ([], None)
    assert said.reply.suggested_actions == ["create a project"]


async def test_sending_the_last_turn_twice_creates_one_project(c: Talk) -> None:
    await described(c)
    first = await c.say("finalize it", turn_id="last")
    again = await c.say("finalize it", turn_id="last")
    assert first.raw == again.raw
    assert len(await c.companion.projects.details(c.me)) == 1


@pytest.mark.parametrize("hint", [None, "finalize_project"], ids=["words", "hint"])
async def test_too_early_names_what_is_missing_and_goes_on(c: Talk, hint: str | None) -> None:
    await c.say("I want to build an app for booking tennis courts", "create_project")
    await c.say("Court Finder")
    said = await c.say("looks good, finalize it", hint)
    assert said.text.startswith(
        "Before I can create it, I still need who it is for and what success looks like."
    )
    assert (said.state, said.effects) == ("active", [])
    went_on = await c.say("members of two clubs")
    assert "members of two clubs" in (went_on.reply.draft_specification or "")


NOT_YET = (
    "don't finalize it yet",
    "no, don't create it",
    "I don't want to create it yet",
    "I'm not done yet",
    "it is not ready",
    "wait",
    "not so fast",
)


@pytest.mark.parametrize("hint", [None, "finalize_project"], ids=["words", "hint"])
@pytest.mark.parametrize("message", NOT_YET)
async def test_a_no_creates_nothing_whatever_is_asked(c: Talk, message: str, hint: str | None) -> None:
    await described(c)
    asked = await c.say(message, hint)
    assert (asked.effects, asked.state) == ([], "active")
    assert asked.text.startswith("There is no hurry: nothing is created before you say so.")
    assert asked.text.endswith("“Skip” leaves it open.")
    await c.say("that's all")
    reviewed = await c.say(message, hint)
    assert (reviewed.effects, reviewed.state) == ([], "active")
    assert "What shall I change?" in reviewed.text
    assert (await c.say("looks good, finalize it")).effects == ["project_created"]


@pytest.mark.parametrize(
    ("message", "asks_to"),
    [
        ("looks good, finalize it", True),
        ("everything is complete. create it", True),
        ("please create the project", True),
        ("don't finalize it", False),
        ("it is not complete. create it", False),
        ("I do not think it is good, finish it", False),
        ("never finalize it", False),
    ],
)
def test_a_sentence_with_a_no_in_it_never_finalizes(message: str, asks_to: bool) -> None:
    assert phrases().finalizes(message) is asks_to


@pytest.mark.parametrize("message", ["is the project ready?", "is it finished?", "can we create it now?"])
async def test_a_question_taken_up_again_is_answered_with_what_is_missing_or_the_draft(
    c: Talk, message: str
) -> None:
    await c.say("I want to build an app for booking tennis courts", "create_project")
    await c.say("Court Finder")
    await c.say("stop")
    early = await c.say(message, "finalize_project")
    assert "I still need who it is for and what success looks like." in early.text
    for answer in ("members of two clubs", "bookings take under a minute"):
        await c.say(answer)
    await c.say("stop")
    said = await c.say(message, "finalize_project")
    assert (said.effects, said.pending) == ([], "confirm")
    assert said.text.endswith("Shall I create it?")


async def test_a_hint_that_comes_with_a_change_has_it_made_and_shown_first(c: Talk) -> None:
    await described(c)
    await c.say("that's all")
    said = await c.say("looks good but change the name to Court Master", "finalize_project")
    assert (said.effects, said.pending) == ([], "confirm")
    assert "# Court Master" in said.text


def test_what_a_draft_still_needs_is_read_from_its_headings() -> None:
    seed = Seed()
    assert missing_in(seed.specification) == [
        "what the work is",
        "a name",
        "who it is for",
        "what success looks like",
    ]
    seed.keep("what", "a museum guide")
    seed.keep("success", "10 visits")
    assert missing_in(seed.specification) == ["a name", "who it is for"]
    seed.keep("name", "Muse")
    seed.keep("who", "tourists")
    assert missing_in(seed.specification) == []


async def test_whether_it_is_ready_is_answered_with_what_is_missing(c: Talk) -> None:
    await c.say("I want to build an app for booking tennis courts", "create_project")
    said = await c.say("is the project ready?")
    assert "I still need a name, who it is for and what success looks like." in said.text
    assert (said.process, said.state, said.effects) == ("seed_conversation", "active", [])


async def test_a_paused_description_is_not_created_by_a_wish_that_is_only_guessed(c: Talk) -> None:
    await described(c)
    await c.say("stop")
    said = await c.say("is the project ready?", None)
    assert said.effects == []
    assert await c.companion.projects.details(c.me) == []
