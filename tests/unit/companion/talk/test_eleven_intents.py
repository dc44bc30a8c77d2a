"""Each of the eleven intents does what it says, and nothing else."""

from collections.abc import AsyncIterator

import pytest

from softrail.classifier import Bars, Cascade, default_cache
from softrail.companion.catalogue import NAMES, NOT_YET
from softrail.testing import FrozenClock, ScriptedModel
from tests.unit.companion.talk.kit import Talk, companion_talk


def never_sure() -> Cascade:
    """A classifier that asks the model about every message."""
    return Cascade(encoder="none", bars=Bars(bar=1.1), cache=default_cache())


@pytest.fixture
async def c(frozen: FrozenClock) -> AsyncIterator[Talk]:
    async with companion_talk(frozen) as talk:
        yield talk


def test_all_eleven_are_registered_with_examples_and_a_meaning(c: Talk) -> None:
    known = {intent.name: intent for intent in c.talk.dispatcher.registry.intents()}
    assert len(NAMES) == 11
    for name in NAMES:
        assert known[name].description
        assert len(known[name].examples) >= 5


async def test_what_is_told_becomes_a_waiting_note_by_the_companion(c: Talk) -> None:
    project = await c.project()
    said = await c.say("The fields are wet until May.", "add_knowledge", project_id=project)
    (note,) = await c.notes(project)
    assert (note.text, note.state, note.author.kind) == (
        "The fields are wet until May.",
        "waiting",
        "companion",
    )
    assert note.turn_id == said.reply.turn_id
    assert said.effects == ["note_saved"]
    assert said.reply.side_effects[0].ref == "1"
    assert "The fields are wet until May." in said.text
    assert said.model_calls == 0


async def test_remember_and_at_once_what_have_i_told_you_shows_it_as_waiting(c: Talk) -> None:
    project = await c.project()
    await c.say("Remember that the seed comes from Lyon", project_id=project)
    said = await c.say("What have I told you?", project_id=project)
    assert said.intent == "ask_about_past_input"
    assert "#1 (waiting): the seed comes from Lyon" in said.text


async def test_without_a_project_nothing_is_kept_and_it_asks_which(c: Talk) -> None:
    first, second = await c.project("FarmGuard"), await c.project("HealthTrack")
    said = await c.say("The fields are wet until May.", "add_knowledge")
    assert said.pending == "clarify"
    assert said.reply.suggested_actions[:2] == ["FarmGuard", "HealthTrack"]
    assert said.effects == []
    assert await c.notes(first) == await c.notes(second) == []

    answered = await c.say("HealthTrack")
    assert [note.text for note in await c.notes(second)] == ["The fields are wet until May."]
    assert await c.notes(first) == []
    assert answered.intent == "add_knowledge"
    assert answered.reply.project_id == second


async def test_a_project_that_is_named_needs_no_question(c: Talk) -> None:
    await c.project("FarmGuard")
    await c.project("HealthTrack")
    said = await c.say("how is FarmGuard going?")
    assert (said.intent, said.pending) == ("ask_about_progress", None)
    assert said.text.startswith("FarmGuard:")


async def test_without_any_project_it_says_how_to_begin_one(c: Talk) -> None:
    said = await c.say("The fields are wet.", "add_knowledge")
    assert said.effects == []
    assert said.reply.suggested_actions == ["Yes, begin a project with it", "No"]


async def test_a_waiting_note_is_saved_by_word_and_taken_back_by_number(c: Talk) -> None:
    project = await c.project()
    await c.say("one", "add_knowledge", project_id=project)
    await c.say("two", "add_knowledge", project_id=project)
    assert (await c.say("yes, save it", project_id=project)).effects == ["note_changed"]
    assert [note.state for note in await c.notes(project)] == ["waiting", "saved"]
    said = await c.say("withdraw note 1", project_id=project)
    assert [note.state for note in await c.notes(project)] == ["withdrawn", "saved"]
    assert said.text == "Note #1 of FarmGuard is withdrawn."


async def test_past_input_lists_numbers_marks_waiting_ones_and_puts_the_topic_first(c: Talk) -> None:
    project = await c.project()
    for text in ("The budget is 20,000 euros", "Barns are red", "The budget is fixed"):
        await c.companion.notes.add(c.me, project, text)
    await c.say("Sheep need shade", "add_knowledge", project_id=project)
    said = await c.say("What did I tell you about the budget?", "ask_about_past_input", project_id=project)
    assert "#1: The budget is 20,000 euros" in said.text
    assert "#3: The budget is fixed" in said.text
    assert "Sheep" not in said.text
    everything = await c.say("What have I told you?", "ask_about_past_input", project_id=project)
    assert "#4 (waiting): Sheep need shade" in everything.text
    assert "#2: Barns are red" in everything.text


async def test_an_empty_list_is_said_plainly(c: Talk) -> None:
    project = await c.project()
    said = await c.say("What have I told you?", "ask_about_past_input", project_id=project)
    assert said.text.startswith("You have told me nothing about FarmGuard yet.")


async def test_at_most_fifty_notes_are_told_and_the_rest_counted(c: Talk) -> None:
    project = await c.project()
    for n in range(53):
        await c.companion.notes.add(c.me, project, f"fact {n}")
    said = await c.say("What have I told you?", "ask_about_past_input", project_id=project)
    assert said.text.count("\n#") == 50
    assert "There are 3 more." in said.text


