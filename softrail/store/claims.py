"""Claims on runs of long work: a row for each run that somebody drives, gone when there is nothing left to do."""

from collections.abc import Collection, Mapping, Sequence

from sqlalchemy import ColumnElement, Connection, bindparam, delete, insert, or_, select, tuple_, update

from softrail.core.execution import Claim
from softrail.store.statements import Statement
from softrail.store.tables import claims, workers

_LIVING = select(workers.c.id)
_STANDS = Statement(
    select(claims.c.fence)
    .where(claims.c.fence == bindparam("of_fence"), claims.c.worker == bindparam("of_worker"))
    .with_for_update(read=True)
)


def claim_run(
    conn: Connection, kind: str, run_id: str, worker: str, *, wake: bool, mine: bool = False
) -> Claim | None:
    """Claim a run that no living worker drives.

    Args:
        conn: A connection in a transaction.
        kind: Of the work.
        run_id: The run.
        worker: Who claims it.
        wake: Leave word for the one who drives it.
        mine: The worker's own claim is the answer: an earlier try may have made it, its outcome being lost.
    """
    this = (claims.c.kind == kind) & (claims.c.run_id == run_id)
    row = conn.execute(select(claims).where(this).with_for_update()).first()
    if row is not None and mine and row.worker == worker:
        return Claim(kind=kind, run_id=run_id, worker=worker, fence=row.fence)
    if row is not None and row.worker in set(conn.scalars(_LIVING)):
        if wake:
            conn.execute(update(claims).where(this).values(wakes=claims.c.wakes + 1))
        return None
    if row is not None:  # this one alone: another may have claimed the run since we looked
        conn.execute(delete(claims).where(claims.c.fence == row.fence))
    values = {"kind": kind, "run_id": run_id, "worker": worker, "wakes": 0}
    made = conn.execute(insert(claims).values(values)).inserted_primary_key
    assert made is not None  # noqa: S101 - one row was inserted
    return Claim(kind=kind, run_id=run_id, worker=worker, fence=made[0])


def wake_runs(conn: Connection, runs: Collection[tuple[str, str]]) -> Collection[tuple[str, str]]:
    """Leave word for the living workers that drive these runs; those of them that one drives."""
    these = tuple_(claims.c.kind, claims.c.run_id).in_(sorted(runs)) & claims.c.worker.in_(_LIVING)
    woken = update(claims).where(these).values(wakes=claims.c.wakes + 1)
    return {(row.kind, row.run_id) for row in conn.execute(woken.returning(claims.c.kind, claims.c.run_id))}


def driven_runs(conn: Connection, kinds: Collection[str]) -> Collection[tuple[str, str]]:
    """Runs of those kinds that a living worker drives."""
    this = claims.c.kind.in_(list(kinds)) & claims.c.worker.in_(_LIVING)
    return {
        (row.kind, row.run_id) for row in conn.execute(select(claims.c.kind, claims.c.run_id).where(this))
    }


def claims_of(conn: Connection, worker: str) -> Mapping[int, int]:
    """The fences of a worker's claims, with how often each run was woken."""
    query = select(claims.c.fence, claims.c.wakes).where(claims.c.worker == worker)
    return {row.fence: row.wakes for row in conn.execute(query)}


def abandoned_runs(conn: Connection, kinds: Collection[str], limit: int) -> Sequence[tuple[str, str]]:
    """Runs of those kinds that were driven and are not any more, the longest claimed first."""
    nobody = or_(claims.c.worker.is_(None), claims.c.worker.not_in(_LIVING))
    query = select(claims.c.kind, claims.c.run_id).where(claims.c.kind.in_(list(kinds)), nobody)
    return [(row.kind, row.run_id) for row in conn.execute(query.order_by(claims.c.fence).limit(limit))]


def claim_stands(conn: Connection, claim: Claim) -> bool:
    """Whether the claim still stands, and will until the end of this transaction.

    Ask in the transaction that writes what a drive has found: nothing of a worker that lost its run is written then.
    """
    return _STANDS.first(conn, {"of_fence": claim.fence, "of_worker": claim.worker}) is not None


def drop_claim(conn: Connection, claim: Claim, woken: int) -> int | None:
    """Give up a claim whose run was woken no more than so often; else how often by now."""
    wakes = conn.scalar(select(claims.c.wakes).where(_same(claim)).with_for_update())
    if wakes is not None and wakes > woken:
        return int(wakes)
    conn.execute(delete(claims).where(_same(claim)))
    return None


def hand_on_run(conn: Connection, claim: Claim) -> None:
    """Give up a claim, and leave its run for another worker to find."""
    conn.execute(update(claims).where(_same(claim)).values(worker=None))


def free_claims(conn: Connection, worker: str) -> None:
    """A worker is gone: its runs are left for others to find, and its fences do not stand any more."""
    conn.execute(update(claims).where(claims.c.worker == worker).values(worker=None))


def _same(claim: Claim) -> ColumnElement[bool]:
    return (claims.c.fence == claim.fence) & (claims.c.worker == claim.worker)
