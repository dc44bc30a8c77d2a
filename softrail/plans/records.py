"""Reads and writes the tables of planning: what a turn sees of them, and the facts that are found."""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

from pydantic import TypeAdapter
from sqlalchemy import Connection, bindparam, insert, literal_column, select, update

from softrail.plans.data.keeping import whole
from softrail.plans.plan import Plan
from softrail.plans.tables import facts, plans, runs, sessions, steps, wishes
from softrail.plans.values import Fact, Made, Run, Standing, StepRun, Wish
from softrail.plugin import Statement, TimeOrderedIds, moment, now, stamp

_LATER = TypeAdapter(list[str])

#: Put together once: that takes longer than carrying them out.
_REPLACED: Final = (
    update(facts)
    .where(
        facts.c.session_id == bindparam("of_session"),
        facts.c.name == bindparam("named"),
        facts.c.replaced == literal_column("0"),
    )
    .values(replaced=literal_column("1"))
)
_REPLACED_IN_PLAN: Final = _REPLACED.where(facts.c.root == bindparam("of_plan"))
_KEPT: Final = insert(facts)
_COMPILED: Final = {one: Statement(one) for one in (_REPLACED, _REPLACED_IN_PLAN, _KEPT)}
_OF_SESSION: Final = select(sessions).where(sessions.c.session_id == bindparam("of_session"))


def standing(db: Any, session_id: str, *, found: bool = True) -> Standing:
    """Where planning stands in a conversation; without `found` the facts and what they rest on are left out."""
    row = db.execute(_OF_SESSION, {"of_session": session_id}).first()
    if row is None:
        return Standing()
    root, plan = plan_of(db, row.plan_id)
    every = facts_of(db, session_id) if found else ()
    scope = [one for one in every if row.mode == "exploratory" or one.root == root]
    return Standing(
        mode=row.mode,
        chosen=bool(row.chosen),
        plan_id=row.plan_id,
        root=root,
        plan=plan,
        run=run_of(db, row.run_id),
        queued=Plan.model_validate_json(row.queued) if row.queued else None,
        wish=wish_of(db, session_id),
        later=_LATER.validate_json(row.later),
        facts={one.name: one for one in scope},
        versions=versions_of(db, session_id) if found else {},
        history=facts_of(db, session_id, replaced=True) if found else (),
    )


def plan_of(db: Any, plan_id: str | None) -> tuple[str | None, Plan | None]:
    """A plan, and the first of those that it is a revision of."""
    row = db.execute(select(plans).where(plans.c.id == plan_id)).first() if plan_id else None
    return (row.root, _plan(row.body)) if row is not None else (None, None)


@lru_cache(maxsize=128)
def _plan(body: str) -> Plan:
    """A plan from its text, which never changes: a run reads it anew with each of its steps."""
    return Plan.model_validate_json(body)


def wish_of(db: Any, session_id: str) -> Wish | None:
    """What is wished now; None: nothing, or it was shown, or is not wanted any more."""
    here = (wishes.c.session_id == session_id) & (wishes.c.dropped == 0)
    row = db.execute(
        select(wishes).where(here).order_by(wishes.c.created_at.desc(), wishes.c.id.desc())
    ).first()
    if row is None:
        return None
    return Wish(
        id=row.id,
        message=row.message,
        new=bool(row.new),
        plan=Plan.model_validate_json(row.body) if row.body else None,
        trouble=row.trouble or "",
    )


def run_of(db: Any, run_id: str | None) -> Run | None:
    """A run with its steps, in their order."""
    row = db.execute(select(runs).where(runs.c.id == run_id)).first() if run_id else None
    if row is None:
        return None
    return Run(
        id=row.id,
        plan_id=row.plan_id,
        state=row.state,
        steps=steps_of(db, row.id),
        mode=row.mode,
        proof=row.proof,
    )


