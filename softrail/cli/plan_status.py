"""How the plan of a conversation stands, in what a status line has to tell."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from softrail.plans.phases import Phase
    from softrail.plans.values import Mode, Standing
    from softrail.plans.work import Plans


@dataclass(frozen=True, kw_only=True, slots=True)
class PlanStatus:
    """Where planning stands, as far as it is shown at a glance."""

    mode: "Mode" = "exploratory"
    phase: "Phase" = "idle"
    name: str = ""  #: what the phase is about: the plan, the step that runs, or why a step failed
    step: int = 0  #: the number of the step that runs, or failed
    steps: int = 0  #: how many the plan has
    waiting: int = 0  #: what is to be done once the run is over
    working: bool = False  #: something is being done, and not waited for the person
    run_id: str | None = None
    done: tuple[tuple[int, str], ...] = ()  #: number and name of each step of the run that is done


async def status_in(plans: "Plans", session_id: str) -> PlanStatus:
    """The status of a conversation as it is now."""
    from softrail.plans.records import standing

    phase = await plans.phase(session_id)
    return status_of(await plans.store.read(lambda conn: standing(conn, session_id, found=False)), phase)


def status_of(standing: "Standing", phase: "Phase") -> PlanStatus:
    """What there is to tell of a standing in a phase."""
    plan, run, wish = standing.plan, standing.run, standing.wish
    ordered = list(enumerate(plan.in_order(), start=1)) if plan is not None else []
    states = {step.id: step.state for step in run.steps.values()} if run is not None else {}
    name, step = plan.problem if plan is not None else "", 0
    if phase == "planning" and wish is not None:
        name = " ".join(wish.message.split())
    elif phase == "executing" and ordered:
        open_ = [one for one in ordered if states.get(one[1].id) != "done"]
        running = [one for one in open_ if states.get(one[1].id) == "running"]
        step, at = next(iter(running or open_), ordered[-1])
        name = at.called
    elif phase == "failed" and run is not None and run.failed is not None:
        failed = run.failed
        step, name = next((n for n, one in ordered if one.id == failed.id), 0), failed.error or ""
    return PlanStatus(
        mode=standing.mode,
        phase=phase,
        name=name,
        step=step,
        steps=len(ordered),
        waiting=standing.waiting,
        working=phase == "executing" or (phase == "planning" and wish is not None),
        run_id=run.id if run is not None else None,
        done=tuple((n, one.called) for n, one in ordered if states.get(one.id) == "done"),
    )
