"""Reads a plan that a person wrote, as YAML or JSON, and says of every fault where it is and what to do."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

import yaml
from pydantic import ValidationError

from softrail import Actions
from softrail.plans.arithmetic import NotComputable, names_in
from softrail.plans.plan import LONGEST, MOST_STEPS, Plan, PlanStep, referred
from softrail.plugin import BadRequest, ConversationError

DEEPEST: Final = 12
FACTS: Final = "facts"  #: an argument of that name is given the facts of the steps that are needed


class PlanInvalid(BadRequest):
    """A plan that cannot be carried out as it is written."""

    code = "plan_invalid"


def read_plan(text: str, actions: Actions) -> Plan:
    """The plan, checked: its form, its names, what its steps need of each other, the arguments of its actions.

    Raises:
        PlanInvalid: It is none; `details["fields"]` has each fault with where it is.
    """
    if len(text) > LONGEST:
        raise _wrong(
            "",
            f"The plan has {len(text)} characters; at most {LONGEST} are read. Leave out what is not needed.",
        )
    loaded = _loaded(text)
    if loaded.get("form") is not None:
        raise _wrong("form", "There is no such field. A plan has problem and steps.")
    return checked_plan(loaded, actions)


def checked_plan(given: Any, actions: Actions) -> Plan:
    """The same of a plan whose text was read already."""
    try:
        plan = Plan.model_validate(given)
    except ValidationError as error:
        faults = [
            _fault(one) for one in error.errors(include_url=False, include_context=False, include_input=False)
        ]
        raise _refused(faults) from error
    faults = list(_faults(plan, actions))
    if faults:
        raise _refused(faults)
    return plan


def _loaded(text: str) -> Any:
    """The text as plain values. Nothing in it names a type, refers to itself or is nested without end."""
    depth = 0
    try:
        for event in yaml.parse(text, Loader=yaml.SafeLoader):
            if isinstance(event, yaml.AliasEvent):
                raise _wrong(
                    _line(event.start_mark), "It refers to another place by *name. Write it out there."
                )
            if isinstance(event, yaml.CollectionStartEvent):
                depth += 1
                if depth > DEEPEST:
                    raise _wrong(
                        _line(event.start_mark), f"It is nested more than {DEEPEST} deep. Make it flatter."
                    )
            elif isinstance(event, yaml.CollectionEndEvent):
                depth -= 1
        loaded = _Strict(text).get_single_data()
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        what = f"This is no YAML: {error.problem or error.context}. Look at the indentation and the colons."
        raise _wrong(_line(mark), what) from error
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise _wrong("", "This is no YAML that can be read.") from error
    if not isinstance(loaded, dict):
        raise _wrong("", "A plan is a mapping with `problem` and `steps`.")
    return loaded


class _Strict(yaml.SafeLoader):
    """Refuses a name that stands twice in one mapping: which of the two is meant is not ours to guess."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        names: set[str] = set()
        for key, _ in node.value:
            if str(key.value) in names:
                raise yaml.MarkedYAMLError(
                    problem=f"{key.value!r} is there twice", problem_mark=key.start_mark
                )
            names.add(str(key.value))
        return super().construct_mapping(node, deep=deep)


def _line(mark: Any) -> str:
    return f"line {mark.line + 1}, column {mark.column + 1}" if mark is not None else ""


def _fault(error: Any) -> dict[str, str]:
    where = ".".join(str(part) for part in error["loc"])
    if error["type"] == "extra_forbidden":
        return {
            "where": where,
            "what": "There is no such field. A plan has problem and steps; a step has id, title, action, arguments, needs and fact.",
        }
    if error["type"] == "too_long" and where == "steps":
        return {"where": where, "what": f"There are at most {MOST_STEPS} steps. Make two plans of it."}
    said = str(error["msg"]).removeprefix("Value error, ")
    return {"where": where, "what": f"{said[:1].upper()}{said[1:]}."}


