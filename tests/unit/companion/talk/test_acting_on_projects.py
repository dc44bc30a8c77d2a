"""Projects listed, chosen, described, renamed and put aside by words; what "it" means; standups of a period."""

from collections.abc import AsyncIterator

import pytest

from softrail.core.focus import Focus
from softrail.testing import FrozenClock
from tests.unit.companion.talk.kit import Talk, companion_talk
from tests.unit.companion.talk.world import furnished


@pytest.fixture
async def c(frozen: FrozenClock) -> AsyncIterator[Talk]:
    async with companion_talk(frozen) as talk:
        yield talk


async def focus(c: Talk) -> Focus:
    """What the session spoke of last, as it is stored."""
    loaded = await c.talk.dispatcher.store.load(c.talk.person, c.talk.session_id)
    assert loaded.snapshot is not None
    return loaded.snapshot.session.memo.focus


@pytest.mark.parametrize("said", ["show my projects", "which projects do I have?", "my projects please"])
async def test_asking_for_projects_lists_them_and_begins_none(c: Talk, said: str) -> None:
    await furnished(c)
    answer = await c.say(said)
    assert answer.process is None
    assert "- Blue Harbor\n- Choir News\n- Marathon\n- Old Mill (archived)" in answer.text
    assert answer.reply.suggested_actions[0] == "switch to FarmGuard"


async def test_without_a_project_it_is_said_how_one_begins(c: Talk) -> None:
    assert (await c.say("show my projects")).text.startswith("You have no project yet.")


async def test_what_is_chosen_is_what_the_next_turns_are_about_after_a_restart_too(c: Talk) -> None:
    world = await furnished(c)
    chosen = await c.say("switch to Marathon")
    assert (chosen.text, chosen.effects) == ("We go on with Marathon.", ["project_chosen"])
    assert (await focus(c)).project == world.projects["Marathon"]

    assert (await c.say("remember that the route is flat")).text.startswith("I've noted for Marathon")
    renamed = await c.say("rename it to Sunrise")
    assert renamed.text == "Marathon is called Sunrise now."


async def test_a_choice_is_taken_back_to_what_was_spoken_of_before(c: Talk) -> None:
    world = await furnished(c)
    await c.say("switch to Marathon")
    await c.say("switch to Blue Harbor")
    back = await c.say("undo that")
    assert back.text == "Taken back.\nWe go on with Marathon again."
    assert (await focus(c)).project == world.projects["Marathon"]


async def test_a_choice_counts_although_the_client_sends_the_project_it_began_with(c: Talk) -> None:
    world = await furnished(c)
    marathon = world.projects["Marathon"]
    chosen = await c.say("switch to Marathon", project_id=world.here)
    assert (chosen.text, chosen.reply.project_id) == ("We go on with Marathon.", world.here)

    noted = await c.say("remember that the route is flat", project_id=world.here)
    assert noted.text.startswith("I've noted for Marathon")
    assert noted.reply.project_id == world.here  # the client's is echoed, whatever was chosen
    assert [note.text for note in await c.notes(marathon)][-1] == "the route is flat"
    items = await c.talk.dispatcher.store.items(c.me, project_id=marathon)
    assert [item.content for item in items][:1] == ["remember that the route is flat"]


async def test_what_the_client_sends_anew_is_a_newer_choice(c: Talk) -> None:
    world = await furnished(c)
    await c.say("switch to Marathon", project_id=world.here)
    harbor = await c.say("remember that the quay is closed", project_id=world.projects["Blue Harbor"])
    assert harbor.text.startswith("I've noted for Blue Harbor")
    back = await c.say("remember that the fence is broken", project_id=world.here)
    assert back.text.startswith("I've noted for FarmGuard")


async def test_a_choice_beside_what_the_client_sends_is_taken_back_step_by_step(c: Talk) -> None:
    world = await furnished(c)
    await c.say("switch to Marathon", project_id=world.here)
    await c.say("switch to Blue Harbor", project_id=world.here)
    once = await c.say("undo that", project_id=world.here)
    assert once.text == "Taken back.\nWe go on with Marathon again."
    assert (
        await c.say("who is in it?", "members", project_id=world.here)
    ).text == "You are alone in Marathon."
    await c.say("switch to Blue Harbor", project_id=world.here)
    await c.say("switch to FarmGuard", project_id=world.here)
    assert (
        await c.say("who is in it?", "members", project_id=world.here)
    ).text == "You are alone in FarmGuard."


async def test_a_project_that_is_only_asked_about_is_not_chosen(c: Talk) -> None:
    world = await furnished(c)
    await c.say("who is in Blue Harbor?", "members", project_id=world.here)
    noted = await c.say("remember that the fence is broken", project_id=world.here)
    assert noted.text.startswith("I've noted for FarmGuard")


