"""The version of the schema, and the way from an older one to the one this code knows."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from threading import Lock
from typing import TYPE_CHECKING, Final, Literal

from sqlalchemy import Connection, delete, insert, inspect, select, text
from sqlalchemy.exc import OperationalError

from softrail.core.errors import StoreUnavailable
from softrail.store.outage import sqlite_code
from softrail.store.plugins import PluginTables
from softrail.store.tables import facts

if TYPE_CHECKING:
    from alembic.config import Config

#: The newest revision in `migrations/versions`; a test compares.
HEAD = "0013"
VERSION_TABLE = "softrail_version"
#: Any number, as long as it is always the same: PostgreSQL's lock for whoever migrates.
_LOCK = 7_463_681_245_310_772

#: Alembic keeps what it works on in module variables; threads may open several files.
_ONE_AT_A_TIME = Lock()

Standing = Literal["current", "empty", "behind", "ahead", "unknown"]

#: The fact that says from which revision on code may run on this database; of a plugin's tables with `:` and its name.
RUNS_FROM = "runs_from"

#: Where a database stands that this code may run on.
USABLE: Final = ("current", "ahead")


@dataclass(frozen=True, kw_only=True, slots=True)
class SchemaStatus:
    """Where a database stands. `ahead`: a newer Softrail made it so that this one may still run on it.

    `unknown`: made by a newer Softrail that this one does not fit, or by something else.
    """

    standing: Standing
    revision: str | None
    head: str = HEAD
    of: str = ""  #: the plugin whose tables these are; "" for Softrail's own

    @property
    def sentence(self) -> str:
        """What that means and what to do."""
        if self.of:
            return self._sentence_of_plugin
        if self.standing == "current":
            return f"The database is at revision {self.revision}, the newest."
        if self.standing == "empty":
            return "The database has no Softrail tables yet. Run `softrail db upgrade`."
        if self.standing == "behind":
            return (
                f"The database is at revision {self.revision}, this Softrail needs {self.head}. "
                "Run `softrail db upgrade`."
            )
        if self.standing == "ahead":
            return (
                f"The database is at revision {self.revision}, newer than this Softrail ({self.head}), "
                "which may still run on it."
            )
        return (
            f"The database is at revision {self.revision}, which this Softrail does not know: it goes up to "
            f"{self.head}. Use the Softrail that made it, or a newer one."
        )

    @property
    def _sentence_of_plugin(self) -> str:
        if self.standing == "current":
            return f"The tables of {self.of} are at revision {self.revision}, the newest."
        if self.standing == "empty":
            return f"The database has no tables of {self.of} yet. Run `softrail db upgrade`."
        if self.standing == "ahead":
            return (
                f"The tables of {self.of} are at revision {self.revision}, newer than the one installed ({self.head}), "
                "which may still run on them."
            )
        if self.standing == "behind":
            return (
                f"The tables of {self.of} are at revision {self.revision}, the one installed needs {self.head}. "
                "Run `softrail db upgrade`."
            )
        return (
            f"The tables of {self.of} are at revision {self.revision}, which the one installed does not know: "
            f"it goes up to {self.head}. Use the one that made them, or a newer one."
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class _Part:
    """Tables with a version of their own: the store's, or a plugin's."""

    name: str
    head: str
    version_table: str
    versions: str  #: the folder of revisions; "" for the one beside `env.py`

    @property
    def runs_from(self) -> str:
        """The fact that says which code may run on these tables."""
        return f"{RUNS_FROM}:{self.name}" if self.name else RUNS_FROM

    def status(self, conn: Connection) -> SchemaStatus:
        """Where these tables stand."""
        if not inspect(conn).has_table(self.version_table):
            return SchemaStatus(standing="empty", revision=None, head=self.head, of=self.name)
        quoted = conn.dialect.identifier_preparer.quote(self.version_table)
        revision = conn.scalar(text(f"SELECT version_num FROM {quoted}"))  # noqa: S608 - a name of ours
        if revision is None:
            return SchemaStatus(standing="empty", revision=None, head=self.head, of=self.name)
        standing: Standing = "current"
        if revision != self.head:
            standing = "behind" if revision in _revisions(self) else self._beyond(conn)
        return SchemaStatus(standing=standing, revision=revision, head=self.head, of=self.name)

    def _beyond(self, conn: Connection) -> Standing:
        """Of a revision that is not known here: whether whoever made it said that this code may still run."""
        if not inspect(conn).has_table(facts.name):
            return "unknown"
        said = conn.scalar(select(facts.c.value).where(facts.c.name == self.runs_from))
        if said is None:
            return "unknown"
        # Ours are counted; a plugin's may be called anything, and those that may run are listed.
        fits = self.head in said.split() if self.name else said <= self.head
        return "ahead" if fits else "unknown"


_OWN = _Part(name="", head=HEAD, version_table=VERSION_TABLE, versions="")


def _parts(plugins: Sequence[PluginTables]) -> Iterator[_Part]:
    yield _OWN
    for one in plugins:
        yield _Part(name=one.name, head=one.head, version_table=one.version_table, versions=one.migrations)


def status_of(conn: Connection, plugins: Sequence[PluginTables] = ()) -> SchemaStatus:
    """Where the database of a connection stands: the first tables that are not current, else the store's."""
    found = [part.status(conn) for part in _parts(plugins)]
    return next((status for status in found if status.standing not in USABLE), found[0])


