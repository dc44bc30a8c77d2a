"""What turns change about plans, in their own commit: the handlers of the effects, and the effects themselves."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from sqlalchemy import delete, insert, select, update

from softrail import Effect
from softrail.plans.data import keeping
from softrail.plans.plan import Plan
from softrail.plans.records import keep_fact
from softrail.plans.tables import facts, files, plans, runs, sessions, sources, steps, wishes
from softrail.plans.values import Made, Mode
from softrail.plugin import EffectHandler, EffectTransaction, outbox, stamp

WAKE: Final = "plans_wake"  #: kind of the outbox item that has a run driven
SAMPLE: Final = "plans_sample"  #: kind of the effect that attaches the sample data
COPY: Final = "plans_copy"  #: kind of the effect that attaches a copy of a table


def plan_made(plan: Plan, *, id: str, root: str | None) -> Effect:
    """The plan that is talked about from now on; `root`: of the plan that it revises."""
    payload = {"id": id, "root": root or id, "body": plan.model_dump(mode="json")}
    return Effect(kind="plan_made", summary=f"Plan “{plan.problem}” noted", payload=payload)


def plan_begun(
    plan: Plan, *, plan_id: str, run_id: str, mode: Mode, forms: Mapping[str, str], fresh: bool
) -> Effect:
    """A run of a plan that was agreed to; `forms`: of the actions of its steps, as they were agreed to."""
    ordered = [{"id": step.id, "form": forms[step.id]} for step in plan.in_order()]
    payload = {"plan_id": plan_id, "run_id": run_id, "mode": mode, "fresh": fresh, "steps": ordered}
    return Effect(kind="plan_begun", summary=f"Plan “{plan.problem}” begun", payload=payload)


def plan_stopped(run_id: str) -> Effect:
    """A run ends here: no step of it begins any more."""
    return Effect(kind="plan_stopped", summary="Plan stopped", payload={"run_id": run_id})


def planning_noted(summary: str, **changes: Any) -> Effect:
    """Where planning stands: `mode`, `plan_id`, `run_id`, `queued`, `later`, each as it is from now on."""
    return Effect(kind="planning_noted", summary=summary, payload=changes)


def plans_reset() -> Effect:
    """Plan, facts and queue of the conversation are cleared."""
    return Effect(kind="plans_reset", summary="Plan and facts cleared")


def sample_wanted() -> Effect:
    """The sample data is attached once the turn is committed: a session that is not kept has no data."""
    return Effect(kind=SAMPLE, summary="Sample data asked for", after_commit=True)


def table_wanted(name: str) -> Effect:
    """A table of an operator's database is copied and attached once the turn is committed."""
    return Effect(kind=COPY, summary=f"Table “{name}” asked for", payload={"table": name}, after_commit=True)


def plan_wished(wish_id: str, message: str, *, new: bool) -> Effect:
    """A plan is to be made of these words, outside the turn; an older wish is not wanted any more."""
    payload = {"id": wish_id, "message": message, "new": new}
    return Effect(kind="plan_wished", summary="A plan is being made", payload=payload)


def wishes_dropped() -> Effect:
    """Nothing is wished any more: it was shown, or is not wanted."""
    return Effect(kind="wishes_dropped", summary="The wish for a plan is settled")


def fact_given(name: str, made: Made, *, root: str, mode: Mode) -> Effect:
    """A fact that the person says."""
    payload = {
        "name": name,
        "value": made.value,
        "unit": made.unit,
        "type": made.type,
        "root": root,
        "mode": mode,
    }
    return Effect(kind="fact_given", summary=f"{name} noted", payload=payload)


def to_be_saved(title: str, ref: str) -> Effect:
    """A table or a chart that is told is there as a file, too; it changes nothing."""
    return Effect(kind="download_ready", summary=title, ref=ref)


# -- inside the commit


def _make(tx: EffectTransaction, effect: Effect) -> str:
    given = effect.payload
    tx.execute(
        insert(plans).values(
            id=given["id"],
            session_id=tx.session_id,
            person_id=tx.person_id,
            root=given["root"],
            body=json.dumps(given["body"], ensure_ascii=False),
            created_at=stamp(tx.at),
        )
    )
    _note(tx, {"plan_id": given["id"], "run_id": None})
    return str(given["id"])


def _begin(tx: EffectTransaction, effect: Effect) -> str:
    given = effect.payload
    tx.execute(
        insert(runs).values(
            id=given["run_id"],
            plan_id=given["plan_id"],
            session_id=tx.session_id,
            person_id=tx.person_id,
            mode=given["mode"],
            fresh=int(given["fresh"]),
            state="running",
            told=0,
            begun_at=stamp(tx.at),
        )
    )
    rows = [
        {
            "run_id": given["run_id"],
            "n": n,
            "step_id": step["id"],
            "state": "waiting",
            "form": step["form"],
            "tries": 0,
            "kept": 0,
        }
        for n, step in enumerate(given["steps"])
    ]
    tx.execute(insert(steps), rows)
    _note(tx, {"run_id": given["run_id"], "plan_id": given["plan_id"]})
    _wake(tx, given["run_id"], "begun")
    return str(given["run_id"])


