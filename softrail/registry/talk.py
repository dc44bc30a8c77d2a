"""Gates 7 to 9: a turn that no process owns is classified, routed and answered."""

import asyncio
import logging
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from softrail.core.decisions import CandidateView
from softrail.core.instances import Instance
from softrail.core.intents import (
    GENERAL,
    GREETING,
    Candidate,
    Clarify,
    Continue,
    Intent,
    Reading,
    RouteResult,
)
from softrail.core.questions import Option
from softrail.language import Language, normal
from softrail.registry.acting import Acting
from softrail.registry.draft import Draft, summary_of
from softrail.registry.offers import Offers
from softrail.registry.parts import Parts
from softrail.registry.registry import Route
from softrail.registry.wishes import Wishes

log = logging.getLogger(__name__)

CLARIFICATION = "clarification"
MOST_INTENTS = 3  #: of one message; they run in order, as one turn with one reply
MAX_ROUTES = 5  #: a clarified turn may be unclear again, but not for ever


class Talk:
    """Classify, route, respond."""

    def __init__(self, parts: Parts, acting: Acting, offers: Offers) -> None:
        self._parts = parts
        self._acting = acting
        self._offers = offers
        self._model = parts.model

    async def answer(self, draft: Draft, language: Language) -> None:
        """Answer what is left of the message the normal way."""
        intent = await self._classify(draft, language)
        if not intent.also or self._model.name == "plain":
            await self._each(draft, intent, language)
            return
        whole, draft.wishes = draft.message, Wishes()
        await self._each(draft, intent, language)
        draft.message = whole
        await self._together(draft)

    async def _each(self, draft: Draft, intent: Intent, language: Language) -> None:
        await self._route(draft, intent, language)
        for further in intent.also[: MOST_INTENTS - 1]:
            if draft.pending is not None or draft.holder is not None:
                return  # something was asked or begun: the person decides what comes next
            draft.message = further.text or draft.message
            first = draft.intent
            self._note(draft, further)
            draft.intent = first
            await self._route(draft, further, language)

    async def _together(self, draft: Draft) -> None:
        """Have a model put what several wishes found into words, with one call; a question stays the last word."""
        wishes, draft.wishes = draft.wishes, None
        if wishes is None or not wishes.found:
            return
        later = draft.words[wishes.place :]
        del draft.words[wishes.place :]
        await self._respond(draft, *wishes.told)
        draft.words += later

    async def reroute(self, draft: Draft, language: Language) -> None:
        """Route an earlier turn that is clear now, as if it had been clear then."""
        for _ in range(MAX_ROUTES):
            again, draft.reroute = draft.reroute, None
            if again is None:
                return
            draft.message = again.message
            draft.project_id = again.project_id or draft.project_id
            intent = Intent(
                name=again.intent, confidence=1.0, tier="answer", parameters=dict(again.parameters)
            )
            self._note(draft, intent)
            await self._route(draft, intent, language)

    # -- 7 classify

    async def _classify(self, draft: Draft, language: Language) -> Intent:
        hint = draft.turn.intent_hint
        if hint is not None and draft.message == draft.turn.message:
            intent = Intent(name=hint, confidence=1.0, tier="hint")
        elif language.is_greeting(draft.message):
            intent = Intent(name=GREETING, confidence=1.0, tier="exemplars")
        elif (wanted := self._parts.registry.asked_for(draft.message, language)) is not None:
            intent = Intent(name=f"start_{wanted.name}", confidence=1.0, tier="exemplars")
        else:
            intent = await self._read(draft)
        self._note(draft, intent)
        return intent

    async def _read(self, draft: Draft) -> Intent:
        model = None if self._model.name == "plain" else self._model
        try:
            return await self._parts.classifier.classify(
                draft.message,
                self._parts.registry.intents(),
                model=model,
                context={
                    "person_id": draft.turn.person.id,
                    "project_id": draft.project_id,
                    "session_id": draft.session.id,
                },
            )
        except Exception as error:
            log.exception("The classifier failed on turn %s.", draft.turn.id)
            draft.decision.trouble = f"classifier: {type(error).__name__}"
            return Intent(name=GENERAL, confidence=0.0, tier="default")

    def _note(self, draft: Draft, intent: Intent) -> None:
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

    # -- 8 route

    async def _route(self, draft: Draft, intent: Intent, language: Language) -> None:
        if intent.ambiguous and len(intent.candidates) > 1 and await self._torn(draft, intent):
            return
        if intent.missing and await self._vague(draft, intent):
            return
        route = self._parts.registry.route(intent.name)
        if route is None:
            draft.decision.passed("route", "unknown", f"No one registered {intent.name}.")
            await self._respond(draft, replace(intent, name=GENERAL), {})
            return
        if route.intent.surely and not intent.sure:
            if not await self._unsure(draft, intent):
                await self._respond(draft, replace(intent, name=GENERAL), {})
            return
        if route.process is not None:
            definition = self._parts.registry.get(route.process)
            draft.decision.passed("route", "start", f"{intent.name} starts {definition.name}.")
            prefill = dict(intent.parameters) or None
            standing = draft.standing(definition.name)
            if standing is not None and prefill is None:
                draft.decision.passed(
                    "route", "already in", f"{definition.name} is under way: it asks again."
                )
                await self._acting.back_to(draft, standing)
                return
            draft.owner = None
            await self._acting.start(draft, definition, prefill=prefill, reason="asked for")
            return
        if route.handler is not None:
            await self._handle(draft, route, intent)
            return
        if intent.name == GREETING and await self._offers.on_greeting(draft):
            draft.decision.passed("route", "offer", "A greeting: there was something to offer.")
            return
        draft.decision.passed("route", "talk", "Nothing to start or do: an answer in words.")
        await self._respond(draft, intent, {})

    async def _handle(self, draft: Draft, route: Route, intent: Intent) -> None:
        """Let the intent's handler act, within the same limit as a step."""
        assert route.handler is not None  # noqa: S101 - narrowed by the caller
        holder = self._parts.holding(draft.holder) if draft.holder else None
        turn = replace(draft.turn, message=draft.message, project_id=draft.project_id, holder=holder)
        try:
            async with asyncio.timeout(self._parts.limit.total_seconds()):
                result = await route.handler(turn, intent)
            if not isinstance(result, RouteResult | Clarify | Continue):
                what = "a RouteResult, a Clarify or a Continue"
                raise TypeError(f"it returned a {type(result).__name__}, not {what}")
        except asyncio.CancelledError:
            raise
        except BaseException as error:  # plugin code may raise anything; the person still gets an answer
            log.exception("The handler of %s failed on turn %s.", intent.name, draft.turn.id)
            draft.decision.trouble = f"{intent.name}: {type(error).__name__}: {error}"[:500]
            draft.say(self._parts.sentences.say("internal"))
            return
        if isinstance(result, Clarify):
            await self._clarify(draft, result, intent)
            return
        if isinstance(result, Continue):
            if await self._continued(draft, result.process, intent):
                return
            result = result.otherwise
        draft.decision.passed("route", "handled", f"The handler of {intent.name} acted.")
        draft.effects.extend(result.side_effects)
        if draft.holder is None:  # whoever is asking has suggestions of its own
            draft.suggestions.extend(result.suggested_actions)
        draft.project_id = result.project_id or draft.project_id
        if result.draft_specification is not None:
            draft.extra["draft_specification"] = result.draft_specification
        if result.readiness is not None:
            draft.extra["readiness"] = result.readiness
        if result.text is not None:
            draft.say(result.text)
        else:
            await self._respond(draft, intent, _data(result))

    async def _continued(self, draft: Draft, process: str, intent: Intent) -> bool:
        """Take up the person's unfinished run of a process, and give it the turn. False: there is none."""
        found = [i for i in await self._offers.unfinished(draft) if i.process == process]
        if not found:
            return False
        meant = _spoken_of(draft.message, found)
        draft.instances.setdefault(meant[0].id, meant[0])
        if len(meant) > 1:
            why = f"{process} was left several times: the last one asks."
            draft.decision.passed("route", "taken up", why)
            await self._acting.resume(draft, meant[0])
            return True
        draft.decision.passed("route", "taken up", f"{process} was left unfinished and gets the turn.")
        instance = await self._acting.wake(draft, meant[0], intent.name)
        draft.say(self._parts.sentences.say("resumed", process=self._parts.title(process)))
        turn = replace(draft.turn, message=draft.message, intent_hint=intent.name)
        await self._acting.answer(draft, instance, turn=turn)
        return True

    async def _torn(self, draft: Draft, intent: Intent) -> bool:
        readings = [self._reading(c, intent) for c in intent.candidates[:2]]
        question = self._parts.sentences.say("clarify_ambiguous")
        return await self._clarify(
            draft, Clarify(question=question, options=readings, why="ambiguous"), intent
        )

    async def _unsure(self, draft: Draft, intent: Intent) -> bool:
        """It would change what was decided: nothing happens before the person says that this is meant."""
        reading = Candidate(intent=intent.name, confidence=intent.confidence)
        question = self._parts.sentences.say("clarify_unsure")
        return await self._clarify(
            draft, Clarify(question=question, options=[self._reading(reading, intent)]), intent
        )

    async def _vague(self, draft: Draft, intent: Intent) -> bool:
        """Something it needs was not said: ask for that, in the person's own words."""
        missing = intent.missing[0]
        question = self._parts.sentences.say("clarify_vague", missing=missing.replace("_", " "))
        return await self._clarify(draft, Clarify(question=question, why="vague"), intent, missing=missing)

    def _reading(self, candidate: Candidate, intent: Intent) -> Reading:
        route = self._parts.registry.route(candidate.intent)
        named = route.intent.label if route else ""
        hint = route.intent.description if route and not named else ""
        label = named or candidate.intent.replace("_", " ").replace(".", ": ").capitalize()
        parameters = intent.parameters if candidate.intent == intent.name else {}
        return Reading(
            option=Option(label=label, value=candidate.intent, hint=hint or None),
            intent=candidate.intent,
            parameters=dict(parameters),
        )

    async def _clarify(
        self, draft: Draft, clarify: Clarify, intent: Intent, *, missing: str | None = None
    ) -> bool:
        """Raise a clarification: it asks, and the turn is routed again with the answer."""
        definition = self._parts.registry.find(CLARIFICATION)
        if definition is None:
            return False
        readings = [
            {
                "option": r.option.model_dump(),
                "intent": r.intent,
                "parameters": dict(r.parameters),
                "project_id": r.project_id,
            }
            for r in clarify.options
        ]
        prefill: dict[str, Any] = {
            "turn": {
                "message": draft.message,
                "project_id": draft.project_id,
                "turn_id": draft.turn.id,
                "intent": intent.name,
            },
            "question": clarify.question,
            "readings": readings,
            "why": clarify.why,
            "missing": missing,
        }
        if clarify.default_after is not None:
            prefill["default_after"] = clarify.default_after.total_seconds()
        draft.decision.passed("route", "clarify", f"{clarify.why.capitalize()}: asked back.")
        draft.ask_again = None
        await self._acting.start(
            draft, definition, prefill=prefill, covering=draft.holder is not None, reason=clarify.why
        )
        return True

    # -- 9 respond

    async def _respond(self, draft: Draft, intent: Intent, data: Mapping[str, Any]) -> None:
        if draft.wishes is not None:
            draft.wishes.add(intent, data, place=len(draft.words))
            return
        can = [d.starts_on[0] for d in self._parts.registry.definitions() if d.starts_on]
        turn = replace(draft.turn, message=draft.message, project_id=draft.project_id)
        done = [summary_of(effect) for effect in draft.effects]  # told even when the model fails
        words = await self._parts.responder.respond(
            turn,
            intent,
            {"can": can, "done": done, **data},
            model=self._model,
            show=draft.show if draft.listening else None,
        )
        draft.prompts.extend(words.prompts)
        if draft.holder is None:  # whoever is asking has suggestions of its own
            draft.suggestions.extend(words.suggested_actions)
        draft.decision.caught.extend(words.caught)
        draft.say(words.text)
        outcome = "fallback" if words.fallback else "answered"
        draft.decision.passed("respond", outcome, f"Words by {self._model.name}.")


def _spoken_of(message: str, found: Sequence[Instance]) -> Sequence[Instance]:
    """Those runs whose slot shares most words with the message; all of them when none does."""
    said = set(normal(message).split())
    shared = [len({word for word in normal(one.slot).split() if len(word) > 3} & said) for one in found]
    return [one for one, count in zip(found, shared, strict=True) if count == max(shared)]


def _data(result: RouteResult) -> dict[str, Any]:
    return {
        "operation_data": dict(result.operation_data),
        "is_stub": result.is_stub,
        "stub_guidance": result.stub_guidance,
    }
