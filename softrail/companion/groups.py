"""The organised view: groups of saved notes, replaced as a whole."""

import json
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from pydantic_core import to_json
from sqlalchemy import delete, insert, select, update

from softrail.companion.rights import Database, require
from softrail.companion.tables import groups, notes, projects
from softrail.companion.values import Group, Organised
from softrail.store.rows import moment_or_none, stamp


def organised(db: Database, person_id: str, project_id: str, *, numbers: bool = True) -> Organised:
    """The groups as they were made last; notes that were withdrawn since are left out of `numbers`.

    Without `numbers` the cost does not depend on how many notes there are.
    """
    require(db, person_id, project_id)
    project = db.execute(select(projects).where(projects.c.id == project_id)).one()
    columns = [c for c in groups.columns if numbers or c.name != "numbers"]
    rows = db.execute(
        select(*columns).where(groups.c.project_id == project_id).order_by(groups.c.position)
    ).all()
    gone: set[int] = set()
    if numbers and rows:
        query = select(notes.c.number).where(notes.c.project_id == project_id, notes.c.state == "withdrawn")
        gone = set(db.execute(query).scalars())
    return Organised(
        groups=[_group(row, gone, numbers) for row in rows],
        made_at=moment_or_none(project.organised_at),
        up_to=project.organised_up_to,
    )


def replace(db: Database, project_id: str, made: Sequence[Group], *, up_to: int, at: datetime) -> None:
    """Put these groups in the place of all; the project's row is locked."""
    db.execute(delete(groups).where(groups.c.project_id == project_id))
    for position, group in enumerate(made):
        values = {
            "project_id": project_id,
            "position": position,
            "label": group.label,
            "rationale": group.rationale,
            "summary": group.summary,
            "size": group.count,
            "numbers": to_json(list(group.numbers)).decode(),
        }
        db.execute(insert(groups).values(values))
    changes = {
        "organised_at": stamp(at),
        "organised_up_to": up_to,
        "content_version": projects.c.content_version + 1,
    }
    db.execute(update(projects).where(projects.c.id == project_id).values(changes))


def _group(row: Any, gone: set[int], numbers: bool) -> Group:
    left = [n for n in json.loads(row.numbers) if n not in gone] if numbers else []
    return Group(
        label=row.label,
        rationale=row.rationale,
        summary=row.summary,
        count=len(left) if numbers else row.size,
        numbers=left,
    )
