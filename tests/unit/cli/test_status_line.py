"""The status line: what it says in every phase, and that it fits whatever the terminal."""

import pytest
from prompt_toolkit.utils import get_cwidth

from softrail.cli.plan_status import PlanStatus, status_of
from softrail.cli.status_line import FRAMES, cut, status_line
from softrail.plans.plan import Plan, PlanStep
from softrail.plans.values import Run, Standing, StepRun, Wish

LONG = "What the revenue of every region and of every product was, month by month, since the beginning"


def text(status: PlanStatus, width: int = 120, frame: int = 0) -> str:
    return "".join(piece for _, piece in status_line(status, width, frame))


def executing(
    name: str = "Loading sales data", waiting: int = 1, step: int = 2, steps: int = 5
) -> PlanStatus:
    return PlanStatus(
        mode="proof", phase="executing", name=name, step=step, steps=steps, waiting=waiting, working=True
    )


PROOF_PLANNING = PlanStatus(mode="proof", phase="planning", name="Analyze revenue by region", working=True)
AWAITING = PlanStatus(mode="proof", phase="awaiting_approval", name="Revenue by region", steps=3)
FAILED = PlanStatus(phase="failed", name="Database connection error", step=3, steps=5, waiting=2)

ROWS = {
    "executing": (executing(), '[PROOF] executing ⠋ step 2/5 "Loading sales data"  [queued: 1]'),
    "nothing queued": (executing(waiting=0), '[PROOF] executing ⠋ step 2/5 "Loading sales data"'),
    "idle": (PlanStatus(), "[EXPLORE] idle"),
    "planning": (PROOF_PLANNING, '[PROOF] planning ⠋ "Analyze revenue by region"'),
    "awaiting_approval": (
        AWAITING,
        '[PROOF] awaiting_approval    plan: "Revenue by region" (3 steps)    [y/n/suggest]',
    ),
    "failed": (FAILED, '[EXPLORE] failed ✗ step 3    "Database connection error"    [retry/replan/abandon]'),
}
AT_60 = {
    "executing": (executing(), '[PROOF] executing ⠋ step 2/5 "Loading sales d…"  [queued: 1]'),
    "planning": (PROOF_PLANNING, '[PROOF] planning ⠋ "Analyze revenue by region"'),
    "awaiting_approval": (AWAITING, '[PROOF] awaiting_approval "Revenue by region" [y/n/suggest]'),
    "failed": (FAILED, '[EXPLORE] failed ✗ step 3 "Database…" [retry/replan/abandon]'),
}


@pytest.mark.parametrize(("status", "row"), [pytest.param(*one, id=name) for name, one in ROWS.items()])
def test_every_row_is_as_it_is_written_down(status: PlanStatus, row: str) -> None:
    assert text(status) == row


@pytest.mark.parametrize(("status", "row"), [pytest.param(*one, id=name) for name, one in AT_60.items()])
def test_60_columns_suffice(status: PlanStatus, row: str) -> None:
    assert text(status, 60) == row


@pytest.mark.parametrize("status", [pytest.param(one, id=name) for name, (one, _) in ROWS.items()])
@pytest.mark.parametrize("name", [LONG, "売上高を地域別に分析する計画です" * 4, "e\u0301" * 90, "x"])
def test_no_row_is_wider_than_the_terminal(status: PlanStatus, name: str) -> None:
    long = PlanStatus(
        mode="exploratory",
        phase=status.phase,
        name=name,
        step=20,
        steps=20,
        waiting=12,
        working=status.working,
    )
    for width in (*range(1, 100), 120, 200):
        assert get_cwidth(text(long, width)) <= width


def test_a_name_is_cut_with_an_ellipsis_and_what_can_be_typed_stays() -> None:
    told = text(PlanStatus(phase="awaiting_approval", name=LONG, steps=20), 60)
    assert told.endswith('…" [y/n/suggest]')
    assert told.startswith('[EXPLORE] awaiting_approval "What the re')
    assert text(executing(LONG, step=12, steps=20), 60).endswith('…"  [queued: 1]')


