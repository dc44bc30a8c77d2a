"""A person may be asked for several parts of other people's processes in one session."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None
#: What it adds, older code does without: it may run on while workers are replaced one by one.
older_code_may_run = True

OFFERED = "state = 'offered'"
ONE_OFFERED = "state = 'offered' AND asked IS NULL"
ASKED = "asked IS NOT NULL"


def upgrade() -> None:
    """From 0007: nobody is asked for anything yet."""
    op.add_column("instances", sa.Column("asked", sa.Integer(), nullable=True))
    _replace(OFFERED, ONE_OFFERED)
    op.create_index(
        "ix_instances_asked",
        "instances",
        ["person_id"],
        sqlite_where=sa.text(ASKED),
        postgresql_where=sa.text(ASKED),
    )


def downgrade() -> None:
    """What people are asked for is not kept: an older version would offer one and forget the others."""
    op.execute("UPDATE instances SET state = 'lapsed' WHERE state = 'offered' AND asked IS NOT NULL")
    op.drop_index(
        "ix_instances_asked",
        table_name="instances",
        sqlite_where=sa.text(ASKED),
        postgresql_where=sa.text(ASKED),
    )
    _replace(ONE_OFFERED, OFFERED)
    op.drop_column("instances", "asked")


def _replace(before: str, after: str) -> None:
    where = sa.text(before)
    op.drop_index("uq_instances_offered", table_name="instances", sqlite_where=where, postgresql_where=where)
    where = sa.text(after)
    op.create_index(
        "uq_instances_offered",
        "instances",
        ["session_id"],
        unique=True,
        sqlite_where=where,
        postgresql_where=where,
    )
