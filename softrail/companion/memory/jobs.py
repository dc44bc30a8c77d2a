"""Work in the background: asked for in a transaction, run by whoever delivers it, seen by everyone in the project."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final

from sqlalchemy import insert, select, update

from softrail.companion.memory.rights import Database, locked, require
from softrail.companion.memory.tables import jobs, members
from softrail.companion.memory.values import Job, JobState
from softrail.plugin import moment, outbox, stamp

ORGANISE: Final = "organise"
ASKED: Final = "companion_organise"  #: kind of the outbox item that runs it
FAILED: Final = "Organising your notes did not work. You can ask for it again."
UNDER_WAY: Final[tuple[JobState, ...]] = ("waiting", "running")


def source(job_id: str) -> str:
    """The name under which a job's outbox item is kept."""
    return f"companion-job:{job_id}"


def request(db: Database, person_id: str, project_id: str, job_id: str, at: datetime) -> Job:
    """Ask for the groups to be made; the job that is under way already, if there is one."""
    locked(db, person_id, project_id)
    present = select(jobs).where(
        jobs.c.project_id == project_id, jobs.c.kind == ORGANISE, jobs.c.state.in_(UNDER_WAY)
    )
    row = db.execute(present).first()
    if row is not None and db.execute(outbox.set_aside_from(source(row.id))).first() is not None:
        note(db, row.id, "failed", percent=0, at=at, error=FAILED)  # nobody will run it any more
        row = None
    if row is None:
        values = {
            "id": job_id,
            "project_id": project_id,
            "kind": ORGANISE,
            "state": "waiting",
            "percent": 0,
            "error": None,
            "asked_by": person_id,
            "created_at": stamp(at),
            "changed_at": stamp(at),
        }
        db.execute(insert(jobs).values(values))
        db.execute(
            outbox.row_for(source(job_id), person_id=person_id, kind=ASKED, payload={"job_id": job_id}, at=at)
        )
        row = db.execute(select(jobs).where(jobs.c.id == job_id)).one()
    return _job(row)


def listed(db: Database, person_id: str, project_id: str, *, limit: int) -> Sequence[Job]:
    """The project's jobs, newest first."""
    require(db, person_id, project_id)
    query = select(jobs).where(jobs.c.project_id == project_id)
    query = query.order_by(jobs.c.created_at.desc(), jobs.c.id.desc()).limit(limit)
    return [_job(row) for row in db.execute(query)]


def get(db: Database, person_id: str, job_id: str) -> Job | None:
    """One job, when the person is in its project."""
    query = (
        select(jobs)
        .join(members, members.c.project_id == jobs.c.project_id)
        .where(jobs.c.id == job_id, members.c.person_id == person_id)
    )
    row = db.execute(query).first()
    return None if row is None else _job(row)


def under_way(db: Database, job_id: str) -> Any:
    """The row of a job that is still to be done; None when it is over or was erased."""
    query = select(jobs).where(jobs.c.id == job_id, jobs.c.state.in_(UNDER_WAY))
    return db.execute(query).first()


def note(
    db: Database, job_id: str, state: JobState, *, percent: int, at: datetime, error: str | None = None
) -> None:
    """Write down how far a job has come."""
    values = {"state": state, "percent": percent, "error": error, "changed_at": stamp(at)}
    db.execute(update(jobs).where(jobs.c.id == job_id).values(values))


def _job(row: Any) -> Job:
    return Job(
        id=row.id,
        kind=row.kind,
        state=row.state,
        project_id=row.project_id,
        progress=row.percent / 100,
        error=row.error,
        created_at=moment(row.created_at),
        changed_at=moment(row.changed_at),
    )
