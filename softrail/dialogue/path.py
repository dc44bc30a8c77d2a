"""The path of a turn, gate by gate. Start reading at `Path.think`."""

import asyncio
import logging
import re
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace

from softrail.core.calling import timing
from softrail.core.frozen import evolved
from softrail.core.holding import held_at_most
from softrail.core.instances import State
from softrail.core.intents import Intent, Shown
from softrail.core.reading import Act, Command, Place, Reading
from softrail.core.saying import speaking
from softrail.core.sessions import Snapshot
from softrail.core.turns import Turn
from softrail.dialogue.asides import Asides
from softrail.dialogue.claims import AnswerHolder, AnswerLate, Aside, Claim
from softrail.dialogue.claims import Tell as TellOwn
from softrail.dialogue.commands import Commands
from softrail.dialogue.context import Parts
from softrail.dialogue.decide import decide
from softrail.dialogue.draft import Draft, Emit
from softrail.dialogue.files import Brought
from softrail.dialogue.free_turn import Talk
from softrail.dialogue.instances import Acting
from softrail.dialogue.metered_model import turn_passing
from softrail.dialogue.offers import Offers
from softrail.dialogue.own_intents import OwnIntents
from softrail.dialogue.perform import Performer
from softrail.dialogue.place import Places, Standing
from softrail.dialogue.signals import Signals
from softrail.dialogue.timeouts import Timeouts
from softrail.dialogue.voice import DraftVoice, Tell
from softrail.dialogue.ways import Ways
from softrail.language import Consent, Language, language, normal, without_long_runs

log = logging.getLogger("softrail.turns")

MOST_PARTS = 4  #: of one message: what is left of it is read as a message of its own

VALUE = Command(act="inform", layer="exact", target="value")  #: the turn brings its answer as JSON

WISH = Command(act="request", layer="exact", target="wish")  #: it is surely one, whatever was asked
#: A yes with words of leaving behind it: it is asked which of the two is meant.
_TORN: Sequence[Command] = (
    Command(act="affirm", confidence=0.5, layer="learned"),
    Command(act="pause", confidence=0.5, layer="learned"),
)
#: What exact words say to a question, or to the framework: who says so wishes for nothing new.
_SAID_TO_IT: Sequence[Act] = (
    "inform",
    "affirm",
    "negate",
    "none",
    "slash",
    "undo",
    "resume",
    "start_over",
    "start",
    "pause",
    "leave",
)

_CLAUSES = re.compile(r"[,;.:!–—]+\s+(?:(?:and|but)\s+)?")

Accept = Callable[[], Awaitable[None]]


