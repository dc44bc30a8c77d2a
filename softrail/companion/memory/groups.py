"""The organised view: groups of saved notes, replaced as a whole."""

import json
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from pydantic_core import to_json
from sqlalchemy import delete, insert, select, update

from softrail.companion.memory.rights import Database, require
from softrail.companion.memory.tables import groups, projects
from softrail.companion.memory.values import Group, Organised
from softrail.plugin import moment_or_none, stamp

UNNAMED = "Notes"  #: a group whose name was made from words that are erased


def organised(db: Database, person_id: str, project_id: str, *, numbers: bool = True) -> Organised:
    """The groups as they were made last, without notes that changed since.

    Without `numbers` the cost does not depend on how many notes there are.
    """
    require(db, person_id, project_id)
    project = db.execute(select(projects).where(projects.c.id == project_id)).one()
    columns = [c for c in groups.columns if numbers or c.name != "numbers"]
    rows = db.execute(
        select(*columns).where(groups.c.project_id == project_id).order_by(groups.c.position)
    ).all()
    return Organised(
        groups=[_group(row, numbers) for row in rows],
        made_at=moment_or_none(project.organised_at),
        up_to=project.organised_up_to,
    )


def replace(
    db: Database, project_id: str, made: Sequence[Group], *, up_to: int, version: int, at: datetime
) -> None:
    """Put these groups in the place of all; the project's row is locked.

    Args:
        db: Where they are kept.
        project_id: Whose they are.
        made: The groups, the largest first.
        up_to: The newest note that was looked at.
        version: The content version that was looked at: whatever was saved or changed later stands outside.
        at: Now.
    """
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
        "organised_in": version,
        "content_version": projects.c.content_version + 1,
    }
    db.execute(update(projects).where(projects.c.id == project_id).values(changes))


def take_out(db: Database, project_id: str, number: int) -> None:
    """Take a note that has changed out of its group, whose summary may have told what is no longer so."""
    columns = (groups.c.position, groups.c.numbers)
    for row in db.execute(select(*columns).where(groups.c.project_id == project_id)).all():
        numbers = json.loads(row.numbers)
        if number not in numbers:
            continue
        left = [n for n in numbers if n != number]
        here = (groups.c.project_id == project_id) & (groups.c.position == row.position)
        if left:
            values = {"size": len(left), "numbers": to_json(left).decode(), "summary": ""}
            db.execute(update(groups).where(here).values(values))
        else:
            db.execute(delete(groups).where(here))
        return


def forget(db: Database, project_id: str, number: int) -> None:
    """Take an erased note out of its group; the group keeps no word that was made from it."""
    columns = (groups.c.position, groups.c.numbers)
    for row in db.execute(select(*columns).where(groups.c.project_id == project_id)).all():
        if number in json.loads(row.numbers):
            here = (groups.c.project_id == project_id) & (groups.c.position == row.position)
            db.execute(update(groups).where(here).values(label=UNNAMED, rationale="", summary=""))
    take_out(db, project_id, number)


def _group(row: Any, numbers: bool) -> Group:
    return Group(
        label=row.label,
        rationale=row.rationale,
        summary=row.summary,
        count=row.size,
        numbers=json.loads(row.numbers) if numbers else (),
    )
