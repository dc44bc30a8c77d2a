"""Asking back when a message can be read in two ways, or when something it needs was not said."""

from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import Any

from softrail.core.intents import GENERAL, Candidate, Clarify, Intent, Reading
from softrail.core.outcomes import Reroute
from softrail.core.parameters import choices, described
from softrail.core.questions import Option
from softrail.dialogue.context import Parts
from softrail.dialogue.draft import Draft
from softrail.dialogue.hearing import NEAR
from softrail.dialogue.instances import Acting

NEITHER = ("neither", "none of these", "none of them", "none", "no")  #: what is near, and not meant
MOST_TRIES = 2  #: answers that cannot be used, before it is given up
MOST_NEAR = 2  #: wishes that are named to somebody who was not understood
BESIDE_IT = 0.10  #: and the next
TOLD = 0.95  #: how likely it tells what a process would ask for first, which nobody has asked yet; small talk has less
CLARIFICATION = "clarification"  #: the process that asks; without it nothing is asked back


class Clarifying:
    """Raises clarifications: they ask, and the message is routed again with the answer."""

    def __init__(self, parts: Parts, acting: Acting) -> None:
        self._parts = parts
        self._acting = acting

    async def torn(self, draft: Draft, intent: Intent) -> bool:
        """Two readings are close: which one is meant? False: it cannot be asked."""
        readings = [self._reading(candidate, intent) for candidate in intent.candidates[:2]]
        question = self._parts.sentences.say("clarify_ambiguous")
        return await self.ask(draft, Clarify(question=question, options=readings, why="ambiguous"), intent)

    async def unsure(self, draft: Draft, intent: Intent) -> bool:
        """It would change what was decided: nothing happens before the person says that this is meant."""
        reading = self._reading(Candidate(intent=intent.name, confidence=intent.confidence), intent)
        question = self._parts.sentences.say("clarify_unsure")
        return await self.ask(draft, Clarify(question=question, options=[reading]), intent)

    def nearest(self, intent: Intent) -> Clarify | None:
        """What a message that is understood too little may mean, to be asked; None where nothing is near enough."""
        if intent.tier != "default":
            return None
        known = [c for c in intent.candidates if self._leads_on(c.intent)][:MOST_NEAR]
        if not known or known[0].confidence < NEAR:
            return None
        if any(c.confidence > known[0].confidence for c in intent.candidates):
            return None  # it is rather talk
        return self.near([one for one in known if one.confidence >= BESIDE_IT], intent)

    def guess(self, intent: Intent) -> Clarify:
        """What the best guess is, to be asked."""
        return self.near([Candidate(intent=intent.name, confidence=intent.confidence)], intent)

    def near(self, candidates: Sequence[Candidate], intent: Intent) -> Clarify:
        """Whether it is one of these, or something else."""
        readings = [*(self._reading(one, intent) for one in candidates), self._other(GENERAL)]
        return Clarify(question=self._parts.sentences.say("clarify_near"), options=readings, why="near")

    def _other(self, intent: str) -> Reading:
        """None of the wishes: a kind of talk, which is only answered."""
        label = self._parts.sentences.say("clarify_other")
        return Reading(option=Option(label=label, value=intent, words=NEITHER), intent=intent)

    def _leads_on(self, intent: str) -> bool:
        """Somebody acts on it, or a process begins; a kind of talk is only answered."""
        route = self._parts.registry.route(intent)
        acts = route is not None and (route.handler is not None or route.process is not None)
        return acts and intent.partition(".")[0] != GENERAL

    async def further(self, draft: Draft, intent: Intent, again: Reroute, *, told: str) -> bool:
        """Ask for what is still missing after an answer, or was not usable; False: nothing is, or it is given up."""
        if told not in intent.missing:
            return bool(intent.missing) and await self.vague(draft, intent)
        said = str(again.parameters.get(told, ""))
        if again.tries < MOST_TRIES:
            only = replace(intent, missing=[told])
            return await self.vague(draft, only, unusable=said, tries=again.tries + 1)
        draft.say(self._parts.sentences.say("clarify_gave_up", said=said))
        draft.decision.passed("route", "given up", f"No answer for {told} could be used.")
        return True

    async def vague(self, draft: Draft, intent: Intent, *, unusable: str = "", tries: int = 0) -> bool:
        """Something it needs was not said, or what was said is `unusable`: ask for that, with its choices."""
        missing, route = intent.missing[0], self._parts.registry.route(intent.name)
        model = route.intent.parameters if route else None
        values = {"missing": described(model, missing)}
        if unusable:
            question = self._parts.sentences.say("clarify_unusable", said=unusable, **values)
        else:
            question = self._parts.sentences.say("clarify_vague", **values)
        options = [
            Reading(
                option=Option(label=value),
                intent=intent.name,
                parameters={**intent.parameters, missing: value},
                told=missing,
            )
            for value in choices(model, missing)
        ]
        clarify = Clarify(question=question, options=options, why="vague")
        return await self.ask(draft, clarify, intent, missing=missing, tries=tries)

    async def ask(
        self,
        draft: Draft,
        clarify: Clarify,
        intent: Intent,
        *,
        missing: str | None = None,
        tries: int = 0,
    ) -> bool:
        """Ask back. What an open question of this kind was about is handed on to the new one. False: it is not asked."""
        definition = self._parts.registry.find(CLARIFICATION)
        if definition is None or not await self._told(draft, clarify.if_told):
            return False
        turn = {
            "message": draft.message,
            "project_id": draft.project_id,
            "turn_id": draft.turn.id,
            "intent": intent.name,
            "parameters": dict(intent.parameters),
        }
        prefill: dict[str, Any] = {
            "turn": turn,
            "question": clarify.question,
            "readings": [_way(reading) for reading in clarify.options],
            "why": clarify.why,
            "missing": missing,
            "tries": tries,
            "before": self._unanswered(draft),
        }
        if clarify.shows:
            prefill["shows"] = [asdict(one) for one in clarify.shows]
        if clarify.default_after is not None:
            prefill["default_after"] = clarify.default_after.total_seconds()
        draft.decision.passed("route", "clarify", f"{clarify.why.capitalize()}: asked back.")
        draft.ask_again = None
        await self._acting.start(
            draft, definition, prefill=prefill, covering=draft.holder is not None, reason=clarify.why
        )
        return True

    async def _told(self, draft: Draft, process: str) -> bool:
        """The message tells what that process would ask for first; so it does where no process is named."""
        definition = self._parts.registry.find(process) if process else None
        turn = replace(draft.turn, message=draft.message)
        place = self._parts.conductor.opening(definition, turn) if definition is not None else None
        if place is None:
            return not process
        # The others are read when it begins: beside them all a reading takes three times as long.
        first = place.open_field()
        alone = replace(place, fields=lambda: (first,) if first is not None else ())
        reading = await self._parts.reader.read(turn.message, alone, locale=turn.person.locale)
        told = reading.of("inform", target="") if reading.learned else None
        return told is not None and told.confidence >= TOLD

    def _unanswered(self, draft: Draft) -> Sequence[Any]:
        """The turns that an open question was about, each with its readings."""
        older = draft.holder
        if older is None or older.process != CLARIFICATION:
            return []
        data = self._parts.data(older)
        return [*data.get("before", ()), {"turn": data.get("turn"), "readings": data.get("readings", [])}]

    def _reading(self, candidate: Candidate, intent: Intent) -> Reading:
        if candidate.intent.partition(".")[0] == GENERAL:
            return self._other(candidate.intent)
        route = self._parts.registry.route(candidate.intent)
        named = route.intent.label if route else ""
        if route is not None and route.process is not None and not named:
            title = self._parts.title(route.process)
            named = title[:1].upper() + title[1:]
        hint = route.intent.description if route and not named else ""
        label = named or candidate.intent.replace("_", " ").replace(".", ": ").capitalize()
        parameters = intent.parameters if candidate.intent == intent.name else {}
        return Reading(
            option=Option(label=label, value=candidate.intent, hint=hint or None),
            intent=candidate.intent,
            parameters=dict(parameters),
        )


def _way(reading: Reading) -> dict[str, Any]:
    return {
        "option": reading.option.model_dump(),
        "intent": reading.intent,
        "parameters": dict(reading.parameters),
        "project_id": reading.project_id,
        "told": reading.told,
    }
