"""An instance may wait for something outside, and do a part for another one."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None
#: What it adds, older code does without: it may run on while workers are replaced one by one.
older_code_may_run = True


def upgrade() -> None:
    """From 0005: nothing waits yet."""
    op.add_column("instances", sa.Column("memo", sa.Text(), nullable=True))


def downgrade() -> None:
    """What waits holds its session no longer, and is told nothing any more."""
    op.drop_column("instances", "memo")
