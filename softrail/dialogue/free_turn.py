"""Gates 8 and 9: a turn that no process owns is routed and answered."""

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from softrail.core.calling import awaited
from softrail.core.instances import Instance, State
from softrail.core.intents import (
    GENERAL,
    GREETING,
    HELP,
    HUMAN,
    LEFT_OFF,
    Candidate,
    Clarify,
    Continue,
    Intent,
    IntentDefinition,
    RouteResult,
)
from softrail.core.outcomes import Reroute
from softrail.core.parameters import validated
from softrail.core.reading import Command, Reading
from softrail.core.turns import Holder
from softrail.dialogue.by_answers import ByAnswers
from softrail.dialogue.clarifying import CLARIFICATION, MOST_NEAR, Clarifying
from softrail.dialogue.context import Parts
from softrail.dialogue.draft import Draft, summary_of
from softrail.dialogue.handing_over import to_a_person
from softrail.dialogue.hearing import Hearing
from softrail.dialogue.instances import Acting
from softrail.dialogue.multi_intent import Wishes
from softrail.dialogue.offers import Offers
from softrail.dialogue.own_intents import OwnIntents
from softrail.language import Language, normal
from softrail.registry.registry import Route

log = logging.getLogger(__name__)

_STUCK = ("not_understood", "choose", "wants_file", "nothing_to_undo")

_EVEN = 0.5  #: what is likelier than this is likelier than all else together
MOST_INTENTS = 3  #: of one message; they run in order, as one turn with one reply
MAX_ROUTES = 6  #: a clarified turn may be unclear again, but not for ever


@dataclass(frozen=True, kw_only=True, slots=True)
class Meanwhile:
    """What is said in the middle of a process that waits, where nobody knows an answer."""

    sentence: str  #: "" where nothing is
    what: str = ""  #: the process waits for, or was told
    ours: bool = False  #: it is said whoever else acts on it
    begins: bool = True  #: another process may be started for it
    otherwise: Callable[[], None] | None = None  #: done in place of saying it
    answered: bool = False  #: the process has had its answer of it: what is left over of the message is that

    @property
    def stuck(self) -> bool:
        """What is no answer to a choice, or to a plain question, is hardly ever talk about something else."""
        return self.sentence in _STUCK


