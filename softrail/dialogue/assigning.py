"""An instance waits for what another person does for it: asking, the time that is over, what comes of it."""

from datetime import timedelta
from typing import TYPE_CHECKING

from softrail.core.assignments import Assigned, Part, PartRequest
from softrail.core.instances import DueKind, Instance, State
from softrail.core.outcomes import Assign
from softrail.core.signals import Result
from softrail.dialogue.context import Parts
from softrail.dialogue.draft import Draft
from softrail.processes import Played

if TYPE_CHECKING:
    from softrail.dialogue.instances import Acting

DEEPEST = 5  #: parts within parts
AGAIN = timedelta(minutes=1)  #: until a step that failed is told once more
NOT_THERE = ("nobody", "gone")  #: how a part is left that nobody can do


class Assigning:
    """The side of whoever asks. Nothing of the other person's is read here but what came of the part."""

    def __init__(self, parts: Parts, acting: "Acting") -> None:
        self._parts = parts
        self._acting = acting
        self._say = parts.sentences.say

    # -- asking

    def fault(self, instance: Instance, assign: Assign) -> str:
        """Why an instance cannot have that part done; "" when it can."""
        who = f"Process {instance.process!r} assigns {assign.process!r}"
        if self._parts.registry.find(assign.process) is None:
            known = ", ".join(sorted(d.name for d in self._parts.registry.definitions()))
            return f"{who}, which is not registered. Registered: {known}."
        if instance.memo.asked is not None and instance.memo.asked.depth >= DEEPEST:
            return f"{who}, more than {DEEPEST} persons deep. Let the process end instead."
        return ""

    def begin(self, draft: Draft, instance: Instance, played: Played) -> Instance:
        """Have another person asked as soon as this turn is committed; the instance that waits for it."""
        assign, turn = played.assign, draft.turn
        assert assign is not None  # noqa: S101 - narrowed by the caller
        above = instance.memo.asked
        part = Part(
            key=self._parts.ids.new(),
            process=assign.process,
            to=assign.to,
            prefill=dict(assign.prefill),
            asked_by=turn.person.display_name or turn.person.email,
            caller=instance.id,
            asked_at=turn.at,
            until=played.waits_until,
            depth=above.depth + 1 if above is not None else 1,
        )
        term = played.waits_until - turn.at if played.waits_until is not None else None
        assigned = Assigned(part=part, then=assign.then, substitute=assign.substitute or "", term=term)
        self._ask(draft, part)
        return instance.note(assigned=assigned)

    def _ask(self, draft: Draft, part: Part) -> None:
        summary = self._say("part_asked", process=self._parts.title(part.process))
        draft.effects.append(PartRequest(news="asked", part=part).effect(summary))

    def applied(self, draft: Draft, instance: Instance, played: Played) -> Instance:
        """The instance after a step: it waits for a part, still does, or does no longer."""
        assigned = instance.memo.assigned
        if played.assign is not None:
            return self.begin(draft, instance, played)
        if assigned is None:
            return instance
        if played.waits and played.step == assigned.then:  # it was told something meanwhile, and waits on
            return instance.note(waits_until=played.waits_until or assigned.part.until)
        return instance.note(assigned=None)

    # -- what came of it

    async def hear(self, draft: Draft) -> None:
        """Take what came of a part; while its instance is paused, it is kept until that goes on."""
        news = draft.turn.part
        assert news is not None  # noqa: S101 - narrowed by the caller
        result = news.result or Result(process=news.part.process, left="left")
        instance = draft.instances.get(news.part.caller) or await self._parts.store.instance(news.part.caller)
        if instance is None or instance.state is None or instance.state.ended:
            draft.decision.passed("signal", "over", f"What came of {result.process} came too late.")
            return
        assigned = instance.memo.assigned
        if assigned is None or assigned.part.key != news.part.key:
            draft.decision.passed("signal", "not wanted", f"{instance.process} waits for it no longer.")
            return
        draft.instances.setdefault(instance.id, instance)
        draft.owner = instance.process
        if result.left in NOT_THERE and assigned.substitute:
            self._pass_on(draft, instance, assigned)
            return
        if instance.state is not State.ACTIVE or not draft.here(instance):
            draft.put(self._later(draft, instance.note(assigned=None, result=result)))
            draft.decision.passed("signal", "kept", f"It is told when {instance.process} goes on.")
            return
        draft.decision.passed("signal", instance.process, f"{result.process} was done, or left, elsewhere.")
        await self._tell(draft, instance.evolve(step=assigned.then), result)

    async def _tell(self, draft: Draft, instance: Instance, result: Result) -> None:
        await self._acting.calls.tell(draft, instance.note(assigned=None), result)
        after = draft.instances[instance.id]
        if after.memo.result is not None and after.state is State.ACTIVE:
            draft.put(self._later(draft, after))

    def _later(self, draft: Draft, instance: Instance) -> Instance:
        """With a time to be told again, where nobody says anything that would bring it about."""
        if instance.state is not State.ACTIVE:
            return instance
        return instance.evolve(due_at=draft.turn.at + AGAIN, due_kind=DueKind.DEFAULT)

    # -- time

    def waits(self, instance: Instance) -> bool:
        """Its time is that of a part, or of telling what came of one."""
        return instance.memo.assigned is not None or (
            instance.memo.waits and instance.memo.result is not None
        )

    async def overdue(self, draft: Draft, instance: Instance) -> None:
        """The time of a part is over: what came of it is told, the substitute is asked, or it is left."""
        assigned, kept = instance.memo.assigned, instance.memo.result
        if assigned is None:
            if kept is not None:
                await self._tell(draft, instance, kept)
            return
        other = await self._parts.store.instance(assigned.part.key)
        if other is not None and other.memo.outcome is not None:  # in time: only the news of it is late
            await self._tell(draft, instance.evolve(step=assigned.then), other.memo.outcome)
            return
        if other is not None:
            draft.touch(other)  # whoever completes it at this moment is told that it is not needed any more
        if assigned.substitute:
            self._pass_on(draft, instance, assigned)
            return
        result = Result(process=assigned.part.process, left="timeout")
        await self._tell(draft, instance.evolve(step=assigned.then), result)

    def _pass_on(self, draft: Draft, instance: Instance, assigned: Assigned) -> None:
        """Ask the substitute, who has as long as the first one had."""
        until = draft.turn.at + assigned.term if assigned.term is not None else None
        changes = {"key": self._parts.ids.new(), "to": assigned.substitute, "until": until}
        part = assigned.part.model_copy(update={**changes, "asked_at": draft.turn.at})
        assigned = assigned.model_copy(update={"part": part, "substitute": ""})
        instance = instance.note(assigned=assigned, waits_until=until)
        draft.owner = instance.process
        if instance.state is State.ACTIVE:
            due = DueKind.DEFAULT if until is not None else None
            instance = instance.evolve(due_at=until, due_kind=due)
            draft.say(self._say("part_passed_on"))
        draft.put(instance)
        self._ask(draft, part)
        draft.decision.passed("signal", "passed on", f"{part.process} is asked of the substitute.")
