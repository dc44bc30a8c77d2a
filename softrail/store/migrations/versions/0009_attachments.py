"""Files that people send into a session."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None
#: What it adds, older code does without: it may run on while workers are replaced one by one. A session that
#: it erases takes its files along, since the database sees to that by itself.
older_code_may_run = True

COMING_IN = "size IS NULL"


def upgrade() -> None:
    """From 0008: nobody has sent a file yet."""
    op.create_table(
        "attachments",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("person_id", sa.Text(), nullable=False),
        sa.Column("session_id", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("media_type", sa.Text(), nullable=False),
        sa.Column("size", sa.BigInteger(), nullable=True),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_attachments"),
        sa.ForeignKeyConstraint(
            ["session_id"], ["sessions.id"], name="fk_attachments_session_id", ondelete="CASCADE"
        ),
    )
    op.create_index("ix_attachments_session_id", "attachments", ["session_id", "created_at", "id"])
    op.create_index(
        "ix_attachments_coming_in",
        "attachments",
        ["created_at"],
        sqlite_where=sa.text(COMING_IN),
        postgresql_where=sa.text(COMING_IN),
    )
    op.create_table(
        "attachment_pieces",
        sa.Column("attachment_id", sa.Text(), nullable=False),
        sa.Column("n", sa.Integer(), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("attachment_id", "n", name="pk_attachment_pieces"),
        sa.ForeignKeyConstraint(
            ["attachment_id"],
            ["attachments.id"],
            name="fk_attachment_pieces_attachment_id",
            ondelete="CASCADE",
        ),
    )


def downgrade() -> None:
    """An older version has no place for files."""
    op.drop_table("attachment_pieces")
    op.drop_table("attachments")
