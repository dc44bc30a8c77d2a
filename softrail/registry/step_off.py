"""Gate 4: the ways out and back, which no plugin can swallow."""

from collections.abc import Sequence

from softrail.core.instances import Instance, State, Trigger
from softrail.core.questions import Question
from softrail.core.sessions import Undo
from softrail.language import Language, normal, slash
from softrail.language import StepOff as Left
from softrail.processes import Definition
from softrail.registry.acting import Acting
from softrail.registry.commands import Commands
from softrail.registry.draft import Draft
from softrail.registry.offers import Offers
from softrail.registry.parts import Parts


class StepOff:
    """Slash commands, taking back, resuming, asking for another process, and the four layers."""

    def __init__(self, parts: Parts, acting: Acting, offers: Offers, commands: Commands) -> None:
        self._parts = parts
        self._acting = acting
        self._offers = offers
        self._commands = commands
        self._say = parts.sentences.say

    async def handle(self, draft: Draft, language: Language) -> bool:
        """True: the turn is answered. False: it goes on, perhaps with the process out of the way."""
        command = slash(draft.message)
        if command is not None and await self._commands.handle(draft, command):
            return self._claimed(draft, "command", f"The command /{command.name}.")
        if await self._offer_refused(draft, language):
            return not draft.message
        if self._offered_answer(draft):
            return False
        if await self._taken_back(draft, language) or await self._resumed(draft, language):
            return True
        front = self._front(draft)
        if not self._open_offer(draft) and language.is_start_over(
            draft.message, names=self._names(front) if front else ()
        ):
            return await self._start_over(draft, front)
        if await self._another(draft, front, language):
            return True
        if front is not None and (
            await self._nothing_to_come_back_to(draft, front, language)
            or await self._greeted(draft, front, language)
        ):
            return True
        return await self._layers(draft, front, language) or await self._named(draft, front, language)

    def _front(self, draft: Draft) -> Instance | None:
        """What a person would stop: whoever asked last, if it goes on in the background, else the holder."""
        pending = draft.pending
        asker = draft.instances.get(pending.instance_id) if pending is not None else None
        if (
            asker is not None
            and asker.state is State.ACTIVE
            and draft.here(asker)
            and not self._open_offer(draft)
        ):
            definition = self._parts.registry.of(asker)
            if definition is not None and definition.contract_of(asker.step) == "background":
                return asker
        return draft.holder

    # -- offers

    def _open_offer(self, draft: Draft) -> bool:
        return draft.pending is not None and draft.pending.question.kind == "offer"

    async def _offer_refused(self, draft: Draft, language: Language) -> bool:
        """After an offer, layers 1 to 3 decline it. What is left of the message is still to be answered."""
        pending = draft.pending
        if pending is None or pending.question.kind != "offer":
            return False
        instance = draft.instances.get(pending.instance_id)
        if instance is None or instance.state not in (State.OFFERED, State.SUSPENDED, State.ACTIVE):
            return False
        off = language.step_off(draft.message, names=self._names(instance), off_intent=False, yes_no=True)
        if off is None:
            return False
        await self._offers.decline(draft, instance, resume=pending.resume)
        self._claimed(draft, off.layer, f"The offer of {instance.process} was refused.")
        draft.message = off.remainder
        return True

    # -- coming back

    async def _taken_back(self, draft: Draft, language: Language) -> bool:
        undo = draft.snapshot.session.memo.undo
        back = language.is_undo(draft.message) or language.is_resume(draft.message)
        if undo is None or not back:
            return False
        instance = draft.instances.get(undo.instance_id)
        if instance is None or instance.state not in (State.SUSPENDED, State.ABANDONED, State.DECLINED):
            return False
        title = self._parts.title(instance.process)
        if instance.moves <= 2 and instance.state is State.DECLINED and not instance.data.strip("{}"):
            definition = self._parts.registry.find(instance.process)
            if definition is None:
                return False
            await self._acting.start(draft, definition, reason="the no was taken back")
            return self._claimed(draft, "undo", f"{instance.process} was declined on the turn before.")
        say = self._say("undone", process=title)
        if not await self._acting.resume(draft, instance, trigger=Trigger.UNDO, say=say):
            return bool(draft.words)  # why not has been said
        return self._claimed(draft, "undo", f"{instance.process} was left on the turn before.")

    async def _resumed(self, draft: Draft, language: Language) -> bool:
        """Picks up what was paused last ("resume"), or the one that is named ("resume the standup")."""
        pending = draft.pending
        offered = pending is not None and pending.resume and language.is_resume(draft.message)
        if offered or (draft.holder and _yes_or_no(draft.holder.question, language)):
            return False  # "continue" is the yes to that question
        if not language.is_resume(draft.message, names=self._parts.registry.names()):
            return False
        for instance in await self._offers.paused(draft):
            if not language.is_resume(draft.message, names=self._names(instance)):
                continue
            draft.instances.setdefault(instance.id, instance)
            if await self._acting.resume(draft, instance):
                return self._claimed(draft, "resume", f"{instance.process} was paused and is picked up.")
            return bool(draft.words)
        if self._front(draft) is None and not language.is_resume(draft.message):
            draft.say(self._say("nothing_to_resume"))
            return self._claimed(draft, "resume", "A process was named that is not paused.")
        return False  # a bare "go on" may be meant for the talk itself

    async def _nothing_to_come_back_to(self, draft: Draft, front: Instance, language: Language) -> bool:
        """With nothing to come back to, "resume" and "undo" are no answer either: the question comes again."""
        if _yes_or_no(front.question, language) or self.is_option(draft.message, front.question):
            return False
        if language.is_undo(draft.message):
            draft.say(self._say("nothing_to_undo"))
        elif language.is_resume(draft.message, names=self._names(front)):
            draft.say(self._say("already_in", process=self._parts.title(front.process)))
        else:
            return False
        if self._parts.registry.of(front) is None:
            return False
        await self._acting.again(draft, front)
        return self._claimed(
            draft, "asked again", f"There was nothing to come back to: {front.process} asks again."
        )

    async def _start_over(self, draft: Draft, front: Instance | None) -> bool:
        if front is None:
            draft.say(self._say("reset"))
            return self._claimed(draft, "reset", "There was nothing in front to start over.")
        definition = self._parts.registry.of(front)
        if definition is not None and not definition.process.resumable:
            await self._acting.close(draft, front, "the person wants to start over")
            draft.say(self._say("lapsed_question"))
            return self._claimed(draft, "dropped", f"{front.process} cannot begin again: it was dropped.")
        await self._acting.restart(draft, front)
        draft.owner = front.process
        return self._claimed(draft, "restart", f"{front.process} begins again.")

    async def _another(self, draft: Draft, front: Instance | None, language: Language) -> bool:
        """Asking by name for another process suspends the holder, says so, and starts the new one."""
        if front is None:
            return False
        wanted = self._parts.registry.asked_for(draft.message, language)
        route = self._parts.registry.route(draft.turn.intent_hint or "")
        if wanted is None and route is not None and route.process not in (None, front.process):
            wanted = self._parts.registry.find(route.process or "")
        if wanted is None or self.is_option(draft.message, front.question):
            return False
        standing = front if wanted.name == front.process else draft.standing(wanted.name)
        if standing is not None:
            await self._acting.back_to(draft, standing)
            return self._claimed(draft, "asked again", f"{wanted.name} is under way already.")
        await self._acting.start(draft, wanted, reason="asked for by name")
        return self._claimed(draft, "asked by name", f"{wanted.name} was asked for while another held.")

    # -- stepping off

    async def _greeted(self, draft: Draft, holder: Instance, language: Language) -> bool:
        """A greeting answers no question: it is returned, and the question is asked again."""
        question = holder.question
        if question is None or question.takes_anything or not language.is_greeting(draft.message):
            return False
        if self._parts.registry.of(holder) is None:
            return False
        draft.say(self._say("greeted"))
        await self._acting.again(draft, holder)
        return self._claimed(draft, "greeting", f"A greeting is no answer: {holder.process} asks again.")

    async def _named(self, draft: Draft, front: Instance | None, language: Language) -> bool:
        """Layers 2 and 3 for what is not in front: it waits underneath, or goes on in the background."""
        if front is not None and self._offered_answer(draft):
            return False
        below = draft.beneath(front) if front is not None else None
        for instance in list(draft.instances.values()):
            background = not instance.holds and instance.state is State.ACTIVE and draft.here(instance)
            if instance is front or not (instance is below or (background and self._runs_on(instance))):
                continue
            names = self._names(instance)
            off = language.step_off(draft.message, names=names, off_intent=False, yes_no=True)
            if off is None or language.step_off(draft.message, names=(), off_intent=False, yes_no=True):
                continue  # only by its name: "stop it" is for what is in front
            while instance is below and (holder := draft.holder) is not None and holder.id != instance.id:
                await self._acting.close(draft, holder, f"{instance.process} was left")
            draft.ask_again = None
            return await self._leave(draft, draft.instances[instance.id], off)
        return False

    def _runs_on(self, instance: Instance) -> bool:
        definition = self._parts.registry.of(instance)
        return definition is not None and definition.contract_of(instance.step) == "background"

    async def _layers(self, draft: Draft, holder: Instance | None, language: Language) -> bool:
        if holder is None:
            return False
        definition = self._parts.registry.of(holder)
        question = holder.question
        message = draft.message
        contract = definition.contract_of(holder.step) if definition else "exclusive"
        off = language.step_off(
            message,
            names=self._names(holder),
            subject=definition.subject if definition else (),
            options=_labels(question),
            takes_anything=bool(question and question.takes_anything),
            off_intent=definition is not None,
            yes_no=_yes_or_no(question, language),
        )
        if off is None:
            return False
        if off.layer == "escape":
            return await self._escape(draft, holder)
        if off.layer == "off_intent":
            return await self._off_topic(draft, holder, contract)
        return await self._leave(draft, holder, off)

    async def _leave(self, draft: Draft, holder: Instance, off: Left) -> bool:
        """An exit or a refusal ends it; what is left of the message is still to be answered."""
        kept = self._parts.kept(holder)
        await self._acting.close(draft, holder, f"{off.layer}: the person left")
        draft.remember(undo=Undo(instance_id=holder.id, seq=draft.turn.seq))
        title = self._parts.title(holder.process)
        if off.remainder or self._parts.registry.of(holder) is None:  # what is gone cannot say what it has
            draft.say(self._say("closed", process=title))
        elif kept:
            draft.say(self._say("closed_kept", process=title))
        else:
            draft.say(self._say("closed_nothing_kept", process=title))
        self._claimed(draft, off.layer, f"The person left {holder.process}.")
        draft.message = off.remainder
        return not off.remainder

    async def _escape(self, draft: Draft, holder: Instance) -> bool:
        kept = self._parts.kept(holder)
        title = self._parts.title(holder.process)
        await self._acting.suspend(draft, holder, Trigger.ESCAPE, "an escape word")
        draft.remember(undo=Undo(instance_id=holder.id, seq=draft.turn.seq))
        if self._offers.passing(holder):
            draft.say(self._say("closed", process=title))
        elif kept:
            draft.say(self._say("paused_kept", process=title, kept=kept))
        else:
            draft.say(self._say("paused", process=title))
        return self._claimed(draft, "escape", f"An escape word paused {holder.process}.")

    async def _off_topic(self, draft: Draft, holder: Instance, contract: str) -> bool:
        if contract in ("questions_pass", "background"):
            draft.ask_again = holder.id
            draft.passing = True
            draft.decision.passed("step_off", "off_intent", f"Not about {holder.process}, which waits.")
            return False
        await self._acting.suspend(draft, holder, Trigger.ESCAPE, "the person wanted something else")
        draft.remember(undo=Undo(instance_id=holder.id, seq=draft.turn.seq))
        draft.say(self._say("paused_for_this", process=self._parts.title(holder.process)))
        draft.decision.passed("step_off", "off_intent", f"Not about {holder.process}, which was paused.")
        return False

    # -- small things

    def _names(self, instance: Instance) -> Sequence[str]:
        definition: Definition | None = self._parts.registry.of(instance)
        return definition.names if definition else (instance.process.replace("_", " "),)

    def _offered_answer(self, draft: Draft) -> bool:
        """The message is an option the holder's own step offers, word for word: its words win."""
        holder = draft.holder
        return holder is not None and self.is_option(draft.message, holder.question)

    def is_option(self, message: str, question: Question | None) -> bool:
        """The message is one of the question's own options, word for word."""
        said = normal(message)
        return question is not None and any(
            said in {normal(o.label), *(normal(w) for w in o.words)} for o in question.options
        )

    def _claimed(self, draft: Draft, outcome: str, why: str) -> bool:
        draft.decision.passed("step_off", outcome, why)
        draft.decision.owner = "registry"
        draft.decision.why = draft.decision.why or why
        return True


def _yes_or_no(question: Question | None, language: Language) -> bool:
    if question is None:
        return False
    schema = question.answer_schema or {}
    if question.kind in ("confirm", "offer", "approve") or schema.get("type") == "boolean":
        return True
    return {"yes", "no"} <= {language.consent(option.label) for option in question.options}


def _labels(question: Question | None) -> list[str]:
    return [o.label for o in question.options] if question else []
