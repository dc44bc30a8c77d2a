"""A turn knows which processes began it, and the database as a whole has facts of its own."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None
#: What it adds, older code does without: it may run on while workers are replaced one by one.
older_code_may_run = True


def upgrade() -> None:
    """From 0003: of turns that wait nobody knows who began them, and that counts for nothing."""
    op.add_column("turns", sa.Column("begun_by", sa.Text(), nullable=True))
    op.create_table(
        "facts",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("name"),
    )
    op.execute("INSERT INTO facts (name, value) SELECT 'keyed', 'yes' WHERE EXISTS (SELECT 1 FROM keys)")


def downgrade() -> None:
    """Every start counts again."""
    op.drop_table("facts")
    op.drop_column("turns", "begun_by")
