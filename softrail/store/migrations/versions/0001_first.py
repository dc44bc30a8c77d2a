"""The first schema."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """From an empty database."""
    op.create_table(
        "effects",
        sa.Column("session_id", sa.Text(), nullable=False),
        sa.Column("seq", sa.BigInteger(), nullable=False),
        sa.Column("n", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("payload", sa.Text(), nullable=False),
        sa.Column("summary", sa.Text(), nullable=False),
        sa.Column("ref", sa.Text(), nullable=True),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("next_at", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("session_id", "seq", "n", name=op.f("pk_effects")),
    )
    op.create_index(
        "ix_effects_waiting",
        "effects",
        ["next_at"],
        unique=False,
        sqlite_where=sa.text("status = 'waiting'"),
        postgresql_where=sa.text("status = 'waiting'"),
    )
    op.create_table(
        "persons",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("email", sa.Text(), nullable=False),
        sa.Column("display_name", sa.Text(), nullable=True),
        sa.Column("timezone", sa.Text(), nullable=False),
        sa.Column("locale", sa.Text(), nullable=False),
        sa.Column("companion_name", sa.Text(), nullable=True),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_persons")),
        sa.UniqueConstraint("email", name=op.f("uq_persons_email")),
    )
    op.create_table(
        "records",
        sa.Column("person_id", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("data", sa.Text(), nullable=False),
        sa.Column("session_id", sa.Text(), nullable=False),
        sa.Column("seq", sa.BigInteger(), nullable=False),
        sa.Column("made_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("person_id", "kind", "key", name=op.f("pk_records")),
    )
    op.create_table(
        "transitions",
        sa.Column("instance_id", sa.Text(), nullable=False),
        sa.Column("n", sa.Integer(), nullable=False),
        sa.Column("trigger", sa.Text(), nullable=False),
        sa.Column("source", sa.Text(), nullable=True),
        sa.Column("dest", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("session_id", sa.Text(), nullable=False),
        sa.Column("seq", sa.BigInteger(), nullable=True),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("process", sa.Text(), nullable=False),
        sa.Column("step", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("instance_id", "n", name=op.f("pk_transitions")),
    )
    op.create_table(
        "workers",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("beat", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_workers")),
    )
    op.create_table(
        "keys",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("person_id", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("hash", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("revoked_at", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["person_id"], ["persons.id"], name=op.f("fk_keys_person_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_keys")),
        sa.UniqueConstraint("hash", name=op.f("uq_keys_hash")),
    )
    op.create_index("ix_keys_person_id", "keys", ["person_id"], unique=False)
    op.create_table(
        "sessions",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("person_id", sa.Text(), nullable=False),
        sa.Column("rev", sa.BigInteger(), nullable=False),
        sa.Column("next_seq", sa.BigInteger(), nullable=False),
        sa.Column("holder", sa.Text(), nullable=True),
        sa.Column("fence", sa.BigInteger(), nullable=False),
        sa.Column("waiting", sa.Integer(), nullable=False),
        sa.Column("pending", sa.Text(), nullable=True),
        sa.Column("memo", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("last_turn_at", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["person_id"], ["persons.id"], name=op.f("fk_sessions_person_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sessions")),
    )
    op.create_index(
        "ix_sessions_holder",
        "sessions",
        ["holder"],
        unique=False,
        sqlite_where=sa.text("holder IS NOT NULL"),
        postgresql_where=sa.text("holder IS NOT NULL"),
    )
    op.create_index("ix_sessions_person_id_created_at", "sessions", ["person_id", "created_at"], unique=False)
    op.create_index(
        "ix_sessions_waiting",
        "sessions",
        ["waiting"],
        unique=False,
        sqlite_where=sa.text("waiting > 0"),
        postgresql_where=sa.text("waiting > 0"),
    )
    op.create_table(
        "instances",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("person_id", sa.Text(), nullable=False),
        sa.Column("session_id", sa.Text(), nullable=False),
        sa.Column("process", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("slot", sa.Text(), nullable=False),
        sa.Column("step", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=True),
        sa.Column("holds", sa.Integer(), nullable=False),
        sa.Column("covers", sa.Text(), nullable=True),
        sa.Column("data", sa.Text(), nullable=False),
        sa.Column("question", sa.Text(), nullable=True),
        sa.Column("failures", sa.Integer(), nullable=False),
        sa.Column("due_at", sa.BigInteger(), nullable=True),
        sa.Column("due_kind", sa.Text(), nullable=True),
        sa.Column("moves", sa.Integer(), nullable=False),
        sa.Column("moved_at", sa.BigInteger(), nullable=True),
        sa.Column("handled_at", sa.BigInteger(), nullable=True),
        sa.Column("offered_back", sa.Integer(), nullable=False),
        sa.Column("rev", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["session_id"], ["sessions.id"], name=op.f("fk_instances_session_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_instances")),
    )
    op.create_index(
        "ix_instances_due_at",
        "instances",
        ["due_at"],
        unique=False,
        sqlite_where=sa.text("due_at IS NOT NULL"),
        postgresql_where=sa.text("due_at IS NOT NULL"),
    )
    op.create_index("ix_instances_person_id_state", "instances", ["person_id", "state"], unique=False)
    op.create_index("ix_instances_process", "instances", ["process"], unique=False)
    op.create_index("ix_instances_session_id_state", "instances", ["session_id", "state"], unique=False)
    op.create_index(
        "uq_instances_holder",
        "instances",
        ["session_id"],
        unique=True,
        sqlite_where=sa.text("holds = 1"),
        postgresql_where=sa.text("holds = 1"),
    )
    op.create_index(
        "uq_instances_offered",
        "instances",
        ["session_id"],
        unique=True,
        sqlite_where=sa.text("state = 'offered'"),
        postgresql_where=sa.text("state = 'offered'"),
    )
    op.create_index(
        "uq_instances_suspended",
        "instances",
        ["person_id", "process", "slot"],
        unique=True,
        sqlite_where=sa.text("state = 'suspended'"),
        postgresql_where=sa.text("state = 'suspended'"),
    )
    op.create_table(
        "turns",
        sa.Column("session_id", sa.Text(), nullable=False),
        sa.Column("seq", sa.BigInteger(), nullable=False),
        sa.Column("person_id", sa.Text(), nullable=False),
        sa.Column("turn_id", sa.Text(), nullable=False),
        sa.Column("hash", sa.Text(), nullable=False),
        sa.Column("request", sa.Text(), nullable=True),
        sa.Column("origin", sa.Text(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("starts", sa.Integer(), nullable=False),
        sa.Column("accepted_at", sa.BigInteger(), nullable=False),
        sa.Column("replied_at", sa.BigInteger(), nullable=True),
        sa.Column("reply", sa.Text(), nullable=True),
        sa.Column("intent", sa.Text(), nullable=True),
        sa.Column("process", sa.Text(), nullable=True),
        sa.Column("project_id", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["session_id"], ["sessions.id"], name=op.f("fk_turns_session_id")),
        sa.PrimaryKeyConstraint("session_id", "seq", name=op.f("pk_turns")),
        sa.UniqueConstraint("turn_id", "person_id", name=op.f("uq_turns_turn_id_person_id")),
    )
    op.create_index(
        "ix_turns_accepted",
        "turns",
        ["session_id", "seq"],
        unique=False,
        sqlite_where=sa.text("status = 'accepted'"),
        postgresql_where=sa.text("status = 'accepted'"),
    )
    op.create_index(
        "ix_turns_project",
        "turns",
        ["person_id", "project_id", "accepted_at"],
        unique=False,
        sqlite_where=sa.text("project_id IS NOT NULL"),
        postgresql_where=sa.text("project_id IS NOT NULL"),
    )
    op.create_table(
        "decisions",
        sa.Column("session_id", sa.Text(), nullable=False),
        sa.Column("seq", sa.BigInteger(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["session_id", "seq"], ["turns.session_id", "turns.seq"], name=op.f("fk_decisions_session_id_seq")
        ),
        sa.PrimaryKeyConstraint("session_id", "seq", name=op.f("pk_decisions")),
    )


def downgrade() -> None:
    """Back to an empty database: everything is lost."""
    op.drop_table("decisions")
    op.drop_index(
        "ix_turns_project",
        table_name="turns",
        sqlite_where=sa.text("project_id IS NOT NULL"),
        postgresql_where=sa.text("project_id IS NOT NULL"),
    )
    op.drop_index(
        "ix_turns_accepted",
        table_name="turns",
        sqlite_where=sa.text("status = 'accepted'"),
        postgresql_where=sa.text("status = 'accepted'"),
    )
    op.drop_table("turns")
    op.drop_index(
        "uq_instances_suspended",
        table_name="instances",
        sqlite_where=sa.text("state = 'suspended'"),
        postgresql_where=sa.text("state = 'suspended'"),
    )
    op.drop_index(
        "uq_instances_offered",
        table_name="instances",
        sqlite_where=sa.text("state = 'offered'"),
        postgresql_where=sa.text("state = 'offered'"),
    )
    op.drop_index(
        "uq_instances_holder",
        table_name="instances",
        sqlite_where=sa.text("holds = 1"),
        postgresql_where=sa.text("holds = 1"),
    )
    op.drop_index("ix_instances_session_id_state", table_name="instances")
    op.drop_index("ix_instances_process", table_name="instances")
    op.drop_index("ix_instances_person_id_state", table_name="instances")
    op.drop_index(
        "ix_instances_due_at",
        table_name="instances",
        sqlite_where=sa.text("due_at IS NOT NULL"),
        postgresql_where=sa.text("due_at IS NOT NULL"),
    )
    op.drop_table("instances")
    op.drop_index(
        "ix_sessions_waiting",
        table_name="sessions",
        sqlite_where=sa.text("waiting > 0"),
        postgresql_where=sa.text("waiting > 0"),
    )
    op.drop_index("ix_sessions_person_id_created_at", table_name="sessions")
    op.drop_index(
        "ix_sessions_holder",
        table_name="sessions",
        sqlite_where=sa.text("holder IS NOT NULL"),
        postgresql_where=sa.text("holder IS NOT NULL"),
    )
    op.drop_table("sessions")
    op.drop_index("ix_keys_person_id", table_name="keys")
    op.drop_table("keys")
    op.drop_table("workers")
    op.drop_table("transitions")
    op.drop_table("records")
    op.drop_table("persons")
    op.drop_index(
        "ix_effects_waiting",
        table_name="effects",
        sqlite_where=sa.text("status = 'waiting'"),
        postgresql_where=sa.text("status = 'waiting'"),
    )
    op.drop_table("effects")
