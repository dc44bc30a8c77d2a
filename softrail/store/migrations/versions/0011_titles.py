"""What a person calls a session."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None
#: Older code neither reads nor writes it, and what it saves of a session leaves it as it is.
older_code_may_run = True


def upgrade() -> None:
    """From 0010: every session is called by its first words."""
    op.add_column("sessions", sa.Column("title", sa.Text(), nullable=True))


def downgrade() -> None:
    """An older version calls no session anything."""
    op.drop_column("sessions", "title")
