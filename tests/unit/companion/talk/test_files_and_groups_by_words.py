"""Files found by words, and notes in groups, as people ask for them."""

from collections.abc import AsyncIterator

import pytest

from softrail.testing import FrozenClock, ScriptedModel
from tests.unit.companion.talk.kit import Talk, companion_talk


@pytest.fixture
async def c(frozen: FrozenClock) -> AsyncIterator[Talk]:
    async with companion_talk(frozen) as talk:
        yield talk


async def test_the_title_of_a_file_sent_back_gets_that_file(c: Talk) -> None:
    project = await c.project()
    for title in ("Soil samples", "Soil survey"):
        await c.file(project, title)
        c.talk.advance(minutes=1)
    several = await c.say("get me the soil file", project_id=project)
    assert several.reply.suggested_actions == ["Soil survey", "Soil samples"]

    chosen = await c.say("soil survey", project_id=project)

    assert (chosen.intent, chosen.text) == ("request_download", "Here is “Soil survey”.")
    assert chosen.effects == ["download_ready"]
    assert await c.notes(project) == []


async def test_a_title_of_another_project_is_no_title_here(c: Talk) -> None:
    here, there = await c.project("FarmGuard"), await c.project("HealthTrack")
    await c.file(there, "Soil survey")

    said = await c.say("Soil survey", project_id=here)

    assert said.effects != ["download_ready"]


async def test_the_newest_file_of_a_title_stands_for_it(c: Talk) -> None:
    project = await c.project()
    for _ in range(2):
        await c.file(project, "Soil survey")
        c.talk.advance(minutes=1)
    newest = (await c.companion.artifacts.list(c.me, project))[0]

    said = await c.say("get me the soil survey", project_id=project)

    assert [effect.ref for effect in said.reply.side_effects] == [newest.href]


async def test_the_latest_file_is_the_newest_of_those_that_fit(c: Talk) -> None:
    project = await c.project()
    for title in ("Soil samples", "Soil survey", "Price list"):
        await c.file(project, title)
        c.talk.advance(minutes=1)

    anything = await c.say("give me the latest artifact", "request_download", project_id=project)
    of_soil = await c.say("give me the latest soil file", "request_download", project_id=project)

    assert (anything.text, of_soil.text) == ("Here is “Price list”.", "Here is “Soil survey”.")


async def test_the_projects_name_tells_no_file_from_another(c: Talk) -> None:
    project = await c.project("Soil Watch")
    for title in ("Soil samples", "Price list"):
        await c.file(project, title)

    said = await c.say("get me the price list of Soil Watch", "request_download", project_id=project)

    assert said.text == "Here is “Price list”."


async def test_asked_for_no_file_in_particular_it_lists_them(c: Talk) -> None:
    project = await c.project()
    await c.file(project, "Soil survey")

    listed = await c.say("which files are there?", "request_download", project_id=project)
    missed = await c.say("get me the price list", "request_download", project_id=project)

    assert listed.text == "The files of FarmGuard: “Soil survey”."
    assert missed.text == "No file of FarmGuard fits that. Its files: “Soil survey”."


async def test_notes_are_put_into_groups_by_word_once(c: Talk) -> None:
    project = await c.project()
    for text in ("Sheep need shade", "Sheep need water", "Shade is dear"):
        await c.companion.notes.add(c.me, project, text)

    asked = await c.say("organise my notes", project_id=project)
    again = await c.say("organise my notes", project_id=project)
    under_way = await c.say("show me the groups", project_id=project)
    await c.talk.sweep()
    shown = await c.say("show me the groups", project_id=project)

    assert asked.effects == again.effects == ["organise_requested"]
    assert asked.reply.side_effects[0].ref == again.reply.side_effects[0].ref
    assert under_way.text == "The groups of FarmGuard are being made. Ask again in a moment."
    assert shown.text.startswith("The notes of FarmGuard in groups:\n")
    assert "#1" in shown.text
    assert shown.effects == []


async def test_without_saved_notes_there_is_nothing_to_organise(c: Talk) -> None:
    project = await c.project()
    await c.say("remember that sheep need shade", project_id=project)

    said = await c.say("organise my notes", project_id=project)

    assert said.effects == []
    assert said.text == "FarmGuard has no saved notes that could be put into groups."
    none = await c.say("show me the groups", project_id=project)
    assert none.reply.suggested_actions == ["organise my notes"]


async def test_a_viewer_sees_the_groups_and_has_none_made(c: Talk) -> None:
    project = await c.project()
    await c.companion.notes.add(c.me, project, "Sheep need shade")
    await c.companion.projects.add_member(c.me, project, "robin@example.org", "viewer")
    await c.talk.become("robin@example.org")

    said = await c.say("organise my notes", project_id=project)

    assert said.effects == []
    assert said.text == "You can read FarmGuard, but adding to it is up to its members."
    assert (await c.say("show me the groups", project_id=project)).text.startswith(
        "The notes of FarmGuard are in no"
    )


async def test_without_a_project_it_is_asked_which_and_nothing_is_begun(c: Talk) -> None:
    await c.project("FarmGuard")
    await c.project("HealthTrack")

    said = await c.say("organise my notes")

    assert (said.pending, said.effects) == ("clarify", [])


async def test_a_model_tells_of_groups_from_the_facts(frozen: FrozenClock) -> None:
    model = ScriptedModel(["Two themes so far."])
    async with companion_talk(frozen, model=model) as c:
        project = await c.project()

        said = await c.say("what groups do we have?", "show_groups", project_id=project)

        assert said.text == "Two themes so far."
        assert "Add no group of your own.\n\nThe rest is data:" in model.requests[0].messages[-1].content
        assert '"being_made":false' in model.requests[0].messages[-1].content
