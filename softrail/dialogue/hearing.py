"""Gate 7: what a message means where no process owns it."""

import logging
import re
from dataclasses import replace

from softrail.core.decisions import CandidateView
from softrail.core.intents import GENERAL, GREETING, Intent
from softrail.dialogue.context import Parts
from softrail.dialogue.draft import Draft
from softrail.dialogue.own_intents import OwnIntents
from softrail.language import Language

log = logging.getLogger(__name__)

NEAR = 0.25  #: how likely a wish is at least to be asked about; measured on tests/data/classifier, see docs/reference/classifier.md
_BEHIND = re.compile(r"\s*[,;:]\s+")
_FEWEST = 3  #: words of what is told


class Hearing:
    """Asks the classifier, and writes down what it made of a message."""

    def __init__(self, parts: Parts, own: OwnIntents) -> None:
        self._parts = parts
        self._own = own
        self._model = parts.model

    async def classify(self, draft: Draft, language: Language) -> Intent:
        """The intent that a hint, exact words, a process or the classifier gives, written down."""
        hint = draft.turn.intent_hint
        if hint is not None and draft.whole:
            intent = Intent(name=hint, confidence=1.0, tier="hint")
        elif language.is_greeting(draft.message):
            intent = Intent(name=GREETING, confidence=1.0, tier="exemplars")
        elif (wanted := self._parts.registry.asked_for(draft.message, language)) is not None:
            intent = Intent(name=f"start_{wanted.name}", confidence=1.0, tier="exemplars")
        else:
            intent = (await self._own.among(draft) or await self._read(draft)).wished
            intent = self._begun(draft, intent, language)
        self.note(draft, intent)
        return intent

    async def alone(self, draft: Draft) -> Intent:
        """What the message would mean if nothing were asked; no language model is."""
        return (await self._read(draft, locally=True)).wished

    async def is_a_wish(self, draft: Draft, said: str) -> bool:
        """The words are surely a wish that somebody acts on, wherever they are said; no language model is asked."""
        intent = (await self._read(draft, said=said, locally=True)).wished
        acts = self._parts.registry.acts(intent.name) and not intent.is_talk
        return acts and intent.tier == "exemplars" and intent.sure and not intent.ambiguous

    async def is_told(self, draft: Draft, said: str) -> bool:
        """The words may tell something that would be kept, wherever they are said; no language model is asked."""
        keeper = self._parts.registry.keeper()
        if keeper is None or len(said.split()) < _FEWEST:
            return False
        intent = (await self._read(draft, said=said, locally=True)).wished
        if intent.name == keeper.name:
            return not intent.ambiguous
        likely = max((c.confidence for c in intent.candidates if c.intent == keeper.name), default=0.0)
        return likely >= NEAR and not intent.sure

    async def takes_up(self, draft: Draft, process: str) -> bool:
        """Whether the message means, in words of its own, the process that is on offer."""
        offered = f"start_{process}"
        found = await self._read(draft, locally=True, offered=offered)
        return found.name == offered and found.tier == "exemplars"

    async def _read(
        self, draft: Draft, *, said: str = "", locally: bool = False, offered: str = ""
    ) -> Intent:
        model = None if locally or draft.classified or self._model.name == "plain" else self._model
        draft.classified = draft.classified or model is not None
        try:
            return await self._parts.classifier.classify(
                said or draft.message,
                self._own.candidates(draft),
                model=model,
                context={
                    "person_id": draft.turn.person.id,
                    "project_id": draft.project_id,
                    "session_id": draft.session.id,
                    "focus": draft.session.memo.focus,
                    **self._asked(draft),
                    **({"offered": offered} if offered else {}),
                },
            )
        except Exception as error:
            log.exception("The classifier failed on turn %s.", draft.turn.id)
            draft.decision.trouble = f"classifier: {type(error).__name__}"
            return Intent(name=GENERAL, confidence=0.0, tier="default")

    def _begun(self, draft: Draft, intent: Intent, language: Language) -> Intent:
        """What may well mean a process, and begins with the very words it starts on, means it: "report a leak, flat 12"."""
        likely = intent.candidates[0].intent if intent.tier == "default" and intent.candidates else ""
        head = _BEHIND.split(draft.message, maxsplit=1)[0]
        wanted = self._parts.registry.asked_for(head, language) if likely else None
        if wanted is None or likely != f"start_{wanted.name}":
            return intent
        return replace(intent, name=likely, confidence=1.0, tier="exemplars", ambiguous=False)

    def _asked(self, draft: Draft) -> dict[str, str]:
        """What is under way, and what it asks: in its middle little else is meant."""
        holder = draft.holder
        if holder is None or holder.question is None:
            return {"under_way": holder.process if holder is not None else ""}
        asked = f"{holder.question.asks} {self._parts.open_field(holder).replace('_', ' ')}"
        return {"under_way": holder.process, "asked": asked}

    def note(self, draft: Draft, intent: Intent) -> None:
        """Write it down as what the turn meant."""
        draft.intent = intent.name
        decision = draft.decision
        decision.tier, decision.confidence = intent.tier, round(intent.confidence, 4)
        decision.candidates = [
            CandidateView(intent=c.intent, confidence=round(c.confidence, 4), example=c.example)
            for c in intent.candidates[:5]
        ]
        why = f"Read as {intent.name} at {intent.confidence:.2f}, by {intent.tier}"
        why += f": {intent.explanation}." if intent.explanation else "."
        decision.passed("classify", intent.name, why)
        draft.prompts.extend(intent.prompts)
        draft.emit(
            "intent.classified",
            {"intent": intent.name, "confidence": intent.confidence, "tier": intent.tier},
        )
