"""The phases of planning, and what moves it from one to another: one table, and nothing moves beside it."""

from collections.abc import Mapping
from typing import Final, Literal

Phase = Literal["idle", "planning", "awaiting_approval", "executing", "failed"]
Trigger = Literal[
    "plan_new",
    "plan_continue",
    "plan_ready",
    "no_plan",
    "approve",
    "reject",
    "complete",
    "fail",
    "cancel",
    "retry",
    "redo",
    "abandon",
    "reset",
]

#: Where each trigger leads from each phase. What is not here changes nothing.
TABLE: Final[Mapping[Phase, Mapping[Trigger, Phase]]] = {
    "idle": {"plan_new": "planning", "plan_continue": "planning", "redo": "executing", "reset": "idle"},
    "planning": {
        "plan_ready": "awaiting_approval",
        "no_plan": "idle",
        "plan_new": "planning",
        "plan_continue": "planning",
        "cancel": "idle",
        "reset": "idle",
    },
    "awaiting_approval": {
        "approve": "executing",
        "reject": "planning",
        "plan_new": "planning",
        "plan_continue": "planning",
        "cancel": "idle",
        "reset": "idle",
    },
    "executing": {
        "complete": "idle",
        "fail": "failed",
        "cancel": "idle",
        "plan_continue": "planning",
        "plan_new": "executing",  # the new one is queued
    },
    "failed": {
        "retry": "executing",
        "plan_new": "planning",
        "plan_continue": "planning",
        "abandon": "idle",
        "cancel": "idle",
        "redo": "executing",
        "reset": "idle",
    },
}


def after(phase: Phase, trigger: Trigger) -> Phase | None:
    """The phase that a trigger leads to; None: it changes nothing there."""
    return TABLE[phase].get(trigger)