def steps_of(db: Any, run_id: str) -> Mapping[str, StepRun]:
    """The steps of a run, by id, in their order."""
    found = db.execute(select(steps).where(steps.c.run_id == run_id).order_by(steps.c.n))
    return {
        row.step_id: StepRun(
            id=row.step_id,
            state=row.state,
            tries=row.tries,
            kept=bool(row.kept),
            error=row.error,
            form=row.form,
        )
        for row in found
    }


def facts_of(
    db: Any, session_id: str, *, replaced: bool = False, named: Collection[str] | None = None
) -> Sequence[Fact]:
    """The facts of a conversation as they stand, or those that were replaced; the oldest first."""
    query = select(facts).where(facts.c.session_id == session_id, facts.c.replaced == int(replaced))
    if named is not None:
        query = query.where(facts.c.name.in_(named))
    return [fact_of(row) for row in db.execute(query.order_by(facts.c.made_at, facts.c.id))]


def versions_of(db: Any, session_id: str) -> Mapping[str, str]:
    """What the data of a conversation is now: the hash of each source, by its name and by those of its tables."""
    found: dict[str, str] = {}
    for source in whole(db, session_id):
        found |= dict.fromkeys([source.name, *(table.name for table in source.tables)], source.sha256)
    return found


def fact_of(row: Any) -> Fact:
    """A fact from its row."""
    return Fact(
        id=row.id,
        name=row.name,
        value=json.loads(row.value),
        unit=row.unit,
        type=row.type,
        source=row.source,
        made_at=moment(row.made_at),
        root=row.root,
        inputs=json.loads(row.inputs),
        step_id=row.step_id,
        run_id=row.run_id,
        turn_id=row.turn_id,
        evidence=json.loads(row.evidence) if row.evidence else None,
        ref=row.ref,
    )


def keep_fact(
    db: Any,
    made: Made,
    *,
    name: str,
    session_id: str,
    person_id: str,
    root: str,
    source: str,
    inputs: Mapping[str, str],
    only_of_plan: bool,
    run_id: str | None = None,
    step_id: str | None = None,
    turn_id: str | None = None,
) -> Fact:
    """Keep a fact; what had its name before becomes its history. In proof mode that is one of the same plan."""
    here = {"of_session": session_id, "named": name}
    if only_of_plan:
        _run(db, _REPLACED_IN_PLAN, {**here, "of_plan": root})
    else:
        _run(db, _REPLACED, here)
    fact = Fact(
        id=TimeOrderedIds().new(),
        name=name,
        value=made.value,
        unit=made.unit,
        type=made.type,
        source=source,
        made_at=now(),
        root=root,
        inputs=dict(inputs),
        step_id=step_id,
        run_id=run_id,
        turn_id=turn_id,
        evidence=None if made.evidence is None else dict(made.evidence),
        ref=made.ref,
    )
    values = {
        "id": fact.id,
        "session_id": session_id,
        "person_id": person_id,
        "root": root,
        "run_id": run_id,
        "step_id": step_id,
        "name": name,
        "value": json.dumps(made.value, ensure_ascii=False),
        "unit": made.unit,
        "type": made.type,
        "source": source,
        "inputs": json.dumps(dict(inputs)),
        "turn_id": turn_id,
        "evidence": None if made.evidence is None else json.dumps(dict(made.evidence), ensure_ascii=False),
        "ref": made.ref,
        "made_at": stamp(fact.made_at),
        "replaced": 0,
    }
    _run(db, _KEPT, values)
    return fact


def _run(db: Any, statement: Any, values: Mapping[str, Any]) -> None:
    """Run it as it is compiled; what an effect is given runs statements alone."""
    if isinstance(db, Connection):
        _COMPILED[statement].run(db, values)
    else:
        db.execute(statement, values)


def chain(fact: Fact, every: Iterable[Fact]) -> Sequence[Fact]:
    """A fact, then all that it was made from, each once, the nearest first."""
    known = {one.id: one for one in every}
    found, left = {fact.id: fact}, [fact]
    while left:
        for fact_id in left.pop(0).inputs.values():
            made_from = known.get(fact_id)
            if made_from is not None and fact_id not in found:
                found[fact_id] = made_from
                left.append(made_from)
    return list(found.values())
