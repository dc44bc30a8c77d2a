"""Large content lies in pieces; what was kept before stays as it is, in one."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """A table of pieces, and how many of them there are."""
    op.create_table(
        "companion_blob_pieces",
        sa.Column("sha256", sa.Text(), nullable=False),
        sa.Column("n", sa.Integer(), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("sha256", "n", name=op.f("pk_companion_blob_pieces")),
    )
    op.add_column("companion_blobs", sa.Column("pieces", sa.Integer(), server_default="0", nullable=False))
