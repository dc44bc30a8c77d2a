"""The companion's first tables."""

import json

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """From a database without any."""
    op.create_table(
        "companion_blobs",
        sa.Column("sha256", sa.Text(), nullable=False),
        sa.Column("size", sa.BigInteger(), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=True),
        sa.Column("kept_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("sha256", name=op.f("pk_companion_blobs")),
    )
    op.create_table(
        "companion_projects",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("description", sa.Text(), nullable=False),
        sa.Column("repository", sa.Text(), nullable=True),
        sa.Column("seed", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("next_note", sa.BigInteger(), nullable=False),
        sa.Column("notes_waiting", sa.BigInteger(), nullable=False),
        sa.Column("notes_saved", sa.BigInteger(), nullable=False),
        sa.Column("content_version", sa.BigInteger(), nullable=False),
        sa.Column("organised_at", sa.BigInteger(), nullable=True),
        sa.Column("organised_up_to", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_companion_projects")),
    )
    op.create_table(
        "companion_artifacts",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("project_id", sa.Text(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("type", sa.Text(), nullable=False),
        sa.Column("file_name", sa.Text(), nullable=False),
        sa.Column("media_type", sa.Text(), nullable=False),
        sa.Column("sha256", sa.Text(), nullable=False),
        sa.Column("author_kind", sa.Text(), nullable=False),
        sa.Column("author_name", sa.Text(), nullable=False),
        sa.Column("told_by", sa.Text(), nullable=True),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["project_id"], ["companion_projects.id"], name=op.f("fk_companion_artifacts_project_id")
        ),
        sa.ForeignKeyConstraint(
            ["sha256"], ["companion_blobs.sha256"], name=op.f("fk_companion_artifacts_sha256")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_companion_artifacts")),
    )
    op.create_index(
        "ix_companion_artifacts_created_at",
        "companion_artifacts",
        ["project_id", "created_at", "id"],
        unique=False,
    )
    op.create_index("ix_companion_artifacts_sha256", "companion_artifacts", ["sha256"], unique=False)
    op.create_index("ix_companion_artifacts_told_by", "companion_artifacts", ["told_by"], unique=False)
    op.create_table(
        "companion_groups",
        sa.Column("project_id", sa.Text(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("label", sa.Text(), nullable=False),
        sa.Column("rationale", sa.Text(), nullable=False),
        sa.Column("summary", sa.Text(), nullable=False),
        sa.Column("size", sa.BigInteger(), nullable=False),
        sa.Column("numbers", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["project_id"], ["companion_projects.id"], name=op.f("fk_companion_groups_project_id")
        ),
        sa.PrimaryKeyConstraint("project_id", "position", name=op.f("pk_companion_groups")),
    )
    op.create_table(
        "companion_jobs",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("project_id", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("percent", sa.Integer(), nullable=False),
        sa.Column("error", sa.Text(), nullable=True),
        sa.Column("asked_by", sa.Text(), nullable=True),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("changed_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["project_id"], ["companion_projects.id"], name=op.f("fk_companion_jobs_project_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_companion_jobs")),
    )
    op.create_index("ix_companion_jobs_asked_by", "companion_jobs", ["asked_by"], unique=False)
    op.create_index(
        "ix_companion_jobs_created_at", "companion_jobs", ["project_id", "created_at", "id"], unique=False
    )
    op.create_index(
        "uq_companion_jobs_under_way",
        "companion_jobs",
        ["project_id", "kind"],
        unique=True,
        sqlite_where=sa.text("state IN ('waiting', 'running')"),
        postgresql_where=sa.text("state IN ('waiting', 'running')"),
    )
    op.create_table(
        "companion_members",
        sa.Column("project_id", sa.Text(), nullable=False),
        sa.Column("person_id", sa.Text(), nullable=False),
        sa.Column("role", sa.Text(), nullable=False),
        sa.Column("main", sa.Integer(), nullable=False),
        sa.Column("since", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["project_id"], ["companion_projects.id"], name=op.f("fk_companion_members_project_id")
        ),
        sa.PrimaryKeyConstraint("project_id", "person_id", name=op.f("pk_companion_members")),
    )
    op.create_index("ix_companion_members_person_id", "companion_members", ["person_id"], unique=False)
    op.create_table(
        "companion_notes",
        sa.Column("project_id", sa.Text(), nullable=False),
        sa.Column("number", sa.BigInteger(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("author_kind", sa.Text(), nullable=False),
        sa.Column("author_name", sa.Text(), nullable=False),
        sa.Column("told_by", sa.Text(), nullable=True),
        sa.Column("session_id", sa.Text(), nullable=True),
        sa.Column("seq", sa.BigInteger(), nullable=True),
        sa.Column("turn_id", sa.Text(), nullable=True),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("changed_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["project_id"], ["companion_projects.id"], name=op.f("fk_companion_notes_project_id")
        ),
        sa.PrimaryKeyConstraint("project_id", "number", name=op.f("pk_companion_notes")),
    )
    op.create_index(
        "ix_companion_notes_session_id",
        "companion_notes",
        ["session_id"],
        unique=False,
        sqlite_where=sa.text("session_id IS NOT NULL"),
        postgresql_where=sa.text("session_id IS NOT NULL"),
    )
    op.create_index(
        "ix_companion_notes_state", "companion_notes", ["project_id", "state", "number"], unique=False
    )
    op.create_index(
        "ix_companion_notes_changed_at", "companion_notes", ["project_id", "changed_at"], unique=False
    )
    op.create_index("ix_companion_notes_told_by", "companion_notes", ["told_by"], unique=False)
    _take_over_records()


def _take_over_records() -> None:
    """Projects that were kept as records before there were tables for them are not lost."""
    conn = op.get_bind()
    kept = conn.execute(
        sa.text(
            "SELECT person_id, key, data, made_at FROM records WHERE kind = 'project' ORDER BY made_at, key"
        )
    ).all()
    taken: set[str] = set()
    for person_id, project_id, data, made_at in kept:
        if project_id in taken:  # made by hand: the ids that Softrail gives are nobody else's
            continue
        taken.add(project_id)
        told = json.loads(data)
        project = {
            "id": project_id,
            "name": str(told.get("name") or "Untitled"),
            "description": str(told.get("description") or ""),
            "repository": told.get("repository"),
            "at": made_at,
        }
        conn.execute(
            sa.text(
                "INSERT INTO companion_projects (id, name, description, repository, seed, created_at, next_note, "
                "notes_waiting, notes_saved, content_version, organised_at, organised_up_to) "
                "VALUES (:id, :name, :description, :repository, '{}', :at, 1, 0, 0, 1, NULL, 0)"
            ),
            project,
        )
        member = {
            "project": project_id,
            "person": person_id,
            "main": int(bool(told.get("main"))),
            "at": made_at,
        }
        conn.execute(
            sa.text(
                "INSERT INTO companion_members (project_id, person_id, role, main, since) "
                "VALUES (:project, :person, 'owner', :main, :at)"
            ),
            member,
        )
