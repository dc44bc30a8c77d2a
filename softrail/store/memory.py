"""A store in memory: the same statements over a private SQLite database, run where they are called."""

import sqlite3
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, nullcontext
from functools import lru_cache
from threading import Lock, RLock
from typing import TypeVar

from sqlalchemy import Connection, MetaData, StaticPool, create_engine
from sqlalchemy.schema import CreateIndex, CreateTable

from softrail.core.commits import CommitResult, TurnCommit
from softrail.core.ports import EffectHandler
from softrail.store import sql
from softrail.store.alone import answer, commit_alone
from softrail.store.commit import commit_turns
from softrail.store.effects import Handlers
from softrail.store.engines import engine_over
from softrail.store.plugins import PluginTables, all_handlers
from softrail.store.sqlstore import Runner, SqlStore
from softrail.store.tables import metadata

T = TypeVar("T")


class MemoryStore(SqlStore):
    """A store that ends with the process: no file, no thread, no waiting; for tests and trials."""

    def __init__(
        self,
        *,
        effect_handlers: Mapping[str, EffectHandler] | None = None,
        plugins: Sequence[PluginTables] = (),
    ) -> None:
        tables = (metadata, *(plugin.metadata for plugin in plugins))
        super().__init__(
            _Inline(all_handlers(plugins, effect_handlers), tables),
            plugins=plugins,
            effect_handlers=effect_handlers,
        )


class _Inline:
    """Runs every function at once, on the thread that asks."""

    def __init__(self, handlers: Handlers, tables: Sequence[MetaData]) -> None:
        self._handlers = handlers
        self._lock = RLock()  # event loops of several threads may share one store
        raw = sqlite3.connect(":memory:", check_same_thread=False, isolation_level=None)
        self._engine = engine_over(lambda: raw, pool=StaticPool)
        raw.execute("PRAGMA foreign_keys = ON")
        _copy_schema(tuple(tables), raw)
        self._conn: Connection = self._engine.connect()

    async def start(self) -> None:
        """Nothing to do: the schema is there from the beginning."""

    async def close(self) -> None:
        """Nothing to do: the data stays as long as the store, so a test may look at it afterwards."""

    async def read(self, fn: Callable[[Connection], T]) -> T:
        return self._transaction(fn)

    async def glance(self, fn: Callable[[Connection], T]) -> T:
        return self._transaction(fn)

    async def write(
        self, fn: Callable[[Connection], T], *, again: Callable[[Connection], T] | None = None
    ) -> T:
        return self._transaction(fn)

    async def commit(self, commits: Sequence[TurnCommit]) -> Sequence[CommitResult]:
        try:
            return self._transaction(lambda conn: commit_turns(conn, commits, self._handlers))
        except Exception:  # one of them spoils the others: each alone, and it will say why
            return [self._alone(commit) for commit in commits]

    async def scrub(self) -> None:
        """Nothing to do: there is no file."""

    def beside(self) -> AbstractAsyncContextManager[Runner]:
        """The same: whoever comes next waits for the one before, from whichever thread."""
        return nullcontext(self)

    def _alone(self, commit: TurnCommit) -> CommitResult:
        try:
            return self._transaction(lambda conn: commit_alone(conn, commit, self._handlers))
        except Exception as error:
            how = answer(error)
            if how is None:
                raise
            return self._transaction(lambda conn: how(conn, commit))

    def _transaction(self, fn: Callable[[Connection], T]) -> T:
        with self._lock, self._conn.begin():
            sql.BEGIN_WRITING.run(self._conn, {})
            return fn(self._conn)


_copying = Lock()


def _copy_schema(tables: tuple[MetaData, ...], to: sqlite3.Connection) -> None:
    with _copying:
        _empty(tables).backup(to)


@lru_cache(maxsize=16)
def _empty(tables: tuple[MetaData, ...]) -> sqlite3.Connection:
    """A database with the schema and nothing else, made once: tests make many stores."""
    engine = create_engine("sqlite://")
    made = sqlite3.connect(":memory:", check_same_thread=False, isolation_level=None)
    for table in (table for some in tables for table in some.sorted_tables):
        made.execute(str(CreateTable(table).compile(engine)))
        for index in sorted(table.indexes, key=str):
            made.execute(str(CreateIndex(index).compile(engine)))
    return made
