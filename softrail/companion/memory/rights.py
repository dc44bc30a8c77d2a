"""Who may do what in a project: owners all, members all but who is in it, viewers read."""

from typing import Any, Final, Protocol

from sqlalchemy import bindparam, select

from softrail.companion.memory.tables import members, projects
from softrail.companion.memory.values import Role
from softrail.plugin import Forbidden, NotFound

_RANK: Final[dict[Role, int]] = {"viewer": 0, "member": 1, "owner": 2}
_TOLD: Final[dict[Role, str]] = {
    "viewer": "",
    "member": "You may read this project, but not change anything in it. Ask one of its owners.",
    "owner": "Only an owner of this project may do that.",
}

_ROLE: Final = select(members.c.role).where(
    members.c.project_id == bindparam("of_project"), members.c.person_id == bindparam("of_person")
)
_LOCKED: Final = select(projects).where(projects.c.id == bindparam("of_project")).with_for_update()
_ASIDE: Final = "This project is archived: it may only be read. One of its owners can bring it back."


class Database(Protocol):
    """A connection, or the narrow transaction of an effect handler: both run statements."""

    def execute(self, statement: Any, parameters: Any = None) -> Any:
        """Run an SQLAlchemy Core statement."""
        ...


def role_of(db: Database, person_id: str, project_id: str) -> Role | None:
    """What the person is in the project; None when they are not in it or it does not exist."""
    role: Role | None = db.execute(_ROLE, {"of_project": project_id, "of_person": person_id}).scalar()
    return role


def require(db: Database, person_id: str, project_id: str, least: Role = "viewer") -> Role:
    """The person's role in the project, when it is at least `least`.

    Raises:
        NotFound: They are not in it, or it does not exist.
        Forbidden: They are in it and may not do this.
    """
    role = role_of(db, person_id, project_id)
    if role is None:
        raise NotFound()
    if _RANK[role] < _RANK[least]:
        raise Forbidden(_TOLD[least])
    return role


def locked(
    db: Database, person_id: str, project_id: str, least: Role = "member", *, archived: bool = False
) -> Any:
    """The row of a project that the person may change, locked until the transaction ends.

    What a project holds is changed only while it is not put aside; `archived` says that it may be.

    The row is locked before the role is read: whoever is let go meanwhile is let go first, or after us.
    """
    row = db.execute(_LOCKED, {"of_project": project_id}).first()
    require(db, person_id, project_id, least)
    if least == "member" and not archived and row.archived_at is not None:
        raise Forbidden(_ASIDE)
    return row
