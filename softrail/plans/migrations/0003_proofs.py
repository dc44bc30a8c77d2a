"""Where the proof of a run is."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add it; runs that are over have no proof."""
    op.add_column("plans_runs", sa.Column("proof", sa.Text()))
