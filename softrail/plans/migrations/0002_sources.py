"""Attached files with their bytes, files that steps make, and what of them facts rest on."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the tables; facts that are there rest on no data."""
    op.create_table(
        "plans_sources",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("session_id", sa.Text(), nullable=False),
        sa.Column("person_id", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("format", sa.Text(), nullable=False),
        sa.Column("sha256", sa.Text(), nullable=False),
        sa.Column("bytes", sa.BigInteger(), nullable=False),
        sa.Column("tables", sa.Text()),
        sa.Column("made_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_plans_sources"),
    )
    op.create_index("ix_plans_sources_session_id", "plans_sources", ["session_id"])
    op.create_index("ix_plans_sources_person_id", "plans_sources", ["person_id"])
    op.create_table(
        "plans_source_pieces",
        sa.Column("source_id", sa.Text(), nullable=False),
        sa.Column("part", sa.Integer(), nullable=False),
        sa.Column("n", sa.Integer(), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("source_id", "part", "n", name="pk_plans_source_pieces"),
    )
    op.create_table(
        "plans_files",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("session_id", sa.Text(), nullable=False),
        sa.Column("person_id", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("sha256", sa.Text(), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.Column("made_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_plans_files"),
    )
    op.create_index("ix_plans_files_session_id", "plans_files", ["session_id"])
    op.create_index("ix_plans_files_person_id", "plans_files", ["person_id"])
    op.add_column("plans_facts", sa.Column("evidence", sa.Text()))
    op.add_column("plans_facts", sa.Column("ref", sa.Text()))
