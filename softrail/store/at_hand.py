"""What the event loop does on a SQLite file by itself: short reads, and the commit of a turn that is alone.

The way to a thread and back costs more than a few rows by their keys. Whatever would have to wait is not done here.
"""

import sqlite3
from collections.abc import Callable
from typing import Final, TypeVar

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DBAPIError, PendingRollbackError

from softrail.core.commits import CommitResult, TurnCommit
from softrail.store.commit import commit_turns
from softrail.store.lone import commit_lone, fits

T = TypeVar("T")

#: Seconds that a commit may keep the event loop from everything else. A disk that took longer is waited for in a thread.
QUICK: Final = 0.01


class Elsewhere(Exception):
    """It cannot be done at once, and nothing of it was: a thread has to."""


class AtHand:
    """The event loop's own connection, which waits for nobody; opened when it is first needed."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._conn: tuple[Connection, sqlite3.Connection] | None = None

    def read(self, fn: Callable[[Connection], T]) -> T:
        """What `fn` reads, in one transaction: in WAL a reader waits for nobody. Raises Elsewhere."""
        return self._transaction("BEGIN", lambda conn, _: fn(conn), sqlite3.Connection.rollback)

    def commit(self, commit: TurnCommit) -> CommitResult:
        """Commit a turn without effects: no code of a plugin runs here.

        Raises Elsewhere for whatever goes wrong, a key that clashes or text that cannot be kept: a thread knows what
        to answer.
        """

        def one(conn: Connection, raw: sqlite3.Connection) -> CommitResult:
            try:
                if fits(commit):
                    return commit_lone(raw, conn.dialect, commit)
                return commit_turns(conn, [commit], {})[0]
            except Exception as error:
                raise Elsewhere from error

        return self._transaction("BEGIN IMMEDIATE", one, sqlite3.Connection.commit)

    def _transaction(
        self,
        begin: str,
        fn: Callable[[Connection, sqlite3.Connection], T],
        end: Callable[[sqlite3.Connection], None],
    ) -> T:
        """Run `fn` between `begin` and `end`, said to the driver itself: SQLAlchemy's own cost as much as the rows."""
        try:
            conn, raw = self._opened()
            raw.execute(begin)
            try:
                result = fn(conn, raw)
                end(raw)
                return result
            finally:
                if conn.in_transaction():  # `fn` has run statements of SQLAlchemy's
                    conn.rollback()
                if raw.in_transaction:
                    raw.rollback()
        except (sqlite3.Error, DBAPIError, PendingRollbackError) as error:
            self.close()  # whatever state it is in
            raise Elsewhere from error

    def _opened(self) -> tuple[Connection, sqlite3.Connection]:
        if self._conn is not None and self._conn[0].invalidated:
            self.close()
        if self._conn is None:
            conn = self._engine.connect()
            raw = conn.connection.driver_connection
            assert isinstance(raw, sqlite3.Connection)  # noqa: S101 - the engine's driver
            self._conn = conn, raw
        return self._conn

    def close(self) -> None:
        """Give the connection back."""
        if self._conn is not None:
            conn, _ = self._conn
            self._conn = None
            conn.invalidate()
            conn.close()
