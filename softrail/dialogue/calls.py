"""Processes that wait beneath each other: calling one, coming back from one, one run at a time."""

import logging
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from softrail.core.errors import StepFailed
from softrail.core.instances import DueKind, Instance, State, Trigger
from softrail.core.outcomes import DEEPEST, Call
from softrail.core.signals import Result, Signal
from softrail.dialogue.context import Parts
from softrail.dialogue.draft import Draft
from softrail.dialogue.versions import fit
from softrail.processes import Definition, Played

if TYPE_CHECKING:
    from softrail.dialogue.instances import Acting

log = logging.getLogger(__name__)

MOST_KEPT = 100  #: signals of one instance that are not heard yet


class Calls:
    """What an instance owes to those beneath it, within a draft."""

    def __init__(self, parts: Parts, acting: "Acting") -> None:
        self._parts = parts
        self._acting = acting
        self._say = parts.sentences.say

    # -- calling

    def fault(self, draft: Draft, instance: Instance, call: Call) -> str:
        """Why an instance cannot call that process; "" when it can."""
        who = f"Process {instance.process!r} calls {call.process!r}"
        if self._parts.registry.find(call.process) is None:
            known = ", ".join(sorted(d.name for d in self._parts.registry.definitions()))
            return f"{who}, which is not registered. Registered: {known}."
        above = [instance, *self._callers(draft, instance)]
        chain = " -> ".join([one.process for one in reversed(above)] + [call.process])
        if call.process in {one.process for one in above}:
            return f"{who}, and it goes round in a circle: {chain}."
        if len(above) > DEEPEST:
            return f"{who}, more than {DEEPEST} calls deep: {chain}."
        return ""

    def _callers(self, draft: Draft, instance: Instance) -> Iterator[Instance]:
        while (caller := self.caller_of(draft, instance)) is not None:
            yield caller
            instance = caller

    def caller_of(self, draft: Draft, instance: Instance) -> Instance | None:
        """The active instance that waits for what comes of this one."""
        caller = draft.instances.get(instance.memo.caller or "")
        waits = caller is not None and caller.state is State.ACTIVE and caller.memo.calls == instance.id
        return caller if waits and draft.here(caller) and not instance.memo.returned else None  # type: ignore[arg-type] # it waits

    async def call(self, draft: Draft, instance: Instance, call: Call) -> None:
        """Start another process above an instance, which waits for what comes of it."""
        instance = draft.put(instance.evolve(holds=False, question=None, due_at=None, due_kind=None))
        if draft.pending is not None and draft.pending.instance_id == instance.id:
            draft.ask(None)
        definition = self._parts.registry.get(call.process)
        instance = instance.evolve(step=call.then)
        begun = await self._acting.start(
            draft, definition, prefill=call.prefill, caller=instance, reason=f"called by {instance.process}"
        )
        if begun is None:
            left = Result(process=call.process, left="trouble")
            await self.tell(draft, draft.put(instance.evolve(holds=draft.holder is None)), left)

    # -- returning

    async def settle(self, draft: Draft) -> None:
        """Tell callers what came of those they called, and bring back what was paused for something that is over."""
        while draft.returns:
            inner = draft.instances[draft.returns.pop(0)]
            caller = self.caller_of(draft, inner)
            if caller is None or not (inner.state is State.SUSPENDED or (inner.state and inner.state.ended)):
                continue  # it was left as well, and hears of it when it goes on
            draft.put(inner.note(returned=True))
            done = inner.state is State.COMPLETED
            left = "" if done else self._how(draft, inner)
            result = Result(process=inner.process, value=draft.values.get(inner.id), left=left)
            await self.tell(draft, caller.evolve(step=inner.memo.then), result)
        await self._come_back(draft)

    def _how(self, draft: Draft, instance: Instance) -> str:
        """How an instance was left in this turn."""
        moves = [t.trigger for t in draft.transitions if t.instance_id == instance.id]
        return str(moves[-1]) if moves else "left"

    async def tell(self, draft: Draft, caller: Instance, result: Result) -> None:
        """Run the step that waits for it. What fails is kept and told on the next turn."""
        caller = draft.put(caller.note(calls=None, result=result))
        if draft.ask_again == caller.id:
            draft.ask_again = None
        found = await fit(self._parts, self._acting, draft, caller, resuming=True)
        if found.definition is None or found.asked:
            return
        current = draft.instances[caller.id]
        try:
            turn = replace(draft.turn, result=result)
            played = await self._parts.conductor.returned(found.definition, current, turn)
        except StepFailed as error:
            await self._acting.trouble(draft, current, error)
            return
        draft.owner = draft.owner or caller.process
        await self._take(draft, found.definition, current, played)
        if played.release is not None:
            draft.put(draft.instances[current.id].note(result=None))
            draft.ask_again = current.id

    def comes_back(self, instance: Instance) -> bool:
        """A paused instance comes back by itself once what it was paused for is over."""
        definition = self._parts.registry.of(instance)
        return definition is not None and definition.process.comes_back != "never"

    async def _come_back(self, draft: Draft) -> None:
        over = draft.instances.get(draft.comes_back or "")
        draft.comes_back = None
        paused = draft.instances.get(over.memo.paused or "") if over is not None else None
        if over is None or paused is None or paused.state is not State.SUSPENDED or not draft.here(paused):
            return
        definition = self._parts.registry.of(paused)
        if definition is None or draft.holder is not None or draft.pending is not None:
            return
        wanted = definition.process.comes_back
        done = over.state is State.COMPLETED or over.memo.waits
        if wanted == "always" or (wanted == "asked" and done):
            say = self._say("comes_back", process=definition.title)
            await self._acting.resume(draft, paused, say=say)

    # -- going on after a pause

    async def called(self, draft: Draft, instance: Instance) -> Instance | None:
        """The paused instance that does a part for this one: where its person was."""
        inner = await self._get(draft, instance.memo.calls)
        if inner is None or inner.state is not State.SUSPENDED or inner.memo.returned:
            return None
        draft.instances.setdefault(inner.id, inner)
        return inner

    def wake_caller(self, draft: Draft, instance: Instance, *, undo: bool = False) -> str | None:
        """Have the caller of an instance that goes on wait beneath it again; its id, None when there is none.

        One that was told that the part was left waits for it again only if that is taken back.
        """
        caller = draft.instances.get(instance.memo.caller or "")
        if caller is None or caller.state is None or caller.state.ended:
            return None
        if instance.memo.returned:
            if not undo or caller.state is not State.ACTIVE or not draft.here(caller) or caller.memo.calls:
                return None
            caller = caller.evolve(question=None, holds=False).note(calls=instance.id, result=None)
        if caller.state is State.SUSPENDED:
            below = self.wake_caller(draft, caller)
            caller = caller.evolve(
                session_id=draft.session.id, covers=below, offered_back=False, due_at=None, due_kind=None
            )
            caller = draft.move(caller, Trigger.RESUME, f"{instance.process}, which it called, goes on")
        draft.put(caller.evolve(holds=False))
        return caller.id

    async def caught_up(self, draft: Draft, definition: Definition, instance: Instance) -> bool:
        """Tell an instance that goes on what happened meanwhile; whether nothing is left to be asked.

        That is what came of a process it called, and the signals that were kept.
        """
        memo, asks = instance.memo, True
        if memo.calls is not None:
            inner = await self._get(draft, memo.calls)
            process = inner.process if inner is not None else ""
            await self.tell(draft, instance, Result(process=process, left="left"))
            asks = False
        elif memo.waits and memo.result is not None:
            await self.tell(draft, instance, memo.result)
            asks = False
        elif memo.kept and await self.hear(draft, definition, instance, memo.kept):
            asked = draft.pending is not None and draft.pending.instance_id == instance.id
            asks = draft.instances[instance.id].state is State.ACTIVE and not asked
        current = draft.instances[instance.id]
        if asks and current.state is State.ACTIVE and current.memo.waits:
            until = current.memo.waits_until
            due = DueKind.DEFAULT if until is not None else None
            draft.put(current.evolve(holds=False, due_at=until, due_kind=due))
            draft.say(self._say("waits", process=definition.title))
            return True
        return not asks

    async def hear(
        self, draft: Draft, definition: Definition, instance: Instance, signals: Sequence[Signal]
    ) -> bool:
        """Tell an active instance what happened, in order; whether any of it was wanted. What fails is kept."""
        heard = False
        draft.put(instance.note(kept=()))
        for n, signal in enumerate(signals):
            current = draft.instances[instance.id]
            if current.state is not State.ACTIVE:
                self.keep(draft, current, signals[n:])
                break
            turn = replace(draft.turn, origin="signal", message="", signal=signal)
            try:
                played = await self._parts.conductor.hear(definition, current, turn)
            except StepFailed as error:
                await self._acting.trouble(draft, current, error)
                self.keep(draft, draft.instances[instance.id], signals[n:])
                return True
            if played is not None:
                heard = True
                draft.decision.why = played.why
                await self._take(draft, definition, current, played)
        return heard

    def keep(self, draft: Draft, instance: Instance, signals: Sequence[Signal]) -> None:
        """Have signals told when the instance goes on: all that are not heard yet."""
        if len(signals) > MOST_KEPT:
            log.error("Instance %s keeps %d signals; the oldest is dropped.", instance.id, MOST_KEPT)
        draft.put(instance.note(kept=tuple(signals[-MOST_KEPT:])))

    async def _take(self, draft: Draft, definition: Definition, instance: Instance, played: Played) -> None:
        """Keep what a step made of a signal, or of a result. `Release`: it stays as it was, but for its data."""
        if played.release is not None:
            draft.say(played.release.say)
            draft.add_effects(played.effects, instance.id)
            draft.put(instance.evolve(data=played.data))
            return
        if played.question is not None and draft.turn.origin != "person":
            await self._acting.lapse_offer(draft)
        await self._acting.apply(draft, definition, instance, played)

    # -- beneath each other

    def lay_beneath(self, draft: Draft, instance: Instance) -> None:
        """Have an instance wait underneath what holds the session, with what it covers itself."""
        above = draft.holder
        while above is not None:
            below = draft.beneath(above)
            if below is not None and below.id == instance.id:
                return
            if below is None or below.id == instance.covers:
                draft.put(instance.evolve(covers=instance.covers or above.covers))
                draft.put(above.evolve(covers=instance.id))
                return
            above = below

    def lift(self, draft: Draft, instance: Instance) -> Instance:
        """Nothing waits for its turn in there any more: what lies on it lies on what it covers itself."""
        for above in list(draft.instances.values()):
            if above.covers == instance.id and above.state is State.ACTIVE and draft.here(above):
                draft.put(above.evolve(covers=instance.covers))
        return draft.put(instance.evolve(covers=None))

    # -- one run at a time

    async def there(self, draft: Draft, definition: Definition) -> Instance | None:
        """The run that a second start goes to, where the process has one run at a time."""
        one = definition.process.one
        if one is None:
            return None
        store, person = self._parts.store, draft.turn.person.id
        kept = await (store.past(person, definition.name) if one == "person" else store.suspended(person))
        runs = draft.instances | {i.id: i for i in kept if i.id not in draft.instances}
        for run in runs.values():
            open_ = run.process == definition.name and run.state in (State.ACTIVE, State.SUSPENDED)
            if open_ and (one == "person" or draft.here(run)):
                return run
        return None

    async def go_to(self, draft: Draft, instance: Instance) -> None:
        """Go on with a run instead of beginning another."""
        draft.instances.setdefault(instance.id, instance)
        if instance.state is State.ACTIVE and draft.here(instance) and instance.memo.waits:
            draft.say(self._say("waits", process=self._parts.title(instance.process)))
        elif instance.state is State.ACTIVE and draft.here(instance):
            await self._acting.back_to(draft, instance)
        else:
            await self._acting.resume(draft, instance)

    async def _get(self, draft: Draft, instance_id: str | None) -> Instance | None:
        if instance_id is None:
            return None
        return draft.instances.get(instance_id) or await self._parts.store.instance(instance_id)
