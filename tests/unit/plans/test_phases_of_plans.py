"""The phases of planning: what moves it, and that nothing else does."""

import pytest

from softrail.plans.phases import TABLE, Phase, Trigger, after


@pytest.mark.parametrize(
    ("phase", "trigger", "then"),
    [
        ("idle", "plan_new", "planning"),
        ("planning", "plan_ready", "awaiting_approval"),
        ("planning", "no_plan", "idle"),
        ("awaiting_approval", "approve", "executing"),
        ("awaiting_approval", "reject", "planning"),
        ("executing", "complete", "idle"),
        ("executing", "fail", "failed"),
        ("executing", "cancel", "idle"),
        ("executing", "plan_continue", "planning"),
        ("executing", "plan_new", "executing"),
        ("failed", "retry", "executing"),
        ("failed", "plan_continue", "planning"),
        ("failed", "abandon", "idle"),
        ("planning", "plan_new", "planning"),
        ("awaiting_approval", "plan_new", "planning"),
        ("failed", "plan_new", "planning"),
        ("planning", "cancel", "idle"),
        ("awaiting_approval", "cancel", "idle"),
        ("failed", "cancel", "idle"),
        ("idle", "plan_continue", "planning"),
    ],
)
def test_each_row_of_the_table(phase: Phase, trigger: Trigger, then: Phase) -> None:
    assert after(phase, trigger) == then


def test_what_is_not_in_the_table_changes_nothing() -> None:
    assert after("idle", "approve") is None
    assert after("executing", "approve") is None
    assert after("awaiting_approval", "complete") is None


def test_every_phase_is_reached_and_left() -> None:
    reached = {then for moves in TABLE.values() for then in moves.values()}

    assert reached == set(TABLE)
    assert all(set(moves.values()) - {phase} for phase, moves in TABLE.items())
