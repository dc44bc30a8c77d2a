"""What an access key may besides what its person may."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None
#: Older code knows of no rights, and gives none.
older_code_may_run = True


def upgrade() -> None:
    """From 0011: no key has any."""
    op.add_column("keys", sa.Column("rights", sa.Text(), nullable=True))


def downgrade() -> None:
    """An older version gives none."""
    op.drop_column("keys", "rights")
