"""Writes the proof of a run that is over: its plan, its facts, and the files they were found in."""

from typing import Any

from sqlalchemy import select

from softrail.plans import words
from softrail.plans.data.keeping import whole
from softrail.plans.data.profile import Source
from softrail.plans.proofs.proof import Proof, ProofFact, ProofSource, ProofTable
from softrail.plans.records import facts_of, plan_of
from softrail.plans.tables import runs
from softrail.plans.values import Fact, Standing
from softrail.plugin import moment


def proof_of(db: Any, run_id: str) -> Proof | None:
    """The proof of a run that is done. None: something of it was cleared or attached anew since."""
    row = db.execute(select(runs).where(runs.c.id == run_id)).first()
    root, plan = plan_of(db, row.plan_id) if row is not None else (None, None)
    if plan is None or row.ended_at is None:
        return None
    known = {fact.name: fact for fact in facts_of(db, row.session_id) if fact.root == root}
    if any(step.makes not in known for step in plan.steps):
        return None
    facts = {step.makes: known[step.makes] for step in plan.in_order()}
    sources = {one.name: one for one in whole(db, row.session_id)}
    read = {used["name"]: used["sha256"] for fact in facts.values() for used in _used(fact)}
    if any(name not in sources or sources[name].sha256 != digest for name, digest in read.items()):
        return None
    found = words.findings(plan, Standing(plan=plan, facts=facts))
    return Proof(
        ended_at=moment(row.ended_at),
        plan=plan,
        sources=tuple(_source(sources[name]) for name in sorted(read)),
        facts=tuple(_fact(one, facts) for one in facts.values()),
        conclusions=tuple(line for line in found.splitlines() if line),
    )


def _used(fact: Fact) -> list[dict[str, Any]]:
    return list((fact.evidence or {}).get("sources", ()))


def _source(source: Source) -> ProofSource:
    tables = tuple(ProofTable(title=one.title, name=one.name, rows=one.rows) for one in source.tables)
    return ProofSource(name=source.name, sha256=source.sha256, bytes=source.bytes, tables=tables)


def _fact(fact: Fact, facts: dict[str, Fact]) -> ProofFact:
    return ProofFact(
        name=fact.name,
        value=fact.value,
        unit=fact.unit,
        type=fact.type,
        shown=fact.shown,
        inputs=tuple(name for name in fact.inputs if name in facts),
        evidence=dict(fact.evidence) if fact.evidence is not None else None,
        turn_id=fact.turn_id,
        made_at=fact.made_at,
    )
