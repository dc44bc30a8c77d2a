"""What is to be delivered is claimed by a worker, set aside in the end, and knows the instance that made it."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None
#: Older code delivers without claims: meanwhile something may be delivered twice, under the same key.
older_code_may_run = True

_NEW = ("instance_id", "claimed_by", "error")


def upgrade() -> None:
    """From 0004: nobody has anything in hand, and whatever waits gets all its tries."""
    for name in _NEW:
        op.add_column("effects", sa.Column(name, sa.Text(), nullable=True))
    op.add_column("effects", sa.Column("unreported", sa.Integer(), nullable=True))
    op.drop_index("ix_effects_waiting", table_name="effects")
    _index("ix_effects_waiting", ["kind", "next_at"], "status = 'waiting'")
    _index("ix_effects_failed", ["next_at"], "status = 'failed'")
    _index("ix_effects_unreported", ["next_at"], "unreported IS NOT NULL")
    op.execute("UPDATE effects SET tries = 0 WHERE status = 'waiting'")


def downgrade() -> None:
    """What was set aside is tried again, for ever."""
    op.execute("UPDATE effects SET status = 'waiting' WHERE status = 'failed'")
    for name in ("ix_effects_unreported", "ix_effects_failed", "ix_effects_waiting"):
        op.drop_index(name, table_name="effects")
    for name in (*_NEW, "unreported"):
        op.drop_column("effects", name)
    _index("ix_effects_waiting", ["next_at"], "status = 'waiting'")


def _index(name: str, columns: list[str], where: str) -> None:
    op.create_index(
        name,
        "effects",
        columns,
        unique=False,
        sqlite_where=sa.text(where),
        postgresql_where=sa.text(where),
    )
