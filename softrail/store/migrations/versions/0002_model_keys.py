"""People may have a key of their own to a language model; it is kept sealed."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """From 0001: nobody has one."""
    op.add_column("persons", sa.Column("model_key", sa.Text(), nullable=True))


def downgrade() -> None:
    """The keys are lost; their owners give them again."""
    op.drop_column("persons", "model_key")
