"""A plan as a person writes it: read, or refused with where and what to do."""

import json
from typing import Any

import pytest

from softrail import Actions, action
from softrail.plans import actions as bundled
from softrail.plans.plan import LONGEST, Plan
from softrail.plans.reading import PlanInvalid, read_plan

GOOD = """
problem: What do three baskets cost?
steps:
  - {id: price, title: The price, action: compute, arguments: {expression: 12.50, unit: EUR}}
  - {id: total, action: compute, arguments: {expression: price * 3}, needs: [price], fact: all_three}
"""


@action
async def send(amount: float, to: str) -> bool:
    """Send an amount."""
    return True


ACTIONS = Actions([bundled.compute, bundled.wait, send])


def test_yaml_and_json_say_the_same() -> None:
    plan = read_plan(GOOD, ACTIONS)

    assert [step.makes for step in plan.steps] == ["price", "all_three"]
    assert read_plan(json.dumps(plan.model_dump(mode="json")), ACTIONS) == plan


def test_steps_come_after_those_they_need_in_whatever_order_they_are_written() -> None:
    written = read_plan(GOOD, ACTIONS).steps
    plan = Plan(problem="x", steps=tuple(reversed(written)))

    assert [step.id for step in plan.in_order()] == ["price", "total"]


def test_an_argument_may_be_a_fact() -> None:
    step = {
        "id": "pay",
        "action": "send",
        "needs": ["price"],
        "arguments": {"amount": {"fact": "price"}, "to": "Ada"},
    }
    plan = read_plan(with_steps(step), ACTIONS)

    assert plan.steps[-1].arguments["amount"] == {"fact": "price"}


def with_steps(*more: Any) -> str:
    first = {"id": "price", "action": "compute", "arguments": {"expression": "1"}}
    return json.dumps({"problem": "x", "steps": [first, *more]})


def refused(text: str) -> list[dict[str, str]]:
    with pytest.raises(PlanInvalid) as told:
        read_plan(text, ACTIONS)
    assert told.value.code == "plan_invalid"
    faults: list[dict[str, str]] = told.value.details["fields"]
    assert all(fault["reason"] in told.value.message for fault in faults[:3])
    return faults


@pytest.mark.parametrize(
    ("text", "where", "what"),
    [
        ("problem: x\n  steps: 1", "line 2, column 8", "This is no YAML"),
        ("problem: x\nproblem: y", "line 2, column 1", "'problem' is there twice"),
        ("a: &x [1]\nb: *x", "line 2, column 4", "Write it out there"),
        ("problem: !!python/object:os.system x", "line 1", "This is no YAML"),
        ("[" * 40, "line 1, column 13", "nested more than 12 deep"),
        ("just words", "", "A plan is a mapping with `problem` and `steps`."),
        ("{problem: x, steps: []}", "steps", "at least 1 item"),
        ("{problem: x, stages: 1, steps: [{id: a, action: wait}]}", "stages", "There is no such field."),
        (with_steps({"id": "B!", "action": "wait"}), "steps.1.id", "Use small letters"),
        (with_steps({"id": "price", "action": "wait", "arguments": {"seconds": 1}}), "steps", "the id 'price'"),
        (with_steps({"id": "b", "action": "fly"}), "steps.1.action", "There are: compute, send, wait."),
        (with_steps({"id": "b", "action": "wait", "arguments": {"second": 1}}), "steps.1.arguments.seconds", "wait takes: seconds."),
        (with_steps({"id": "b", "action": "wait", "arguments": {"seconds": -1}}), "steps.1.arguments.seconds", "greater than or equal to 0"),
        (with_steps({"id": "b", "action": "wait", "arguments": {"seconds": 1}, "needs": ["c"]}), "steps.1.needs", "There is no step 'c'. The others are: price."),
        (with_steps({"id": "b", "action": "compute", "arguments": {"expression": "price"}}), "steps.1.arguments.expression", "Write needs: [price]."),
        (with_steps({"id": "b", "action": "compute", "arguments": {"expression": "cost"}}), "steps.1.arguments.expression", "No step makes a fact 'cost'. The facts are: price, b."),
        (with_steps({"id": "b", "action": "compute", "arguments": {"expression": "eval('1')"}}), "steps.1.arguments.expression", "There is no function 'eval'"),
        (with_steps({"id": "b", "action": "send", "arguments": {"amount": {"fact": "price"}, "to": "Ada"}}), "steps.1.arguments.amount", "Write needs: [price]."),
    ],
)  # fmt: skip
def test_what_is_wrong_is_told_with_its_place_and_what_to_do(text: str, where: str, what: str) -> None:
    faults = refused(text)

    assert faults[0]["field"].startswith(where)
    assert what in faults[0]["reason"]


def test_steps_that_need_each_other_in_a_circle_are_named() -> None:
    b = {"id": "b", "action": "wait", "arguments": {"seconds": 1}, "needs": ["c"]}
    c = {"id": "c", "action": "wait", "arguments": {"seconds": 1}, "needs": ["b"]}

    assert refused(with_steps(b, c)) == [
        {
            "field": "steps",
            "reason": "These steps need each other in a circle: b, c. One of them has to come first.",
        }
    ]


def test_a_plan_has_at_most_twenty_steps() -> None:
    steps = [{"id": f"s{n}", "action": "wait", "arguments": {"seconds": 1}} for n in range(20)]

    assert refused(with_steps(*steps)) == [
        {"field": "steps", "reason": "There are at most 20 steps. Make two plans of it."}
    ]
    assert len(read_plan(with_steps(*steps[:19]), ACTIONS).steps) == 20


def test_a_plan_is_no_longer_than_a_message() -> None:
    assert "characters; at most" in refused("x" * (LONGEST + 1))[0]["reason"]
