"""A project can be put aside, and brought back."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """When it was put aside; none of those there are was."""
    op.add_column("companion_projects", sa.Column("archived_at", sa.BigInteger(), nullable=True))
