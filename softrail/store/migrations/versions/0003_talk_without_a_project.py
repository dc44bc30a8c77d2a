"""Turns without a project are found by person and time, however many there are."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """From 0002."""
    op.create_index(
        "ix_turns_without_project",
        "turns",
        ["person_id", "accepted_at"],
        unique=False,
        sqlite_where=sa.text("project_id IS NULL"),
        postgresql_where=sa.text("project_id IS NULL"),
    )


def downgrade() -> None:
    """They are looked for in sessions again."""
    op.drop_index("ix_turns_without_project", table_name="turns")
