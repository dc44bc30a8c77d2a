"""How far a run is with what it asks for, and whether it has a question to go back to."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from softrail.core.clock import now
from softrail.processes.definition import Definition, FieldDefinition
from softrail.processes.state import State, applies, load, raw
from softrail.processes.way_back import WayBack


@dataclass(frozen=True, slots=True)
class Whereabouts:
    """What a run has of what it asks for; of nothing, where it asks for nothing by itself."""

    done: int
    of: int
    back: bool  #: "back" leads to an earlier question


def whereabouts(definition: Definition, step: str, text: str) -> Whereabouts:
    """Where a run stands at `step` with the state stored as `text`. Raises StepFailed when that cannot be read."""
    asked = [field for field in definition.fields.values() if field.asked]
    kept = raw(text)
    if any(field.when for field in asked) or kept.get("trail") or kept.get("returns"):
        return _weighed(definition, step, asked, load(definition, text))
    return _counted(definition, step, asked, kept.get("captured", {}))


def _weighed(definition: Definition, step: str, asked: list[FieldDefinition], state: State) -> Whereabouts:
    """With answers that are asked for only sometimes, or questions of an author's own steps."""
    wanted = [field for field in asked if applies(definition, state, field)]
    found = _counted(definition, step, wanted, state.captured)
    way = WayBack(definition, state, now(), lambda field: applies(definition, state, field))
    back = found.back or state.returns is not None or way.is_there(step)
    return Whereabouts(found.done, found.of, back)


def _counted(
    definition: Definition, step: str, wanted: list[FieldDefinition], captured: Mapping[str, Any]
) -> Whereabouts:
    done = sum(field.name in captured for field in wanted)
    at = definition.asked_at(step)
    if at is not None:
        back = bool(wanted) and wanted[0].step != at.step and at in wanted
    else:
        back = step == definition.confirm_step and bool(wanted)
    return Whereabouts(done, len(wanted), back)