async def test_progress_comes_from_the_dashboard(c: Talk) -> None:
    project = await c.project()
    quiet = await c.say("How is it going?", "ask_about_progress", project_id=project)
    assert "waits" not in quiet.text
    await c.say("Sheep need shade", "add_knowledge", project_id=project)
    await c.file(project, "Soil report")
    said = await c.say("How is it going?", "ask_about_progress", project_id=project)
    assert "note #1 waits: " in said.text
    assert "Soil report" in said.text


async def test_progress_keeps_to_the_time_that_was_asked_about(c: Talk) -> None:
    project = await c.project()
    await c.file(project, "Soil report")
    c.talk.advance(days=5)
    within = await c.say("What happened over the last six days?", "ask_about_progress", project_id=project)
    after = await c.say("What happened over the last two days?", "ask_about_progress", project_id=project)
    assert "Soil report" in within.text
    assert "Soil report" not in after.text


async def test_one_file_that_fits_is_ready_to_download(c: Talk) -> None:
    project = await c.project()
    await c.file(project, "Soil report")
    await c.file(project, "Price list", "table")
    said = await c.say("give me the soil report", "request_download", project_id=project)
    (side,) = said.reply.side_effects
    assert (side.kind, side.summary) == ("download_ready", "Soil report")
    assert side.ref is not None
    assert side.ref.startswith("/artifacts/")
    assert side.ref.endswith("/download")


async def test_several_files_that_fit_are_asked_about_and_none_lists_all(c: Talk) -> None:
    project = await c.project()
    await c.file(project, "Soil report")
    await c.file(project, "Water report")
    several = await c.say("download the report", "request_download", project_id=project)
    assert several.effects == []
    assert sorted(several.reply.suggested_actions) == ["Soil report", "Water report"]
    none = await c.say("download the contract", "request_download", project_id=project)
    assert none.effects == []
    assert "“Soil report”" in none.text
    assert "“Water report”" in none.text


@pytest.mark.parametrize("intent", NOT_YET)
async def test_what_cannot_be_done_yet_is_said_in_one_voice_and_changes_nothing(c: Talk, intent: str) -> None:
    project = await c.project()
    said = await c.say("Please do that.", intent, project_id=project)
    assert said.intent == intent
    assert said.effects == []
    assert "in conversation yet" in said.text
    assert any(ref.startswith(f"replies/{intent}@") for ref in said.decision.prompts)


async def test_talk_has_no_side_effects(c: Talk) -> None:
    project = await c.project()
    said = await c.say("I wonder about sheep.", "general_conversation", project_id=project)
    assert (said.effects, said.process, said.pending) == ([], None, None)
    assert await c.notes(project) == []


async def test_both_sides_of_every_turn_are_kept_with_the_intent_on_ours(c: Talk) -> None:
    project = await c.project()
    for intent in NAMES:
        await c.say(f"about {intent}", intent, project_id=project)
        if intent in ("create_project", "finalize_project"):  # a description in front would have its say
            await c.say("stop")
    items = await c.talk.dispatcher.store.items(c.me, project_id=project, limit=200)
    for intent in NAMES:
        said, answered = (i for i in items if i.classified_intent == intent)
        assert (said.role, said.content, answered.role) == ("operator", f"about {intent}", "companion")
        assert answered.seq == said.seq + 1


@pytest.mark.parametrize(
    ("confidence", "intent"),
    [(0.69, "general_conversation"), (0.6999, "general_conversation"), (0.70, "add_knowledge")],
)
async def test_below_70_percent_it_is_talk_with_its_confidence_kept(
    frozen: FrozenClock, confidence: float, intent: str
) -> None:
    answer = (
        f'{{"intent": "add_knowledge", "confidence": {confidence}, '
        '"parameters": {"knowledge_text": "zorbs blip"}, "alternative": null}'
    )
    model = ScriptedModel({"classify": [answer], "respond": ["Fine."]})
    async with companion_talk(frozen, model=model, classifier=never_sure()) as c:
        project = await c.project()
        said = await c.say("zorbs, they blip or so", project_id=project)
        assert (said.intent, said.decision.confidence) == (intent, confidence)
        assert said.model_calls == 2
        kept = [note.text for note in await c.notes(project)]
        assert kept == (["zorbs blip"] if intent == "add_knowledge" else [])


@pytest.mark.parametrize(
    "answer", ["", "no JSON", '{"intent": "add_knowledge", "confidence": 7}', "null", "[" * 9000]
)
async def test_a_garbled_classification_leaves_what_was_read_without_it_and_is_answered(
    frozen: FrozenClock, answer: str
) -> None:
    model = ScriptedModel({"classify": [answer, answer], "respond": ["Tell me more."]})
    async with companion_talk(frozen, model=model, classifier=never_sure()) as c:
        said = await c.say("zorbs, they blip or so")
        assert said.intent == "general_conversation"
        assert said.text == "Tell me more."


@pytest.mark.parametrize(
    ("message", "process"),
    [
        ("My main project is called Piper Morgan", None),
        ("start a project called Piper Morgan", "seed_conversation"),
    ],
)
async def test_a_name_alone_begins_nothing(c: Talk, message: str, process: str | None) -> None:
    assert (await c.say(message)).process == process
