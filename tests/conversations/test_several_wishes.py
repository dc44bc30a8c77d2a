"""Several wishes in one message: each acts on its own part, and what is not acted on is named."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from softrail import IntentDefinition, RouteResult, Turn
from softrail.core.intents import Intent
from softrail.core.ports import Model
from softrail.processes.builtin.clarification import Clarification
from softrail.testing import Conversation
from softrail.testing.plugin import Talk
from tests.conversations.kinds import Trip


class ByLine:
    """Reads each line as one wish, named by its first word."""

    async def classify(
        self,
        message: str,
        candidates: Sequence[IntentDefinition],
        *,
        model: Model | None = None,
        context: Mapping[str, Any] | None = None,
    ) -> Intent:
        first, *others = [
            Intent(name=line.split()[0], confidence=0.9, tier="exemplars", text=line)
            for line in message.splitlines()
        ]
        return replace(first, also=tuple(others))


async def _note(turn: Turn, intent: Intent) -> RouteResult:
    return RouteResult(text=f"Noted: {turn.message}.")


async def _open(talk: Talk) -> Conversation:
    intents = [
        (IntentDefinition(name="note", description="Note it."), _note),
        IntentDefinition(name="travel", description="Plan a trip.", process="trip"),
    ]
    return await talk(Clarification, Trip, classifier=ByLine(), intents=intents)


async def test_each_wish_acts_on_its_own_part(talk: Talk) -> None:
    c = await _open(talk)
    said = await c.say("note the roof\nnote the door")
    assert said.text == "Noted: note the roof.\n\nNoted: note the door."


async def test_a_greeting_before_a_wish_keeps_nothing_from_being_done(talk: Talk) -> None:
    c = await _open(talk)
    said = await c.say("greeting to you\nnote the roof\nnote the door")
    assert said.text == "Noted: note the roof.\n\nNoted: note the door."
    assert said.reply.classified_intent == "note"


async def test_a_fourth_wish_is_named_and_not_acted_on(talk: Talk) -> None:
    c = await _open(talk)
    said = await c.say("note a\nnote b\nnote c\nnote d")
    assert said.text.count("Noted:") == 3
    assert said.text.endswith("I haven't acted on this yet: “note d”. Say it again when you like.")


async def test_what_comes_after_something_that_asks_is_named_before_the_question(talk: Talk) -> None:
    c = await _open(talk)
    said = await c.say("note the roof\ntravel soon\nnote the door")
    assert said.text == (
        "Noted: note the roof.\n\nI haven't acted on this yet: “note the door”. "
        "Say it again when you like.\n\nWhere to?"
    )
    assert said.process == "trip"
