"""The tables of planning. Times, JSON and names follow the store's customs."""

from typing import Final

from sqlalchemy import (
    BigInteger,
    Column,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    PrimaryKeyConstraint,
    Table,
    Text,
)

from softrail.plugin import CONVENTION

#: The newest revision in `migrations`; a test compares.
HEAD: Final = "0004"

metadata = MetaData(naming_convention=CONVENTION)

#: One row for each conversation in which something was planned.
sessions = Table(
    "plans_sessions",
    metadata,
    Column("session_id", Text, primary_key=True),
    Column("person_id", Text, nullable=False),
    Column("mode", Text, nullable=False),
    Column("chosen", Integer, nullable=False),  # 0 or 1: the mode was chosen or told already
    Column("plan_id", Text),  # the plan that is talked about
    Column("run_id", Text),  # its newest run
    Column("queued", Text),  # the plan that comes next, as JSON
    Column("later", Text, nullable=False),  # what is to be done after the run, as a JSON list
    Index("ix_plans_sessions_person_id", "person_id"),
)

plans = Table(
    "plans_plans",
    metadata,
    Column("id", Text, primary_key=True),
    Column("session_id", Text, nullable=False),
    Column("person_id", Text, nullable=False),
    Column("root", Text, nullable=False),  # the first plan that it is a revision of, or itself
    Column("body", Text, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Index("ix_plans_plans_session_id", "session_id"),
)

#: A run's row is locked by whoever moves it: a turn that cancels, or the worker that drives it.
runs = Table(
    "plans_runs",
    metadata,
    Column("id", Text, primary_key=True),
    Column("plan_id", Text, nullable=False),
    Column("session_id", Text, nullable=False),
    Column("person_id", Text, nullable=False),
    Column("mode", Text, nullable=False),
    Column("fresh", Integer, nullable=False),  # 0 or 1: nothing that is kept is used again
    Column("state", Text, nullable=False),  # running, done, failed or cancelled
    Column("told", Integer, nullable=False),  # 0 or 1: the conversation knows how it ended
    Column("begun_at", BigInteger, nullable=False),
    Column("ended_at", BigInteger),
    Column("proof", Text),  # where the proof of what it found is downloaded
    Index("ix_plans_runs_session_id", "session_id"),
    Index("ix_plans_runs_told_state", "told", "state"),
)

steps = Table(
    "plans_steps",
    metadata,
    Column("run_id", Text, nullable=False),
    Column("n", Integer, nullable=False),
    Column("step_id", Text, nullable=False),
    Column("state", Text, nullable=False),  # waiting, running, done, failed or cancelled
    Column("form", Text, nullable=False),  # of its action when the plan was agreed to
    Column("tries", Integer, nullable=False),
    Column("kept", Integer, nullable=False),  # 0 or 1: its fact was there, and nothing was done
    Column("error", Text),
    PrimaryKeyConstraint("run_id", "step_id"),
)

facts = Table(
    "plans_facts",
    metadata,
    Column("id", Text, primary_key=True),
    Column("session_id", Text, nullable=False),
    Column("person_id", Text, nullable=False),
    Column("root", Text, nullable=False),  # of the plan it was found for
    Column("run_id", Text),
    Column("step_id", Text),
    Column("name", Text, nullable=False),
    Column("value", Text, nullable=False),  # as JSON
    Column("unit", Text, nullable=False),
    Column("type", Text, nullable=False),
    Column("source", Text, nullable=False),  # the same for what was found in the same way from the same
    Column("inputs", Text, nullable=False),  # the facts it was made from, by name, as JSON
    Column("turn_id", Text),  # the turn in which the person said so
    Column("evidence", Text),  # the data it was found in, and the query, as JSON
    Column("ref", Text),  # where its file is downloaded
    Column("made_at", BigInteger, nullable=False),
    Column("replaced", Integer, nullable=False),  # 0 or 1: a newer one has its place
    Index("ix_plans_facts_session_id_name", "session_id", "name"),
)

#: What was wished in words that do not bind: a language model makes a plan of it outside the turn.
wishes = Table(
    "plans_wishes",
    metadata,
    Column("id", Text, primary_key=True),
    Column("session_id", Text, nullable=False),
    Column("person_id", Text, nullable=False),
    Column("message", Text, nullable=False),
    Column("new", Integer, nullable=False),  # 0 or 1: it is no change of the plan that is there
    Column("body", Text),  # the plan, as JSON
    Column("trouble", Text),  # why there is none; "": no model could be asked
    Column("told", Integer, nullable=False),  # 0 or 1: the conversation knows what came of it
    Column("dropped", Integer, nullable=False),  # 0 or 1: it is not wanted any more, or shown already
    Column("created_at", BigInteger, nullable=False),
    Index("ix_plans_wishes_session_id", "session_id"),
    Index("ix_plans_wishes_person_id", "person_id"),
    Index("ix_plans_wishes_told", "told"),
)

#: One row for each attached file. It can be seen once `tables` is there.
sources = Table(
    "plans_sources",
    metadata,
    Column("id", Text, primary_key=True),
    Column("session_id", Text, nullable=False),
    Column("person_id", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("format", Text, nullable=False),
    Column("sha256", Text, nullable=False),
    Column("bytes", BigInteger, nullable=False),
    Column("tables", Text),  # what is known of them, as JSON
    Column("made_at", BigInteger, nullable=False),
    Index("ix_plans_sources_session_id", "session_id"),
    Index("ix_plans_sources_person_id", "person_id"),
)

#: Bytes, so that nobody holds them as a whole: part 0 is the file as it came, part 1 its first table as it was read …
source_pieces = Table(
    "plans_source_pieces",
    metadata,
    Column("source_id", Text, nullable=False),
    Column("part", Integer, nullable=False),
    Column("n", Integer, nullable=False),
    Column("content", LargeBinary, nullable=False),
    PrimaryKeyConstraint("source_id", "part", "n"),
)

#: Charts and tables that steps made, where the conversation has no project that would keep them.
files = Table(
    "plans_files",
    metadata,
    Column("id", Text, primary_key=True),
    Column("session_id", Text, nullable=False),
    Column("person_id", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("sha256", Text, nullable=False),
    Column("content", LargeBinary, nullable=False),
    Column("made_at", BigInteger, nullable=False),
    Index("ix_plans_files_session_id", "session_id"),
    Index("ix_plans_files_person_id", "person_id"),
)
