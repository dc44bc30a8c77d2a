"""Runs of long work are claimed by the workers that drive them."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None
#: What it adds, older code does without: it may run on while workers are replaced one by one.
older_code_may_run = True


def upgrade() -> None:
    """From 0006: nothing is driven yet."""
    op.create_table(
        "claims",
        sa.Column(
            "fence", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), autoincrement=True, nullable=False
        ),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("run_id", sa.Text(), nullable=False),
        sa.Column("worker", sa.Text(), nullable=True),
        sa.Column("wakes", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("fence", name="pk_claims"),
        sa.UniqueConstraint("kind", "run_id", name="uq_claims_kind_run_id"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_claims_worker", "claims", ["worker"])


def downgrade() -> None:
    """Nobody drives anything."""
    op.drop_table("claims")
