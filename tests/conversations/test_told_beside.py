"""What is told beside the question that is open is kept as a note, or offered as one; nothing is an answer on a guess."""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any

import pytest
from pydantic import BaseModel

from softrail import Done, IntentDefinition, Process, RouteResult, Turn, ask
from softrail.core.intents import GENERAL, Intent
from softrail.core.ports import Model
from softrail.processes.builtin.clarification import Clarification
from softrail.testing import Conversation
from softrail.testing.plugin import Talk
from tests.readers import reader

FULL = "the ferry is full on Friday"
LIKELY: Mapping[str, tuple[str, float]] = {
    FULL: ("note", 0.95),
    f"btw {FULL}": ("note", 0.95),
    "the mast broke last night": ("note", 0.6),
    "oh and Mia has the key": ("note", 0.95),
    "btw show me the map": ("show", 0.95),
}
READ = {
    FULL: {"inform": 0.35, "social": 0.3},
    f"btw {FULL}": {"inform": 0.35, "social": 0.3},
    "the mast broke last night": {"social": 0.9},
    "btw it may rain today": {"correct": 0.9},
    "by the way the crew is ill": {"inform": 0.97},
    "oh and Mia has the key": {"inform": 0.97},
    "oh and for sailors": {"inform": 0.97},
    "btw show me the map": {"request": 0.9},
    "btw call it Grebe": {"correct": 0.95, "inform": 0.1},
}
VALUES = {
    FULL: {"": FULL},
    f"btw {FULL}": {"": FULL},
    "by the way the crew is ill": {"for": "the crew"},
    "oh and Mia has the key": {"for": "Mia"},
    "oh and for sailors": {"for": "sailors"},
    "btw call it Grebe": {"name": "Grebe", "called": "Grebe"},
    "btw it may rain today": {},
    "the mast broke last night": {},
    "btw show me the map": {},
}


class Pitch(Process, name="pitch", version=1):
    """A pitch: its name, and who it is for."""

    title = "your pitch"
    idle_timeout = timedelta(hours=1)
    starts_on = ("pitch something",)

    class Answers(BaseModel):
        """What is asked."""

        name: str = ask("What is it called?")
        audience: str = ask("Who is it for?", label="audience")

    async def complete(self, answers: Answers, turn: Turn) -> Done:
        return Done(f"{answers.name}, for {answers.audience}.")


class Kept(BaseModel):
    """What a note takes."""

    text: str


class Listening:
    """A classifier that knows a few messages."""

    async def classify(
        self,
        message: str,
        candidates: Sequence[IntentDefinition],
        *,
        model: Model | None = None,
        context: Mapping[str, Any] | None = None,
    ) -> Intent:
        name, sure = LIKELY.get(message, (GENERAL, 0.4))
        return Intent(name=name, confidence=sure, tier="exemplars" if sure > 0.8 else "floor")


async def _note(turn: Turn, intent: Intent) -> RouteResult:
    return RouteResult(text=f"Noted: {intent.parameters['text']}.")


async def _show(turn: Turn, intent: Intent) -> RouteResult:
    return RouteResult(text="The map.")


NOTE = IntentDefinition(name="note", description="Keep it.", parameters=Kept, keeps="text")
SHOW = IntentDefinition(name="show", description="Show the map.")


@pytest.fixture
async def pitching(talk: Talk) -> Conversation:
    c = await talk(
        Clarification,
        Pitch,
        classifier=Listening(),
        intents=[(NOTE, _note), (SHOW, _show)],
        reader=reader(acts=READ, values=VALUES),
    )
    await c.say("pitch something")
    await c.say("Swift")
    return c


async def test_what_is_surely_told_beside_an_answer_is_asked_about_with_it(pitching: Conversation) -> None:
    for message in (FULL, f"btw {FULL}"):
        asked = await pitching.say(message)
        assert asked.text == f"Is “{message}” the audience, or shall I keep it as a note?"
        kept = await pitching.say("Keep it as a note")
        assert kept.text == f"Noted: {FULL}.\n\nWho is it for?"


async def test_what_may_be_told_where_nothing_is_understood_is_offered_as_a_note(
    pitching: Conversation,
) -> None:
    await pitching.play(
        """
        person: the mast broke last night
        us: Shall I keep that as a note: “the mast broke last night”?
        person: yes
        us: Noted: the mast broke last night.
        |
        | Who is it for?
        person: btw it may rain today
        us: Shall I keep that as a note: “it may rain today”?
        person: no
        us: Who is it for?
        """
    )


async def test_the_question_stays_open_while_a_note_is_offered(pitching: Conversation) -> None:
    await pitching.say("the mast broke last night")
    assert (await pitching.say("sailors")).text.startswith("Audience: sailors.")


async def test_an_answer_in_words_for_what_stands_beside_it_is_asked_about(pitching: Conversation) -> None:
    for message, words in (("by the way the crew is ill", "the crew"), ("oh and Mia has the key", "Mia")):
        asked = await pitching.say(message)
        assert asked.reply.suggested_actions[:3] == [
            f"Audience: {words}",
            "Keep it as a note",
            "None of these",
        ]
        assert (await pitching.say("None of these")).text == "Who is it for?"
    await pitching.say("by the way the crew is ill")
    assert (await pitching.say("Audience: the crew")).text.startswith("Audience: the crew.")


async def test_more_of_the_same_is_an_answer_as_before(pitching: Conversation) -> None:
    assert (await pitching.say("oh and for sailors")).text.startswith("Audience: sailors.")


async def test_a_change_and_a_wish_beside_the_question_are_what_they_were(pitching: Conversation) -> None:
    assert (await pitching.say("btw call it Grebe")).text.startswith("Name: Grebe")
    assert "The map." in (await pitching.say("btw show me the map")).text


async def test_a_yes_is_no_note_where_more_is_told_beside_it(pitching: Conversation) -> None:
    await pitching.say("the mast broke last night")
    said = await pitching.say("btw it may rain today")
    assert said.text == "Shall I keep that as a note: “it may rain today”?"


async def test_where_nobody_keeps_notes_nothing_is_offered(talk: Talk) -> None:
    c = await talk(Pitch, classifier=Listening(), reader=reader(acts=READ, values=VALUES))
    await c.say("pitch something")
    await c.say("Swift")
    assert "note" not in (await c.say(FULL)).text