class Path:
    """Gates 3 to 9: whose turn it is, and what it says."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self.acting = Acting(parts)
        self._offers = Offers(parts, self.acting)
        self.timeouts = Timeouts(parts, self.acting)
        self._signals = Signals(parts, self.acting)
        self._own = OwnIntents(parts, self.acting, self._offers)
        self.commands = Commands(parts, self._offers, self._own)
        self._talk = Talk(parts, self.acting, self._offers, self._own)
        self._asides = Asides(parts, self._talk.hearing)
        self._places = Places(parts, self._offers)
        self.ways = Ways(parts, self._offers)
        self._brought = Brought(parts)
        self._reader = parts.reader
        self._performer = Performer(
            parts,
            acting=self.acting,
            offers=self._offers,
            timeouts=self.timeouts,
            commands=self.commands,
            talk=self._talk,
            own=self._own,
        )

    async def think(
        self,
        turn: Turn,
        snapshot: Snapshot,
        *,
        emit: Emit | None,
        accept: Accept | None,
        held: bool,
        tell: Tell | None = None,
    ) -> Draft:
        """Compute a turn from a snapshot: gates 3 to 9. Nothing is written; the draft is what to commit.

        `emit` tells a listening stream, `tell` those who watch the session what is said at once, `accept` writes the
        turn down before a model is called or anybody is told, `held` says whether it runs under its session's lease.
        """
        turn = await self._brought.looked_up(turn, snapshot)
        if (read := without_long_runs(turn.message)) != turn.message:
            turn = evolved(turn, {"message": read})
        draft = Draft(turn, snapshot, decision_id=self._parts.ids.new(), emit=emit, form=self._parts.reply)
        begun, words = time.perf_counter(), language(turn.person.locale)
        draft.decision.passed("accept", "numbered", f"Turn {turn.seq} of its session.")
        draft.decision.passed("hold", "taken" if held else "free", "")
        doubt = draft.pending if draft.pending is not None and draft.pending.doubted is not None else None
        draft.remember(undo=None, ended=False, before=doubt)
        try:
            own = await self._parts.model_keys.model_of(turn.person)
            voice = DraftVoice(draft, wall=self._parts.wall, accept=accept, tell=tell)
            with (
                turn_passing(draft.decision, accept, person_id=turn.person.id, own=own),
                timing(draft.decision.took),
                held_at_most(self._parts.hold_limit, draft.decision.stalls),
                speaking(voice),
            ):
                if turn.part is not None:
                    side = self.acting.asked if turn.part.news == "asked" else self.acting.assigning
                    await side.hear(draft)
                elif turn.signal is not None:
                    await self._signals.hear(draft)
                else:
                    # 3 clock: processes whose time is over are suspended
                    over = await self.timeouts.check(draft)
                    draft.decision.passed("clock", "suspended" if over else "passed", "")
                    await self.acting.asked.check(draft)
                    await self._claimed(draft, words)
                    self._brought.note(draft)
                await self.acting.calls.settle(draft)
                await self._talk.reroute(draft, words)
                self._name_left_over(draft)
                await self._ask_again(draft)
                self.acting.asked.offer_one(draft)
                await self.ways.note(draft)
        except asyncio.CancelledError:
            raise
        except Exception as error:
            log.exception("Turn %s of session %s could not be computed.", turn.id, turn.session_id)
            sentence = "internal" if turn.origin == "person" else "signal_gave_up"
            draft = self.plainly(turn, snapshot, sentence).following(draft)
            draft.decision.trouble = f"{type(error).__name__}: {error}"[:500]
        draft.decision.owner = draft.owner or draft.decision.owner
        if not draft.words and turn.origin == "person":
            draft.say(self._parts.sentences.say("internal"))
        draft.show_rest()
        draft.milliseconds = (time.perf_counter() - begun) * 1000
        return draft

    async def _claimed(self, draft: Draft, words: Language) -> None:
        """Gates 4 to 9: read the message once, decide whose it is, do it; then what it leaves, as a message."""
        for part in range(MOST_PARTS):
            standing = self._places.standing(draft)
            place = self._places.place(draft, standing, words)
            stale = part == 0 and self._places.stale(draft)  # what is left answers what was open before
            reading: Reading | None
            own: tuple[str, Intent] | None = None
            if stale:
                place = replace(place, reads="exact")  # only ways out count
                reading = await self._reader.read(draft.message, place, locale=draft.turn.person.locale)
            else:
                reading, own = await (self._brings if part == 0 else self._read)(draft, standing, place)
            if reading is None:
                continue
            draft.heard = reading
            view = await self._places.view(draft, standing, reading, place, own, stale=stale)
            claim = decide(reading, view)
            if isinstance(claim, Aside):
                claim = await self._asides.weighed(draft, claim)
            claim = await self._asides.behind_a_yes(draft, claim, place, words)
            if place.question is not None:
                draft.decision.passed("read", reading.acts(self._parts.bars.other), reading.layers)
                draft.decision.read(reading, place, self._parts.bars)
            draft.filed = draft.filed or self._seen(claim, standing)
            draft.decision.claimed(type(claim).__name__, claim.on)
            rest = await self._performer.perform(claim, draft, words)
            if rest is None:
                return
            await self._talk.reroute(draft, words)  # first what was agreed to, then what is said behind it
            draft.hear(rest)
        await self._talk.answer(draft, words)

    def _seen(self, claim: Claim, standing: Standing) -> bool:
        """The turn goes to a step of an author's own, which looks at its files itself."""
        if not isinstance(claim, AnswerHolder | AnswerLate | TellOwn):
            return False
        definition, who = standing.definition, standing.answers
        step = definition.steps.get(who.step) if definition is not None and who is not None else None
        return isinstance(claim, TellOwn) or (step is not None and step.kind == "own")

    async def _brings(
        self, draft: Draft, standing: Standing, place: Place
    ) -> tuple[Reading | None, tuple[str, Intent] | None]:
        """What a turn brings besides words is its answer: a file, or a value as JSON; else its words are read."""
        reading = await self._brought.read(draft, standing, place)
        if reading is not None:
            draft.filed = True
            return reading, None
        if draft.turn.value is not None:
            return Reading(message=draft.message, commands=(VALUE,)), None
        return await self._read(draft, standing, place)

    async def _read(
        self, draft: Draft, standing: Standing, place: Place
    ) -> tuple[Reading | None, tuple[str, Intent] | None]:
        """Read a message: by exact words, by a process that knows it for its own, then by the other layers.

        No reading: a process was paused because it failed at that; whose the message is has to be found out anew.
        """
        message, locale = draft.message, draft.turn.person.locale
        if self._own.may_know(draft, standing):
            exact = await self._reader.read(message, replace(place, reads="exact"), locale=locale)
            if exact.exactly("slash", "pause", "leave") is None:  # the ways out are nobody's own
                own, paused = await self._own.known(draft, standing)
                if own is not None or paused:
                    return (None if paused else exact), own
            if place.question is None:  # then no other layer is asked
                return exact, None
        if place.asks_back:
            return await self._asked_back(draft, place, standing), None
        return await self._reader.read(message, place, locale=locale), None

    async def _asked_back(self, draft: Draft, place: Place, standing: Standing) -> Reading:
        """What is said where it is asked what was meant: a choice, a yes or no with more behind it, or a new wish."""
        message, words = draft.message, language(draft.turn.person.locale)
        if self._changes_shown(message, standing, words):
            return Reading(message=message, commands=(Command(act="correct", target="shown"),))
        more = place.yes_no and words.consent(message) in ("other", "question")
        consent, rest = words.consent_and_more(message) if more else ("other", "")
        if consent != "other":
            if consent == "yes" and words.asks_besides(rest):
                return Reading(message=message, commands=(WISH,))  # what is asked is answered first
            heard = await self._is_more(draft, rest, consent, words)
            if heard or consent == "no":
                act: Act = "affirm" if consent == "yes" else "negate"
                said = Command(act=act, layer="exact", rest=rest if heard else "")
                return Reading(message=message, commands=(said,))
        reading = await self._reader.read(message, place, locale=draft.turn.person.locale)
        if consent == "yes" and reading.does("negate", "pause", "leave"):
            return Reading(message=message, commands=tuple(_TORN))  # "yes, we don't need it any more"
        choices = place.question.options if place.question is not None else ()
        if not choices or consent == "yes" or reading.exactly(*_SAID_TO_IT) is not None:
            return reading
        if self._denies(reading) and not await self._wishes_besides(draft, message):
            return reading  # "don't archive it yet" is no wish of its own
        return (
            Reading(message=message, commands=(WISH,))
            if await self._talk.hearing.is_a_wish(draft, message)
            else reading
        )

    def _denies(self, reading: Reading) -> bool:
        """It is surely a no, and hardly asks for anything."""
        bars = self._parts.bars
        return reading.likely("negate") >= bars.consent and reading.likely("ask", "request") < bars.doubt

    async def _wishes_besides(self, draft: Draft, message: str) -> bool:
        """A clause behind the first is surely a wish: "don't archive it, call it Foo"."""
        return any([await self._talk.hearing.is_a_wish(draft, said) for said in _CLAUSES.split(message)[1:]])

    async def _is_more(self, draft: Draft, rest: str, consent: Consent, words: Language) -> bool:
        """What is said behind a yes or no is a wish, or behind a yes what is told; what else is added is named as left over."""
        hearing = self._talk.hearing
        if words.points(rest) or await hearing.is_a_wish(draft, rest):
            return not words.points(rest)
        if consent == "no" or words.gives_a_reason(rest) or words.excludes(normal(rest).partition(" ")[0]):
            return False  # "yes, but …" is a yes with a reserve
        calls = words.is_choosing_word(normal(rest).rpartition(" ")[2])  # "and the other one"
        if not calls and await hearing.is_told(draft, rest):
            return True
        if words.adds(rest.partition(" ")[0]) or words.tells_more(rest):
            draft.left_over = rest
        return False

    def _changes_shown(self, message: str, standing: Standing, words: Language) -> bool:
        """It says which of the things that the question shows are meant: "but not number 4"."""
        shows = self._parts.data(standing.front).get("shows") if standing.front is not None else None
        return shows is not None and words.selected(message, [Shown(**one) for one in shows]) is not None

    def _name_left_over(self, draft: Draft) -> None:
        """What was said behind a yes and is not acted on is named, so that nobody takes it for done."""
        if draft.left_over:
            draft.say(self._parts.sentences.say("left_over", messages=f"“{draft.left_over}”"))

    async def _ask_again(self, draft: Draft) -> None:
        """What is still open is named again: an offer, or the holder's question that waited underneath."""
        if draft.reminder and draft.pending is not None and draft.pending.question.kind == "offer":
            draft.say(draft.reminder)
        waiting = draft.instances.get(draft.ask_again) if draft.ask_again else None
        if waiting is None or waiting.state is not State.ACTIVE or not draft.here(waiting):
            return
        asked = draft.pending is not None and draft.pending.instance_id == waiting.id
        if asked or (draft.holder is not None and draft.holder.id == waiting.id):
            await self.acting.again(draft, waiting)

    def plainly(self, turn: Turn, snapshot: Snapshot, sentence: str, **values: str) -> Draft:
        """A draft that changes nothing and says one sentence of the registry's."""
        draft = Draft(turn, snapshot, decision_id=self._parts.ids.new(), form=self._parts.reply)
        draft.say(self._parts.sentences.say(sentence, **values))
        draft.ways = self.ways.of(draft.session, draft.instances, paused=False)
        draft.decision.owner = "registry"
        draft.decision.why = sentence.replace("_", " ")
        return draft

    async def take_default(self, draft: Draft) -> None:
        """Route what a defaulted clarification left, in an item of the companion's own."""
        person = draft.turn.person
        own = await self._parts.model_keys.model_of(person)
        with (
            turn_passing(draft.decision, None, person_id=person.id, own=own),
            timing(draft.decision.took),
        ):
            words = language(person.locale)
            await self.acting.calls.settle(draft)
            await self._talk.reroute(draft, words)
            await self._ask_again(draft)
            self.acting.asked.offer_one(draft)
            await self.ways.note(draft)
