"""Plans, their runs with their steps, and facts."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "plans_sessions",
        sa.Column("session_id", sa.Text(), nullable=False),
        sa.Column("person_id", sa.Text(), nullable=False),
        sa.Column("mode", sa.Text(), nullable=False),
        sa.Column("chosen", sa.Integer(), nullable=False),
        sa.Column("plan_id", sa.Text()),
        sa.Column("run_id", sa.Text()),
        sa.Column("queued", sa.Text()),
        sa.Column("later", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("session_id", name="pk_plans_sessions"),
    )
    op.create_index("ix_plans_sessions_person_id", "plans_sessions", ["person_id"])
    op.create_table(
        "plans_plans",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("session_id", sa.Text(), nullable=False),
        sa.Column("person_id", sa.Text(), nullable=False),
        sa.Column("root", sa.Text(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_plans_plans"),
    )
    op.create_index("ix_plans_plans_session_id", "plans_plans", ["session_id"])
    op.create_table(
        "plans_runs",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("plan_id", sa.Text(), nullable=False),
        sa.Column("session_id", sa.Text(), nullable=False),
        sa.Column("person_id", sa.Text(), nullable=False),
        sa.Column("mode", sa.Text(), nullable=False),
        sa.Column("fresh", sa.Integer(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("told", sa.Integer(), nullable=False),
        sa.Column("begun_at", sa.BigInteger(), nullable=False),
        sa.Column("ended_at", sa.BigInteger()),
        sa.PrimaryKeyConstraint("id", name="pk_plans_runs"),
    )
    op.create_index("ix_plans_runs_session_id", "plans_runs", ["session_id"])
    op.create_index("ix_plans_runs_told_state", "plans_runs", ["told", "state"])
    op.create_table(
        "plans_steps",
        sa.Column("run_id", sa.Text(), nullable=False),
        sa.Column("n", sa.Integer(), nullable=False),
        sa.Column("step_id", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("form", sa.Text(), nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("kept", sa.Integer(), nullable=False),
        sa.Column("error", sa.Text()),
        sa.PrimaryKeyConstraint("run_id", "step_id", name="pk_plans_steps"),
    )
    op.create_table(
        "plans_facts",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("session_id", sa.Text(), nullable=False),
        sa.Column("person_id", sa.Text(), nullable=False),
        sa.Column("root", sa.Text(), nullable=False),
        sa.Column("run_id", sa.Text()),
        sa.Column("step_id", sa.Text()),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.Column("unit", sa.Text(), nullable=False),
        sa.Column("type", sa.Text(), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("inputs", sa.Text(), nullable=False),
        sa.Column("turn_id", sa.Text()),
        sa.Column("made_at", sa.BigInteger(), nullable=False),
        sa.Column("replaced", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_plans_facts"),
    )
    op.create_index("ix_plans_facts_session_id_name", "plans_facts", ["session_id", "name"])
