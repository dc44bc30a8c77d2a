"""When an effect was delivered."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None
# On PostgreSQL the index is built in one scan of the table, in which nothing can be delivered: seconds for millions of rows.
#: Older code neither reads nor writes it: of what it delivers nobody knows when.
older_code_may_run = True


def upgrade() -> None:
    """From 0012: of what was delivered before nobody knows when."""
    op.add_column("effects", sa.Column("delivered_at", sa.BigInteger(), nullable=True))
    own = sa.text("seq = 0")
    op.create_index("ix_effects_of_no_turn", "effects", ["person_id"], sqlite_where=own, postgresql_where=own)


def downgrade() -> None:
    """An older version does not keep it."""
    op.drop_index("ix_effects_of_no_turn", "effects")
    op.drop_column("effects", "delivered_at")
