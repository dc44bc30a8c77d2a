"""Wishes that a language model makes plans of."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the table; nothing was wished before."""
    op.create_table(
        "plans_wishes",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("session_id", sa.Text(), nullable=False),
        sa.Column("person_id", sa.Text(), nullable=False),
        sa.Column("message", sa.Text(), nullable=False),
        sa.Column("new", sa.Integer(), nullable=False),
        sa.Column("body", sa.Text()),
        sa.Column("trouble", sa.Text()),
        sa.Column("told", sa.Integer(), nullable=False),
        sa.Column("dropped", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_plans_wishes"),
    )
    op.create_index("ix_plans_wishes_session_id", "plans_wishes", ["session_id"])
    op.create_index("ix_plans_wishes_person_id", "plans_wishes", ["person_id"])
    op.create_index("ix_plans_wishes_told", "plans_wishes", ["told"])
