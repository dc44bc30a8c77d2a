"""Time: who is silent too long is suspended, and a late answer is still an answer."""

from softrail.core.instances import DueKind, Instance, State, Trigger
from softrail.dialogue.context import Parts
from softrail.dialogue.draft import Draft
from softrail.dialogue.instances import Acting
from softrail.dialogue.offers import when


class Timeouts:
    """Gate 3, and what the sweep does between turns."""

    def __init__(self, parts: Parts, acting: Acting) -> None:
        self._parts = parts
        self._acting = acting

    async def check(self, draft: Draft) -> int:
        """Suspend and expire whatever of this snapshot is over time; exactly at its limit it is not."""
        moved = 0
        for instance in list(draft.instances.values()):
            if instance.due_at is None or not instance.due_at < draft.turn.at or not draft.here(instance):
                continue
            if instance.state is State.ACTIVE and instance.due_kind is DueKind.IDLE:
                await self._suspend(draft, instance)
                instance = draft.instances[instance.id]
                moved += 1
            overdue = instance.due_at is not None and instance.due_at < draft.turn.at
            if overdue and instance.state is State.SUSPENDED and instance.due_kind is DueKind.EXPIRE:
                self.expire(draft, instance)
                moved += 1
        return moved

    async def _suspend(self, draft: Draft, instance: Instance) -> None:
        words, shown = len(draft.words), draft.shown
        await self._acting.suspend(draft, instance, Trigger.TIMEOUT, "no answer within its time")
        del draft.words[words:]  # nothing is said about it now: the person may never come back
        draft.shown, draft.ask_again = shown, None
        draft.left.discard(instance.id)  # the person has not left it: on a greeting it is offered
        pending = draft.pending
        if pending is not None and pending.instance_id == instance.id and pending.question.tail:
            draft.ask(None)
            draft.remember(lapsed=instance.id)

    def expire(self, draft: Draft, instance: Instance) -> None:
        """End a suspended instance whose retention is over."""
        draft.move(instance.evolve(due_at=None, due_kind=None), Trigger.EXPIRE, "paused for too long")
        draft.shown = None
        if draft.pending is not None and draft.pending.instance_id == instance.id:
            draft.ask(None)

    async def woken(self, draft: Draft, instance: Instance) -> Instance:
        """Make a process active again whose question is answered late, and say so."""
        title = self._parts.title(instance.process)
        past = when(instance.handled_at, draft.turn.person, draft.turn.at)
        draft.ask(None)
        instance = await self._acting.wake(draft, instance, "a late answer")
        draft.say(self._parts.sentences.say("resumed_late", process=title, when=past))
        draft.decision.passed("question", "claimed", f"A late answer to {instance.process}.")
        return instance