def _faults(plan: Plan, actions: Actions) -> Iterator[dict[str, str]]:
    yield from _twice("id", [step.id for step in plan.steps])
    yield from _twice("fact", [step.makes for step in plan.steps])
    known = {step.id for step in plan.steps}
    for n, step in enumerate(plan.steps):
        where = f"steps.{n}"
        for need in step.needs:
            if need not in known:
                there = ", ".join(sorted(known - {step.id})) or "none"
                yield {
                    "where": f"{where}.needs",
                    "what": f"There is no step {need!r}. The others are: {there}.",
                }
        yield from _of_action(plan, step, where, actions)
    reached = {step.id for step in plan.in_order()}
    if not any(need not in known for step in plan.steps for need in step.needs):
        round_ = [step.id for step in plan.steps if step.id not in reached]
        if round_:
            what = f"These steps need each other in a circle: {', '.join(round_)}. One of them has to come first."
            yield {"where": "steps", "what": what}


def _twice(field: str, names: Sequence[str]) -> Iterator[dict[str, str]]:
    for name in dict.fromkeys(n for n in names if names.count(n) > 1):
        yield {"where": "steps", "what": f"Two steps have the {field} {name!r}. Give one of them another."}


def _of_action(plan: Plan, step: PlanStep, where: str, actions: Actions) -> Iterator[dict[str, str]]:
    action = actions.find(step.action)
    if action is None:
        known = ", ".join(one.name for one in actions.all()) or "none"
        yield {"where": f"{where}.action", "what": f"There is no action {step.action!r}. There are: {known}."}
        return
    needed = {one.makes for name in step.needs if (one := plan.step(name)) is not None}
    refers = referred(step.arguments)
    for name, fact in refers.items():
        if fact not in needed:
            yield {"where": f"{where}.arguments.{name}", "what": _not_needed(fact, plan)}
    given = {name: value for name, value in step.arguments.items() if name not in refers}
    if FACTS in action.arguments.model_fields:
        given.setdefault(FACTS, {})
    try:
        action.checked(given)
    except ConversationError as error:
        for fault in error.details.get("fields", ()):
            if fault["path"].split(".")[0] not in refers:
                what = f"{fault['message'].rstrip('.')}. {step.action} takes: {_takes(action)}."
                yield {"where": f"{where}.arguments.{fault['path']}", "what": what}
        return
    if step.action == "compute":
        yield from _of_expression(plan, step, where, needed)


def _takes(action: Any) -> str:
    return ", ".join(name for name in action.arguments.model_fields if name != FACTS) or "nothing"


def _of_expression(plan: Plan, step: PlanStep, where: str, needed: set[str]) -> Iterator[dict[str, str]]:
    place = f"{where}.arguments.expression"
    try:
        names = names_in(str(step.arguments.get("expression", "")))
    except NotComputable as error:
        yield {"where": place, "what": str(error)}
        return
    for name in sorted(names - needed):
        yield {"where": place, "what": _not_needed(name, plan)}


def _not_needed(fact: str, plan: Plan) -> str:
    maker = next((one for one in plan.steps if one.makes == fact), None)
    if maker is None:
        known = ", ".join(one.makes for one in plan.steps)
        return f"No step makes a fact {fact!r}. The facts are: {known}."
    return f"It uses the fact {fact!r} without needing the step that makes it. Write needs: [{maker.id}]."


def _wrong(where: str, what: str) -> PlanInvalid:
    return _refused([{"where": where, "what": what}])


def _refused(faults: Sequence[dict[str, str]]) -> PlanInvalid:
    told = " ".join(
        f"{fault['where']}: {fault['what']}" if fault["where"] else fault["what"] for fault in faults[:3]
    )
    fields = [{"field": fault["where"], "reason": fault["what"]} for fault in faults[:20]]
    return PlanInvalid(f"This plan cannot be carried out. {told}", fields=fields)
