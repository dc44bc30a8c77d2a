"""A store in a SQLite file: one thread writes, a few read; what takes no time the event loop does by itself."""

import asyncio
import logging
import sqlite3
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, closing, nullcontext, suppress
from functools import partial
from pathlib import Path
from typing import Any, Literal, TypeVar, cast

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DBAPIError, IntegrityError

from softrail.core.commits import CommitResult, TurnCommit
from softrail.core.errors import SoftrailError, StoreUnavailable
from softrail.core.ports import EffectHandler
from softrail.store import schema, sql
from softrail.store.alone import answer, commit_alone
from softrail.store.at_hand import QUICK, AtHand, Elsewhere
from softrail.store.commit import commit_turns
from softrail.store.effects import Handlers
from softrail.store.engines import engine_over
from softrail.store.outage import is_sqlite_outage, sqlite_code, sqlite_outage, sqlite_start_fault
from softrail.store.plugins import PluginTables, all_handlers
from softrail.store.sqlstore import Runner, SqlStore
from softrail.store.statements import Statement
from softrail.store.threads import Answers, Job, JobQueue
from softrail.store.upkeep import LOG_USUAL, SameFile, Upkeep

T = TypeVar("T")
Durability = Literal["full", "normal"]
log = logging.getLogger(__name__)

#: Jobs in one transaction at most: a bound on how long the first of them waits for the last.
_GROUP = 256

#: Reads that one thread takes at once: under load threads hand over less often, and no read waits long.
_READS = 16


class SqliteStore(SqlStore):
    """A store in one SQLite file, in WAL mode, which several processes may share.

    Args:
        path: The file; its folder must exist.
        durability: `full` syncs every commit: what was acknowledged survives a power cut. `normal` syncs
            at checkpoints only: a killed process loses nothing, a power cut may take the last turns back.
        busy_timeout: Seconds to wait for another process that writes, before StoreUnavailable.
        pool_size: Threads that read.
        effect_handlers: What applies effects inside the commit, by kind.
        plugins: Tables that plugins bring along.
    """

    def __init__(
        self,
        path: str | Path,
        *,
        durability: Durability = "full",
        busy_timeout: float = 5.0,
        pool_size: int = 4,
        effect_handlers: Mapping[str, EffectHandler] | None = None,
        plugins: Sequence[PluginTables] = (),
    ) -> None:
        super().__init__(
            _Threads(
                Path(path),
                durability=durability,
                busy_timeout=busy_timeout,
                readers=pool_size,
                handlers=all_handlers(plugins, effect_handlers),
                plugins=plugins,
            ),
            plugins=plugins,
            url=f"sqlite:///{path}",
            effect_handlers=effect_handlers,
        )


def sqlite_connection(
    path: Path, *, durability: Durability, busy_timeout: float, log: int = LOG_USUAL
) -> sqlite3.Connection:
    """A connection whose transactions begin only where we say so, with `BEGIN IMMEDIATE` or `BEGIN`.

    A commit that finds the log longer than `log` bytes writes it into the file; 0: no commit of it does.
    """
    synchronous = {"full": "FULL", "normal": "NORMAL"}[durability]
    raw = sqlite3.connect(path, timeout=busy_timeout, isolation_level=None, check_same_thread=False)
    raw.execute("PRAGMA foreign_keys = ON")
    raw.execute(f"PRAGMA synchronous = {synchronous}")
    raw.execute("PRAGMA secure_delete = ON")  # what is erased is overwritten; not every build does it unasked
    [page] = raw.execute("PRAGMA page_size").fetchone()
    raw.execute(f"PRAGMA wal_autocheckpoint = {log // page}")
    return raw


def sqlite_engine(path: Path, *, durability: Durability, busy_timeout: float, log: int = LOG_USUAL) -> Engine:
    """An engine over such connections."""
    connect = partial(sqlite_connection, path, durability=durability, busy_timeout=busy_timeout, log=log)
    return engine_over(connect)


class Patience:
    """Waits a little at each call, and says whether there is any left."""

    def __init__(self, seconds: float) -> None:
        self._end = time.monotonic() + seconds

    def __call__(self) -> bool:
        time.sleep(0.02)
        return time.monotonic() < self._end


