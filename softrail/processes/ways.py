"""The ways between the steps of a process, checked at registration."""

from collections.abc import Mapping, Sequence

from softrail.processes.definition import GATHERING, CheckDefinition, StepDefinition


def unknown_way(
    leaders: Sequence[StepDefinition | CheckDefinition], steps: Mapping[str, StepDefinition], *, gathers: bool
) -> str:
    """What is wrong when a step or a check leads to a step that does not exist; "" when none does."""
    for leader in leaders:
        for dest in leader.goes_to:
            if dest not in steps and not (dest == GATHERING and gathers):
                return f"goes to step {dest!r}, which does not exist. Its steps are: {', '.join(steps)}."
    return ""


def unreachable(
    first: str,
    steps: Mapping[str, StepDefinition],
    confirm_step: str | None,
    checks: Sequence[CheckDefinition] = (),
    also: Sequence[str] = (),
) -> str:
    """What is wrong when a step can never be reached from the first, by a signal, an intent or `also`; "" when all can."""
    derived = [name for name, step in steps.items() if step.field is not None or name == confirm_step]
    derived += [way for check in checks for way in check.goes_to if way != GATHERING]
    reached: set[str] = set()
    ahead = [first, *(name for name, step in steps.items() if step.on or step.intent), *also]
    while ahead:
        name = ahead.pop()
        if name in reached:
            continue
        reached.add(name)
        ways = steps[name].goes_to
        # Answers are asked for in any order and from anywhere: where one is reached, all are.
        ahead += derived if name in derived or GATHERING in ways else []
        ahead += [way for way in ways if way != GATHERING]
    lost = [name for name in steps if name not in reached]
    if not lost:
        return ""
    return (
        f"can never reach {'step' if len(lost) == 1 else 'steps'} {', '.join(lost)} from its first step "
        f"{first!r}. Name it in the goes_to of a step that leads there."
    )
