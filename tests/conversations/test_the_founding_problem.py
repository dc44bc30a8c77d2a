"""What a script cannot say: blanks around a word, and that nobody was asked who was not needed."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from softrail.core.intents import GENERAL, Intent, IntentDefinition
from softrail.core.ports import Model
from softrail.processes.builtin.onboarding import Onboarding
from softrail.testing import ScriptedModel
from softrail.testing.plugin import Talk


class Listening:
    """A classifier that would get it wrong, and keeps what it was asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    async def classify(
        self,
        message: str,
        candidates: Sequence[IntentDefinition],
        *,
        model: Model | None = None,
        context: Mapping[str, Any] | None = None,
    ) -> Intent:
        self.asked.append(message)
        return Intent(name=GENERAL, confidence=1.0, tier="model")


async def test_an_answer_is_neither_classified_nor_shown_to_a_model(talk: Talk) -> None:
    classifier, model = Listening(), ScriptedModel([])
    c = await talk(Onboarding, classifier=classifier, model=model)
    await c.say("set up my projects")

    said = await c.say("My main project is called Piper Morgan")

    assert said.text == "I've noted Piper Morgan.\n\nDo you have another project?"
    assert said.decision.owner == "onboarding"
    assert said.decision.gate("classify") is None
    assert classifier.asked == []
    assert model.requests == []


async def test_the_same_words_with_nothing_under_way_are_classified(talk: Talk) -> None:
    classifier = Listening()
    c = await talk(Onboarding, classifier=classifier)

    said = await c.say("My main project is called Piper Morgan")

    assert classifier.asked == ["My main project is called Piper Morgan"]
    assert said.process is None


async def test_the_whole_founding_conversation_asks_no_model(talk: Talk) -> None:
    script = Path(__file__).with_name("founding_problem.talk").read_text(encoding="utf-8")
    opening = script[: script.index("person: hi\nus: …\nprocess: none")]
    model, classifier = ScriptedModel([]), Listening()
    c = await talk(Onboarding, model=model, classifier=classifier)

    said = await c.play(opening)

    assert said[-1].effects == ["project_saved", "project_saved"]
    assert model.requests == []
    assert classifier.asked == []


async def test_blanks_and_capitals_around_an_escape_word_do_not_matter_and_are_kept(talk: Talk) -> None:
    c = await talk(Onboarding)
    await c.say("set up my projects")

    said = await c.say("  CANCEL ")

    assert said.state == "suspended"
    assert c.session_id is not None
    items = await c.dispatcher.store.items(c.person.id, session_id=c.session_id)
    assert [item.content for item in items if item.role == "operator"][-1] == "  CANCEL "
