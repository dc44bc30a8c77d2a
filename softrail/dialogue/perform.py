"""Does what was decided: one `match` over the claims. What a message leaves to be answered is given back."""

import re
from collections.abc import Mapping
from functools import partial

from softrail.core.attachments import wants_file
from softrail.core.instances import State, Trigger
from softrail.core.intents import GENERAL
from softrail.core.questions import Pending
from softrail.core.reading import Act, Command, Reading, Value
from softrail.core.sessions import Undo
from softrail.dialogue.asides import asked_in
from softrail.dialogue.claims import (
    AnswerHolder,
    AnswerLate,
    AnswerOffer,
    AskAgain,
    Claim,
    Doubt,
    Free,
    Human,
    Keep,
    Leave,
    PassOn,
    Resume,
    RunCommand,
    Settle,
    Stale,
    StartAnother,
    StartOver,
    TakeBack,
    Tell,
    Way,
)
from softrail.dialogue.commands import Commands
from softrail.dialogue.context import Parts
from softrail.dialogue.doubting import doubted_question, settled_change
from softrail.dialogue.doubts import leaving_in_doubt
from softrail.dialogue.draft import Draft
from softrail.dialogue.files import names_of
from softrail.dialogue.free_turn import Meanwhile, Talk
from softrail.dialogue.handing_over import to_a_person
from softrail.dialogue.instances import Acting
from softrail.dialogue.offers import Offers
from softrail.dialogue.own_intents import OwnIntents
from softrail.dialogue.sentences import MEANS, SO_FAR, TOLD_BEFORE
from softrail.dialogue.timeouts import Timeouts
from softrail.language import Language

_BEHIND = re.compile(r"[,;.!?]\s+(?:and\s+)?")
#: What a message was, by the button that says so.
_SETTLED: Mapping[Way, Act] = {"yes": "affirm", "no": "negate", "none": "none"}


