"""What a turn changed in what processes keep, so that the record tells the state at any turn."""

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

from softrail.core.decisions import Changed
from softrail.core.instances import Instance
from softrail.dialogue.draft import Draft
from softrail.processes import Definition
from softrail.processes.state import raw
from softrail.registry.registry import Registry

HIDDEN = "…"


def changes(draft: Draft, registry: Registry) -> list[Changed]:
    """One merge patch for each instance whose data is another after the turn."""
    found = []
    for instance in draft.changed():
        before, definition = draft.snapshot.instance(instance.id), registry.of(instance)
        old = before.data if before is not None else "{}"
        if definition is None or old == instance.data:
            continue
        patch = merge_patch(_told(definition, old), _told(definition, instance.data))
        if patch:
            found.append(_changed(instance, deepcopy(patch)))  # whoever observes turns is given it
    return found


def _changed(instance: Instance, patch: dict[str, Any]) -> Changed:
    return Changed(process=instance.process, instance_id=instance.id, patch=patch)


def _told(definition: Definition, text: str) -> Mapping[str, Any]:
    """What is kept, without what is not to be seen; where something is not, only the answers are told."""
    state = raw(text)
    hidden = {field.name for field in definition.fields.values() if not field.shown}
    if not hidden and not any(step.extracts for step in definition.steps.values()):
        return {name: state.get(name, {}) for name in ("answers", "data")}
    answers = state.get("answers", {})
    return {"answers": {name: HIDDEN if name in hidden else value for name, value in answers.items()}}


def merge_patch(before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, Any]:
    """What makes `after` of `before`, as RFC 7396 has it: null takes a name away."""
    patch: dict[str, Any] = dict.fromkeys(before.keys() - after.keys())
    for name, value in after.items():
        old = before.get(name)
        if isinstance(value, dict) and isinstance(old, dict):
            inner = merge_patch(old, value)
            patch |= {name: inner} if inner else {}
        elif name not in before or old != value:
            patch[name] = value
    return patch


def patched(before: dict[str, Any], patch: dict[str, Any]) -> dict[str, Any]:
    """What such a patch makes of `before`, which stays as it is."""
    after = dict(before)
    for name, value in patch.items():
        if value is None:
            after.pop(name, None)
        elif isinstance(value, dict):
            old = before.get(name)
            after[name] = patched(old if isinstance(old, dict) else {}, value)
        else:
            after[name] = value
    return after
