"""What a turn changed in what processes keep, so that the record tells the state at any turn."""

from collections.abc import Mapping
from typing import Any

from pydantic_core import from_json, to_json

from softrail.core.decisions import Changed
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
            own = from_json(to_json(patch))  # whoever observes turns is given it
            found.append(Changed(process=instance.process, instance_id=instance.id, patch=own))
    return found


def _told(definition: Definition, text: str) -> Mapping[str, Any]:
    """What is kept, without what is not to be seen; where something is not, only the answers are told."""
    state = raw(text)
    answers = state.get("answers", {})
    if definition.tells_all:
        return {"answers": answers, "data": state.get("data", {})}
    hidden = {field.name for field in definition.fields.values() if not field.shown}
    return {"answers": {name: HIDDEN if name in hidden else value for name, value in answers.items()}}


def merge_patch(before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, Any]:
    """What makes `after` of `before`, as RFC 7396 has it: null takes a name away."""
    patch: dict[str, Any] = dict.fromkeys(before.keys() - after.keys())
    for name, value in after.items():
        known = name in before
        old = before[name] if known else None
        if known and old == value:
            continue
        if isinstance(value, dict) and isinstance(old, dict):
            inner = merge_patch(old, value)
            patch |= {name: inner} if inner else {}
        else:
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
