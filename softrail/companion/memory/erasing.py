"""What goes with a person, and with a session: in the store's own transaction that erases them."""

from collections.abc import Sequence
from typing import Final

from sqlalchemy import Connection, Table, case, delete, select, update

from softrail.companion.memory import blobs as blobs_
from softrail.companion.memory.jobs import source
from softrail.companion.memory.tables import artifacts, groups, jobs, members, note_words, notes, projects
from softrail.plugin import TimeOrderedIds, now, outbox

#: What is written where the name of someone who erased themselves stood.
GONE: Final = "Someone who left"

_OF_A_PROJECT: Final[tuple[Table, ...]] = (groups, note_words, notes, artifacts, jobs, members)


def erase_person(conn: Connection, person_id: str) -> None:
    """Projects that are theirs alone go whole; in shared ones their name goes, and a member owns them.

    Where only viewers are left nobody does: the project is archived, and may only be read.
    """
    mine = select(members.c.project_id).where(members.c.person_id == person_id)
    query = select(projects.c.id).where(projects.c.id.in_(mine)).order_by(projects.c.id).with_for_update()
    for project_id in conn.scalars(query).all():
        conn.execute(
            delete(members).where(members.c.project_id == project_id, members.c.person_id == person_id)
        )
        if not in_it(conn, project_id):
            erase_project(conn, project_id)
        elif heir := _heir(conn, project_id):
            here = (members.c.project_id == project_id) & (members.c.person_id == heir)
            conn.execute(update(members).where(here).values(role="owner"))
    nobody = {"told_by": None, "session_id": None, "seq": None, "turn_id": None}
    conn.execute(update(notes).where(notes.c.told_by == person_id).values(nobody | _renamed(notes)))
    conn.execute(
        update(artifacts)
        .where(artifacts.c.told_by == person_id)
        .values(_renamed(artifacts) | {"told_by": None})
    )
    _erase_jobs(conn, list(conn.scalars(select(jobs.c.id).where(jobs.c.asked_by == person_id))))


def erase_session(conn: Connection, session_id: str) -> None:
    """Notes stay, they are the project's; where they were told is forgotten."""
    nowhere = {"session_id": None, "seq": None, "turn_id": None}
    conn.execute(update(notes).where(notes.c.session_id == session_id).values(nowhere))


def in_it(conn: Connection, project_id: str) -> bool:
    """Whether anybody is in the project; one that nobody is in is nobody's, and goes."""
    query = select(members.c.person_id).where(members.c.project_id == project_id)
    return conn.execute(query.limit(1)).first() is not None


def _heir(conn: Connection, project_id: str) -> str | None:
    """Who owns a project when an owner has gone: an owner that is left, else the member who was in it longest.

    Never a viewer: who was let in to read was trusted with no more.
    """
    rank = case((members.c.role == "owner", 0), else_=1)
    query = select(members.c.person_id).where(
        members.c.project_id == project_id, members.c.role.in_(("owner", "member"))
    )
    return conn.scalar(query.order_by(rank, members.c.since, members.c.person_id).limit(1))


def erase_project(conn: Connection, project_id: str) -> None:
    """Erase a project whole; its row is locked."""
    digests = list(conn.scalars(select(artifacts.c.sha256).where(artifacts.c.project_id == project_id)))
    _erase_jobs(conn, list(conn.scalars(select(jobs.c.id).where(jobs.c.project_id == project_id))))
    for table in _OF_A_PROJECT:
        conn.execute(delete(table).where(table.c.project_id == project_id))
    conn.execute(delete(projects).where(projects.c.id == project_id))
    release_files(conn, digests)


def release_files(conn: Connection, digests: Sequence[str]) -> None:
    """Erase content that no file has any more; what lies on disk is removed once this has committed."""
    on_disk = blobs_.release(conn, digests, now())
    if on_disk:  # tried again until they are gone
        payload = {"hashes": list(on_disk)}
        conn.execute(
            outbox.row_for(
                f"companion-files:{TimeOrderedIds().new()}",
                person_id="",
                kind=blobs_.RELEASED,
                payload=payload,
                at=now(),
            )
        )


def _erase_jobs(conn: Connection, job_ids: list[str]) -> None:
    conn.execute(outbox.no_rows_for([source(job_id) for job_id in job_ids]))
    conn.execute(delete(jobs).where(jobs.c.id.in_(job_ids)))


def _renamed(table: Table) -> dict[str, object]:
    """The author's name, where it was a person's; the companion keeps its own."""
    return {"author_name": case((table.c.author_kind == "person", GONE), else_=table.c.author_name)}
