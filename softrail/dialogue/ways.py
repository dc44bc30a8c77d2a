"""What a person may say at any time to move on, back or out, as far as it works just now: for a frontend's buttons."""

from collections.abc import Mapping
from datetime import datetime
from typing import Final

from softrail.core.instances import Instance, State
from softrail.core.ports import Store
from softrail.core.sessions import Session
from softrail.core.turns import WayView
from softrail.dialogue.context import Parts
from softrail.dialogue.draft import Draft
from softrail.dialogue.offers import Offers
from softrail.processes import Definition

#: What undoing takes an instance back from.
UNDONE: Final = (State.SUSPENDED, State.ABANDONED, State.DECLINED)


class Ways:
    """Finds the ways out of a moment; each is words that the exact layer of the reader knows."""

    def __init__(self, parts: Parts, offers: Offers) -> None:
        self._parts = parts
        self._offers = offers
        self._store: Store = parts.store
        self._known: dict[tuple[str, ...], tuple[WayView, ...]] = {}

    async def note(self, draft: Draft) -> None:
        """Give a draft the ways that work once it is committed."""
        paused = False
        if draft.session.memo.paused:  # else there is nothing to look for
            paused = bool(await self._offers.resumables(draft))
            draft.remember(paused=paused)
        draft.ways = self.of(draft.session, draft.instances, paused=paused)

    async def stored(
        self, session: Session, instances: Mapping[str, Instance], at: datetime
    ) -> tuple[WayView, ...]:
        """Those of a session as it is kept."""
        suspended = await self._store.suspended(session.person_id)
        paused = any(map(self._offers.resumable, self._offers.still_paused(suspended, at)))
        return self.of(session, instances, paused=paused)

    def of(self, session: Session, instances: Mapping[str, Instance], *, paused: bool) -> tuple[WayView, ...]:
        """Those of a moment; `paused`: there is something to come back to."""
        names: list[str] = []
        pending = session.pending
        asker = instances.get(pending.instance_id) if pending is not None else None
        front = _front(session, instances, asker)
        definition = self._parts.registry.of(front) if front is not None else None
        offered = pending is not None and pending.question.kind == "offer"
        if front is not None and not offered:
            if definition is not None and front is asker and pending is not None and pending.doubted is None:
                names += self._within(definition, front)
            passing = self._offers.passing(front)
            names += ["leave"] if passing else ["pause", "leave", "start_over"]
        elif paused and front is None:
            names.append("resume")
        if _undoes(session, instances):
            names.append("undo")
        return self._views(tuple(names))

    def _views(self, names: tuple[str, ...]) -> tuple[WayView, ...]:
        """They are few, and come in few ways together."""
        found = self._known.get(names)
        if found is None:
            say = self._parts.sentences.say
            views = [WayView(label=say(f"way_{name}"), message=say(f"way_{name}_said")) for name in names]
            found = self._known[names] = tuple(views)
        return found

    def _within(self, definition: Definition, instance: Instance) -> list[str]:
        """What moves along the questions of a process."""
        question, field = instance.question, definition.asked_at(instance.step)
        if question is None or question.kind == "clarify":
            return []
        skips = question.skippable or (field is not None and field.skippable)
        found = self._parts.conductor.whereabouts(definition, instance)
        return (["skip"] if skips else []) + (["back"] if found is not None and found.back else [])


def _front(session: Session, instances: Mapping[str, Instance], asker: Instance | None) -> Instance | None:
    """What words of leaving would stop."""
    if asker is not None and not asker.holds and _here(asker, session):
        return asker
    return next((i for i in instances.values() if i.holds and _here(i, session)), None)


def _here(instance: Instance, session: Session) -> bool:
    return instance.session_id == session.id and instance.state is State.ACTIVE


def _undoes(session: Session, instances: Mapping[str, Instance]) -> bool:
    undo = session.memo.undo
    instance = instances.get(undo.instance_id) if undo is not None else None
    return instance is not None and undoable(instance)


def undoable(instance: Instance) -> bool:
    """It was left and may be taken back; not once whoever asked for it was told."""
    return instance.state in UNDONE and instance.memo.outcome is None
