"""A message that is understood too little is asked about: what is nearest to it, on buttons, and something else."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from softrail import IntentDefinition, RouteResult, Turn
from softrail.core.intents import GENERAL, Candidate, Intent
from softrail.core.ports import Model
from softrail.processes.builtin.clarification import Clarification
from softrail.processes.builtin.standup import Standup
from softrail.testing import Conversation
from softrail.testing.plugin import Talk
from tests.conversations.kinds import Trip
from tests.readers import reader

VAGUE: Mapping[str, Mapping[str, float]] = {
    "sort my stuff": {"start_trip": 0.38, "ship": 0.2, "let_go": 0.12},
    "off it goes": {"ship": 0.3, GENERAL: 0.26, "let_go": 0.04},
    "it might rain": {GENERAL: 0.4, "general_conversation.weather": 0.3, "ship": 0.2},
}
GUESSED = {"we could do the daily thing instead": "start_standup"}


class Unsure:
    """A classifier that is too unsure of everything, but for what it guesses."""

    async def classify(
        self,
        message: str,
        candidates: Sequence[IntentDefinition],
        *,
        model: Model | None = None,
        context: Mapping[str, Any] | None = None,
    ) -> Intent:
        if message in GUESSED:
            return Intent(name=GUESSED[message], confidence=0.6, tier="floor")
        read = [Candidate(intent=name, confidence=sure) for name, sure in VAGUE.get(message, {}).items()]
        return Intent(name=GENERAL, confidence=0.3, tier="default", candidates=read)


async def _ship(turn: Turn, intent: Intent) -> RouteResult:
    return RouteResult(text=f"Shipped: {turn.message}.")


async def _let_go(turn: Turn, intent: Intent) -> RouteResult:
    return RouteResult(text=f"Let go: {turn.message}.")


INTENTS = [
    (IntentDefinition(name="ship", description="Publish the release.", label="Ship it"), _ship),
    (IntentDefinition(name="let_go", description="Give up the hold."), _let_go),
]


async def unsure(talk: Talk) -> Conversation:
    return await talk(Clarification, Standup, Trip, classifier=Unsure(), intents=INTENTS)


async def test_the_two_wishes_that_are_nearest_are_asked_about(talk: Talk) -> None:
    c = await unsure(talk)
    await c.play(
        """
        person: sort my stuff
        us: I am not sure what you would like. Is it one of these?
        |
        | A) The trip
        | B) Ship it
        | C) Something else
        process: clarification active asking
        pending: clarify
        person: the second one
        us: Shipped: sort my stuff.
        process: clarification completed
        """
    )


async def test_a_wish_that_begins_a_process_begins_it_once_it_is_chosen(talk: Talk) -> None:
    c = await unsure(talk)
    await c.say("sort my stuff")
    begun = await c.say("A")
    assert (begun.process, begun.text) == ("trip", "Where to?")


async def test_what_is_hardly_likely_is_not_named_and_a_yes_is_to_the_only_one(talk: Talk) -> None:
    c = await unsure(talk)
    asked = await c.say("off it goes")
    assert asked.reply.suggested_actions[:2] == ["Ship it", "Something else"]
    assert (await c.say("yes")).text == "Shipped: off it goes."


@pytest.mark.parametrize("answer", ["something else", "none of these", "C"])
async def test_something_else_gets_what_is_said_where_nothing_is_near(talk: Talk, answer: str) -> None:
    c = await unsure(talk)
    nothing = await c.say("it might rain")
    await c.say("sort my stuff")
    said = await c.say(answer)
    assert (said.text, said.pending, said.intent) == (nothing.text, None, GENERAL)


async def test_no_does_nothing(talk: Talk) -> None:
    c = await unsure(talk)
    await c.say("sort my stuff")
    said = await c.say("no")
    assert (said.pending, said.effects, said.state) == (None, [], "completed")


async def test_whoever_says_something_else_at_once_is_not_asked_again(talk: Talk) -> None:
    c = await unsure(talk)
    await c.play(
        """
        person: sort my stuff
        pending: clarify
        person: it might rain
        process: clarification abandoned
        pending: none
        person: A
        intent: general_conversation
        """
    )


async def test_in_the_middle_of_a_process_nothing_is_asked_about(talk: Talk) -> None:
    c = await unsure(talk)
    await c.say("plan a trip")
    said = await c.say("sort my stuff")
    assert said.process == "trip"
    assert said.pending == "ask"


async def test_talk_is_never_near(talk: Talk) -> None:
    c = await unsure(talk)
    said = await c.say("it might rain")
    assert (said.pending, said.process) == (None, None)


async def test_another_process_that_is_only_guessed_at_is_asked_about_in_the_middle_of_one(
    talk: Talk,
) -> None:
    wishes = reader(acts={message: {"request": 0.9} for message in GUESSED})
    c = await talk(Clarification, Standup, Trip, classifier=Unsure(), intents=INTENTS, reader=wishes)
    await c.play(
        """
        person: plan a trip
        person: we could do the daily thing instead
        us: I am not sure what you would like. Is it one of these?
        |
        | A) Your standup
        | B) Something else
        process: clarification active asking
        person: yes
        us: …What did you work on yesterday?
        process: standup active
        """
    )


@pytest.mark.parametrize("message", ["time for the daily check in?", "how about a daily stand-up now"])
async def test_a_process_that_is_called_by_its_name_is_asked_about(talk: Talk, message: str) -> None:
    c = await unsure(talk)
    asked = await c.say(message)
    assert asked.reply.suggested_actions[:2] == ["Your standup", "Something else"]
    assert (await c.say("yes")).process == "standup"


async def test_one_word_of_a_name_calls_nothing(talk: Talk) -> None:
    c = await unsure(talk)
    assert (await c.say("we have a daily bus")).pending is None
