"""Keeps what is true: people, sessions, turns, instances, their transitions, effects and decisions.

The store is written once, as plain functions over an SQLAlchemy connection, and run by three runners: one
writer thread over a SQLite file, a pool over PostgreSQL, and inline over memory. It keeps order (numbers,
revisions, fences), uniqueness and atomicity. It must not know what a process is, what a step means, which
words are said or who may see what: it is handed finished turns and says what came of them.
"""

from softrail.store.claims import claim_stands
from softrail.store.compacting import Compacted, compact
from softrail.store.memory import MemoryStore
from softrail.store.opening import open_store
from softrail.store.plugins import PluginTables
from softrail.store.schema import SchemaStatus
from softrail.store.sqlite import SqliteStore
from softrail.store.sqlstore import SqlStore
from softrail.store.statements import Statement
from softrail.store.upgrading import schema_status, upgrade

__all__ = [
    "Compacted",
    "MemoryStore",
    "PluginTables",
    "SchemaStatus",
    "SqlStore",
    "SqliteStore",
    "Statement",
    "claim_stands",
    "compact",
    "open_store",
    "schema_status",
    "upgrade",
]
