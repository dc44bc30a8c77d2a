"""What planning knows, as values: where a conversation stands, runs with their steps, facts."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from decimal import Decimal
from typing import Any, Final, Literal

from pydantic import BaseModel, TypeAdapter

from softrail.plans.data.found import Finding
from softrail.plans.plan import Plan
from softrail.plans.showing import FactType, shown

Mode = Literal["proof", "exploratory"]
RunState = Literal["running", "done", "failed", "cancelled"]
StepState = Literal["waiting", "running", "done", "failed", "cancelled"]

_ANYTHING: Final = TypeAdapter(Any)  #: made once: it takes longer than what it is used for
LARGEST_FACT: Final = 64 * 1024  #: characters of its JSON
LARGEST_TABLE: Final = 2 * 1024 * 1024  #: of one that was found in data


@dataclass(frozen=True, kw_only=True, slots=True)
class StepRun:
    """A step of a run."""

    id: str
    state: StepState
    tries: int = 0
    kept: bool = False
    error: str | None = None
    form: str = ""  #: of its action when the plan was agreed to


@dataclass(frozen=True, kw_only=True, slots=True)
class Run:
    """A plan being carried out, or what became of that."""

    id: str
    plan_id: str
    state: RunState
    steps: Mapping[str, StepRun]
    mode: Mode = "exploratory"
    proof: str | None = None  #: where the proof of what it found is downloaded

    @property
    def failed(self) -> StepRun | None:
        """The step that failed first."""
        return next((step for step in self.steps.values() if step.state == "failed"), None)


@dataclass(frozen=True, kw_only=True, slots=True)
class Fact:
    """Something that was found out: its value, and what it rests on."""

    id: str
    name: str
    value: Any  #: as JSON holds it; a number as its digits
    unit: str
    type: FactType
    source: str
    made_at: datetime
    root: str
    inputs: Mapping[str, str] = field(default_factory=dict)  #: ids of the facts it was made from, by name
    step_id: str | None = None
    run_id: str | None = None
    turn_id: str | None = None  #: the turn in which the person said so
    evidence: Mapping[str, Any] | None = None  #: the data it was found in, and the query
    ref: str | None = None  #: where its file is downloaded

    @property
    def shown(self) -> str:
        """The value as people read it, with its unit."""
        return shown(self.value, self.type, self.unit)

    @property
    def given(self) -> Any:
        """The value as an action is given it."""
        if self.type != "number":
            return self.value
        number = Decimal(str(self.value))
        return (
            int(number) if number == number.to_integral_value() and number.adjusted() < 30 else float(number)
        )

    @property
    def basis(self) -> str:
        """What a fact made from this one rests on."""
        return f"{self.source}:{json.dumps([self.value, self.unit], sort_keys=True)}"


@dataclass(frozen=True, kw_only=True, slots=True)
class Made:
    """What an action gave, as it is kept."""

    value: Any
    unit: str
    type: FactType
    evidence: Mapping[str, Any] | None = None
    ref: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Wish:
    """Something that a language model makes a plan of."""

    id: str
    message: str
    new: bool  #: it is no change of the plan that is there
    plan: Plan | None = None
    trouble: str = ""  #: why there is no plan


@dataclass(frozen=True, kw_only=True, slots=True)
class Standing:
    """Where planning stands in a conversation."""

    mode: Mode = "exploratory"
    chosen: bool = False
    plan_id: str | None = None
    root: str | None = None
    plan: Plan | None = None
    run: Run | None = None
    queued: Plan | None = None
    wish: Wish | None = None  #: that is thought about, or whose plan is to be shown
    later: Sequence[str] = ()
    facts: Mapping[str, Fact] = field(default_factory=dict)  #: by name, as they stand now
    versions: Mapping[str, str] = field(default_factory=dict)  #: of the attached data: see `PlanStep.source`
    history: Sequence[Fact] = ()  #: those that were replaced, the oldest first

    @property
    def waits(self) -> bool:
        """The plan was not begun yet."""
        return self.plan is not None and (self.run is None or self.run.plan_id != self.plan_id)

    @property
    def waiting(self) -> int:
        """How much is to be done once the run is over."""
        return len(self.later) + (self.queued is not None)


def made_of(found: Any, result: TypeAdapter[Any]) -> Made:
    """What an action gave, as a value with its unit and type. Raises ValueError for what cannot be kept."""
    if isinstance(found, Finding):
        told = found.evidence.model_dump(mode="json", exclude_defaults=True)
        made = _made(found.value, _ANYTHING, LARGEST_TABLE)
        return replace(made, unit=found.unit, evidence=told or None, ref=found.ref or None)
    return _made(found, result, LARGEST_FACT)


def _made(found: Any, result: TypeAdapter[Any], largest: int) -> Made:
    unit = ""
    if isinstance(found, BaseModel) and type(found).model_fields.keys() == {"value", "unit"}:
        found, unit = found.value, str(found.unit)  # type: ignore[attr-defined] # it has just these two
        dumped = _ANYTHING.dump_python(found, mode="json")
    else:
        dumped = result.dump_python(found, mode="json")
    match found:
        case bool():
            made = Made(value=found, unit=unit, type="boolean")
        case int() | float() | Decimal():
            number = Decimal(str(found))
            if not number.is_finite():
                raise ValueError("It gave something that is no number.")
            made = Made(value=str(number), unit=unit, type="number")
        case str():
            made = Made(value=found, unit=unit, type="text")
        case None:
            made = Made(value=None, unit=unit, type="nothing")
        case _:
            made = Made(value=dumped, unit=unit, type="data")
    if len(json.dumps(made.value)) > largest:
        raise ValueError(f"It gave more than {largest} characters, which is more than a fact can hold.")
    return made
