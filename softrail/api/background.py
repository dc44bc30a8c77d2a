"""What goes on in the background of a session, and how far it is."""

from collections.abc import Sequence
from typing import Any

from softrail.api.parts import Parts
from softrail.api.schemas import BackgroundView, ProgressView
from softrail.core.instances import Instance, State
from softrail.turns.progress import Told


def background(parts: Parts, session_id: str, instances: Sequence[Instance]) -> list[BackgroundView]:
    """Active processes that hold nothing, then other work that something was told of on this worker."""
    told = parts.dispatcher.progress.of(session_id)
    running = [instance for instance in instances if _in_background(parts, instance)]
    known = {one.run_id: one for one in told}
    found = [
        BackgroundView(
            process=instance.process,
            run_id=instance.id,
            step=instance.step,
            progress=progress_view(known.get(instance.id)),
        )
        for instance in running
    ]
    shown = {instance.id for instance in running}
    others = [
        BackgroundView(process=one.kind, run_id=one.run_id, progress=progress_view(one))
        for one in told
        if one.run_id not in shown
    ]
    return [*found, *others]


def progress_view(told: Told | None) -> ProgressView | None:
    """The last word on a run, as a frontend sees it."""
    return None if told is None else ProgressView.model_validate(told, from_attributes=True)


def progress_data(told: Told) -> dict[str, Any]:
    """The last word on a run, as the event `process.progress`."""
    view = ProgressView.model_validate(told, from_attributes=True)
    return {"process": told.kind, "run_id": told.run_id, **view.model_dump(mode="json")}


def _in_background(parts: Parts, instance: Instance) -> bool:
    if instance.state is not State.ACTIVE or instance.holds:
        return False
    definition = parts.dispatcher.registry.of(instance)
    return definition is not None and definition.contract_of(instance.step) == "background"
