"""Plans, steps and facts as HTTP shows them."""

from datetime import datetime
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from softrail.plans.data.profile import DataTable, Source
from softrail.plans.phases import Phase
from softrail.plans.plan import PlanStep
from softrail.plans.showing import FactType
from softrail.plans.values import Fact, Mode, Standing, StepState


class _Described(BaseModel):
    """A model of the document, built when it is first used: most are not before somebody asks for it."""

    model_config = ConfigDict(defer_build=True)


class StepView(_Described):
    """One step of the plan, and how it stands."""

    id: str
    title: str
    state: StepState
    error: str | None = None
    action: str
    arguments: dict[str, Any]
    needs: list[str]
    fact: str
    kept: bool = Field(default=False, description="Its fact was known already, so nothing was done.")


class FailureView(_Described):
    """The step that failed, and why."""

    step: str
    error: str


class QueuedView(_Described):
    """The plan that comes next."""

    problem: str


class PlanView(_Described):
    """What is planned in a conversation, and how far it is."""

    mode: Mode
    phase: Phase
    problem: str | None = None
    steps: list[StepView] = Field(default_factory=list)
    queued: QueuedView | None = None
    proof: str | None = Field(
        default=None,
        description="Where the proof of what it found is downloaded: in proof mode, once it is done.",
    )
    failure_context: FailureView | None = None


class InputView(_Described):
    """A fact that another one was made from."""

    name: str
    fact_id: str


class FactView(_Described):
    """A fact: its value, and what it rests on."""

    id: str
    name: str
    value: Any = Field(description="A number where the type is `number`; `shown` has it digit for digit.")
    unit: str
    type: FactType
    shown: str
    step: str | None
    source: str = Field(description="`said` by the person, or `step`.")
    turn_id: str | None
    inputs: list[InputView]
    evidence: dict[str, Any] | None = Field(
        default=None,
        description="Where it was found in data: `sources` (`name`, `sha256`, `tables`, `rows`), `query`, `rows`, `method`.",
    )
    ref: str | None = Field(default=None, description="Where its file is downloaded.")
    made_at: datetime
    replaced: bool = Field(description="A newer one has its name; it is there as history.")


class SourceView(_Described):
    """An attached file, and what is known of its tables."""

    id: str
    name: str
    format: str
    sha256: str
    bytes: int
    tables: list[DataTable]


class PlanMade(_Described):
    """A plan that was given: how it stands, and the turn that it is."""

    plan: PlanView
    reply: dict[str, Any] = Field(description="As `POST /converse` would have answered.")


def plan_view(standing: Standing, phase: Phase) -> PlanView:
    """Where planning stands."""
    plan, run = standing.plan, standing.run
    failed = run.failed if run is not None and phase == "failed" else None
    return PlanView(
        mode=standing.mode,
        phase=phase,
        problem=plan.problem if plan is not None else None,
        steps=[_step(step, standing) for step in plan.in_order()] if plan is not None else [],
        queued=QueuedView(problem=standing.queued.problem) if standing.queued is not None else None,
        proof=run.proof if run is not None else None,
        failure_context=FailureView(step=failed.id, error=failed.error or "") if failed is not None else None,
    )


def _step(step: PlanStep, standing: Standing) -> StepView:
    run = standing.run.steps.get(step.id) if standing.run is not None else None
    return StepView(
        id=step.id,
        title=step.called,
        state=run.state if run is not None else "waiting",
        error=run.error if run is not None else None,
        action=step.action,
        arguments=step.arguments,
        needs=list(step.needs),
        fact=step.makes,
        kept=run.kept if run is not None else False,
    )


def fact_view(fact: Fact, *, replaced: bool) -> FactView:
    """A fact as it is, or was."""
    return FactView(
        id=fact.id,
        name=fact.name,
        value=fact.given,
        unit=fact.unit,
        type=fact.type,
        shown=fact.shown,
        step=fact.step_id,
        source="said" if fact.turn_id is not None else "step",
        turn_id=fact.turn_id,
        inputs=[InputView(name=name, fact_id=fact_id) for name, fact_id in fact.inputs.items()],
        evidence=dict(fact.evidence) if fact.evidence is not None else None,
        ref=fact.ref,
        made_at=fact.made_at,
        replaced=replaced,
    )


def source_view(source: Source) -> SourceView:
    """A source, with what is known of its tables."""
    return SourceView.model_validate(source.model_dump())
