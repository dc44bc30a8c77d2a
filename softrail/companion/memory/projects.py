"""Projects: who describes what, read and written behind the rights of whoever asks."""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final

from pydantic_core import to_json
from sqlalchemy import bindparam, exists, func, insert, select, update

from softrail.companion.memory import artifacts, notes
from softrail.companion.memory.checks import keepable, line, shortened
from softrail.companion.memory.rights import Database, locked
from softrail.companion.memory.tables import members, projects
from softrail.companion.memory.values import Author, NewProject, ProjectDetail
from softrail.plugin import NotFound, moment, normal, stamp, unusable

_LARGEST_SEED = 64_000
_others = members.alias()
#: Read several times a turn, so each is put together once.
_MINE: Final = (
    select(
        projects,
        members.c.role,
        members.c.main,
        exists()
        .where(_others.c.project_id == projects.c.id, _others.c.role == "owner")
        .correlate(projects)
        .label("owned"),
    )
    .join(members, members.c.project_id == projects.c.id)
    .where(members.c.person_id == bindparam("of_person"))
)
_ALL: Final = _MINE.order_by(projects.c.created_at, projects.c.id)
_ONE: Final = _MINE.where(projects.c.id == bindparam("of_project"))


def count(db: Database, person_id: str) -> int:
    """How many projects the person is in."""
    query = select(func.count()).select_from(members).where(members.c.person_id == person_id)
    return int(db.execute(query).scalar())


def details(db: Database, person_id: str) -> Sequence[ProjectDetail]:
    """The projects the person is in, oldest first."""
    return [_detail(row) for row in db.execute(_ALL, {"of_person": person_id})]


def detail(db: Database, person_id: str, project_id: str) -> ProjectDetail | None:
    """The project, when the person is in it."""
    row = db.execute(_ONE, {"of_person": person_id, "of_project": project_id}).first()
    return None if row is None else _detail(row)


def matching(found: Sequence[ProjectDetail], words: str) -> Sequence[ProjectDetail]:
    """Those whose name the words say: an equal name alone, else those all of whose words are among them."""
    said = normal(words)
    same = [one for one in found if normal(one.name) == said]
    if same:
        return same
    heard = set(said.split())
    return [one for one in found if (named := set(normal(one.name).split())) and named <= heard]


def create(db: Database, person_id: str, new: NewProject, origin: notes.Origin, *, at: datetime) -> None:
    """Make the project with its owner, its specification and first notes."""
    name = shortened(new.name) or "Untitled"
    if new.main:
        db.execute(update(members).where(members.c.person_id == person_id).values(main=0))
    db.execute(
        insert(projects).values(
            id=new.id,
            name=name,
            description=new.description.strip(),
            repository=new.repository,
            seed=_seed(new.seed),
            created_at=stamp(at),
            next_note=1,
            notes_waiting=0,
            notes_saved=0,
            content_version=1,
            organised_at=None,
            organised_up_to=0,
            organised_in=None,
            archived_at=None,
        )
    )
    db.execute(
        insert(members).values(
            project_id=new.id, person_id=person_id, role="owner", main=int(new.main), since=stamp(at)
        )
    )
    companion = Author(kind="companion", name="Companion")
    if new.specification:
        file = artifacts.NewArtifact(
            id=f"{new.id}-specification",
            project_id=new.id,
            title=shortened(f"Specification of {name}"),
            type="specification",
            file_name=f"{name} specification.md",
        )
        kept = artifacts.keep_text(db, new.specification, at=at)
        artifacts.add(db, file, kept, author=companion, told_by=person_id, at=at)
    for text in new.notes:
        row = locked(db, person_id, new.id)
        notes.add(db, row, text, state="saved", author=companion, origin=origin, at=at)


def change_seed(
    db: Database, person_id: str, project_id: str, seed: Mapping[str, Any], at: datetime
) -> ProjectDetail:
    """Replace what was told about the project."""
    locked(db, person_id, project_id)
    db.execute(
        update(projects)
        .where(projects.c.id == project_id)
        .values(seed=_seed(seed), content_version=projects.c.content_version + 1)
    )
    found = detail(db, person_id, project_id)
    if found is None:
        raise NotFound()
    return found


def change(
    db: Database,
    person_id: str,
    project_id: str,
    *,
    name: str | None,
    archived: bool | None,
    at: datetime,
) -> ProjectDetail:
    """Call it something else, put it aside (True) or bring it back (False); owners alone do the latter two."""
    row = locked(db, person_id, project_id, "owner" if archived is not None else "member", archived=True)
    values: dict[str, Any] = {}
    if name is not None:
        values["name"] = line("name", name)
    if archived is not None and archived != (row.archived_at is not None):
        values["archived_at"] = stamp(at) if archived else None
    if values:
        values["content_version"] = projects.c.content_version + 1
        db.execute(update(projects).where(projects.c.id == project_id).values(values))
    found = detail(db, person_id, project_id)
    if found is None:
        raise NotFound()
    return found


def _detail(row: Any) -> ProjectDetail:
    return ProjectDetail(
        id=row.id,
        name=row.name,
        description=row.description,
        repository=row.repository,
        main=bool(row.main),
        role=row.role,
        archived=row.archived_at is not None or not row.owned,
        seed=json.loads(row.seed),
        created_at=moment(row.created_at),
        content_version=row.content_version,
    )


def _seed(seed: Mapping[str, Any]) -> str:
    text = to_json(dict(seed)).decode()
    if len(text) > _LARGEST_SEED:
        raise unusable("seed", f"it must not be larger than {_LARGEST_SEED} characters")
    if not keepable(text) or "\\u0000" in text:
        raise unusable("seed", "U+0000 and lone surrogates cannot be kept")
    return text
