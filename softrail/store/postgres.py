"""A store in PostgreSQL, for many workers: waiting commits share a transaction, lost answers are looked up."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, TypeVar

from sqlalchemy import Connection, text
from sqlalchemy.engine import URL, make_url
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from softrail.core.commits import (
    Acceptance,
    AcceptResult,
    CommitResult,
    Committed,
    Seen,
    Signs,
    TurnCommit,
)
from softrail.core.errors import StoreUnavailable
from softrail.core.ports import EffectHandler
from softrail.store import path, schema
from softrail.store.alone import answer, commit_alone
from softrail.store.commit import commit_turns
from softrail.store.effects import Handlers
from softrail.store.lone import Changed, committed, fits, in_one, rehearse
from softrail.store.news import PostgresNews
from softrail.store.outage import NOT_THERE, postgres_outage, postgres_trouble, sql_state
from softrail.store.plugins import PluginTables, all_handlers
from softrail.store.sqlstore import Runner, SqlStore, SqlWorkers
from softrail.store.workers import pulse_at_once

T = TypeVar("T")

#: Turns in one transaction at most, and how often a transaction is tried when the database asks for it.
_GROUP = 256
_TRIES = 6

_WAIT_FOR_NOBODY = text("SET LOCAL lock_timeout = '100ms'")
_WAIT_A_MOMENT = text("SET LOCAL lock_timeout = '1s'")


class PostgresStore(SqlStore):
    """A store in a PostgreSQL database that `softrail db upgrade` has prepared.

    Args:
        url: `postgresql://USER@HOST/NAME`.
        pool_size: Connections at most, besides one for a turn that is alone. None is held while a model or a process
            thinks.
        effect_handlers: What applies effects inside the commit, by kind.
        plugins: Tables that plugins bring along.
    """

    def __init__(
        self,
        url: str | URL,
        *,
        pool_size: int = 10,
        effect_handlers: Mapping[str, EffectHandler] | None = None,
        plugins: Sequence[PluginTables] = (),
    ) -> None:
        engine = postgres_engine(url, pool_size=pool_size)
        handlers = all_handlers(plugins, effect_handlers)
        super().__init__(
            _Pool(engine, pool_size, handlers, plugins),
            plugins=plugins,
            url=make_url(url).render_as_string(hide_password=False),
            effect_handlers=effect_handlers,
        )
        self.news = PostgresNews(self.url, self._told)

    @asynccontextmanager
    async def beside(self) -> AsyncIterator[SqlWorkers]:
        """Where workers are, for the event loop of another thread."""
        async with self._runner.beside() as runner:
            yield _Workers(runner, self._fitting)

    def _touch(self, conn: Connection) -> None:
        """Besides, what a turn does, in its own statement and for nobody's session: a table may be locked, too."""
        conn.execute(_WAIT_A_MOMENT)
        rehearse(conn)
        super()._touch(conn)

    async def _told(self, statement: str, values: Mapping[str, Any]) -> None:
        await self.write(lambda conn: conn.execute(text(statement), values))


class _Workers(SqlWorkers):
    """Where workers are: a sign of life is one statement, and so a transaction of its own."""

    async def _pulse(self, worker: str, beat: int) -> Signs:
        return await self._runner.read(lambda conn: pulse_at_once(conn, worker, beat))

    async def accept(self, acceptance: Acceptance) -> AcceptResult:
        """The same, but it waits for no lock: whoever stands still may hold it, and a beat is due."""

        def accept(conn: Connection) -> AcceptResult:
            conn.execute(_WAIT_FOR_NOBODY)
            return path.accept(conn, acceptance)

        def resolve(conn: Connection) -> AcceptResult:
            conn.execute(_WAIT_FOR_NOBODY)
            return path.resolve_accept(conn, acceptance)

        return await self._runner.write(accept, again=resolve)


