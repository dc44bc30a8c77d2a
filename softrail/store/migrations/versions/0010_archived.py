"""Old turns, packed."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None
#: Nothing is archived unless somebody asks for it. Until older workers are replaced they show a conversation
#: without its archived part; a session that they erase takes its archive along, for the database sees to that.
older_code_may_run = True


def upgrade() -> None:
    """From 0009: nothing is archived yet."""
    op.create_table(
        "archived",
        sa.Column("session_id", sa.Text(), nullable=False),
        sa.Column("first", sa.BigInteger(), nullable=False),
        sa.Column("last", sa.BigInteger(), nullable=False),
        sa.Column("until", sa.BigInteger(), nullable=False),
        sa.Column("turns", sa.LargeBinary(), nullable=False),
        sa.Column("decisions", sa.LargeBinary(), nullable=False),
        sa.Column("effects", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("session_id", "first", name="pk_archived"),
        sa.ForeignKeyConstraint(
            ["session_id"], ["sessions.id"], name="fk_archived_session_id", ondelete="CASCADE"
        ),
    )


def downgrade() -> None:
    """An older version has no place for them. Raises RuntimeError while anything is archived: it would be lost."""
    if op.get_bind().execute(sa.text("SELECT 1 FROM archived LIMIT 1")).first() is not None:
        raise RuntimeError(
            "Turns are archived in this database, and the older version cannot read them: it stays as it is."
        )
    op.drop_table("archived")
