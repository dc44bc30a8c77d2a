"""Dialogues in which something has to be asked back: two readings, or something missing."""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any

from softrail import Clarify, IntentDefinition, Option, RouteResult, Turn
from softrail.core.intents import GENERAL, Candidate, Intent, Reading
from softrail.core.ports import Model
from softrail.processes.builtin.clarification import Clarification
from softrail.processes.builtin.standup import Standup
from softrail.testing import Conversation
from softrail.testing.plugin import Talk
from tests.conversations.kinds import Trip
from tests.readers import reader


class Torn:
    """A classifier that reads "release it" in two ways and everything else as talk."""

    async def classify(
        self,
        message: str,
        candidates: Sequence[IntentDefinition],
        *,
        model: Model | None = None,
        context: Mapping[str, Any] | None = None,
    ) -> Intent:
        if message != "release it":
            return Intent(name=GENERAL, confidence=0.2, tier="default")
        return Intent(
            name="ship",
            confidence=0.6,
            tier="exemplars",
            ambiguous=True,
            candidates=[
                Candidate(intent="ship", confidence=0.6),
                Candidate(intent="let_go", confidence=0.55),
            ],
        )


async def _ship(turn: Turn, intent: Intent) -> RouteResult:
    return RouteResult(text=f"Shipped: {turn.message}.")


async def _let_go(turn: Turn, intent: Intent) -> RouteResult:
    return RouteResult(text=f"Let go: {turn.message}.")


async def _which_project(turn: Turn, intent: Intent) -> RouteResult | Clarify:
    if "project" in intent.parameters:
        return RouteResult(text=f"{intent.parameters['project']} is fine.")
    names = ("FarmGuard", "HealthTrack Mobile", "Later Labs")
    return Clarify(
        question="Which project?",
        options=[
            Reading(option=Option(label=name), intent="how_is", parameters={"project": name})
            for name in names
        ],
        default_after=timedelta(hours=1),
    )


INTENTS = [
    (IntentDefinition(name="ship", description="Publish the release."), _ship),
    (IntentDefinition(name="let_go", description="Give up the hold."), _let_go),
    (IntentDefinition(name="how_is", description="How a project does."), _which_project),
]


async def _open(talk: Talk) -> Conversation:
    return await talk(Clarification, Standup, Trip, classifier=Torn(), intents=INTENTS)


AMBIGUOUS = """
person: release it
us: I can read that in two ways. Which did you mean?
|
| A) Ship: Publish the release.
| B) Let go: Give up the hold.
| C) Go ahead with your best guess
| D) Never mind
process: clarification active asking
pending: clarify
"""


async def test_each_way_of_choosing_routes_the_original_turn(talk: Talk) -> None:
    c = await _open(talk)
    for answer, reply in (
        ("B", "Let go: release it."),
        ("2", "Let go: release it."),
        ("ship", "Shipped: release it."),
        ("the first one", "Shipped: release it."),
        ("go ahead with your best guess", "Shipped: release it."),
    ):
        said = await c.play(f"{AMBIGUOUS}\nperson: {answer}\nus: {reply}\nprocess: clarification completed")
        assert said[-1].intent in ("ship", "let_go")  # the original's
    await c.play(f"{AMBIGUOUS}\nperson: never mind\nprocess: clarification\npending: none\nintent: none")


async def test_what_is_no_answer_is_answered_and_the_question_goes_after_the_second_miss(talk: Talk) -> None:
    c = await _open(talk)

    await c.play(
        f"""{AMBIGUOUS}
        person: I had a long day
        us: …Which did you mean?…
        process: clarification active
        pending: clarify
        person: it rains a lot here
        process: clarification abandoned
        pending: none
        person: B
        intent: general_conversation
        """
    )


async def test_something_missing_is_asked_for_and_chosen_by_part_of_its_name(talk: Talk) -> None:
    c = await _open(talk)

    asked = await c.say("how is it going", intent_hint="how_is")
    chosen = await c.say("the mobile one")

    assert asked.pending == "clarify"
    assert asked.reply.suggested_actions[:3] == ["FarmGuard", "HealthTrack Mobile", "Later Labs"]
    assert chosen.text == "HealthTrack Mobile is fine."
    assert chosen.intent == "how_is"


async def test_a_question_with_a_default_takes_it_when_its_time_is_over(talk: Talk) -> None:
    c = await _open(talk)
    asked = await c.say("how is it going", intent_hint="how_is")
    assert asked.reply.pending is not None
    assert asked.reply.pending.expires_at is not None

    c.advance(minutes=61)
    await c.sweep()

    assert c.session_id is not None
    items = await c.dispatcher.store.items(c.person.id, session_id=c.session_id)
    assert items[-1].role == "companion"
    assert "FarmGuard is fine." in items[-1].content


async def test_a_process_waits_underneath_a_clarification_and_asks_again(talk: Talk) -> None:
    c = await _open(talk)

    await c.play(
        """
        person: plan a trip
        process: trip active gathering_place
        """
    )
    asked = await c.say("what about my projects?", intent_hint="how_is")
    answered = await c.say("FarmGuard")

    assert (asked.process, asked.pending) == ("clarification", "clarify")
    assert answered.text == "FarmGuard is fine.\n\nWhere to?"
    assert (answered.process, answered.state, answered.pending) == ("trip", "active", "ask")


async def test_an_answer_in_words_of_ones_own_is_read_and_asked_about(talk: Talk) -> None:
    said = "the thing with publishing"
    meant = {"Ship": 0.9}
    small = reader(
        acts={said: {"inform": 0.95}}, values={said: {"(Ship": "publishing"}}, chosen={said: meant}
    )
    c = await talk(Clarification, classifier=Torn(), intents=INTENTS, reader=small)
    await c.say("release it")

    asked = await c.say(said)

    assert (asked.text, asked.pending) == ("Did you mean “Ship”?", "clarify")
    assert (await c.say("yes")).text == "Shipped: release it."


async def test_a_refusal_that_is_read_lets_the_question_go(talk: Talk) -> None:
    said = "I meant nothing of the kind"
    small = reader(acts={said: {"negate": 0.9}}, values={said: {}})
    c = await talk(Clarification, classifier=Torn(), intents=INTENTS, reader=small)
    await c.say("release it")

    assert (await c.say(said)).text == "All right, never mind."
