"""Something happened outside: which step of which instance hears of it, and when."""

from softrail.core.instances import Instance, State
from softrail.core.signals import Signal
from softrail.dialogue.context import Parts
from softrail.dialogue.draft import Draft
from softrail.dialogue.instances import Acting
from softrail.dialogue.versions import fit


class Signals:
    """The path of a turn of origin "signal": no words are read, nothing is classified."""

    def __init__(self, parts: Parts, acting: Acting) -> None:
        self._parts = parts
        self._acting = acting

    async def hear(self, draft: Draft) -> None:
        """Give the signal to the step that takes it. While its instance is paused, it is kept until that goes on."""
        signal, instance_id = draft.turn.signal, draft.turn.signals_to or ""
        assert signal is not None  # noqa: S101 - narrowed by the caller
        instance = draft.instances.get(instance_id) or await self._parts.store.instance(instance_id)
        definition = self._parts.registry.of(instance) if instance is not None else None
        if instance is None or instance.state is None or instance.state.ended:
            draft.decision.passed("signal", "over", f"{signal.name} came after its process had ended.")
            return
        draft.instances.setdefault(instance.id, instance)
        draft.owner = instance.process
        if instance.state is not State.ACTIVE or not draft.here(instance) or definition is None:
            self._keep(draft, instance, signal)
            return
        found = await fit(self._parts, self._acting, draft, instance, resuming=True)
        current = draft.instances[instance.id]
        if found.definition is None or found.asked:
            self._keep(draft, current, signal)
            return
        heard = await self._acting.calls.hear(draft, found.definition, current, (*current.memo.kept, signal))
        if not heard:
            draft.decision.passed(
                "signal", "not wanted", f"{current.process} waits for nothing like {signal.name}."
            )
        elif draft.decision.trouble is None:
            draft.decision.passed("signal", current.process, f"{signal.name} came from outside.")

    def _keep(self, draft: Draft, instance: Instance, signal: Signal) -> None:
        self._acting.calls.keep(draft, instance, (*instance.memo.kept, signal))
        draft.decision.passed("signal", "kept", f"{signal.name} is told when {instance.process} goes on.")