def migrate(conn: Connection, plugins: Sequence[PluginTables] = ()) -> SchemaStatus:
    """Bring all tables to their newest revision in the transaction of a connection, the store's first.

    Raises:
        StoreUnavailable: A newer Softrail, or a newer plugin, made the database.
    """
    while further(conn, plugins):
        pass
    return status_of(conn, plugins)


def further(conn: Connection, plugins: Sequence[PluginTables] = ()) -> bool:
    """Bring the first tables that are behind one revision on, in the transaction of a connection; whether there were any.

    A transaction of its own for each revision holds back others for as long as that one takes, and not for all of them.
    Tables that are not there yet are made as they are today.

    Raises:
        StoreUnavailable: A newer Softrail, or a newer plugin, made the database.
    """
    if conn.dialect.name == "postgresql":
        conn.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _LOCK})
    for part in _parts(plugins):
        status = part.status(conn)
        if status.standing == "unknown":
            raise StoreUnavailable(status.sentence)
        if status.standing not in USABLE:
            _run(conn, part, "head" if status.standing == "empty" else "+1")
            _say_who_may_run(conn, part)
            return True
    return False


def prepare_sqlite(
    conn: Connection, patience: Callable[[], bool], plugins: Sequence[PluginTables] = ()
) -> None:
    """Put a file into WAL mode and migrate it, in one transaction that other processes wait for.

    `patience` waits a moment and says whether to try again: SQLite does not wait by itself when two
    processes change the journal mode at once.
    """
    if conn.exec_driver_sql("PRAGMA page_count").scalar() == 0:
        # Only a file without tables can be told so: a commit logs whole pages, however little changes on each of
        # them, and what is erased later gives its pages back.
        conn.exec_driver_sql("PRAGMA page_size = 1024")
        conn.exec_driver_sql("PRAGMA auto_vacuum = INCREMENTAL")
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
        migrate(conn, plugins)


def require_current(conn: Connection, plugins: Sequence[PluginTables] = ()) -> None:
    """Refuse a database whose schema is not the one this code knows.

    Raises:
        StoreUnavailable: It is not; the sentence says what to do.
    """
    status = status_of(conn, plugins)
    if status.standing not in USABLE:
        raise StoreUnavailable(status.sentence)


def _say_who_may_run(conn: Connection, part: _Part) -> None:
    """Keep which revisions' code may run here: back to the first migration that forbids what is older."""
    from alembic.script import ScriptDirectory

    if not inspect(conn).has_table(facts.name):
        return  # they come with the store's fourth revision
    reached = part.status(conn).revision or part.head
    fit = [reached]
    for script in ScriptDirectory.from_config(_config(part)).walk_revisions(head=reached):
        if script.down_revision is None or not getattr(script.module, "older_code_may_run", False):
            break
        fit.append(str(script.down_revision))
    conn.execute(delete(facts).where(facts.c.name == part.runs_from))
    conn.execute(insert(facts), {"name": part.runs_from, "value": " ".join(fit) if part.name else fit[-1]})


def _revisions(part: _Part) -> set[str]:
    from alembic.script import ScriptDirectory

    return {script.revision for script in ScriptDirectory.from_config(_config(part)).walk_revisions()}


def _run(conn: Connection, part: _Part, revision: str) -> None:
    from alembic import command

    config = _config(part)
    config.attributes["connection"] = conn
    command.upgrade(config, revision)


def _config(part: _Part = _OWN) -> "Config":
    from alembic.config import Config  # takes a third of a second, and is seldom needed

    config = Config()
    config.set_main_option("script_location", "softrail.store:migrations")
    config.set_main_option("path_separator", "newline")  # `package:folder` has a colon in it
    if part.versions:
        config.set_main_option("version_locations", part.versions)
    config.attributes["version_table"] = part.version_table
    return config
