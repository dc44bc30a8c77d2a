"""The companion's own tables. Times, JSON and names follow the store's customs."""

from sqlalchemy import (
    BigInteger,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    PrimaryKeyConstraint,
    Table,
    Text,
    text,
)

from softrail.plugin import CONVENTION

#: The newest revision in `migrations`; a test compares.
HEAD = "0004"

metadata = MetaData(naming_convention=CONVENTION)

#: A project's row is locked by whoever changes anything in it: numbers, counts and rights are read behind it.
projects = Table(
    "companion_projects",
    metadata,
    Column("id", Text, primary_key=True),
    Column("name", Text, nullable=False),
    Column("description", Text, nullable=False),
    Column("repository", Text),
    Column("seed", Text, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("next_note", BigInteger, nullable=False),
    Column("notes_waiting", BigInteger, nullable=False),  # counted in the transactions that change them:
    Column("notes_saved", BigInteger, nullable=False),  # reading a large project costs what a small one does
    Column("content_version", BigInteger, nullable=False),
    Column("organised_at", BigInteger),
    Column("organised_up_to", BigInteger, nullable=False),
    Column("organised_in", BigInteger),  # the content version that was organised
    Column("archived_at", BigInteger),  # NULL: it is not put aside
)

members = Table(
    "companion_members",
    metadata,
    Column("project_id", Text, ForeignKey("companion_projects.id"), nullable=False),
    Column("person_id", Text, nullable=False),
    Column("role", Text, nullable=False),
    Column("main", Integer, nullable=False),  # 0 or 1: the main project of this person
    Column("since", BigInteger, nullable=False),
    PrimaryKeyConstraint("project_id", "person_id"),
    Index("ix_companion_members_person_id", "person_id"),
)

notes = Table(
    "companion_notes",
    metadata,
    Column("project_id", Text, ForeignKey("companion_projects.id"), nullable=False),
    Column("number", BigInteger, nullable=False),
    Column("text", Text, nullable=False),
    Column("state", Text, nullable=False),
    Column("author_kind", Text, nullable=False),
    Column("author_name", Text, nullable=False),
    Column("told_by", Text),  # whose turn or request it was; NULL once they are erased
    Column("session_id", Text),
    Column("seq", BigInteger),
    Column("turn_id", Text),
    Column("created_at", BigInteger, nullable=False),
    Column("changed_at", BigInteger, nullable=False),
    Column("changed_in", BigInteger),  # the content version that its last change made
    PrimaryKeyConstraint("project_id", "number"),
    Index("ix_companion_notes_state", "project_id", "state", "number"),
    Index("ix_companion_notes_changed_at", "project_id", "state", "changed_at"),
    Index("ix_companion_notes_changed_in", "project_id", "state", "changed_in"),
    Index("ix_companion_notes_told_by", "told_by"),
)
Index(
    "ix_companion_notes_session_id",
    notes.c.session_id,
    sqlite_where=text("session_id IS NOT NULL"),
    postgresql_where=text("session_id IS NOT NULL"),
)

#: Finds notes by their words. It follows from `notes` and is written with them; withdrawn ones are not in it.
note_words = Table(
    "companion_note_words",
    metadata,
    Column("project_id", Text, nullable=False),
    Column("word", Text, nullable=False),
    Column("number", BigInteger, nullable=False),
    PrimaryKeyConstraint("project_id", "word", "number"),
    sqlite_with_rowid=False,
)

groups = Table(
    "companion_groups",
    metadata,
    Column("project_id", Text, ForeignKey("companion_projects.id"), nullable=False),
    Column("position", Integer, nullable=False),
    Column("label", Text, nullable=False),
    Column("rationale", Text, nullable=False),
    Column("summary", Text, nullable=False),
    Column("size", BigInteger, nullable=False),
    Column("numbers", Text, nullable=False),
    PrimaryKeyConstraint("project_id", "position"),
)

blobs = Table(
    "companion_blobs",
    metadata,
    Column("sha256", Text, primary_key=True),
    Column("size", BigInteger, nullable=False),
    Column("content", LargeBinary),  # NULL: in pieces, or on disk under its hash
    Column("kept_at", BigInteger, nullable=False),
    Column("pieces", Integer, nullable=False, server_default="0"),  # how many, once all of them are there
)

#: Large content, so that nobody holds it as a whole and no write takes long.
blob_pieces = Table(
    "companion_blob_pieces",
    metadata,
    Column("sha256", Text, nullable=False),
    Column("n", Integer, nullable=False),
    Column("content", LargeBinary, nullable=False),
    PrimaryKeyConstraint("sha256", "n"),
)

artifacts = Table(
    "companion_artifacts",
    metadata,
    Column("id", Text, primary_key=True),
    Column("project_id", Text, ForeignKey("companion_projects.id"), nullable=False),
    Column("title", Text, nullable=False),
    Column("type", Text, nullable=False),
    Column("file_name", Text, nullable=False),
    Column("media_type", Text, nullable=False),
    Column("sha256", Text, ForeignKey("companion_blobs.sha256"), nullable=False),
    Column("author_kind", Text, nullable=False),
    Column("author_name", Text, nullable=False),
    Column("told_by", Text),
    Column("created_at", BigInteger, nullable=False),
    Index("ix_companion_artifacts_created_at", "project_id", "created_at", "id"),
    Index("ix_companion_artifacts_sha256", "sha256"),
    Index("ix_companion_artifacts_told_by", "told_by"),
)

jobs = Table(
    "companion_jobs",
    metadata,
    Column("id", Text, primary_key=True),
    Column("project_id", Text, ForeignKey("companion_projects.id"), nullable=False),
    Column("kind", Text, nullable=False),
    Column("state", Text, nullable=False),
    Column("percent", Integer, nullable=False),
    Column("error", Text),
    Column("asked_by", Text),
    Column("created_at", BigInteger, nullable=False),
    Column("changed_at", BigInteger, nullable=False),
    Index("ix_companion_jobs_created_at", "project_id", "created_at", "id"),
    Index("ix_companion_jobs_asked_by", "asked_by"),
)
Index(
    "uq_companion_jobs_under_way",
    jobs.c.project_id,
    jobs.c.kind,
    unique=True,
    sqlite_where=text("state IN ('waiting', 'running')"),
    postgresql_where=text("state IN ('waiting', 'running')"),
)