class _Threads:
    """The runner: a writer that commits whatever waits together, readers beside it, and what the event loop has at hand."""

    def __init__(
        self,
        path: Path,
        *,
        durability: Durability,
        busy_timeout: float,
        readers: int,
        handlers: Handlers,
        plugins: Sequence[PluginTables],
    ) -> None:
        self._path = path
        self._same = SameFile(path)
        self._upkeep = Upkeep(path)
        self._handlers = handlers
        self._plugins = plugins
        self._readers = readers
        self._busy_timeout = busy_timeout
        self._waiting_for_nobody = partial(sqlite_connection, path, durability=durability, busy_timeout=0)
        self._engine = sqlite_engine(path, durability=durability, busy_timeout=busy_timeout)
        # What the event loop writes, the thread that writes puts into the file: that may take long.
        self._hasty = sqlite_engine(path, durability=durability, busy_timeout=0, log=0)
        self._at_hand = AtHand(self._hasty)
        self._took = 0.0  #: seconds, the last commit
        self._local = threading.local()
        self._open: list[Connection] = []
        self._writing: JobQueue | None = None
        self._reading: JobQueue | None = None

    async def start(self) -> None:
        if self._writing is None:
            await asyncio.to_thread(self._prepare)
            self._writing = JobQueue(self._write_jobs, name="softrail-write", threads=1, most=_GROUP)
            self._reading = JobQueue(
                self._read_jobs, name="softrail-read", threads=self._readers, most=_READS
            )

    async def close(self) -> None:
        queues = [queue for queue in (self._writing, self._reading) if queue is not None]
        self._writing = self._reading = None
        for queue in queues:
            await asyncio.to_thread(queue.close)
        self._at_hand.close()
        while self._open:
            self._open.pop().close()
        self._engine.dispose()
        self._hasty.dispose()

    async def read(self, fn: Callable[[Connection], T]) -> T:
        return cast(T, await _started(self._reading).put(Job(fn)))

    async def glance(self, fn: Callable[[Connection], T]) -> T:
        """Read at once, on the event loop; where the file is busy, a reader thread waits."""
        if self._reading is None:
            raise StoreUnavailable("The store is not started.")
        self._same.require()
        try:
            return self._at_hand.read(fn)
        except Elsewhere:
            return await self.read(fn)

    async def write(
        self, fn: Callable[[Connection], T], *, again: Callable[[Connection], T] | None = None
    ) -> T:
        return cast(T, await _started(self._writing).put(Job(fn)))

    async def commit(self, commits: Sequence[TurnCommit]) -> Sequence[CommitResult]:
        writing = _started(self._writing)
        if len(commits) == 1 and self._at_once(commits[0]):
            with suppress(Elsewhere):
                return [self._commit_here(commits[0])]
        return cast(Sequence[CommitResult], await writing.put(Job(None, commits)))

    def _at_once(self, commit: TurnCommit) -> bool:
        """Committing on the event loop keeps nobody waiting: there is no other turn, and the disk is quick."""
        return commit.alone and not commit.effects and self._took < QUICK and not self._upkeep.due()

    def _commit_here(self, commit: TurnCommit) -> CommitResult:
        began = time.monotonic()
        self._same.require()
        result = self._at_hand.commit(commit)
        self._same.require()  # nothing that went elsewhere is acknowledged
        self._took = time.monotonic() - began
        return result

    async def scrub(self) -> None:
        self._upkeep.erased()
        with suppress(StoreUnavailable):  # what was erased is erased; a later write empties the log
            await self.write(_nothing)

    def beside(self) -> AbstractAsyncContextManager[Runner]:
        """The same: writes of every event loop stand in one line before the one thread that writes."""
        return nullcontext(self)

    # -- on a thread

    def _prepare(self) -> None:
        try:
            with self._engine.connect() as conn:
                schema.prepare_sqlite(conn, Patience(self._busy_timeout), self._plugins)
            self._same.remember()
        except (DBAPIError, sqlite3.Error, OSError) as error:
            raise sqlite_start_fault(error, self._path) from error

    def _conn(self) -> Connection:
        conn = getattr(self._local, "conn", None)
        if conn is None:
            conn = self._local.conn = self._engine.connect()
            self._open.append(conn)
        return cast(Connection, conn)

    def _transaction(self, fn: Callable[[Connection], T], begin: Statement = sql.BEGIN_WRITING) -> T:
        conn = self._conn()
        try:
            with conn.begin():
                begin.run(conn, {})
                return fn(conn)
        except BaseException:
            raw = conn.connection.driver_connection
            if raw is not None and raw.in_transaction:  # a full disk can make even the rollback fail
                self._forget(conn)
            raise

    def _forget(self, conn: Connection) -> None:
        """Close a connection that is stuck in a transaction; the next job gets a new one."""
        self._local.conn = None
        self._open.remove(conn)
        conn.invalidate()
        conn.close()

    def _read_jobs(self, jobs: list[Job]) -> Answers:
        return [self._try(job, self._read_one) for job in jobs]

    def _write_jobs(self, jobs: list[Job]) -> Answers:
        try:
            self._same.require()
            began = time.monotonic()
            answers = self._write_all(jobs)
            self._took = time.monotonic() - began
            self._same.require()  # nothing that went elsewhere is acknowledged
        except StoreUnavailable as error:
            return [(job, None, StoreUnavailable(error.message, **error.details)) for job in jobs]
        self._keep_up()
        return answers

    def _keep_up(self) -> None:
        if not self._upkeep.due():
            return
        try:
            with closing(self._waiting_for_nobody()) as raw:
                self._upkeep.run(raw)
        except Exception:  # what was written is written, and whoever waits for it is told so
            log.exception("The log of the database could not be emptied; it is tried again.")

    def _write_all(self, jobs: list[Job]) -> Answers:
        try:
            return self._transaction(lambda conn: self._together(conn, jobs))
        except BaseException as error:  # whatever it is, it must not end the only thread that writes
            if sqlite_code(error) == "SQLITE_BUSY":  # nobody of this group would get further alone
                return [(job, None, sqlite_outage(error)) for job in jobs]
            if len(jobs) > 1:
                log.debug("A group of %d writes was rolled back; each runs alone.", len(jobs), exc_info=True)
        return [self._try(job, self._by_itself) for job in jobs]

    def _together(self, conn: Connection, jobs: list[Job]) -> Answers:
        committing = [job for job in jobs if job.fn is None]
        turns = [commit for job in committing for commit in job.commits]
        results = iter(commit_turns(conn, turns, self._handlers))
        answers: Answers = [(job, [next(results) for _ in job.commits], None) for job in committing]
        alone = len(jobs) == 1
        answers.extend(self._beside(conn, job, alone=alone) for job in jobs if job.fn is not None)
        return answers

    def _beside(self, conn: Connection, job: Job, *, alone: bool) -> tuple[Job, Any, BaseException | None]:
        """Run a job within a group: what it refuses to do is undone, and is nobody else's trouble."""
        assert job.fn is not None  # noqa: S101 - picked by the caller
        if alone:  # what it refuses to do ends its transaction, and it says so once more by itself
            return job, job.fn(conn), None
        try:
            with conn.begin_nested():
                return job, job.fn(conn), None
        except (SoftrailError, IntegrityError) as error:
            return job, None, error

    def _by_itself(self, job: Job) -> Any:
        if job.fn is not None:
            return self._transaction(job.fn)
        return [self._alone(commit) for commit in job.commits]

    def _alone(self, commit: TurnCommit) -> CommitResult:
        try:
            return self._transaction(lambda conn: commit_alone(conn, commit, self._handlers))
        except Exception as error:
            how = answer(error)
            if how is None:
                raise
            return self._transaction(lambda conn: how(conn, commit))

    def _read_one(self, job: Job) -> Any:
        assert job.fn is not None  # noqa: S101 - turns are never put into the readers' queue
        self._same.require()
        return self._transaction(job.fn, sql.BEGIN_READING)

    def _try(self, job: Job, run: Callable[[Job], Any]) -> tuple[Job, Any, BaseException | None]:
        try:
            return job, run(job), None
        except BaseException as error:
            away = isinstance(error, DBAPIError) and is_sqlite_outage(error)
            return job, None, sqlite_outage(error) if away else error


def _nothing(_: Connection) -> None:
    """A write of nothing."""


def _started(queue: JobQueue | None) -> JobQueue:
    if queue is None:
        raise StoreUnavailable("The store is not started.")
    return queue
