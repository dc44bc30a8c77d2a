"""${message}."""

import sqlalchemy as sa
from alembic import op
${imports if imports else ""}
revision = ${repr(up_revision)}
down_revision = ${repr(down_revision)}
branch_labels = ${repr(branch_labels)}
depends_on = ${repr(depends_on)}
#: Whether code of the revision before may still run on a database that has this one.
older_code_may_run = False


def upgrade() -> None:
    """From the revision before to this one."""
    ${upgrades if upgrades else "pass"}


def downgrade() -> None:
    """Back to the revision before."""
    ${downgrades if downgrades else "pass"}
