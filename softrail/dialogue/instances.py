"""Lets processes act, and applies what they return: the only code that moves an instance.

A process returns values; whether it holds the session, is paused, waits for something outside, is covered by
another one or over is decided and recorded here. Processes that call each other are in `calls`.
"""

import logging
from collections.abc import Mapping, Sequence
from typing import Any

from softrail.core.clock import after
from softrail.core.errors import StepFailed
from softrail.core.frozen import evolved
from softrail.core.instances import DueKind, Instance, State, Trigger
from softrail.core.intents import Intent
from softrail.core.questions import Pending
from softrail.core.reading import Reading
from softrail.core.sessions import Undo
from softrail.core.turns import Turn
from softrail.dialogue.asked import Asked
from softrail.dialogue.assigning import Assigning
from softrail.dialogue.calls import Calls
from softrail.dialogue.context import Parts
from softrail.dialogue.draft import Draft
from softrail.dialogue.versions import fit
from softrail.processes import Definition, Played

log = logging.getLogger(__name__)

MAX_FAILURES = 3


class Acting:
    """Starting, answering, pausing, resuming and ending instances, within a draft."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._say = parts.sentences.say
        self.calls = Calls(parts, self)
        self.assigning = Assigning(parts, self)
        self.asked = Asked(parts, self)

    # -- beginning

    async def start(
        self,
        draft: Draft,
        definition: Definition,
        *,
        offered: Instance | None = None,
        prefill: Mapping[str, Any] | None = None,
        covering: bool = False,
        caller: Instance | None = None,
        intent: Intent | None = None,
        reason: str = "",
    ) -> Instance | None:
        """Start a process, or accept the offer of one; the instance, None when it could not start.

        `covering` leaves the holder waiting underneath, and `caller` the instance that this one does a part for.
        `intent` is one of its own that it begins with.
        """
        parts, turn = self._parts, evolved(draft.turn, {"intent": intent}) if intent else draft.turn
        if caller is None and offered is None and (part := await self.asked.of(draft, definition)):
            await self.asked.go_to(draft, definition, part)
            return draft.instances[part.id]
        if offered is not None and offered.memo.asked is not None:
            if await self.asked.void(draft, offered):
                return None
            prefill = offered.memo.asked.prefill
        if caller is None and offered is None and (there := await self.calls.there(draft, definition)):
            await self.calls.go_to(draft, there)
            return draft.instances[there.id]
        opening = parts.conductor.opening(definition, turn) if prefill is None else None
        if opening is not None:  # what the message gives already, for the process's own prefill()
            reading = await parts.reader.read(turn.message, opening, locale=turn.person.locale)
            turn = evolved(turn, {"reading": reading})
        elif prefill is None and offered is None and caller is None:
            readings = await self._read_ahead(definition, turn)
            given, told = parts.conductor.given_already(definition, turn, readings)
            prefill = given or None
            turn = evolved(turn, {"reading": Reading(message=turn.message, overheard=told)}) if told else turn
        try:
            played = await parts.conductor.start(definition, turn, prefill=prefill)
        except StepFailed as error:
            self._note(draft, definition.name, error)
            if offered is not None:
                draft.move(offered, Trigger.LAPSE, "could not start")
            draft.say(self._say("gone_process", process=definition.title))
            return None
        covered = paused = None
        if covering and draft.holder is not None and draft.holder.process == definition.name:
            # Questions do not pile up: whoever is asked anew is not led back through older ones.
            await self.close(draft, draft.holder, "a newer one was asked")
        if caller is not None:
            covered = caller
        elif draft.holder is not None and (covering or not self._pausable(draft.holder)):
            covered = draft.put(draft.holder.evolve(holds=False))
            draft.ask_again = None
        elif definition.contract != "background":
            paused = await self._make_way(draft, f"{definition.name} was asked for", starting=definition.name)
        await self.lapse_offer(draft, but=offered)
        instance = offered or Instance(
            id=parts.ids.new(),
            person_id=turn.person.id,
            session_id=draft.session.id,
            process=definition.name,
            version=definition.version,
        )
        instance = instance.evolve(
            session_id=draft.session.id,  # what was offered elsewhere comes here
            version=definition.version,
            step=played.step,
            data=played.data,
            covers=covered.id if covered else None,
        )
        if paused is not None:
            instance = instance.note(paused=paused.id)
        if caller is not None:
            instance = instance.note(caller=caller.id, then=caller.step)
            draft.put(caller.note(calls=instance.id))
        instance = instance.evolve(slot=self._slot(definition, instance))
        if await self._set_older_aside(draft, instance):
            draft.say(self._say("older_set_aside", process=definition.title))
        instance = draft.move(instance, Trigger.ACCEPT if offered else Trigger.START, reason)
        await self.apply(draft, definition, instance, played)
        return draft.instances[instance.id]

    async def _read_ahead(self, definition: Definition, turn: Turn) -> Sequence[Reading]:
        """The message that asks for a process, read for what it gives already: "a table for four on Friday"."""
        places = self._parts.conductor.openings(definition, turn)
        locale = turn.person.locale
        return [await self._parts.reader.read(turn.message, place, locale=locale) for place in places]

    def _slot(self, definition: Definition, instance: Instance) -> str:
        """Which of several runs it is. Parts for others stand beside each other, and beside one's own runs."""
        if instance.memo.asked is not None:
            return instance.memo.asked.key
        return self._parts.conductor.slot(definition, instance)

    def _pausable(self, instance: Instance) -> bool:
        definition = self._parts.registry.of(instance)
        return definition is None or definition.process.pausable

    async def _make_way(self, draft: Draft, reason: str, *, starting: str = "") -> Instance | None:
        """Put aside what holds the session, and what waits underneath it; what was paused last in front comes back.

        A run of the process that is `starting` ends, and so does one that is not worth coming back to.
        """
        front: Instance | None = None
        while (holder := draft.holder) is not None:
            definition = self._parts.registry.of(holder)
            if holder.process == starting and holder.memo.asked is None:
                await self.close(draft, holder, "started again")
            elif definition is not None and not definition.process.resumable:
                await self.close(draft, holder, reason)
            else:
                paused = await self.suspend(draft, holder, Trigger.ESCAPE, reason)
                front = front or (paused if self.calls.comes_back(paused) else None)
                draft.say(self._say("switched", process=self._parts.title(holder.process)))
        draft.ask_again = None
        return front

    async def restart(self, draft: Draft, instance: Instance) -> None:
        """Clear an active instance and begin its process again."""
        definition = self._parts.registry.of(instance)
        if definition is None or instance.version > definition.version:
            await fit(self._parts, self, draft, instance)  # says so
            return
        current = instance.evolve(version=definition.version)  # nothing of an older version is read
        given = (
            instance.memo.asked.prefill if instance.memo.asked is not None else {}
        )  # that stays as it was asked
        try:
            played = await self._parts.conductor.start(definition, draft.turn, prefill=given)
        except StepFailed as error:
            await self.trouble(draft, current, error)
            return
        draft.say(self._say("restarted", process=definition.title))
        await self.apply(draft, definition, current, played)

    # -- going on

    async def answer(
        self, draft: Draft, instance: Instance, *, late: bool = False, turn: Turn | None = None
    ) -> bool:
        """Give the turn to an instance. False: it released the turn, which is then answered normally.

        A `late` answer comes after a pause: what else was said too long ago is asked again. `turn` is the turn as
        the instance is to see it, where that is not as it came.
        """
        draft.owner = instance.process
        found = await fit(self._parts, self, draft, instance)
        definition = found.definition
        if definition is None:
            return False  # it is put aside, which was said; the message is answered in free talk
        if found.asked:
            return True
        current = draft.instances[instance.id]
        try:
            said = evolved(turn or draft.turn, {"reading": draft.reading, "result": current.memo.result})
            played = await self._parts.conductor.answer(definition, current, said, late=late)
        except StepFailed as error:
            return await self.trouble(draft, current, error)
        draft.decision.why = played.why
        if played.release is not None:
            await self._release(draft, current, played)
            return False
        await self.apply(draft, definition, current, played)
        return True

    async def _release(self, draft: Draft, instance: Instance, played: Played) -> None:
        release = played.release
        assert release is not None  # noqa: S101 - narrowed by the caller
        draft.owner = None
        draft.noted(played)
        draft.say(release.say)
        draft.add_effects(played.effects, instance.id)
        instance = draft.put(instance.evolve(data=played.data, handled_at=draft.turn.at))
        if release.close:
            await self.close(draft, instance, "the process let go")
        elif release.suspend:
            await self.suspend(draft, instance, Trigger.ESCAPE, "the process stepped aside")
        else:
            draft.ask_again = instance.id

    async def resume(
        self, draft: Draft, instance: Instance, *, trigger: Trigger = Trigger.RESUME, say: str | None = None
    ) -> bool:
        """Make a suspended (or just left) instance active here again and ask its first missing answer."""
        if await self.asked.void(draft, instance):
            return True
        inner = await self.calls.called(draft, instance)
        if inner is not None:  # what it called is where the person was
            said = self._say("resumed", process=self._parts.title(instance.process)) if say is None else say
            return await self.resume(draft, inner, trigger=trigger, say=said)
        found = await fit(self._parts, self, draft, instance, resuming=True)
        definition = found.definition
        if definition is None or found.asked:
            return found.asked
        instance = await self.bring_here(draft, draft.instances[instance.id], trigger)
        draft.say(say if say is not None else self._say("resumed", process=definition.title))
        if await self.calls.caught_up(draft, definition, instance):
            return True
        instance = draft.instances[instance.id]
        try:
            played = await self._parts.conductor.resume(definition, instance, draft.turn)
        except StepFailed as error:
            return await self.trouble(draft, instance, error)
        await self.apply(draft, definition, instance, played)
        return True

    async def bring_here(self, draft: Draft, instance: Instance, trigger: Trigger) -> Instance:
        """Activate an instance in this session; the holder there is paused, the offer lapses.

        What it covered before it was left, and what holds the session since, waits underneath it again.
        """
        holder, covers = draft.holder, None
        if holder is not None and holder.id == instance.covers:
            covers = draft.put(holder.evolve(holds=False)).id
            draft.ask_again = None
        elif holder is not None and holder.id != instance.id:
            await self._make_way(draft, f"{instance.process} was resumed")
        await self.lapse_offer(draft)
        if instance.state is State.ACTIVE:
            instance = draft.move(instance, Trigger.ESCAPE, "continued in another conversation")
        if caller := self.calls.wake_caller(draft, instance, undo=trigger is Trigger.UNDO):
            instance, covers = instance.note(returned=False), caller
        instance = instance.evolve(session_id=draft.session.id, covers=covers, offered_back=False, failures=0)
        return draft.move(instance, trigger, "")

    async def wake(self, draft: Draft, instance: Instance, reason: str) -> Instance:
        """Activate a suspended instance whose question is about to be answered."""
        instance = await self.bring_here(draft, instance, Trigger.RESUME)
        draft.decision.transitions[-1].reason = reason
        definition = self._parts.registry.of(instance)
        return draft.put(
            instance.evolve(holds=definition is not None and definition.contract != "background")
        )

    async def again(self, draft: Draft, instance: Instance) -> None:
        """Ask an active instance's open question once more, after an answer that was not its own.

        Its idle time goes on: only turns that it handled begin it anew.
        """
        definition = self._parts.registry.of(instance)
        if definition is None or instance.state is not State.ACTIVE:
            return
        try:
            played = await self._parts.conductor.again(definition, instance, draft.turn)
        except StepFailed as error:
            self._note(draft, instance.process, error)
            played = None
        question = played.question if played is not None else instance.question
        draft.shown = instance.id
        if played is not None:
            draft.prompts.extend(played.prompts)
            draft.suggestions.extend(played.suggested_actions)
            draft.show_draft(played.drafted)
        if question is not None:
            draft.say(played.say if played is not None else question.prompt)
            draft.put(instance.evolve(question=question))
            draft.ask(Pending(question=question, instance_id=instance.id, seq=draft.turn.seq))

    async def back_to(self, draft: Draft, instance: Instance) -> None:
        """Ask for what is under way already: whatever covers it is over, and its question comes again."""
        while (holder := draft.holder) is not None and holder.id != instance.id:
            await self.close(draft, holder, f"back to {instance.process}")
        draft.say(self._say("already_in", process=self._parts.title(instance.process)))
        draft.ask_again = None
        await self.again(draft, draft.instances[instance.id])

    # -- what a step returned

    async def apply(self, draft: Draft, definition: Definition, instance: Instance, played: Played) -> None:
        """Keep what the steps returned: words, effects, state, and the question or the end."""
        turn = draft.turn
        fault = self.calls.fault(draft, instance, played.call) if played.call is not None else ""
        if played.assign is not None:
            fault = self.assigning.fault(instance, played.assign)
        if fault:
            await self.trouble(draft, instance, StepFailed(fault, kind="not_an_outcome"))
            return
        draft.shown = instance.id
        draft.add_effects(played.effects, instance.id)
        draft.noted(played)
        draft.prompts.extend(played.prompts)
        draft.suggestions.extend(played.suggested_actions)
        draft.show_draft(played.drafted)
        asked, question = instance.question, played.question
        contract = definition.contract_of(played.step)
        above = draft.holder if draft.holder is not None and draft.holder.id != instance.id else None
        covered = above is not None  # it was moved underneath
        words = await self._phrased(draft, played)
        later = question if covered and contract != "background" else None  # asked when its turn comes
        if later is not None:
            words = words.removesuffix(later.prompt)
        draft.say_all(played.messages if played.messages and words == played.say else (words,))
        if later is not None and above is not None and (words.strip() or turn.origin == "person"):
            holder = self._parts.title(above.process)
            draft.say(self._say("its_turn", process=definition.title, holder=holder))
        failures = instance.failures + 1 if played.trouble else 0
        if instance.memo.waits or played.waits or instance.memo.result is not None:
            instance = instance.note(waits=played.waits, waits_until=played.waits_until, result=None)
        instance = self.assigning.applied(draft, instance, played)
        instance = instance.evolve(
            step=played.step, data=played.data, question=question, failures=failures, handled_at=turn.at
        )
        if played.trouble:
            draft.decision.trouble = f"{instance.process}: {played.trouble}"
        draft.project_id = played.project_id or draft.project_id
        if played.end is not None:
            trigger = Trigger.COMPLETE if played.end == "completed" else Trigger.DECLINE
            if played.end == "declined":  # the no may be taken back, and then this is asked again
                instance = instance.evolve(question=asked)
            draft.values[instance.id] = played.value
            instance = draft.move(instance.evolve(due_at=None, due_kind=None), trigger, played.why)
            draft.payload = played.payload if played.payload is not None else draft.payload
            if played.end == "declined":
                draft.remember(undo=Undo(instance_id=instance.id, seq=turn.seq))
            self._leave(draft, instance)
            draft.reroute.extend(played.reroute)
            return
        if instance.failures >= MAX_FAILURES:
            await self._way_out(draft, instance)
            return
        if played.call is not None:
            await self.calls.call(draft, instance, played.call)
            return
        if covered and contract == "background":  # moved underneath, to where it holds nothing
            instance = self.calls.lift(draft, instance)
        if played.waits:
            self._rest(draft, instance)
            return
        instance = instance.evolve(
            holds=contract != "background" and not covered,
            slot=self._slot(definition, instance),
            due_at=after(turn.at, definition.idle_timeout) if definition.idle_timeout else None,
            due_kind=DueKind.IDLE if definition.idle_timeout else None,
        )
        if covered and contract != "background":  # nobody was asked yet who could be silent
            instance = instance.evolve(due_at=None, due_kind=None)
        if question is not None and question.expires_at is not None:
            instance = instance.evolve(due_at=question.expires_at, due_kind=DueKind.DEFAULT)
        if question is not None and later is None:
            draft.ask(Pending(question=question, instance_id=instance.id, seq=turn.seq))
        draft.put(instance)
        if later is not None:
            self.calls.lay_beneath(draft, instance)

    def _rest(self, draft: Draft, instance: Instance) -> None:
        """Let it wait for something outside: the session is free for what waited underneath, but for its caller."""
        until = instance.memo.waits_until
        instance = draft.put(
            instance.evolve(
                holds=False,
                due_at=until,
                due_kind=DueKind.DEFAULT if until is not None else None,
                question=None,
            )
        )
        calling = instance.memo.caller is not None and not instance.memo.returned
        beneath = None if calling else draft.beneath(instance)
        self._give_up(draft, instance, to=beneath)
        if beneath is not None:
            draft.put(instance.evolve(covers=None))
        elif not calling and instance.memo.paused is not None:
            draft.comes_back = instance.id

    async def _phrased(self, draft: Draft, played: Played) -> str:
        if not played.polish or not played.say or self._parts.model.name == "plain":
            return played.say
        words = await self._parts.responder.polish(played.say, turn=draft.turn, model=self._parts.model)
        draft.prompts.extend(words.prompts)
        draft.decision.caught.extend(words.caught)
        return words.text

    # -- ending

    async def tell_of_leaving(self, draft: Draft, instance: Instance, manner: str) -> bool:
        """Let a process do what it has to before the person leaves it; it cannot keep them.

        Whether it lives on in the background by itself: then it is neither paused nor closed.
        """
        definition = self._parts.registry.of(instance)
        if definition is None or definition.leaves_by is None or instance.version != definition.version:
            return False
        turn = evolved(draft.turn, {"leaves": manner})
        try:
            played = await self._parts.conductor.leave(definition, instance, turn)
        except StepFailed as error:
            self._note(draft, instance.process, error)
            return False
        if definition.lives_on and played.waits and definition.contract_of(played.step) == "background":
            await self.apply(draft, definition, instance, played)
            return True
        draft.say(played.say if played.question is None else played.say.removesuffix(played.question.prompt))
        draft.add_effects(played.effects, instance.id)
        draft.put(instance.evolve(data=played.data))
        return False

    async def suspend(self, draft: Draft, instance: Instance, trigger: Trigger, reason: str) -> Instance:
        """Pause an instance with its data; it can be resumed until it expires."""
        instance = instance.evolve(due_at=None, due_kind=None)
        if await self._set_older_aside(draft, instance):
            draft.say(self._say("older_set_aside", process=self._parts.title(instance.process)))
        left_at = instance.handled_at or draft.turn.at
        if trigger is not Trigger.TIMEOUT:
            left_at = draft.turn.at
        definition = self._parts.registry.of(instance)
        retention = definition.retention if definition and definition.retention else self._parts.retention
        instance = draft.move(instance, trigger, reason)
        instance = draft.put(
            instance.evolve(due_at=after(left_at, retention), due_kind=DueKind.EXPIRE, offered_back=False)
        )
        caller = self.calls.caller_of(draft, instance)
        if trigger is Trigger.TIMEOUT and caller is not None:  # both wait for the same silence
            await self.suspend(draft, caller, trigger, f"{instance.process}, which it called, was paused")
        self._leave(draft, instance, keep_question=trigger is Trigger.TIMEOUT)
        return instance

    async def close(self, draft: Draft, instance: Instance, reason: str) -> Instance:
        """End an instance for good (a refusal, an exit, a restart, being superseded)."""
        paused = instance.state is State.SUSPENDED
        instance = draft.move(instance.evolve(due_at=None, due_kind=None), Trigger.CLOSE, reason)
        self._leave(draft, instance, holds=not paused)
        return instance

    async def decline(self, draft: Draft, instance: Instance, reason: str) -> Instance:
        """The person said no to an offer or to resuming."""
        instance = draft.move(instance.evolve(due_at=None, due_kind=None), Trigger.DECLINE, reason)
        self._leave(draft, instance)
        return instance

    def _leave(
        self, draft: Draft, instance: Instance, *, keep_question: bool = False, holds: bool = True
    ) -> None:
        """Close the instance's question and give the session back to what waited underneath.

        One that was paused before gave it back then.
        """
        draft.left.add(instance.id)
        covered = draft.beneath(instance) if holds else None
        self._give_up(draft, instance, to=covered, keep_question=keep_question)
        if instance.memo.caller is not None and not instance.memo.returned:
            draft.returns.append(instance.id)
        elif instance.memo.paused is not None:
            draft.comes_back = instance.id

    def _give_up(
        self, draft: Draft, instance: Instance, *, to: Instance | None, keep_question: bool = False
    ) -> None:
        pending, covered = draft.pending, to
        if pending is not None and pending.instance_id == instance.id and not keep_question:
            draft.ask(None)
            draft.ask_again = draft.holder.id if draft.holder else draft.ask_again
        if covered is None:
            return
        if draft.holder is None:
            definition = self._parts.registry.of(covered)
            covered = covered.evolve(holds=True)
            if definition is not None and definition.idle_timeout:
                covered = covered.evolve(
                    due_at=after(draft.turn.at, definition.idle_timeout), due_kind=DueKind.IDLE
                )
            draft.put(covered)
            draft.ask_again = covered.id

    async def _set_older_aside(self, draft: Draft, instance: Instance) -> bool:
        """At most one suspended instance per process, person and slot: abandon the older."""
        found = False
        known = {i.id: i for i in await self._parts.store.suspended(instance.person_id)}
        for older in (known | draft.instances).values():  # this turn may have suspended one, too
            same = older.process == instance.process and older.slot == instance.slot
            if same and older.id != instance.id and older.state is State.SUSPENDED:
                await self.close(draft, older, "superseded by a newer one")
                definition = self._parts.registry.of(older)
                found = found or definition is None or definition.process.resumable
        return found

    async def lapse_offer(self, draft: Draft, *, but: Instance | None = None) -> None:
        for other in list(draft.instances.values()):
            if other.state is not State.OFFERED or not draft.here(other) or (but and other.id == but.id):
                continue
            if other.memo.asked is not None:  # whoever asks for it still waits
                self.asked.aside(draft, other)
            else:
                draft.move(other, Trigger.LAPSE, "something else began")

    # -- bad luck

    async def trouble(self, draft: Draft, instance: Instance, error: StepFailed) -> bool:
        """A step failed: the state stays as before, the person is told, the third time is a way out.

        Returns False when the message is still to be answered in free talk.
        """
        self._note(draft, instance.process, error)
        title = self._parts.title(instance.process)
        if error.kind == "unreadable":
            draft.move(instance.evolve(due_at=None, due_kind=None), Trigger.FAIL, error.message[:200])
            self._leave(draft, draft.instances[instance.id])
            draft.say(self._say("failed_process", process=title))
            return False
        instance = draft.put(instance.evolve(failures=instance.failures + 1))
        if instance.failures >= MAX_FAILURES:
            await self._way_out(draft, instance)
        else:
            draft.shown = instance.id
            question = instance.question.prompt if instance.question else ""
            if draft.turn.origin != "signal":  # else nobody said anything that was not used
                draft.say(self._say("trouble", question=question))
            elif draft.fixed:  # but somebody read that there was news
                draft.say(self._say("signal_gave_up"))
        return True

    async def count_failure(self, draft: Draft, instance: Instance) -> bool:
        """Count a failure that took nobody's words; the third in a row pauses the instance: True."""
        instance = draft.put(instance.evolve(failures=instance.failures + 1))
        if instance.failures < MAX_FAILURES:
            return False
        await self._way_out(draft, instance)
        return True

    async def _way_out(self, draft: Draft, instance: Instance) -> None:
        await self.suspend(draft, instance.evolve(failures=0), Trigger.TROUBLE, "three failures in a row")
        draft.say(self._say("trouble_way_out", process=self._parts.title(instance.process)))

    def _note(self, draft: Draft, process: str, error: StepFailed) -> None:
        draft.decision.trouble = f"{process}: {error.message}"
        # What it says may repeat what the person said: the decision record has it, which is theirs.
        log.error(
            "Process %s failed on turn %s of session %s (%s).",
            process,
            draft.turn.id,
            draft.session.id,
            error.kind,
            exc_info=error,
        )
