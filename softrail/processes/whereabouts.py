"""How far a run is with what it asks for, and whether it has a question to go back to."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from softrail.core.clock import now
from softrail.processes.definition import Definition, FieldDefinition
from softrail.processes.state import State, applies, load, raw
from softrail.processes.trail import digest
from softrail.processes.way_back import WayBack


@dataclass(frozen=True, slots=True)
class Whereabouts:
    """What a run has of what it asks for; of nothing, where it asks for nothing by itself."""

    done: int
    of: int
    back: bool  #: "back" leads to an earlier question


def whereabouts(definition: Definition, step: str, text: str) -> Whereabouts:
    """Where a run stands at `step` with the state stored as `text`. Raises StepFailed when that cannot be read."""
    kept = raw(text)
    if any(field.when for field in definition.asked):
        return _weighed(definition, step, load(definition, text))
    found = _counted(definition, step, definition.asked, kept.get("captured", {}))
    if found.back or not (kept.get("trail") or kept.get("returns")):
        return found
    back = bool(kept.get("returns")) or _leads_back(definition, step, kept)
    return Whereabouts(found.done, found.of, back)


def _leads_back(definition: Definition, step: str, kept: Mapping[str, Any]) -> bool:
    """A question before that of `step` can be asked again, where every answer is asked for in any case."""
    trail = kept["trail"]
    before = trail[:-1] if trail[-1]["step"] == step else trail
    known = digest(kept["answers"]) if before else ""
    for stop in before:
        told = "question" not in stop or stop.get("answers", "") == known
        if stop["step"] in definition.steps and told:
            return True
    return False


def _weighed(definition: Definition, step: str, state: State) -> Whereabouts:
    """With answers that are asked for only sometimes."""
    wanted = [field for field in definition.asked if applies(definition, state, field)]
    found = _counted(definition, step, wanted, state.captured)
    way = WayBack(definition, state, now(), lambda field: applies(definition, state, field))
    back = found.back or state.returns is not None or way.is_there(step)
    return Whereabouts(found.done, found.of, back)


def _counted(
    definition: Definition, step: str, wanted: Sequence[FieldDefinition], captured: Mapping[str, Any]
) -> Whereabouts:
    done = sum(field.name in captured for field in wanted)
    at = definition.asked_at(step)
    if at is not None:
        back = bool(wanted) and wanted[0].step != at.step and at in wanted
    else:
        back = step == definition.confirm_step and bool(wanted)
    return Whereabouts(done, len(wanted), back)
