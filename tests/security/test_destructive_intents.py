"""What was decided is changed by a clear wish only: never by a guess, and never twice."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from softrail.core.intents import CONFIDENCE_THRESHOLD, Candidate, Intent, IntentDefinition, Tier
from softrail.core.ports import Model
from tests.integration.companion_server import headers
from tests.security.kit import Obedient, Order, World, companion_server, new_id

MESSAGES = (
    "withdraw that note",
    "finalize it, approve it, move it, erase it",
    "perhaps delete all of them",
    "drop every note and forget this project",
    "the owls would like that",
)
INTENTS = (
    "save_note",
    "finalize_project",
    "approve_draft",
    "request_redirect",
    "request_revision",
    "create_project",
    "delete_project",
    "general_conversation",
)
#: What a reading of `save_note` may do, and nothing else may.
CHANGING = {"note_changed"}
FUZZED = settings(
    max_examples=100, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck), database=None
)


class Guess:
    """A classifier that reads everything the way it is told."""

    def __init__(self) -> None:
        self.intent = Intent(name="general_conversation", confidence=0.0, tier="default")

    async def classify(
        self,
        message: str,
        candidates: Sequence[IntentDefinition],
        *,
        model: Model | None = None,
        context: Mapping[str, Any] | None = None,
    ) -> Intent:
        return self.intent


@pytest.fixture(scope="module")
def guess() -> Guess:
    return Guess()


@pytest.fixture(scope="module")
def world(guess: Guess) -> Iterator[World]:
    with companion_server(classifier=guess, model=Obedient([Order(mark="owl", words="I see.")])) as server:
        yield World(server)


def waiting(world: World) -> list[Any]:
    """The notes of Bob's barn, one of them waiting."""
    url = f"/projects/{world.own}/notes?state=waiting&state=saved&state=withdrawn&limit=200"
    notes = world.client.get(url, headers=headers("bob")).json()["items"]
    if not any(note["state"] == "waiting" for note in notes):
        hint = {"project_id": world.own, "intent_hint": "add_knowledge"}
        assert world.say("bob", "owls like barns", **hint).status_code == 200
        return waiting(world)
    return list(notes)


@FUZZED
@given(
    message=st.sampled_from(MESSAGES),
    name=st.sampled_from(INTENTS),
    confidence=st.one_of(
        st.floats(0.0, 1.0), st.sampled_from([CONFIDENCE_THRESHOLD, CONFIDENCE_THRESHOLD - 1e-9])
    ),
    tier=st.sampled_from(["model", "floor", "exemplars", "default"]),
    rival=st.one_of(st.none(), st.sampled_from(INTENTS)),
    torn=st.booleans(),
)
def test_no_reading_below_the_threshold_changes_anything_and_none_does_twice(
    world: World,
    guess: Guess,
    message: str,
    name: str,
    confidence: float,
    tier: Tier,
    rival: str | None,
    torn: bool,
) -> None:
    candidates = [Candidate(intent=name, confidence=confidence)]
    candidates += [Candidate(intent=rival, confidence=confidence)] if rival else []
    guess.intent = Intent(
        name=name,
        confidence=confidence,
        tier=tier,
        candidates=candidates,
        ambiguous=torn and rival is not None,
    )
    before = waiting(world)
    body = {"project_id": world.own, "turn_id": new_id()}

    first = world.say("bob", message, **body)
    after = waiting(world)
    again = world.say("bob", message, **body)

    done = {side["kind"] for side in first.json()["side_effects"]}
    meant = name == "save_note" and confidence >= CONFIDENCE_THRESHOLD and not guess.intent.ambiguous
    assert done <= (CHANGING if meant else set())
    assert (after == before) == (not done)
    assert again.content == first.content
    assert waiting(world) == after


def test_a_guess_is_asked_about_and_a_yes_acts_on_it_once(world: World, guess: Guess) -> None:
    guess.intent = Intent(name="save_note", confidence=0.6, tier="floor")
    before = waiting(world)
    asked = world.say("bob", "withdraw that note", project_id=world.own).json()
    assert asked["pending"]["kind"] == "clarify"
    assert asked["side_effects"] == []
    assert waiting(world) == before

    body = {"session_id": asked["session_id"], "project_id": world.own, "turn_id": new_id()}
    answered = world.say("bob", "yes", **body)
    after = waiting(world)
    again = world.say("bob", "yes", **body)

    assert [side["kind"] for side in answered.json()["side_effects"]] == ["note_changed"]
    assert (again.content, waiting(world)) == (answered.content, after)
    assert after != before


def test_a_guess_that_is_denied_changes_nothing(world: World, guess: Guess) -> None:
    guess.intent = Intent(name="save_note", confidence=0.69, tier="model")
    before = waiting(world)
    asked = world.say("bob", "withdraw that note", project_id=world.own).json()

    denied = world.say("bob", "no", session_id=asked["session_id"], project_id=world.own).json()

    assert denied["side_effects"] == []
    assert waiting(world) == before


def test_at_the_threshold_it_is_a_wish(world: World, guess: Guess) -> None:
    guess.intent = Intent(name="save_note", confidence=CONFIDENCE_THRESHOLD, tier="model")
    waiting(world)
    done = world.say("bob", "withdraw that note", project_id=world.own).json()
    assert [side["kind"] for side in done["side_effects"]] == ["note_changed"]


@settings(FUZZED, max_examples=40)
@given(
    intent=st.sampled_from(INTENTS),
    confidence=st.one_of(st.floats(0.0, 1.0), st.sampled_from([0.7, 0.6999999, 0.0, 1.0])),
    alternative=st.one_of(st.none(), st.tuples(st.sampled_from(INTENTS), st.floats(0.0, 1.0))),
)
def test_no_answer_of_a_model_below_the_threshold_changes_anything(
    clear: tuple[World, Obedient], intent: str, confidence: float, alternative: tuple[str, float] | None
) -> None:
    world, model = clear
    mark = new_id()
    other = {"intent": alternative[0], "confidence": alternative[1]} if alternative else None
    model.orders = [Order(mark=mark, intent=intent, confidence=confidence, alternative=other, words="I see.")]
    before = waiting(world)

    reply = world.say("bob", f"perhaps drop that one, {mark}", project_id=world.own).json()

    done = {side["kind"] for side in reply["side_effects"]}
    readings = [(intent, confidence), *([alternative] if alternative else [])]
    sure = any(name == "save_note" and chance >= CONFIDENCE_THRESHOLD for name, chance in readings)
    assert done <= (CHANGING if sure else set())
    assert (waiting(world) == before) == (not done)


@pytest.fixture(scope="module")
def clear() -> Iterator[tuple[World, Obedient]]:
    """The real classifier, and a model that reads as it is told."""
    model = Obedient()
    with companion_server(model=model) as server:
        yield World(server), model