def test_wide_characters_count_as_two_and_none_is_halved() -> None:
    assert cut("売上高", 6) == "売上高"
    assert cut("売上高", 5) == "売上…"
    assert cut("売上高", 4) == "売…"
    assert cut("売上高", 1) == "…"
    assert cut("売上高", 0) == ""


def test_the_spinner_turns_only_while_something_is_done() -> None:
    assert [text(PROOF_PLANNING, frame=n)[len("[PROOF] planning ")] for n in range(12)] == [
        *FRAMES,
        *FRAMES[:2],
    ]
    waits = PlanStatus(phase="planning", name="Revenue by region")
    assert text(waits) == '[EXPLORE] planning "Revenue by region"'
    assert text(PlanStatus(phase="planning")) == "[EXPLORE] planning"


def test_colours_are_those_that_were_named() -> None:
    styles = {piece.strip(): style for style, piece in status_line(executing(), 120, 0)}
    assert styles["[PROOF]"] == "bold ansiyellow"
    assert styles["executing"] == "ansigreen"
    assert styles["⠋"] == "dim"
    styles = {piece.strip(): style for style, piece in status_line(FAILED, 120, 0)}
    assert styles["[EXPLORE]"] == "ansicyan"
    assert styles["failed"] == "ansired"


@pytest.mark.parametrize("hostile", ["\x1b[2J", "\x9b2J", "\x00", "\r", "\x07", "\u202e", "\u2066", "\ud800"])
def test_a_name_commands_nothing(hostile: str) -> None:
    told = text(executing(f"a{hostile}b\nc\u2028d"))
    assert not set(told) & set(hostile) - {"[", "2", "J"}
    assert told.isprintable()


# -- what the line is about

PLAN = Plan(
    problem="Revenue by region", steps=tuple(PlanStep(id=i, title=f"Step {i}", action="x") for i in "abc")
)


def run(**states: str) -> Run:
    steps = {
        i: StepRun(id=i, state=state, error="No route to the database" if state == "failed" else None)  # type: ignore[arg-type] # words of the type
        for i, state in states.items()
    }
    return Run(id="r", plan_id="p", state="running", steps=steps)


def test_of_steps_that_run_at_the_same_time_the_first_is_told() -> None:
    status = status_of(Standing(plan=PLAN, run=run(a="done", b="running", c="running")), "executing")
    assert (status.step, status.steps, status.name) == (2, 3, "Step b")
    assert status.working
    assert status.done == ((1, "Step a"),)


def test_between_two_steps_the_next_is_told_and_at_the_end_the_last() -> None:
    assert status_of(Standing(plan=PLAN, run=run(a="done", b="waiting", c="waiting")), "executing").step == 2
    assert status_of(Standing(plan=PLAN, run=run(a="done", b="done", c="done")), "executing").step == 3


def test_a_failure_is_told_by_the_number_of_its_step_and_its_error() -> None:
    status = status_of(Standing(plan=PLAN, run=run(a="done", b="failed", c="cancelled")), "failed")
    assert (status.step, status.name) == (2, "No route to the database")
    assert not status.working


def test_a_plan_that_is_made_of_words_is_told_by_the_words() -> None:
    wish = Wish(id="w", message="analyze\nthe churn", new=True)
    status = status_of(Standing(plan=PLAN, wish=wish), "planning")
    assert (status.name, status.working) == ("analyze the churn", True)
    assert not status_of(Standing(plan=PLAN), "planning").working


def test_what_waits_is_counted() -> None:
    assert status_of(Standing(plan=PLAN, queued=PLAN, later=("redo", "mode:proof")), "executing").waiting == 3


def test_without_a_plan_there_is_nothing_to_name() -> None:
    assert status_of(Standing(), "idle") == PlanStatus()
