"""How a run goes on: in one transaction what has ended is kept, and what comes next is begun."""

import hashlib
import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, Final, NamedTuple

from pydantic import BaseModel, TypeAdapter
from sqlalchemy import bindparam, select, update

from softrail import Actions
from softrail.plans.data import keeping
from softrail.plans.plan import Plan, PlanStep, referred
from softrail.plans.reading import FACTS
from softrail.plans.records import facts_of, keep_fact, plan_of, steps_of, versions_of
from softrail.plans.tables import runs, steps
from softrail.plans.values import Fact, Made, RunState, StepRun
from softrail.plugin import Claim, Statement, claim_stands, now, stamp

MOST_TRIES: Final = 5


class Row(NamedTuple):
    """What a transaction has to know of its run."""

    id: str
    plan_id: str
    session_id: str
    person_id: str
    mode: str
    fresh: int
    state: RunState


_RUN: Final = Statement(
    select(*(runs.c[name] for name in Row._fields)).where(runs.c.id == bindparam("of_run")).with_for_update()
)
_STEP: Final = Statement(
    update(steps)
    .where(steps.c.run_id == bindparam("of_run"), steps.c.step_id == bindparam("of_step"))
    .values({name: bindparam(name) for name in ("state", "tries", "kept", "error")})
)