def _stop(tx: EffectTransaction, effect: Effect) -> str:
    run_id = effect.payload["run_id"]
    mine = (runs.c.id == run_id) & (runs.c.session_id == tx.session_id)
    stopped = tx.execute(
        update(runs)
        .where(mine, runs.c.state == "running")
        .values(state="cancelled", told=1, ended_at=stamp(tx.at))
    )
    if stopped.rowcount:  # else it had ended just before, and what it found is told
        open_ = (steps.c.run_id == run_id) & steps.c.state.in_(("waiting", "running"))
        tx.execute(update(steps).where(open_).values(state="cancelled"))
        _wake(tx, run_id, "stopped")
    return str(run_id)


def _note_effect(tx: EffectTransaction, effect: Effect) -> None:
    _note(tx, effect.payload)


def _reset(tx: EffectTransaction, effect: Effect) -> None:
    tx.execute(delete(facts).where(facts.c.session_id == tx.session_id))
    _note(tx, {"plan_id": None, "run_id": None, "queued": None, "later": []})


def _give(tx: EffectTransaction, effect: Effect) -> None:
    given = effect.payload
    keep_fact(
        tx,
        Made(value=given["value"], unit=given["unit"], type=given["type"]),
        name=given["name"],
        session_id=tx.session_id,
        person_id=tx.person_id,
        root=given["root"],
        source=f"said:{tx.turn_id}",
        inputs={},
        only_of_plan=given["mode"] == "proof",
        turn_id=tx.turn_id,
    )


def _wish(tx: EffectTransaction, effect: Effect) -> str:
    given = effect.payload
    _drop_wishes(tx, effect)
    values = {
        "id": given["id"],
        "message": given["message"],
        "new": int(given["new"]),
        "told": 0,
        "dropped": 0,
    }
    here = {"session_id": tx.session_id, "person_id": tx.person_id, "created_at": stamp(tx.at)}
    tx.execute(insert(wishes).values({**values, **here}))
    _note(tx, {})
    _wake(tx, given["id"], "wished", kind="plan_wish")
    return str(given["id"])


def _drop_wishes(tx: EffectTransaction, effect: Effect) -> None:
    here = (wishes.c.session_id == tx.session_id) & (wishes.c.dropped == 0)
    tx.execute(update(wishes).where(here).values(dropped=1))


def _note(tx: EffectTransaction, changes: Mapping[str, Any]) -> None:
    values = dict(changes)
    for name in ("queued", "later"):
        if values.get(name) is not None:
            values[name] = json.dumps(values[name], ensure_ascii=False)
    here = sessions.c.session_id == tx.session_id
    if tx.execute(select(sessions.c.session_id).where(here).with_for_update()).first() is not None:
        if values:
            tx.execute(update(sessions).where(here).values(values))
        return
    new = {"mode": "exploratory", "chosen": 0, "later": "[]", **values}
    tx.execute(insert(sessions).values(session_id=tx.session_id, person_id=tx.person_id, **new))


def _wake(tx: EffectTransaction, run_id: str, why: str, kind: str = "plan") -> None:
    payload = {"run_id": run_id, "kind": kind}
    source = f"plans-{why}:{run_id}"
    tx.execute(outbox.row_for(source, person_id=tx.person_id, kind=WAKE, payload=payload, at=tx.at))


HANDLERS: Final[Mapping[str, EffectHandler]] = {
    "plan_made": _make,
    "plan_begun": _begin,
    "plan_stopped": _stop,
    "planning_noted": _note_effect,
    "plans_reset": _reset,
    "fact_given": _give,
    "plan_wished": _wish,
    "wishes_dropped": _drop_wishes,
}


# -- erasing


def erase_person(db: Any, person_id: str) -> None:
    """Everything planned by a person goes with them."""
    _erase(db, list(db.scalars(select(runs.c.id).where(runs.c.person_id == person_id))))
    _erase_wishes(db, list(db.scalars(select(wishes.c.id).where(wishes.c.person_id == person_id))))
    keeping.erase(db, list(db.scalars(select(sources.c.id).where(sources.c.person_id == person_id))))
    for table in (facts, files, runs, wishes, plans, sessions):
        db.execute(delete(table).where(table.c.person_id == person_id))


def erase_session(db: Any, session_id: str) -> None:
    """Everything planned in a conversation goes with it; a run under way ends."""
    _erase(db, list(db.scalars(select(runs.c.id).where(runs.c.session_id == session_id))))
    _erase_wishes(db, list(db.scalars(select(wishes.c.id).where(wishes.c.session_id == session_id))))
    keeping.erase(db, list(db.scalars(select(sources.c.id).where(sources.c.session_id == session_id))))
    for table in (facts, files, runs, wishes, plans, sessions):
        db.execute(delete(table).where(table.c.session_id == session_id))


def _erase(db: Any, run_ids: Sequence[str]) -> None:
    sources = [f"plans-{why}:{run_id}" for run_id in run_ids for why in ("begun", "stopped")]
    db.execute(outbox.no_rows_for(sources))
    db.execute(delete(steps).where(steps.c.run_id.in_(run_ids)))


def _erase_wishes(db: Any, ids: Sequence[str]) -> None:
    db.execute(outbox.no_rows_for([f"plans-wished:{wish_id}" for wish_id in ids]))
