"""The files of projects: described in a row, found by id only, their content kept once under its hash."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import Any, Final

from sqlalchemy import BigInteger, LargeBinary, Text, and_, bindparam, insert, or_, select, text

from softrail.companion.memory.checks import line
from softrail.companion.memory.notes import name_of
from softrail.companion.memory.rights import Database, locked, require
from softrail.companion.memory.tables import artifacts, blobs, members
from softrail.companion.memory.values import Artifact, Author
from softrail.plugin import NotFound, StoreUnavailable, media_type, moment, safe_name, stamp

LONGEST_TYPE: Final = 60

#: Content is the same wherever it comes from, so whoever was first has kept it for all.
_KEEP: Final = text(
    "INSERT INTO companion_blobs (sha256, size, content, kept_at) VALUES (:sha256, :size, :content, :kept_at) "
    "ON CONFLICT (sha256) DO UPDATE SET kept_at = excluded.kept_at"
).bindparams(
    bindparam("sha256", type_=Text),
    bindparam("size", type_=BigInteger),
    bindparam("content", type_=LargeBinary),
    bindparam("kept_at", type_=BigInteger),
)


_WITH_SIZE: Final = select(artifacts, blobs.c.size).join(blobs, blobs.c.sha256 == artifacts.c.sha256)
_NEWEST: Final = (
    _WITH_SIZE.where(artifacts.c.project_id == bindparam("of_project"))
    .order_by(artifacts.c.created_at.desc(), artifacts.c.id.desc())
    .limit(bindparam("at_most", type_=BigInteger))
)


class ContentErased(StoreUnavailable):
    """The content went with another file that had the same, after it was kept: it has to be kept again."""


@dataclass(frozen=True, kw_only=True, slots=True)
class NewArtifact:
    """A file about to be described."""

    id: str
    project_id: str
    title: str
    type: str
    file_name: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Kept:
    """Content that is kept, under its hash."""

    sha256: str
    size: int


def keep_row(db: Database, kept: Kept, content: bytes | None, *, at: datetime) -> None:
    """Note content as kept: with it, or without it when it lies on disk."""
    values = {"sha256": kept.sha256, "size": kept.size, "content": content, "kept_at": stamp(at)}
    db.execute(_KEEP, values)


def keep_text(db: Database, content: str, *, at: datetime) -> Kept:
    """Keep a text in the database, within the transaction."""
    raw = content.encode("utf-8")
    kept = Kept(sha256=sha256(raw).hexdigest(), size=len(raw))
    keep_row(db, kept, raw, at=at)
    return kept


def listed(
    db: Database, person_id: str, project_id: str, *, before: str | None, limit: int
) -> Sequence[Artifact]:
    """The project's files, newest first."""
    require(db, person_id, project_id)
    query, given = _NEWEST, {"of_project": project_id, "at_most": limit}
    if before is not None:
        last = get(db, person_id, before)
        if last is None or last.project_id != project_id:
            return []
        at = stamp(last.created_at)
        here = artifacts.c.created_at
        query = query.where(or_(here < at, and_(here == at, artifacts.c.id < before)))
    return [_artifact(row) for row in db.execute(query, given)]


def get(db: Database, person_id: str, artifact_id: str) -> Artifact | None:
    """One file's description, when the person is in its project."""
    row = db.execute(_of(person_id, artifact_id)).first()
    return None if row is None else _artifact(row)


def with_place(db: Database, person_id: str, artifact_id: str) -> tuple[Artifact, int]:
    """One file, and in how many pieces its content lies; 0: in its row, or on disk."""
    row = db.execute(_of(person_id, artifact_id).add_columns(blobs.c.pieces)).first()
    if row is None:
        raise NotFound()
    return _artifact(row), row.pieces


def add(
    db: Database, new: NewArtifact, kept: Kept, *, author: Author, told_by: str | None, at: datetime
) -> Artifact:
    """Describe a file whose content is kept. Raises ContentErased."""
    content = select(blobs.c.sha256).where(blobs.c.sha256 == kept.sha256)
    if db.execute(content.with_for_update(read=True, key_share=True)).first() is None:
        raise ContentErased("The file was erased while it was kept. Try again in a moment.")
    name = safe_name(new.file_name)
    values = {
        "id": new.id,
        "project_id": new.project_id,
        "title": line("title", new.title),
        "type": line("type", new.type, LONGEST_TYPE),
        "file_name": name,
        "media_type": media_type(name),
        "sha256": kept.sha256,
        "author_kind": author.kind,
        "author_name": author.name,
        "told_by": told_by,
        "created_at": stamp(at),
    }
    db.execute(insert(artifacts).values(values))
    return _artifact(db.execute(_WITH_SIZE.where(artifacts.c.id == new.id)).one())


def add_own(db: Database, person_id: str, new: NewArtifact, kept: Kept, *, at: datetime) -> Artifact:
    """A file that a person gives."""
    locked(db, person_id, new.project_id)
    author = Author(kind="person", name=name_of(db, person_id))
    return add(db, new, kept, author=author, told_by=person_id, at=at)


def _of(person_id: str, artifact_id: str) -> Any:
    return _WITH_SIZE.join(members, members.c.project_id == artifacts.c.project_id).where(
        artifacts.c.id == artifact_id, members.c.person_id == person_id
    )


def _artifact(row: Any) -> Artifact:
    return Artifact(
        id=row.id,
        project_id=row.project_id,
        title=row.title,
        type=row.type,
        file_name=row.file_name,
        media_type=row.media_type,
        size=row.size,
        sha256=row.sha256,
        made_by=Author(kind=row.author_kind, name=row.author_name),
        created_at=moment(row.created_at),
    )