class Performer:
    """Carries claims out on a draft."""

    def __init__(
        self,
        parts: Parts,
        *,
        acting: Acting,
        offers: Offers,
        timeouts: Timeouts,
        commands: Commands,
        talk: Talk,
        own: OwnIntents,
    ) -> None:
        self._parts = parts
        self._acting = acting
        self._offers = offers
        self._timeouts = timeouts
        self._commands = commands
        self._talk = talk
        self._own = own
        self._say = parts.sentences.say

    async def perform(self, claim: Claim, draft: Draft, language: Language) -> str | None:
        """Do it. What is still to be answered of the message comes back; None: nothing is."""
        rest: str | None = None
        if not isinstance(claim, Free):
            draft.remember(lapsed=None)
        match claim:
            case RunCommand():
                await self._commands.run(draft, claim.name, claim.argument)
                self._claimed(draft, claim, "command")
            case TakeBack():
                rest = await self._take_back(draft, claim)
            case Resume():
                rest = await self._resume(draft, claim)
            case StartOver():
                await self._start_over(draft, claim)
            case StartAnother():
                await self._start_another(draft, claim)
            case AskAgain():
                await self._ask_again(draft, claim)
            case Leave():
                rest = await self._leave(draft, claim)
            case Tell():
                rest = await self._tell(draft, claim)
            case PassOn():
                await self._pass_on(draft, claim, language)
            case AnswerOffer():
                rest = await self._answer_offer(draft, claim, language)
            case Keep():
                await self._keep(draft, claim, language)
            case Human():
                await self._human(draft, claim)
            case Doubt():
                self._doubt(draft, claim)
            case Settle():
                rest = await self._settle(draft, claim, language)
            case Stale():
                await self._stale(draft, claim)
            case AnswerLate():
                await self._answer_late(draft, claim, language)
            case AnswerHolder():
                await self._answer(draft, claim, language)
                rest = claim.rest or None
            case Free():
                if claim.lapsed is not None:
                    draft.ask(None)
                    draft.decision.passed("question", "not an answer", claim.why)
                await self._talk.answer(draft, language)
                rest = self._unheard(draft)
            case _:
                raise TypeError(f"{claim!r} is no claim that can be performed.")
        return rest

    # -- coming back

    async def _take_back(self, draft: Draft, claim: TakeBack) -> str | None:
        instance = claim.instance
        title = self._parts.title(instance.process)
        if instance.moves <= 2 and instance.state is State.DECLINED and not instance.data.strip("{}"):
            definition = self._parts.registry.find(instance.process)
            if definition is None:
                return draft.message
            await self._acting.start(draft, definition, reason="the no was taken back")
            self._claimed(draft, claim, "undo")
            return None
        say = self._say("undone", process=title)
        await self._acting.resume(draft, instance, trigger=Trigger.UNDO, say=say)
        self._claimed(draft, claim, "undo")
        if claim.on is not None and claim.on.rest:
            return await self._wished_beside(draft, claim)
        memo = draft.snapshot.session.memo.undo
        # What was wanted instead is taken back, too, by whoever did it.
        return (
            draft.message
            if memo is not None and memo.did and claim.on is not None and claim.on.act == "undo"
            else None
        )

    async def _resume(self, draft: Draft, claim: Resume) -> str | None:
        if claim.instance is None:
            draft.say(self._say("nothing_to_resume"))
        elif claim.expired:
            self._offers.tell_expired(draft, claim.instance)
        else:
            draft.instances.setdefault(claim.instance.id, claim.instance)
            await self._acting.resume(draft, claim.instance)
        self._claimed(draft, claim, "resume")
        return await self._wished_beside(draft, claim)

    async def _wished_beside(self, draft: Draft, claim: Claim) -> str | None:
        """What is said beside coming back, where that is a wish and no mere talk."""
        beside = claim.on.rest if claim.on is not None else ""
        return beside if beside and await self._talk.hearing.is_a_wish(draft, beside) else None

    async def _start_over(self, draft: Draft, claim: StartOver) -> None:
        front = claim.instance
        if front is None:
            draft.say(self._say("reset"))
            self._claimed(draft, claim, "reset")
            return
        definition = self._parts.registry.of(front)
        if definition is not None and not definition.process.resumable:
            if await self._acting.tell_of_leaving(draft, front, "exit"):
                self._claimed(draft, claim, "let go")
                return
            await self._acting.close(draft, draft.instances[front.id], "the person wants to start over")
            draft.say(self._say("lapsed_question"))
            self._claimed(draft, claim, "dropped")
            return
        await self._acting.restart(draft, front)
        draft.owner = front.process
        self._claimed(draft, claim, "restart")

    async def _start_another(self, draft: Draft, claim: StartAnother) -> None:
        if claim.standing is not None:
            await self._acting.back_to(draft, claim.standing)
            self._claimed(draft, claim, "asked again")
            return
        definition = self._parts.registry.get(claim.process)
        await self._acting.start(draft, definition, reason="asked for by name")
        self._claimed(draft, claim, "asked by name")

    async def _ask_again(self, draft: Draft, claim: AskAgain) -> None:
        if claim.after == "already_in":
            draft.say(self._say("already_in", process=self._parts.title(claim.instance.process)))
        else:
            draft.say(self._say(claim.after))
        await self._acting.again(draft, claim.instance)
        self._claimed(draft, claim, "greeting" if claim.after == "greeted" else "asked again")

    # -- leaving

    async def _leave(self, draft: Draft, claim: Leave) -> str | None:
        instance = claim.instance
        if not claim.front:
            below = draft.beneath(draft.holder) if draft.holder is not None else None
            while instance is below and (holder := draft.holder) is not None and holder.id != instance.id:
                await self._acting.close(draft, holder, f"{instance.process} was left")
            draft.ask_again = None
            instance = draft.instances[instance.id]
        kept, title = self._parts.kept(instance), self._parts.title(instance.process)
        if await self._acting.tell_of_leaving(draft, instance, claim.manner):
            self._claimed(draft, claim, "let go")
            return claim.rest or None
        instance = draft.instances[instance.id]
        if claim.quiet:  # it has nothing to end
            draft.released.add(instance.id)
            return draft.message
        if claim.manner == "escape":
            await self._acting.suspend(draft, instance, Trigger.ESCAPE, "an escape word")
            said = "closed" if self._offers.passing(instance) else "paused_kept" if kept else "paused"
        else:
            await self._acting.close(draft, instance, f"{claim.manner}: the person left")
            gone = self._parts.registry.of(instance) is None  # what is gone cannot say what it has
            said = "closed" if claim.rest or gone else "closed_kept" if kept else "closed_nothing_kept"
        draft.remember(undo=Undo(instance_id=instance.id, seq=draft.turn.seq))
        draft.say(self._say(said, process=title, **({"kept": kept} if said == "paused_kept" else {})))
        self._claimed(draft, claim, claim.manner)
        return claim.rest or None

    async def _tell(self, draft: Draft, claim: Tell) -> str | None:
        """Tell a process what it knows the words for. What it then calls not its own is read once more."""
        draft.decision.passed("owner", claim.process, claim.why)
        return None if await self._own.tell(draft, claim.intent) else draft.message

    async def _pass_on(self, draft: Draft, claim: PassOn, language: Language) -> None:
        """Answer the free way. Where every turn is the process's own, a wish that is known pauses it."""
        instance, said = claim.instance, len(draft.words)
        draft.decision.passed("owner", "passed on", claim.why)
        aside, what = self._aside(claim, draft.message)
        draft.ask_again = instance.id
        drafted = (
            claim.so_far and self._parts.drafted(instance) is not None
        )  # then whoever makes it tells more
        ours = aside in (MEANS, TOLD_BEFORE, SO_FAR, "nothing_so_far") and not drafted
        asked = partial(self._doubt, draft, claim.otherwise) if claim.otherwise is not None else None
        waits = Meanwhile(sentence=aside, what=what, ours=ours, begins=not claim.asks, otherwise=asked)
        await self._talk.answer(draft, language, waits)
        if (
            claim.waits
            or draft.own
            or draft.intent in (None, GENERAL)
            or draft.holder is None
            or draft.holder.id != instance.id
            or self._starts(draft.intent) == instance.process  # what is under way was asked for
        ):
            return
        draft.ask_again = None
        await self._acting.suspend(
            draft, draft.instances[instance.id], Trigger.ESCAPE, "the person wanted something else"
        )
        draft.remember(undo=Undo(instance_id=instance.id, seq=draft.turn.seq, did=bool(draft.effects)))
        draft.insert(said, self._say("paused_for_this", process=self._parts.title(instance.process)))

    def _aside(self, claim: PassOn, message: str) -> tuple[str, str]:
        """The sentence for what nobody knows an answer to, and what the process waits for, or was told."""
        instance = claim.instance
        what = self._parts.explained(instance)
        if claim.aside:
            return claim.aside, what
        if claim.means and (told := self._parts.meaning(instance, claim.means)):
            return MEANS, told
        if claim.choice and instance.question is not None:
            return "choose", ", ".join(o.label for o in instance.question.options)
        if claim.clear:
            file = instance.question is not None and wants_file(instance.question.answer_schema)
            return "wants_file" if file else "not_understood", what
        if claim.so_far:
            told = self._parts.told(instance)
            return SO_FAR if told else "nothing_so_far", told
        if len(called := self._parts.called(instance, message)) == 1:
            return TOLD_BEFORE, f"{called[0].label}: {called[0].value}"
        return "explained" if what else "aside", what

    def _starts(self, intent: str) -> str | None:
        route = self._parts.registry.route(intent)
        return route.process if route is not None else None

    # -- answering whoever asked

    async def _answer_offer(self, draft: Draft, claim: AnswerOffer, language: Language) -> str | None:
        pending = draft.pending
        if pending is None:
            return draft.message
        if claim.on is not None and claim.on.act in ("pause", "leave"):
            if claim.instance.memo.asked is not None and not pending.resume:
                self._acting.asked.later(draft, claim.instance)
                self._claimed(draft, claim, claim.on.target or claim.on.act)
                return claim.rest or None
            await self._offers.decline(draft, claim.instance, resume=pending.resume)
            self._claimed(draft, claim, claim.on.target or claim.on.act)
            return claim.rest or None
        word = self._offers.word(draft, pending, claim.instance, claim.word)
        unclear = word in ("echo", "question", "other") and draft.turn.intent_hint is None
        own = not pending.resume and claim.instance.memo.asked is None
        if unclear and own and await self._talk.hearing.takes_up(draft, claim.instance.process):
            word = "yes"  # "can we do my daily thing": what is on offer, in other words
        goes_on = await self._offers.answered(draft, pending, claim.instance, word)
        if goes_on:
            if word != "question":
                return draft.message  # it lapsed: the message is read once more, without the offer
            await self._talk.answer(draft, language, Meanwhile(sentence="aside"))
            return None
        draft.decision.passed("question", "claimed", claim.why)
        draft.decision.owner = "registry"
        return None

    async def _answer_late(self, draft: Draft, claim: AnswerLate, language: Language) -> None:
        instance = await self._timeouts.woken(draft, claim.instance)
        draft.reading = claim.reading
        if not await self._acting.answer(draft, instance, late=True):
            await self._talk.answer(draft, language)

    async def _answer(self, draft: Draft, claim: AnswerHolder, language: Language) -> None:
        instance = claim.instance
        gate, outcome = ("owner", instance.process) if instance.holds else ("question", "claimed")
        draft.decision.passed(gate, outcome, claim.why)
        draft.reading = claim.reading
        if not await self._acting.answer(draft, instance):
            if await self._may_want_to_leave(draft, claim):
                self._doubt(draft, leaving_in_doubt(instance, draft.message))
            else:
                await self._talk.answer(draft, language)
        elif claim.asks:
            wishes = claim.reading.likely("request") >= self._parts.bars.other
            asked = draft.message if wishes else asked_in(draft.message, language)
            if wishes or not language.is_a_tag(asked):
                draft.hear(asked or draft.message)
                aside = asked and not _only_by_its_mark(claim.reading)
                await self._beside(draft, language, otherwise="aside" if aside else "")

    async def _may_want_to_leave(self, draft: Draft, claim: AnswerHolder) -> bool:
        """A step that hears anything has nothing of it, nobody surely acts on it, and it may be a wish to leave.

        Not the second time in a row, and not where something is asked: that is answered.
        """
        pending, bars, reading = draft.snapshot.session.pending, self._parts.bars, claim.reading
        if draft.ask_again != claim.instance.id or (pending is not None and pending.doubted is not None):
            return False
        if reading.likely("pause", "leave") < bars.doubt or reading.likely("ask") >= bars.other:
            return False
        return not await self._talk.hearing.is_a_wish(draft, draft.message)

    async def _beside(self, draft: Draft, language: Language, *, otherwise: str) -> None:
        """Answer what a message asks beside its answer, or say `otherwise`; what comes next is asked last."""
        pending, holder = draft.pending, draft.holder
        asked = draft.words.pop() if pending is not None and len(draft.words) > draft.fixed else ""
        told = self._parts.told(holder) if holder is not None and self._asks_so_far(draft, language) else ""
        waits = Meanwhile(sentence=SO_FAR if told else otherwise, what=told, ours=bool(told), answered=True)
        await self._talk.answer(draft, language, waits)
        if asked and draft.pending is pending and draft.holder is holder:
            draft.say(asked)

    def _asks_so_far(self, draft: Draft, language: Language) -> bool:
        """What it asks behind its answer is what was told up to now."""
        begins = [0, *(one.end() for one in _BEHIND.finditer(draft.message))]
        return any(language.asks_so_far(draft.message[start:]) for start in begins)

    def _unheard(self, draft: Draft) -> str | None:
        """What is said to the question that was just asked, which it takes the place of."""
        rest, draft.unheard = draft.unheard, ""
        if rest and len(draft.words) > draft.fixed:
            draft.words.pop()
        return rest or None

    # -- doubt

    def _doubt(self, draft: Draft, claim: Doubt) -> None:
        """Ask what was meant, with what it may be on buttons; the question underneath stays open."""
        instance = claim.instance
        question, doubted = doubted_question(claim, self._parts, draft.message)
        draft.ask_again = None
        draft.ask(Pending(question=question, instance_id=instance.id, seq=draft.turn.seq, doubted=doubted))
        draft.shown = instance.id
        draft.show_draft(self._parts.drafted(instance))
        draft.owner = instance.process
        draft.say(question.prompt)
        draft.decision.passed("owner", "doubted", claim.why)

    async def _settle(self, draft: Draft, claim: Settle, language: Language) -> str | None:
        """What was said before counts as the button says."""
        instance, earlier = claim.instance, claim.doubted
        if (before := draft.session.memo.before) is not None:
            draft.remember(before=before.model_copy(update={"doubted": None}))  # it is answered
        draft.ask(None)
        if claim.way == "neither":
            await self._acting.again(draft, instance)
            draft.decision.passed("owner", "asked again", claim.why)
            return None
        draft.hear(earlier.message)
        if claim.way == "answer":
            value = Value(field=self._parts.open_field(instance), text=earlier.text)
            told = Command(act="inform", layer="exact", target="settled", values=(value,))
            reading = Reading(message=earlier.message, commands=(told,))
            await self._answer(
                draft, AnswerHolder(instance=instance, reading=reading, why=claim.why), language
            )
        elif claim.way in _SETTLED:
            said = Command(act=_SETTLED[claim.way], target="settled")
            reading = Reading(message=earlier.message, commands=(said,))
            await self._answer(
                draft, AnswerHolder(on=said, instance=instance, reading=reading, why=claim.why), language
            )
        elif claim.way == "change":
            reading = settled_change(earlier.message, claim.change)
            await self._answer(
                draft, AnswerHolder(instance=instance, reading=reading, why=claim.why), language
            )
        elif claim.way == "note":
            beside = language.told_beside(earlier.message)
            text = beside.text if beside is not None else earlier.message
            await self._keep(draft, Keep(instance=instance, text=text, why=claim.why), language)
        elif claim.way == "pause":
            await self._leave(draft, Leave(instance=instance, manner="escape", why=claim.why))
        else:
            await self._pass_on(draft, PassOn(instance=instance, waits=True, why=claim.why), language)
        return None

    async def _keep(self, draft: Draft, claim: Keep, language: Language) -> None:
        """Have what is told kept; the open question comes again."""
        draft.decision.passed("owner", "told beside", claim.why)
        draft.ask_again = claim.instance.id
        await self._talk.keep(draft, claim.text, language)

    async def _stale(self, draft: Draft, claim: Stale) -> None:
        """Say why it answers nothing, and what is open: that stays as it is, with its id, and "undo" works."""
        memo = draft.snapshot.session.memo
        draft.remember(undo=memo.undo, ended=memo.ended)
        files = {"names": names_of(draft.turn.attachments)} if claim.outcome == "no_file" else {}
        draft.say(self._say(claim.outcome, **files))
        pending, holder = draft.pending, draft.holder
        if pending is not None:
            draft.shown = pending.instance_id if pending.instance_id in draft.instances else None
            draft.say(pending.question.prompt)
        elif holder is not None:
            await self._acting.again(draft, holder)
        if holder is not None:
            draft.show_draft(self._parts.drafted(holder))
        draft.decision.passed("question", claim.outcome.replace("_", " "), claim.why)
        draft.decision.owner = "registry"
        draft.decision.why = claim.why

    async def _human(self, draft: Draft, claim: Human) -> None:
        """A person is wanted in the middle of a process: its question stays open in any case."""
        await to_a_person(self._parts, draft, claim.instance)
        draft.decision.passed("owner", "human", claim.why)
        await self._acting.again(draft, claim.instance)

    def _claimed(self, draft: Draft, claim: Claim, outcome: str) -> None:
        draft.decision.passed("step_off", outcome, claim.why)
        draft.decision.owner = "registry"
        draft.decision.why = draft.decision.why or claim.why


def _only_by_its_mark(reading: Reading) -> bool:
    """It is a question for the mark at its end alone: "on Friday I guess?"."""
    return reading.exactly("ask", target="echo") is not None and not any(
        c.act in ("ask", "request") and c.layer != "exact" for c in reading.commands
    )