async def test_a_project_is_meant_by_a_word_of_its_name(c: Talk) -> None:
    await furnished(c)
    assert (await c.say("take me to the choir project", "choose_project")).text == "We go on with Choir News."


async def test_what_about_another_one_asks_the_same_of_it(c: Talk) -> None:
    world = await furnished(c)
    await c.say("who is in the project?", "members", project_id=world.here)
    said = await c.say("what about Blue Harbor?")
    assert said.text == "You are alone in Blue Harbor."
    assert (await c.say("and Marathon?")).text == "You are alone in Marathon."


async def test_the_record_says_what_was_spoken_of(c: Talk) -> None:
    world = await furnished(c)
    chosen = await c.say("switch to Marathon")
    assert chosen.decision.focus is not None
    assert chosen.decision.focus.project == world.projects["Marathon"]


async def test_a_description_tells_what_a_project_is_and_holds(c: Talk) -> None:
    world = await furnished(c)
    seed = {"what": "a watch on farms", "who": "farmers"}
    await c.companion.projects.change_seed(c.me, world.here, seed)
    said = await c.say("describe this project", "describe_project", project_id=world.here)
    assert said.text == (
        "FarmGuard: a watch on farms\n- who it is for: farmers\n"
        "It holds 4 saved notes, 4 waiting notes and 0 files."
    )
    short = await c.say("sum it up", "summarise", project_id=world.here)
    assert "The newest notes:\n#8: The launch is in June" in short.text


async def test_members_are_named_with_what_they_may_do(c: Talk) -> None:
    world = await furnished(c)
    await c.companion.projects.add_member(c.me, world.here, "tom@example.org", "viewer")
    said = await c.say("who is in here?", "members", project_id=world.here)
    assert "- tom@example.org (viewer)" in said.text


async def test_notes_are_found_by_words_and_one_that_is_found_is_it(c: Talk) -> None:
    world = await furnished(c)
    said = await c.say("find the note about milk", "search_notes", project_id=world.here)
    assert said.text == "In the notes of FarmGuard I find:\n#6 (waiting): Milk is sold at 42 cents"
    none = await c.say("search my notes for elephants", "search_notes", project_id=world.here)
    assert none.text.startswith("No note of FarmGuard has that.")


async def test_a_note_is_changed_and_withdrawn_by_what_it_says(c: Talk) -> None:
    world = await furnished(c)
    said = await c.say("change the note about the budget to The budget is 90k", project_id=world.here)
    assert said.text == "Note #1 of FarmGuard now says: “The budget is 90k”."
    gone = await c.say("withdraw the note about milk", project_id=world.here)
    assert gone.text == "Note #6 of FarmGuard is withdrawn."
    assert (await c.say("undo that", project_id=world.here)).effects == ["turn_undone"]
    states = {note.number: note.state for note in await c.notes(world.here)}
    assert (states[1], states[6]) == ("saved", "waiting")


async def test_where_several_notes_may_be_meant_it_is_asked(c: Talk) -> None:
    world = await furnished(c)
    await c.companion.notes.add(c.me, world.here, "The vet is expensive")
    said = await c.say("withdraw the note about the vet", project_id=world.here)
    assert said.effects == []
    assert said.text.startswith("Which note do you mean?")
    none = await c.say("withdraw the note about elephants", project_id=world.here)
    assert none.text == "I find no note about elephants in FarmGuard."


async def test_where_a_file_goes_in_is_said(c: Talk) -> None:
    world = await furnished(c)
    said = await c.say("how do I upload a file?", "upload", project_id=world.here)
    assert "/upload FILE" in said.text


async def test_standups_of_a_day_and_of_a_week_are_told(c: Talk) -> None:
    for day, done in ((2, "the fence"), (4, "the roof")):
        c.talk.clock.set(c.talk.clock().replace(year=2026, month=1, day=day))
        for words in ("let's do my standup", done, "nothing", "none", "yes"):
            said = await c.say(words)
        assert said.effects == ["standup_saved"]
    c.talk.clock.set(c.talk.clock().replace(day=5))
    told = await c.say("what did I say in standups last week?", "past_standups")
    assert told.text.startswith("Your standups:\n\n2026-01-04\n- Yesterday: the roof")
    assert "2026-01-02\n- Yesterday: the fence" in told.text
    one = await c.say("my standup from yesterday", "past_standups")
    assert ("the roof" in one.text, "the fence" in one.text) == (True, False)
    none = await c.say("which standups did I give today?", "past_standups")
    assert none.text == "There is no standup of yours from 2026-01-05."
