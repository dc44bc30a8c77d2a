"""The version of the schema, and the way from an older one to the one this code knows."""

from collections.abc import Callable
from dataclasses import dataclass
from threading import Lock
from typing import TYPE_CHECKING, Literal

from sqlalchemy import Connection, inspect, text
from sqlalchemy.exc import OperationalError

from softrail.core.errors import StoreUnavailable
from softrail.store.outage import sqlite_code

if TYPE_CHECKING:
    from alembic.config import Config

#: The newest revision in `migrations/versions`; a test compares.
HEAD = "0001"
VERSION_TABLE = "softrail_version"
#: Any number, as long as it is always the same: PostgreSQL's lock for whoever migrates.
_LOCK = 7_463_681_245_310_772

#: Alembic keeps what it works on in module variables; threads may open several files.
_ONE_AT_A_TIME = Lock()

Standing = Literal["current", "empty", "behind", "unknown"]


@dataclass(frozen=True, kw_only=True, slots=True)
class SchemaStatus:
    """Where a database stands. `unknown`: made by a newer Softrail, or by something else."""

    standing: Standing
    revision: str | None
    head: str = HEAD

    @property
    def sentence(self) -> str:
        """What that means and what to do."""
        if self.standing == "current":
            return f"The database is at revision {self.revision}, the newest."
        if self.standing == "empty":
            return "The database has no Softrail tables yet. Run `softrail db upgrade`."
        if self.standing == "behind":
            return (
                f"The database is at revision {self.revision}, this Softrail needs {self.head}. "
                "Run `softrail db upgrade`."
            )
        return (
            f"The database is at revision {self.revision}, which this Softrail does not know: it goes up to "
            f"{self.head}. Use the Softrail that made it, or a newer one."
        )


def status_of(conn: Connection) -> SchemaStatus:
    """Where the database of a connection stands."""
    if not inspect(conn).has_table(VERSION_TABLE):
        return SchemaStatus(standing="empty", revision=None)
    revision = conn.scalar(text(f"SELECT version_num FROM {VERSION_TABLE}"))  # noqa: S608 - a constant
    if revision == HEAD:
        return SchemaStatus(standing="current", revision=revision)
    if revision is None:
        return SchemaStatus(standing="empty", revision=None)
    known: Standing = "behind" if revision in _revisions() else "unknown"
    return SchemaStatus(standing=known, revision=revision)


def migrate(conn: Connection) -> SchemaStatus:
    """Bring the schema to `HEAD` in the transaction of a connection; nothing happens if it is there.

    Raises:
        StoreUnavailable: A newer Softrail made the database.
    """
    if conn.dialect.name == "postgresql":
        conn.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _LOCK})
    status = status_of(conn)
    if status.standing == "unknown":
        raise StoreUnavailable(status.sentence)
    if status.standing != "current":
        _run(conn)
    return status_of(conn)


def prepare_sqlite(conn: Connection, patience: Callable[[], bool]) -> None:
    """Put a file into WAL mode and migrate it, in one transaction that other processes wait for.

    `patience` waits a moment and says whether to try again: SQLite does not wait by itself when two
    processes change the journal mode at once.
    """
    while conn.exec_driver_sql("PRAGMA journal_mode").scalar() != "wal":
        try:
            mode = conn.exec_driver_sql("PRAGMA journal_mode = WAL").scalar()
        except OperationalError as error:
            if sqlite_code(error) != "SQLITE_BUSY" or not patience():
                raise
        else:
            if mode != "wal":
                raise StoreUnavailable(f"The database cannot be put into WAL mode, it stays in {mode!r}.")
    conn.rollback()
    with _ONE_AT_A_TIME, conn.begin():
        conn.exec_driver_sql("BEGIN IMMEDIATE")
        migrate(conn)


def require_current(conn: Connection) -> None:
    """Refuse a database whose schema is not the one this code knows.

    Raises:
        StoreUnavailable: It is not; the sentence says what to do.
    """
    status = status_of(conn)
    if status.standing != "current":
        raise StoreUnavailable(status.sentence)


def _revisions() -> set[str]:
    from alembic.script import ScriptDirectory

    return {script.revision for script in ScriptDirectory.from_config(_config()).walk_revisions()}


def _run(conn: Connection) -> None:
    from alembic import command

    config = _config()
    config.attributes["connection"] = conn
    command.upgrade(config, "head")


def _config() -> "Config":
    from alembic.config import Config  # takes a third of a second, and is seldom needed

    config = Config()
    config.set_main_option("script_location", "softrail.store:migrations")
    config.set_main_option("path_separator", "os")
    return config