CHANGED: Final = "The action {action!r} has changed since you agreed to this plan, so I did not run it."
GIVEN_UP: Final = "It was begun {tries} times, and ended each time before it could say what came of it."
REPLACED: Final = (
    "“{name}” was attached again, or erased, while it was read. Try again with what is there now."
)
CUT_OFF: Final = (
    "It was cut off in the middle, and I cannot know whether it was done. Look before you try again."
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Ended:
    """What came of a step: what it made, or why it failed."""

    made: Made | None = None
    error: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Begin:
    """A step to be carried out now, with its arguments."""

    step: PlanStep
    arguments: Mapping[str, Any]
    tries: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Course:
    """What is known of a run after a transaction: while it goes on nobody but its drive changes that.

    Each transaction is handed what the one before has left, so that a step does not read the whole plan anew.
    """

    root: str
    plan: Plan
    ordered: Sequence[PlanStep]
    states: Mapping[str, StepRun]
    facts: Mapping[str, Fact]
    sources: Sequence[str]  #: what data is attached; that may change at any time
    versions: Mapping[str, str]


@dataclass(frozen=True, kw_only=True, slots=True)
class Advanced:
    """How a run stands after a transaction."""

    state: RunState
    session_id: str
    done: int = 0
    total: int = 0
    title: str = ""  #: of a step that is being carried out
    begin: list[Begin] = field(default_factory=list)
    course: Course | None = None  #: for the next one


def advance(
    conn: Any,
    claim: Claim,
    actions: Actions,
    ended: Mapping[str, Ended],
    *,
    under_way: Collection[str],
    free: int,
    course: Course | None = None,
) -> Advanced | None:
    """Keep what has ended, and begin what can begin now; None: the run is another worker's, or was erased.

    The row of the run is locked: a cancel comes before this, and then nothing is kept and nothing begins, or after.
    `course` is what the transaction before has left; None: it is read.
    """
    if not claim_stands(conn, claim):
        return None
    found = _RUN.first(conn, {"of_run": claim.run_id})
    if found is None:
        return None
    row = Row._make(found)
    if row.state != "running":
        return Advanced(state=row.state, session_id=row.session_id)
    here = _course(conn, row) if course is None else _now(conn, row, course)
    return None if here is None else _Round(conn, row, here, actions).advanced(ended, under_way, free)


def _course(conn: Any, row: Row) -> Course | None:
    """All of it, read; None: its plan was erased."""
    root, plan = plan_of(conn, row.plan_id)
    if root is None or plan is None:
        return None
    made = {step.makes for step in plan.steps}  # whatever else is known in the conversation is of no use here
    found = facts_of(conn, row.session_id, named=made)
    return Course(
        root=root,
        plan=plan,
        ordered=plan.in_order(),
        states=steps_of(conn, row.id),
        facts={f.name: f for f in found if row.mode == "exploratory" or f.root == root},
        sources=keeping.attached(conn, row.session_id),
        versions=versions_of(conn, row.session_id),
    )


def _now(conn: Any, row: Row, course: Course) -> Course:
    """The same with the data that is attached by now."""
    sources = keeping.attached(conn, row.session_id)
    if sources == course.sources:
        return course
    return replace(course, sources=sources, versions=versions_of(conn, row.session_id))


class _Round:
    """One transaction of a run that goes on."""

    def __init__(self, conn: Any, row: Row, course: Course, actions: Actions) -> None:
        self._conn = conn
        self._row = row
        self._course = course
        self._root = course.root
        self._plan = course.plan
        self._actions = actions
        self._ordered = course.ordered
        self._states = dict(
            course.states
        )  # the transaction may be rolled back: what was handed in stays as it is
        self._changed: dict[str, StepRun] = {}
        self._facts = dict(course.facts)
        self._versions = course.versions

    def advanced(self, ended: Mapping[str, Ended], under_way: Collection[str], free: int) -> Advanced:
        """Write it all down."""
        for step_id, what in ended.items():
            self._end(step_id, what)
        begin: list[Begin] = []
        while self._keep_what_is_known():
            pass
        failed = any(one.state == "failed" for one in self._states.values())
        for step in () if failed else self._ordered:
            if len(begin) < free and step.id not in under_way and self._ready(step):
                begun = self._begin(step)
                if begun is None:
                    failed = True
                    break
                begin.append(begun)
        self._write()
        state = self._closed(bool(begin) or bool(under_way), failed)
        done = sum(one.state == "done" for one in self._states.values())
        running = [s.called for s in self._ordered if self._states[s.id].state == "running"]
        return Advanced(
            state=state,
            session_id=self._row.session_id,
            done=done,
            total=len(self._states),
            title=running[0] if running else "",
            begin=begin,
            course=replace(self._course, states=self._states, facts=self._facts),
        )

    # -- facts

    def _inputs(self, step: PlanStep) -> dict[str, Fact]:
        needed = [one for need in step.needs if (one := self._plan.step(need)) is not None]
        return {one.makes: self._facts[one.makes] for one in needed if one.makes in self._facts}

    def _source(self, step: PlanStep) -> str:
        return step.source({name: fact.basis for name, fact in self._inputs(step).items()}, self._versions)

    def _keep_what_is_known(self) -> bool:
        """Steps whose fact is there already, from the same, need no work; whether there were any."""
        found = False
        for step in self._ordered:
            fact = self._facts.get(step.makes)
            if fact is None or self._states[step.id].state != "waiting" or not self._ready(step):
                continue
            said = fact.turn_id is not None and fact.root == self._root
            if said or (not self._row.fresh and fact.source == self._source(step)):
                self._change(step.id, state="done", kept=True)
                found = True
        return found

    # -- steps

    def _ready(self, step: PlanStep) -> bool:
        open_ = self._states[step.id].state in ("waiting", "running")
        return open_ and all(self._states[need].state == "done" for need in step.needs)

    def _end(self, step_id: str, ended: Ended) -> None:
        if self._states[step_id].state != "running":
            return
        step = self._plan.step(step_id)
        if step is None or ended.made is None:
            self._change(step_id, state="failed", error=ended.error)
            return
        if stale := self._read_before(ended.made):
            self._change(step_id, state="failed", error=REPLACED.format(name=stale))
            return
        inputs = self._inputs(step)
        self._facts[step.makes] = keep_fact(
            self._conn,
            ended.made,
            name=step.makes,
            session_id=self._row.session_id,
            person_id=self._row.person_id,
            root=self._root,
            source=self._source(step),
            inputs={name: fact.id for name, fact in inputs.items()},
            only_of_plan=self._row.mode == "proof",
            run_id=self._row.id,
            step_id=step_id,
        )
        self._change(step_id, state="done")

    def _read_before(self, made: Made) -> str:
        """The name of a source that was read and is another one by now."""
        used = (made.evidence or {}).get("sources", ())
        return next(
            (str(one["name"]) for one in used if self._versions.get(one["name"]) != one["sha256"]), ""
        )

    def _begin(self, step: PlanStep) -> Begin | None:
        """Begin a step, or fail it: its action has changed, or nobody knows what became of an earlier try."""
        before = self._states[step.id]
        action = self._actions.find(step.action)
        trouble = ""
        if action is None or form_of(self._actions, step.action) != before.form:
            trouble = CHANGED.format(action=step.action)
        elif before.tries >= MOST_TRIES:
            trouble = GIVEN_UP.format(tries=before.tries)
        elif before.tries and not action.repeatable and action.attempt is None:
            trouble = CUT_OFF
        if trouble or action is None:
            self._change(step.id, state="failed", error=trouble)
            return None
        arguments = given_to(step, self._inputs(step), takes_facts=FACTS in action.arguments.model_fields)
        self._change(step.id, state="running", tries=before.tries + 1)
        return Begin(step=step, arguments=arguments, tries=before.tries + 1)

    def _change(self, step_id: str, **values: Any) -> None:
        # As it stands: the row of the run is locked.
        self._states[step_id] = self._changed[step_id] = replace(self._states[step_id], **values)

    def _write(self) -> None:
        """The steps that have changed, all at once."""
        written = [
            {
                "of_run": self._row.id,
                "of_step": one.id,
                "state": one.state,
                "tries": one.tries,
                "kept": int(one.kept),
                "error": one.error,
            }
            for one in self._changed.values()
        ]
        _STEP.each(self._conn, written)

    def _closed(self, goes_on: bool, failed: bool) -> RunState:
        """The state of the run: it ends when nothing of it is under way and nothing can begin."""
        over = all(one.state == "done" for one in self._states.values())
        if goes_on or not (over or failed):
            return "running"
        state: RunState = "failed" if failed else "done"
        ends = {"state": state, "ended_at": stamp(now())}
        self._conn.execute(update(runs).where(runs.c.id == self._row.id).values(ends))
        return state


def given_to(step: PlanStep, inputs: Mapping[str, Fact], *, takes_facts: bool) -> dict[str, Any]:
    """The arguments of a step, with the facts it needs in their places."""
    refers = referred(step.arguments)
    arguments = {
        name: inputs[refers[name]].given if name in refers else value
        for name, value in step.arguments.items()
    }
    if takes_facts:
        shown = {name: fact.value if fact.type == "number" else fact.given for name, fact in inputs.items()}
        arguments.setdefault(FACTS, shown)
    return arguments


def form_of(actions: Actions, name: str) -> str:
    """What an action takes and gives, as a short text: one that is agreed to must not become another."""
    action = actions.find(name)
    if action is None:
        return ""
    return _form(action.arguments, action.result)


@lru_cache(maxsize=512)
def _form(arguments: type[BaseModel], result: TypeAdapter[Any]) -> str:
    """Put together once for each action: that takes longer than the rest of a step."""
    told = [arguments.model_json_schema(by_alias=False), result.json_schema(mode="serialization")]
    return hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()[:32]
