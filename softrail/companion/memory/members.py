"""Who is in a project; only owners change that, and everyone may leave."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, delete, insert, select, update

from softrail.companion.memory.erasing import erase_project, in_it
from softrail.companion.memory.rights import Database, locked, require
from softrail.companion.memory.tables import members as table
from softrail.companion.memory.values import Member, Role
from softrail.plugin import BadRequest, NotFound, clean_email, ensure_person, moment, stamp
from softrail.plugin import persons_table as persons


def members(db: Database, person_id: str, project_id: str) -> Sequence[Member]:
    """Everyone in the project, longest first."""
    require(db, person_id, project_id)
    query = _with_people(project_id).order_by(table.c.since, persons.c.email)
    return [_member(row) for row in db.execute(query)]


def add(
    conn: Connection,
    person_id: str,
    project_id: str,
    email: str,
    role: Role,
    *,
    new_id: str,
    at: datetime,
) -> Member:
    """Take someone in, or give them another role."""
    address = clean_email(email)
    require(conn, person_id, project_id, "owner")  # before a person of that address is made
    person = ensure_person(conn, address, new_id, at)
    conn.execute(select(persons.c.id).where(persons.c.id == person.id).with_for_update(read=True))
    locked(conn, person_id, project_id, "owner")
    here = (table.c.project_id == project_id) & (table.c.person_id == person.id)
    present = conn.execute(select(table.c.role).where(here)).scalar()
    if present is None:
        values = {
            "project_id": project_id,
            "person_id": person.id,
            "role": role,
            "main": 0,
            "since": stamp(at),
        }
        conn.execute(insert(table).values(values))
    elif present != role:
        if present == "owner":
            _not_the_last(conn, project_id, person.id, field="role")
        conn.execute(update(table).where(here).values(role=role))
    return _member(conn.execute(_with_people(project_id).where(table.c.person_id == person.id)).one())


def remove(conn: Connection, person_id: str, project_id: str, email: str) -> None:
    """Let someone go: an owner anyone, everyone themselves."""
    address = clean_email(email)
    locked(conn, person_id, project_id, "viewer")
    row = conn.execute(_with_people(project_id).where(persons.c.email == address)).first()
    if row is None or row.person_id != person_id:
        require(conn, person_id, project_id, "owner")
    if row is None:
        raise NotFound()
    if row.role == "owner":
        _not_the_last(conn, project_id, row.person_id, field="email")
    conn.execute(delete(table).where(table.c.project_id == project_id, table.c.person_id == row.person_id))
    if not in_it(conn, project_id):  # the last viewer of one that is archived
        erase_project(conn, project_id)


def _not_the_last(conn: Connection, project_id: str, person_id: str, *, field: str) -> None:
    others = select(table.c.person_id).where(
        table.c.project_id == project_id, table.c.role == "owner", table.c.person_id != person_id
    )
    if conn.execute(others.limit(1)).first() is None:
        raise BadRequest("A project needs an owner. Make someone else an owner first.", field=field)


def _with_people(project_id: str) -> Any:
    return (
        select(table, persons.c.email, persons.c.display_name)
        .join(persons, persons.c.id == table.c.person_id)
        .where(table.c.project_id == project_id)
    )


def _member(row: Any) -> Member:
    return Member(email=row.email, display_name=row.display_name, role=row.role, since=moment(row.since))