def postgres_engine(url: str | URL, *, pool_size: int) -> AsyncEngine:
    """An engine over asyncpg. Its connections belong to the event loop that makes them."""
    return create_async_engine(
        make_url(url).set(drivername="postgresql+asyncpg"),
        pool_size=pool_size,
        max_overflow=0,
        pool_timeout=10,
        hide_parameters=True,  # they are what people said
        isolation_level="READ COMMITTED",  # rows are locked; whatever the server's default is
        connect_args={"timeout": 10, "command_timeout": 30},
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Waiting:
    """A list of turns on its way into a group."""

    commits: Sequence[TurnCommit]
    future: "asyncio.Future[Sequence[CommitResult]]" = field(
        default_factory=lambda: asyncio.get_running_loop().create_future()
    )


class _OutcomeUnknown(Exception):
    """The connection was lost during COMMIT."""


class _AtHand:
    """A connection beside the pool for the turn that is alone, opened when the first one is: the driver itself is spoken to.

    SQLAlchemy's way to a connection of the pool and back costs several times what the statement does.
    """

    def __init__(self, url: URL) -> None:
        self._engine = postgres_engine(url, pool_size=1)
        self._conn: AsyncConnection | None = None
        self._raw: Any = None  #: the driver's
        self.free = True  #: no turn is on its way over it

    async def commit(self, commit: TurnCommit) -> CommitResult:
        """Commit a turn that fits, while it is `free`. Raises Changed, or what the driver says: then it may be written.

        A caller who gives up does not cut it in two: it is one statement, and what is given up the driver takes back.
        """
        text, values = in_one(self._engine.dialect, commit)
        self.free = False
        try:
            saved = await (self._raw or await self._opened()).fetchval(text, *values)
        except Exception:
            await self.close()  # whatever state it is in
            raise
        finally:
            self.free = True
        if not saved:
            raise Changed
        return committed(commit)

    async def _opened(self) -> Any:
        if self._conn is None:  # else whoever opened it gave up in the middle
            self._conn = await self._engine.connect()
        self._raw = (await self._conn.get_raw_connection()).driver_connection
        return self._raw

    async def close(self) -> None:
        """Give the connection back."""
        conn, self._conn, self._raw = self._conn, None, None
        if conn is not None:
            await conn.invalidate()
            await conn.close()
        await self._engine.dispose()


class _Pool:
    """The runner: a free connection takes all the commits that wait."""

    def __init__(
        self, engine: AsyncEngine, pool_size: int, handlers: Handlers, plugins: Sequence[PluginTables]
    ) -> None:
        self.engine = engine
        # Each statement sees what is committed by then, in a transaction or out of it: reading needs none.
        self._reading = engine.execution_options(isolation_level="AUTOCOMMIT")
        self._at_hand = _AtHand(engine.url)
        self._handlers = handlers
        self._plugins = plugins
        self._waiting: list[_Waiting] = []
        self._committing = 0
        self._committers = max(1, pool_size // 2)  # the rest is for reading and accepting
        self._tasks: set[asyncio.Task[Any]] = set()

    async def start(self) -> None:
        await self.read(lambda conn: schema.require_current(conn, self._plugins))

    async def close(self) -> None:
        while self._tasks:
            await asyncio.wait(set(self._tasks))
        await self._at_hand.close()
        await self.engine.dispose()

    async def read(self, fn: Callable[[Connection], T]) -> T:
        return await self._transact(fn, fn, reading=True)

    async def glance(self, fn: Callable[[Connection], T]) -> T:
        return await self.read(fn)

    async def write(
        self, fn: Callable[[Connection], T], *, again: Callable[[Connection], T] | None = None
    ) -> T:
        # A task of its own: a caller who gives up does not cut a transaction in two.
        return await asyncio.shield(self._spawn(self._transact(fn, again or fn)))

    async def commit(self, commits: Sequence[TurnCommit]) -> Sequence[CommitResult]:
        nobody = self._at_hand.free and not self._committing
        if len(commits) == 1 and commits[0].alone and nobody and fits(commits[0]):
            try:
                return [await self._at_hand.commit(commits[0])]
            except Changed:
                pass  # nothing was written, and it takes more to say why
            except Exception:  # it may be written; whatever else it was is met again or is over
                again = self._alone(commits[0], maybe_written=True)
                return [await asyncio.shield(self._spawn(again))]
        waiting = _Waiting(commits)
        self._waiting.append(waiting)
        if self._committing < self._committers:
            self._committing += 1
            self._spawn(self._drain())
        return await waiting.future

    async def scrub(self) -> None:
        """Nothing to do: when dead rows and old log go is settled by how the server is set up."""

    @asynccontextmanager
    async def beside(self) -> AsyncIterator[Runner]:
        """A connection of its own: those of an engine belong to one event loop, and turns may have them all."""
        one = _Pool(postgres_engine(self.engine.url, pool_size=1), 1, self._handlers, self._plugins)
        try:
            yield one
        finally:
            await one.close()

    def _spawn(self, work: Any) -> "asyncio.Task[Any]":
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: "asyncio.Task[Any]") -> None:
        self._tasks.discard(task)
        if not task.cancelled():
            task.exception()  # whoever asked gets it; nobody asking any more is no fault

    async def _drain(self) -> None:
        try:
            while self._waiting:
                group, self._waiting = self._waiting[:_GROUP], self._waiting[_GROUP:]
                await self._commit_group(group)
        finally:
            self._committing -= 1

    async def _commit_group(self, group: list[_Waiting]) -> None:
        turns = [commit for waiting in group for commit in waiting.commits]
        try:
            results = iter(await self._together(turns))
        except StoreUnavailable as error:
            for waiting in group:
                if not waiting.future.done():
                    waiting.future.set_exception(StoreUnavailable(error.message, **error.details))
            return
        except Exception:  # one of them spoils the others: each alone, and it will say why
            for waiting in group:
                await self._commit_each(waiting)
            return
        for waiting in group:
            answers = [next(results) for _ in waiting.commits]
            if not waiting.future.done():
                waiting.future.set_result(answers)

    async def _commit_each(self, waiting: _Waiting) -> None:
        try:
            results = [await self._alone(commit) for commit in waiting.commits]
        except Exception as error:
            if not waiting.future.done():
                waiting.future.set_exception(error)
            return
        if not waiting.future.done():
            waiting.future.set_result(results)

    async def _together(self, turns: Sequence[TurnCommit]) -> Sequence[CommitResult]:
        def again(conn: Connection) -> Sequence[CommitResult]:
            results = commit_turns(conn, turns, self._handlers, careful=True)
            return [_ours(commit, result) for commit, result in zip(turns, results, strict=True)]

        return await self._transact(lambda conn: commit_turns(conn, turns, self._handlers), again)

    async def _alone(self, commit: TurnCommit, *, maybe_written: bool = False) -> CommitResult:
        def once(conn: Connection) -> CommitResult:
            return commit_alone(conn, commit, self._handlers)

        def again(conn: Connection) -> CommitResult:
            return _ours(commit, commit_alone(conn, commit, self._handlers))

        try:
            return await self._transact(again if maybe_written else once, again)
        except Exception as error:
            how = answer(error)
            if how is None:
                raise
            return await self._transact(lambda conn: how(conn, commit), lambda conn: how(conn, commit))

    async def _transact(
        self, fn: Callable[[Connection], T], again: Callable[[Connection], T], *, reading: bool = False
    ) -> T:
        """Run `fn` in a transaction, anew when the database asks for it or the connection was lost.

        A connection that is lost before COMMIT was sent has written nothing. One that is lost during COMMIT
        may have: from then on `again` runs, which looks first.
        """
        for left in reversed(range(_TRIES)):
            try:
                async with (self._reading if reading else self.engine).connect() as conn:
                    return await conn.run_sync(_in_transaction, fn)
            except Exception as error:
                unknown = isinstance(error, _OutcomeUnknown)
                cause = error.__cause__ if unknown and error.__cause__ is not None else error
                trouble = postgres_trouble(cause)
                if trouble is None and not unknown:
                    if sql_state(cause) in NOT_THERE:
                        await self._require_current(error)
                    raise
                # Whether it was committed has to be looked up, whatever kept the answer away.
                if left == 0 or (trouble == "away" and not unknown):
                    raise postgres_outage(cause) from error
                fn = again if unknown else fn
                await asyncio.sleep(0.01 * (_TRIES - left - 1))
        raise AssertionError  # the last try returns or raises

    async def _require_current(self, why: Exception) -> None:
        """A table or column is not there: somebody may just have taken it away, and this code may run no more."""
        try:
            async with self._reading.connect() as conn:
                await conn.run_sync(schema.require_current, self._plugins)
        except StoreUnavailable as error:
            raise error from why


def _in_transaction(conn: Connection, fn: Callable[[Connection], T]) -> T:
    transaction = conn.begin()
    try:
        result = fn(conn)
    except BaseException:
        transaction.rollback()
        raise
    try:
        transaction.commit()
    except Exception as error:
        raise _OutcomeUnknown from error
    return result


def _ours(commit: TurnCommit, result: CommitResult) -> CommitResult:
    """A turn found when its commit was run again is Committed, if it is this very one."""
    turn = commit.turn
    if not isinstance(result, Seen) or turn is None:
        return result
    found = result.turn
    same_reply = commit.seal is not None or found.reply == turn.reply
    if not same_reply or (found.session_id, found.seq, found.status) != (
        turn.session_id,
        turn.seq,
        turn.status,
    ):
        return result
    return Committed(seq=found.seq, rev=commit.session.rev + 1, reply=found.reply or "")