class Talk:
    """Classify, route, respond."""

    def __init__(self, parts: Parts, acting: Acting, offers: Offers, own: OwnIntents) -> None:
        self._parts = parts
        self._acting = acting
        self._offers = offers
        self._own = own
        self.hearing = Hearing(parts, own)
        self._clarifying = Clarifying(parts, acting)
        self._by_answers = ByAnswers(parts)
        self._model = parts.model

    def _waits_on(self, draft: Draft, language: Language) -> bool:
        """Whether it may be meant to end what is waited for: how that is ended is told, for "it" may be anything."""
        waiting = [
            (one, definition)
            for one in draft.instances.values()
            if one.state is State.ACTIVE and not one.holds and draft.here(one)
            if one.memo.waits or one.memo.assigned is not None
            if (definition := self._parts.registry.of(one)) is not None
        ]
        meant = [one for one, definition in waiting if language.gives_up(draft.message, definition.names)]
        if not meant:
            return False
        titles = [self._parts.title(one.process) for one in meant]
        draft.say(self._parts.sentences.say("waits_on", process=titles[-1]))
        draft.suggestions.extend(self._parts.sentences.say("cancel", process=title) for title in titles)
        draft.decision.passed(
            "route", "waits on", f"It may be meant to end {meant[-1].process}: it is told how."
        )
        return True

    async def answer(self, draft: Draft, language: Language, meanwhile: Meanwhile | None = None) -> None:
        """Answer what is left of the message the normal way; `meanwhile`: a process waits for something else."""
        if await self._offers.on_late_consent(draft, language):
            draft.decision.passed("route", "offer", "A late yes or no: what it was said to is offered again.")
            return
        wanted = await self._acting.asked.named(draft, language)
        if wanted is not None:
            draft.decision.passed("route", "part", f"Another person asks for {wanted.name}, which was named.")
            await self._acting.start(draft, wanted, reason="asked for by name")
            return
        intent = await self.hearing.classify(draft, language)
        plain = self._model.name == "plain"
        if meanwhile is not None and await self._meanwhile(draft, intent, meanwhile):
            return
        talk = intent.is_talk and not self._parts.registry.acts(intent.name)
        # Only exact words are certain here: "cancel it then" may be read as taking back what was just done.
        open_ = talk or intent.confidence < 1.0
        if open_ and draft.holder is None and draft.whole and self._waits_on(draft, language):
            return
        if plain and meanwhile is None and not intent.sure and await self._near(draft, intent):
            return
        if talk and draft.holder is None and draft.whole and language.is_escape(draft.message):
            draft.say(self._parts.sentences.say("nothing_to_leave"))
            draft.decision.passed("route", "nothing to leave", "Words of leaving, and nothing is under way.")
            return
        if meanwhile is not None and meanwhile.answered:
            intent = self._besides(intent, language)
        if not intent.also or plain:
            await self._each(draft, intent, language)
            return
        whole, draft.wishes = draft.message, Wishes()
        await self._each(draft, intent, language)
        draft.hear(whole)
        await self._together(draft)

    def _besides(self, intent: Intent, language: Language) -> Intent:
        """What is wanted beside an answer that was heard: words that nobody acts on, and that ask nothing, are of that."""
        acts = self._parts.registry.acts
        also = [one for one in intent.also if acts(one.name) or language.is_question(one.text)]
        asks = language.is_question(intent.left_over)
        return replace(intent, also=also, left_over=intent.left_over if asks else "")

    async def _meanwhile(self, draft: Draft, intent: Intent, waits: Meanwhile) -> bool:
        """Say in the middle of a process that nobody knows an answer, or ask what is wanted; False: it is acted on."""
        plain, acts = self._model.name == "plain", self._parts.registry.acts(intent.name)
        talk = intent.is_talk and (waits.stuck or not acts)
        starts = not waits.begins and self._starts(intent.name)
        if plain and not (starts or waits.stuck or talk) and await self._guessed(draft, intent):
            return True
        unknown = talk or intent.ambiguous or not intent.sure or (waits.ours and acts)
        if not (starts or (unknown and (waits.stuck or plain))):
            return False
        if waits.otherwise is not None:
            waits.otherwise()
        elif waits.sentence:
            title = self._parts.title(draft.holder.process) if draft.holder is not None else ""
            draft.say(self._parts.sentences.fitted(waits.sentence, what=waits.what, process=title))
        draft.intent = None  # it was about what is under way, and is no free talk
        unheard = "No answer of the process, and no wish that is known."
        draft.decision.passed("route", "aside", "A question begins nothing." if starts else unheard)
        return True

    async def _guessed(self, draft: Draft, intent: Intent) -> bool:
        """Ask whether another process is wanted in the middle of this one, where that is only the best guess."""
        if intent.sure or intent.ambiguous or not self._starts(intent.name):
            return False
        return await self._clarifying.ask(draft, self._clarifying.guess(intent), intent)

    async def _near(self, draft: Draft, intent: Intent) -> bool:
        """Ask whether a process is wanted that is likelier than not, called by its name, or told the answers of, where nothing else is understood."""
        if not intent.is_talk or not self._may_ask(draft):
            return False
        likely = [one for one in intent.candidates[:MOST_NEAR] if one.confidence > _EVEN]
        meant: Sequence[Candidate] = likely if all(self._starts(one.intent) for one in likely) else ()
        if not meant and (named := self._parts.registry.called_in(draft.message)) is not None:
            meant = [Candidate(intent=f"start_{named}", confidence=intent.confidence)]
        meant = meant or (await self._by_answers.wanted(draft, intent))[:MOST_NEAR]
        return bool(meant) and await self._clarifying.ask(draft, self._clarifying.near(meant, intent), intent)

    async def keep(self, draft: Draft, text: str, language: Language) -> None:
        """Have it kept by whoever keeps what is told."""
        keeper = self._parts.registry.keeper()
        assert keeper is not None  # noqa: S101 - it is asked for only where there is one
        intent = Intent(name=keeper.name, confidence=1.0, tier="answer", parameters={keeper.keeps: text})
        self.hearing.note(draft, intent)
        await self._route(draft, intent, language)

    def _starts(self, intent: str) -> bool:
        route = self._parts.registry.route(intent)
        return route is not None and route.process is not None

    async def _each(self, draft: Draft, intent: Intent, language: Language) -> None:
        """Route one wish after the other; what is not acted on is named, so that nobody takes it for done."""
        wishes, (_, head, rest) = (
            [intent, *intent.also],
            draft.message.partition(intent.text or draft.message),
        )
        rest = rest.strip(" \t\n,;.") if head else ""
        left = [intent.left_over, *(wish.text for wish in wishes[MOST_INTENTS:])]
        place = None
        for at, wish in enumerate(wishes[:MOST_INTENTS]):
            if at and (draft.pending is not None or draft.holder is not None):
                # Something was asked or begun: the person decides what comes next.
                left = [further.text for further in wishes[at:MOST_INTENTS]] + left
                break
            place = len(draft.words)
            draft.hear(wish.text or draft.message)
            if at:
                first = draft.intent
                self.hearing.note(draft, wish)
                draft.intent = first
            await self._route(draft, wish, language)
        if rest and self._starts(intent.name) and self._waits_to_be_told(draft):
            draft.unheard = rest  # "let's begin a project. It's about bees" is said to what has begun
            return
        named = [f"“{' '.join(text.split()).removesuffix('.')}”" for text in left if text.strip()]
        if named:
            draft.say(self._parts.sentences.say("left_over", messages=", ".join(named)))
            if draft.pending is not None:
                draft.insert(place or 0, draft.words.pop())  # a question stays the last word

    def _waits_to_be_told(self, draft: Draft) -> bool:
        """A process began on this turn, and nothing was told to it yet."""
        holder = draft.holder
        if holder is None or holder.question is None or draft.snapshot.instance(holder.id) is not None:
            return False
        return not any(given.value for given in self._parts.given(holder).values())

    async def _together(self, draft: Draft) -> None:
        """Have a model put what several wishes found into words, with one call; a question stays the last word."""
        wishes, draft.wishes = draft.wishes, None
        if wishes is None or not wishes.found:
            return
        place = max(wishes.place, draft.fixed)
        later = draft.words[place:]
        del draft.words[place:]
        await self._respond(draft, *wishes.told)
        draft.words += later

    async def reroute(self, draft: Draft, language: Language) -> None:
        """Route earlier turns that are clear now, in their order, as if they had been clear then."""
        for _ in range(MAX_ROUTES):
            if not draft.reroute:
                return
            again = draft.reroute.pop(0)
            draft.hear(again.message)
            draft.project_id = again.project_id or draft.project_id
            intent = self._clear(again)
            self.hearing.note(draft, intent)
            if again.told is None or not await self._clarifying.further(
                draft, intent, again, told=again.told
            ):
                await self._route(draft, intent, language)

    def _clear(self, again: Reroute) -> Intent:
        """An earlier turn as it is understood now; what was told for it is checked like everything said."""
        given: Mapping[str, Any] = again.parameters
        missing: Sequence[str] = ()
        if again.told is not None:
            route = self._parts.registry.route(again.intent)
            given, missing = validated(route.intent.parameters if route else None, given)
        return Intent(
            name=again.intent, confidence=1.0, tier="answer", parameters=dict(given), missing=missing
        )

    # -- 8 route

    async def _route(self, draft: Draft, intent: Intent, language: Language) -> None:
        if intent.ambiguous and len(intent.candidates) > 1 and await self._clarifying.torn(draft, intent):
            return
        if intent.missing and await self._clarifying.vague(draft, intent):
            return
        route = self._parts.registry.route(intent.name)
        if route is None and not self._own.is_own(draft, intent):
            draft.decision.passed("route", "unknown", f"No one registered {intent.name}.")
            await self._respond(draft, replace(intent, name=GENERAL), {})
            return
        if route is not None and route.intent.surely and not intent.sure:
            if not await self._clarifying.unsure(draft, intent):
                await self._respond(draft, replace(intent, name=GENERAL), {})
            return
        if route is None or route.tells is not None:
            if not await self._own.tell(draft, intent):
                draft.intent = GENERAL
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
        if intent.name == LEFT_OFF and draft.holder is None and await self._offers.left_off(draft):
            draft.decision.passed("route", "left off", "It was asked what was under way before.")
            return
        if route.handler is not None:
            await self._handle(draft, route, intent)
            return
        if intent.name == HUMAN:
            draft.decision.passed("route", "human", "A person is wanted.")
            await to_a_person(self._parts, draft)
            return
        if intent.name == GREETING and await self._offers.on_greeting(draft):
            draft.decision.passed("route", "offer", "A greeting: there was something to offer.")
            return
        draft.decision.passed("route", "talk", "Nothing to start or do: an answer in words.")
        await self._respond(draft, intent, {})

    async def _paused(self, draft: Draft) -> Holder | None:
        """What was put aside last, where there is something to come back to."""
        if not draft.session.memo.paused:
            return None
        paused = await self._offers.resumables(draft)
        return self._parts.holding(paused[0]) if paused else None

    async def _handle(self, draft: Draft, route: Route, intent: Intent) -> None:
        """Let the intent's handler act, within the same limit as a step."""
        assert route.handler is not None  # noqa: S101 - narrowed by the caller
        holder = self._parts.holding(draft.holder) if draft.holder else None
        focus = draft.session.memo.focus
        paused = await self._paused(draft) if holder is None else None
        turn = replace(draft.turn, project_id=draft.project_id, holder=holder, paused=paused, focus=focus)
        try:
            where = f"The handler of {intent.name!r}"
            result = await awaited(where, route.handler(turn, intent), self._parts.limit)
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
            instead = await self._asked(draft, result, intent)
            if instead is None:
                return
            result = instead
        if isinstance(result, Continue):
            if await self._continued(draft, result, intent):
                return
            result = result.otherwise
        draft.decision.passed("route", "handled", f"The handler of {intent.name} acted.")
        draft.effects.extend(result.side_effects)
        if draft.holder is None:  # whoever is asking has suggestions of its own
            draft.suggestions.extend(result.suggested_actions)
        draft.project_id = result.project_id or draft.project_id
        draft.speak_of(project=result.project_id, intent=intent.name)
        if result.focus is not None:
            draft.remember(focus=result.focus.beside(draft.turn.project_id))
        draft.bring(result.reply)
        if result.text is not None:
            draft.say(result.text)
        else:
            await self._respond(draft, intent, _data(result))

    async def _continued(self, draft: Draft, wanted: Continue, intent: Intent) -> bool:
        """Give the turn to the person's unfinished run of a process, taken up again. False: there is none."""
        process = wanted.process
        holder = draft.holder
        if holder is not None and holder.process == process:
            await self._told(draft, holder, wanted, intent)
            return True
        found = [i for i in await self._offers.unfinished(draft) if i.process == process]
        if not found:
            return False
        meant = _spoken_of(draft.message, found)
        draft.instances.setdefault(meant[0].id, meant[0])
        if len(meant) > 1 or not wanted.sure:
            several = f"{process} was left several times: the last one asks."
            why = several if len(meant) > 1 else f"{process} was left unfinished and asks."
            draft.decision.passed("route", "taken up", why)
            await self._acting.resume(draft, meant[0])
            return True
        instance = await self._acting.wake(draft, meant[0], intent.name)
        draft.say(self._parts.sentences.say("resumed", process=self._parts.title(process)))
        await self._told(draft, instance, wanted, intent)
        return True

    async def _told(self, draft: Draft, instance: Instance, wanted: Continue, intent: Intent) -> None:
        """Give a run the turn that was meant for it; what the turn changes of its answers is not lost."""
        process = wanted.process
        changes: tuple[Command, ...] = ()
        if draft.ask_again == instance.id and draft.heard is not None:  # the message was read in its place
            # Nothing is changed on a guess; the words are kept as they were told.
            corrects = [c for c in draft.heard.commands if c.act == "correct" and c.values]
            changes = tuple(c for c in corrects if all(map(self._parts.bars.is_sure, c.values)))
        draft.ask_again = None
        if not wanted.sure:
            draft.decision.passed("route", "asked again", f"{process} is under way: it asks again.")
            await self._acting.again(draft, instance)
            return
        draft.decision.passed("route", "taken up", f"{process} was left unfinished and gets the turn.")
        draft.reading = Reading(message=draft.message, commands=(*changes, *wanted.says))
        await self._acting.answer(draft, instance, turn=replace(draft.turn, intent_hint=intent.name))

    # -- 9 respond

    async def _respond(self, draft: Draft, intent: Intent, data: Mapping[str, Any]) -> None:
        if draft.wishes is not None:
            draft.wishes.add(intent, data, place=len(draft.words))
            return
        can = [d.starts_on[0] for d in self._parts.registry.definitions() if d.starts_on]
        turn = replace(draft.turn, project_id=draft.project_id)
        card = {"card": self._parts.registry.card()} if intent.name == HELP else {}
        near = (
            self._clarifying.nearest(intent) if self._model.name == "plain" and self._may_ask(draft) else None
        )
        nearest = {"nearest": near} if near is not None else {}
        done = [summary_of(effect) for effect in draft.effects]  # told even when the model fails
        words = await self._parts.responder.respond(
            turn,
            intent,
            {
                "can": can,
                "own": self._authors(),
                "abilities": self._abilities(),
                "may_ask": self._may_ask(draft),
                "done": done,
                **card,
                **nearest,
                **data,
            },
            model=self._model,
            show=draft.show if draft.listening else None,
        )
        draft.prompts.extend(words.prompts)
        if draft.holder is None:  # whoever is asking has suggestions of its own
            draft.suggestions.extend(words.suggested_actions)
        draft.decision.caught.extend(words.caught)
        draft.say(words.text)
        if words.asks is not None and self._may_ask(draft):
            instead = await self._asked(draft, words.asks, intent)
            if instead is not None:
                draft.suggestions.extend(instead.suggested_actions)
                draft.say(instead.text or "")
        if intent.name == HELP and self._may_ask(draft):
            await self._offers.fresh(draft)
        outcome = "fallback" if words.fallback else "answered"
        draft.decision.passed("respond", outcome, f"Words by {self._model.name}.")

    async def _asked(self, draft: Draft, clarify: Clarify, intent: Intent) -> RouteResult | None:
        """Ask back; or what there is to answer where it is not asked."""
        instead: RouteResult | Clarify | None = clarify
        while isinstance(instead, Clarify):
            if await self._clarifying.ask(draft, instead, intent):
                return None
            instead = instead.otherwise
        return instead

    def _authors(self) -> list[str]:
        """What begins the processes of an application's own, those beside the bundled ones."""
        registry = self._parts.registry
        routes = ((one, registry.route(f"start_{one.name}")) for one in registry.definitions())
        return [one.starts_on[0] for one, route in routes if route and route.intent.authors_own]

    def _abilities(self) -> list[IntentDefinition]:
        """What somebody acts on here: the same on every turn."""
        registry = self._parts.registry
        known = [one.name for one in registry.candidates() if not one.name.startswith(f"{GENERAL}.")]
        routes = [registry.route(name) for name in known]
        return [route.intent for route in routes if route and (route.handler or route.process)]

    def _may_ask(self, draft: Draft) -> bool:
        """There is somebody to ask back, nobody else holds the conversation, and nothing is asked already."""
        asks = self._parts.registry.find(CLARIFICATION) is not None
        return asks and draft.holder is None and draft.pending is None


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
