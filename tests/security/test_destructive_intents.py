"""What was decided is changed by a clear wish only: never by a guess, and never twice."""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from softrail.core.intents import CONFIDENCE_THRESHOLD, Candidate, Intent, IntentDefinition, Tier
from softrail.core.ports import Model
from softrail.store import SqlStore
from tests.integration.companion_server import assistant, founded, headers, person
from tests.security.kit import Obedient, Order, World, companion_server, new_id

MESSAGES = (
    "perhaps withdraw note 1",
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


def newest(notes: list[Any]) -> int:
    """The number of the newest note that waits."""
    return max(int(note["number"]) for note in notes if note["state"] == "waiting")


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
    asked = world.say("bob", f"perhaps withdraw note {newest(before)}", project_id=world.own).json()
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
    asked = world.say("bob", f"perhaps withdraw note {newest(before)}", project_id=world.own).json()

    denied = world.say("bob", "no", session_id=asked["session_id"], project_id=world.own).json()

    assert denied["side_effects"] == []
    assert waiting(world) == before


def test_at_the_threshold_it_is_a_wish(world: World, guess: Guess) -> None:
    guess.intent = Intent(name="save_note", confidence=CONFIDENCE_THRESHOLD, tier="model")
    number = newest(waiting(world))
    done = world.say("bob", f"perhaps withdraw note {number}", project_id=world.own).json()
    # A wish it is, but one with a word that is not understood: it is shown, and done once that is agreed to.
    assert (done["side_effects"], f"Withdraw note #{number}" in done["companion_message"]) == ([], True)
    agreed = world.say("bob", "Yes", project_id=world.own, session_id=done["session_id"]).json()
    assert [side["kind"] for side in agreed["side_effects"]] == ["note_changed"]


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


# -- a description that is paused, and notes of others


UNCLEAR = (
    "is the project ready?",
    "don't create the project",
    "do not finalize it",
    "never make it",
    "what is missing before you create the project?",
    "perhaps the owls would like the project",
)


@pytest.fixture
def paused(world: World, guess: Guess) -> str:
    """A description that needs nothing more, left by Bob; the session it was left in."""
    guess.intent = Intent(name="general_conversation", confidence=0.0, tier="default")
    begun = world.say("bob", "create a project", intent_hint="create_project").json()
    told = "What it is: a house for owls\nName: Owl House\nAudience: farmers\nSuccess conditions: ten owls"
    session = {"session_id": begun["session_id"]}
    described = world.say("bob", told, **session).json()
    assert described["readiness"] == "ready_for_review", described
    world.say("bob", "stop", **session)
    return str(begun["session_id"])


@pytest.mark.parametrize("message", UNCLEAR)
@pytest.mark.parametrize(
    ("confidence", "tier"), [(0.3, "floor"), (0.69, "model"), (0.95, "exemplars"), (0.95, "model")]
)
def test_a_paused_description_is_no_project_by_a_question_a_no_or_a_guess(
    world: World, guess: Guess, paused: str, message: str, confidence: float, tier: Tier
) -> None:
    before = world.client.get("/projects", headers=headers("bob")).json()
    guess.intent = Intent(name="finalize_project", confidence=confidence, tier=tier)
    reply = world.say("bob", message, session_id=paused).json()
    assert reply["side_effects"] == []
    assert world.client.get("/projects", headers=headers("bob")).json() == before


@pytest.mark.parametrize("message", ["save it", "yes", "save all", "withdraw that note", "keep them", "no"])
def test_no_word_without_a_number_changes_a_note_of_another_member(world: World, message: str) -> None:
    """Ada's note waits in a project that Bob may change."""
    services = assistant(world.server)
    store = world.server.dispatcher.store
    assert isinstance(store, SqlStore)

    async def let_in() -> str:
        ada, bob = await person(store, "ada"), await person(store, "bob")
        project = await founded(store, ada, name="Mill Pond")
        await services.projects.add_member(ada.id, project, bob.email, "member")
        await services.notes.add(ada.id, project, "The pond is deep.", state="waiting")
        return project

    project = asyncio.run(let_in())
    reply = world.say("bob", message, project_id=project, intent_hint="save_note").json()
    assert reply["side_effects"] == []
