"""The tables of the store.

Times are whole microseconds since 1970 in UTC: they compare and round-trip alike on every database. JSON is
kept as the text it was given, so that a reply is the same bytes at every retry. No column has a default made
by the database, but for the fences of claims, which it counts.
"""

from sqlalchemy import (
    BigInteger,
    Column,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    PrimaryKeyConstraint,
    Table,
    Text,
    UniqueConstraint,
    text,
)

#: How what has no name of its own is named; tables that plugins bring along may follow it.
CONVENTION = {
    "ix": "ix_%(column_0_N_label)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s",
    "pk": "pk_%(table_name)s",
}
metadata = MetaData(naming_convention=CONVENTION)

persons = Table(
    "persons",
    metadata,
    Column("id", Text, primary_key=True),
    Column("email", Text, nullable=False),
    Column("display_name", Text),
    Column("timezone", Text, nullable=False),
    Column("locale", Text, nullable=False),
    Column("companion_name", Text),
    Column("created_at", BigInteger, nullable=False),
    Column("model_key", Text),  # sealed: the database alone cannot tell what it is
    UniqueConstraint("email"),
)

keys = Table(
    "keys",
    metadata,
    Column("id", Text, primary_key=True),
    Column("person_id", Text, ForeignKey("persons.id"), nullable=False),
    Column("name", Text, nullable=False),
    Column("hash", Text, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("revoked_at", BigInteger),
    Column("rights", Text),  # with spaces between them
    UniqueConstraint("hash"),
    Index("ix_keys_person_id", "person_id"),
)

workers = Table(
    "workers",
    metadata,
    Column("id", Text, primary_key=True),
    Column("beat", BigInteger, nullable=False),
)

claims = Table(  # on runs of long work; a row ends when there is nothing left to do
    "claims",
    metadata,
    # Given by the database and never twice: the next claim of a run has a higher one, also when the row is gone.
    Column("fence", BigInteger().with_variant(Integer(), "sqlite"), primary_key=True, autoincrement=True),
    Column("kind", Text, nullable=False),
    Column("run_id", Text, nullable=False),
    Column("worker", Text),
    Column("wakes", Integer, nullable=False),
    UniqueConstraint("kind", "run_id"),
    Index("ix_claims_worker", "worker"),
    sqlite_autoincrement=True,
)

facts = Table(  # about the database as a whole
    "facts",
    metadata,
    Column("name", Text, primary_key=True),
    Column("value", Text, nullable=False),
)

sessions = Table(
    "sessions",
    metadata,
    Column("id", Text, primary_key=True),
    Column("person_id", Text, ForeignKey("persons.id"), nullable=False),
    Column("rev", BigInteger, nullable=False),
    Column("next_seq", BigInteger, nullable=False),
    Column("holder", Text),
    Column("fence", BigInteger, nullable=False),
    Column("waiting", Integer, nullable=False),  # accepted turns, counted in the transactions that change it
    Column("pending", Text),
    Column("memo", Text, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("last_turn_at", BigInteger),
    Column("title", Text),  # as its person calls it; no part of what turns are computed from
)
Index("ix_sessions_person_id_created_at", sessions.c.person_id, sessions.c.created_at)
Index(
    "ix_sessions_holder",
    sessions.c.holder,
    sqlite_where=text("holder IS NOT NULL"),
    postgresql_where=text("holder IS NOT NULL"),
)
Index(
    "ix_sessions_waiting",
    sessions.c.waiting,
    sqlite_where=text("waiting > 0"),
    postgresql_where=text("waiting > 0"),
)

turns = Table(
    "turns",
    metadata,
    Column("session_id", Text, ForeignKey("sessions.id"), nullable=False),
    Column("seq", BigInteger, nullable=False),
    Column("person_id", Text, nullable=False),
    Column("turn_id", Text, nullable=False),
    Column("hash", Text, nullable=False),
    Column("request", Text),
    Column("origin", Text, nullable=False),
    Column("status", Text, nullable=False),
    Column("starts", Integer, nullable=False),
    Column("accepted_at", BigInteger, nullable=False),
    Column("replied_at", BigInteger),
    Column("reply", Text),
    Column("intent", Text),
    Column("process", Text),
    Column("project_id", Text),
    Column("begun_by", Text),  # processes, with spaces between them
    PrimaryKeyConstraint("session_id", "seq"),
    UniqueConstraint("turn_id", "person_id"),  # the turn id first: it is looked up alone as well
)
Index(
    "ix_turns_accepted",
    turns.c.session_id,
    turns.c.seq,
    sqlite_where=text("status = 'accepted'"),
    postgresql_where=text("status = 'accepted'"),
)
Index(
    "ix_turns_project",
    turns.c.person_id,
    turns.c.project_id,
    turns.c.accepted_at,
    sqlite_where=text("project_id IS NOT NULL"),
    postgresql_where=text("project_id IS NOT NULL"),
)
Index(
    "ix_turns_without_project",
    turns.c.person_id,
    turns.c.accepted_at,
    sqlite_where=text("project_id IS NULL"),
    postgresql_where=text("project_id IS NULL"),
)

instances = Table(
    "instances",
    metadata,
    Column("id", Text, primary_key=True),
    Column("person_id", Text, nullable=False),
    Column("session_id", Text, ForeignKey("sessions.id"), nullable=False),
    Column("process", Text, nullable=False),
    Column("version", Integer, nullable=False),
    Column("slot", Text, nullable=False),
    Column("step", Text, nullable=False),
    Column("state", Text),
    Column("holds", Integer, nullable=False),  # 0 or 1
    Column("covers", Text),
    Column("data", Text, nullable=False),
    Column("question", Text),
    Column("failures", Integer, nullable=False),
    Column("due_at", BigInteger),
    Column("due_kind", Text),
    Column("moves", Integer, nullable=False),
    Column("moved_at", BigInteger),
    Column("handled_at", BigInteger),
    Column("offered_back", Integer, nullable=False),  # 0 or 1
    Column("rev", BigInteger, nullable=False),
    Column("memo", Text),  # what it waits for besides an answer, as JSON
    Column("asked", Integer),  # 1: a part that another person's process asked for
)
Index("ix_instances_session_id_state", instances.c.session_id, instances.c.state)
Index("ix_instances_process", instances.c.process)
Index("ix_instances_person_id_state", instances.c.person_id, instances.c.state)
Index(
    "ix_instances_due_at",
    instances.c.due_at,
    sqlite_where=text("due_at IS NOT NULL"),
    postgresql_where=text("due_at IS NOT NULL"),
)
Index(
    "uq_instances_holder",
    instances.c.session_id,
    unique=True,
    sqlite_where=text("holds = 1"),
    postgresql_where=text("holds = 1"),
)
Index(
    "uq_instances_offered",
    instances.c.session_id,
    unique=True,
    sqlite_where=text("state = 'offered' AND asked IS NULL"),
    postgresql_where=text("state = 'offered' AND asked IS NULL"),
)
Index(
    "ix_instances_asked",
    instances.c.person_id,
    sqlite_where=text("asked IS NOT NULL"),
    postgresql_where=text("asked IS NOT NULL"),
)
Index(
    "uq_instances_suspended",
    instances.c.person_id,
    instances.c.process,
    instances.c.slot,
    unique=True,
    sqlite_where=text("state = 'suspended'"),
    postgresql_where=text("state = 'suspended'"),
)

transitions = Table(
    "transitions",
    metadata,
    Column("instance_id", Text, nullable=False),
    Column("n", Integer, nullable=False),
    Column("trigger", Text, nullable=False),
    Column("source", Text),
    Column("dest", Text, nullable=False),
    Column("reason", Text, nullable=False),
    Column("session_id", Text, nullable=False),
    Column("seq", BigInteger),
    Column("at", BigInteger, nullable=False),
    Column("process", Text, nullable=False),
    Column("step", Text, nullable=False),
    PrimaryKeyConstraint("instance_id", "n"),
)

effects = Table(
    "effects",
    metadata,
    Column("session_id", Text, nullable=False),
    Column("seq", BigInteger, nullable=False),
    Column("n", Integer, nullable=False),
    Column("person_id", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("payload", Text, nullable=False),
    Column("summary", Text, nullable=False),
    Column("ref", Text),
    Column("status", Text, nullable=False),  # applied, waiting, delivered, failed
    Column("tries", Integer, nullable=False),
    Column("next_at", BigInteger),
    Column("instance_id", Text),
    Column("claimed_by", Text),  # a worker; free when that is not registered any more
    Column("error", Text),
    Column("unreported", Integer),  # while its instance is still to be told: how often that has failed
    Column("delivered_at", BigInteger),
    PrimaryKeyConstraint("session_id", "seq", "n"),
)
Index(
    "ix_effects_waiting",
    effects.c.kind,
    effects.c.next_at,
    sqlite_where=text("status = 'waiting'"),
    postgresql_where=text("status = 'waiting'"),
)
OF_NO_TURN = text("effects.seq = 0")  # in full: only so does a database see that the next index will do
Index(
    "ix_effects_of_no_turn",
    effects.c.person_id,
    sqlite_where=text("seq = 0"),
    postgresql_where=text("seq = 0"),
)
Index(
    "ix_effects_failed",
    effects.c.next_at,
    sqlite_where=text("status = 'failed'"),
    postgresql_where=text("status = 'failed'"),
)
Index(
    "ix_effects_unreported",
    effects.c.next_at,
    sqlite_where=text("unreported IS NOT NULL"),
    postgresql_where=text("unreported IS NOT NULL"),
)

records = Table(
    "records",
    metadata,
    Column("person_id", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("key", Text, nullable=False),
    Column("data", Text, nullable=False),
    Column("session_id", Text, nullable=False),
    Column("seq", BigInteger, nullable=False),
    Column("made_at", BigInteger, nullable=False),  # when the key was first saved: the order of a listing
    PrimaryKeyConstraint("person_id", "kind", "key"),
)

decisions = Table(
    "decisions",
    metadata,
    Column("session_id", Text, nullable=False),
    Column("seq", BigInteger, nullable=False),
    Column("body", Text, nullable=False),
    PrimaryKeyConstraint("session_id", "seq"),
    ForeignKeyConstraint(["session_id", "seq"], ["turns.session_id", "turns.seq"]),
)

attachments = Table(  # files that people sent into a session
    "attachments",
    metadata,
    Column("id", Text, primary_key=True),
    Column("person_id", Text, nullable=False),
    Column("session_id", Text, ForeignKey("sessions.id", ondelete="CASCADE"), nullable=False),
    Column("name", Text, nullable=False),
    Column("media_type", Text, nullable=False),
    Column("size", BigInteger),  # NULL: it is coming in
    Column("created_at", BigInteger, nullable=False),
    Index("ix_attachments_session_id", "session_id", "created_at", "id"),
)
Index(
    "ix_attachments_coming_in",
    attachments.c.created_at,
    sqlite_where=text("size IS NULL"),
    postgresql_where=text("size IS NULL"),
)

attachment_pieces = Table(
    "attachment_pieces",
    metadata,
    Column("attachment_id", Text, ForeignKey("attachments.id", ondelete="CASCADE"), nullable=False),
    Column("n", Integer, nullable=False),
    Column("content", LargeBinary, nullable=False),
    PrimaryKeyConstraint("attachment_id", "n"),
)

archived = Table(  # turns that were answered long ago, many to a row: see `archiving`
    "archived",
    metadata,
    Column("session_id", Text, ForeignKey("sessions.id", ondelete="CASCADE"), nullable=False),
    Column("first", BigInteger, nullable=False),  # the lowest and highest `seq` of its turns
    Column("last", BigInteger, nullable=False),
    Column("until", BigInteger, nullable=False),  # when the last of them was answered
    Column("turns", LargeBinary, nullable=False),
    Column("decisions", LargeBinary, nullable=False),
    Column("effects", LargeBinary, nullable=False),
    PrimaryKeyConstraint("session_id", "first"),
)
