"""The store over any SQL database: every promise of the port, each a function that a runner runs."""

from collections.abc import AsyncIterator, Callable, Collection, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from datetime import datetime
from typing import Protocol, TypeVar

from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError

from softrail.core.clock import now
from softrail.core.commits import (
    Acceptance,
    AcceptResult,
    AccessKey,
    Archived,
    CommitResult,
    Due,
    Glimpse,
    Item,
    Loaded,
    Occupied,
    Overview,
    Signs,
    Taken,
    TurnCommit,
    TurnRow,
)
from softrail.core.effects import OutboxItem, StoredRecord
from softrail.core.errors import StoreUnavailable
from softrail.core.execution import Claim
from softrail.core.instances import Instance, Transition
from softrail.core.people import Person
from softrail.core.ports import EffectHandler
from softrail.core.sessions import Session
from softrail.store import archiving, claims, erasing, listing, outbox, path, people, reading, sql, workers
from softrail.store import commit as commits_
from softrail.store.fitting import Fitting
from softrail.store.plugins import PluginTables
from softrail.store.recent import Recent

T = TypeVar("T")


class Runner(Protocol):
    """Runs store functions over a database, each in a transaction of its own or of a group.

    A function may run more than once: its first transaction may have been rolled back.
    """

    async def start(self) -> None:
        """Connect, and make sure that the schema is the one this code knows."""
        ...

    async def close(self) -> None:
        """Give everything back; what was handed over before is finished first."""
        ...

    async def read(self, fn: Callable[[Connection], T]) -> T:
        """Run `fn`, which only reads."""
        ...

    async def glance(self, fn: Callable[[Connection], T]) -> T:
        """Run `fn`, which reads a few rows by their keys: on the path of a turn, where a detour costs most."""
        ...

    async def write(
        self, fn: Callable[[Connection], T], *, again: Callable[[Connection], T] | None = None
    ) -> T:
        """Run `fn` in a transaction; `again` when the outcome of a first try is not known."""
        ...

    async def commit(self, commits: Sequence[TurnCommit]) -> Sequence[CommitResult]:
        """Commit turns, together with others that wait at this moment."""
        ...

    async def scrub(self) -> None:
        """See to it that what was erased is in no file of the database either, as far as it is in our hands."""
        ...

    def beside(self) -> "AbstractAsyncContextManager[Runner]":
        """A runner over the same database for another thread's event loop; it waits for no turn."""
        ...


class Unready:
    """Runs nothing and says why: the start has failed, and what the database holds is not known to fit this code."""

    def __init__(self, why: StoreUnavailable) -> None:
        self._why = why

    async def start(self) -> None:
        raise self._refusal()

    async def close(self) -> None:
        """There is nothing to give back."""

    async def read(self, fn: Callable[[Connection], T]) -> T:
        raise self._refusal()

    async def glance(self, fn: Callable[[Connection], T]) -> T:
        raise self._refusal()

    async def write(
        self, fn: Callable[[Connection], T], *, again: Callable[[Connection], T] | None = None
    ) -> T:
        raise self._refusal()

    async def commit(self, commits: Sequence[TurnCommit]) -> Sequence[CommitResult]:
        raise self._refusal()

    async def scrub(self) -> None:
        raise self._refusal()

    def beside(self) -> "AbstractAsyncContextManager[Runner]":
        raise self._refusal()

    def _refusal(self) -> StoreUnavailable:
        return StoreUnavailable(self._why.message, **self._why.details)


class SqlWorkers:
    """Where workers are: their rows, and what they may write, turns among it."""

    def __init__(self, runner: Runner, fitting: Fitting) -> None:
        self._runner = runner
        self._fitting = fitting

    async def beat(self, worker: str, beat: int) -> bool:
        return await self._runner.write(lambda conn: workers.beat(conn, worker, beat))

    async def pulse(self, worker: str, beat: int) -> Signs:
        """One on tables that its code may not run on gives no sign: others, who may, are to have its sessions."""
        await self._fitting.require(self._runner.read)
        signs = await self._pulse(worker, beat)
        await self._fitting.heard(signs.said, self._runner.read)
        return signs

    async def _pulse(self, worker: str, beat: int) -> Signs:
        return await self._runner.write(lambda conn: workers.pulse(conn, worker, beat))

    async def workers(self) -> Mapping[str, int]:
        return await self._runner.read(workers.all_workers)

    async def remove_worker(self, worker: str, beat: int | None = None, *, leaves: bool = False) -> bool:
        return await self._runner.write(lambda conn: workers.remove_worker(conn, worker, beat, leaves))

    async def leases(self, worker: str) -> Mapping[str, int]:
        return await self._runner.read(lambda conn: workers.leases(conn, worker))

    async def accept(self, acceptance: Acceptance) -> AcceptResult:
        def accept(conn: Connection) -> AcceptResult:
            return path.accept(conn, acceptance)

        def resolve(conn: Connection) -> AcceptResult:
            return path.resolve_accept(conn, acceptance)

        try:
            return await self._runner.write(accept, again=resolve)
        except IntegrityError:
            # Since we looked, another worker has written this turn or opened this session: now it is seen.
            return await self._runner.write(accept, again=resolve)


class SqlStore(SqlWorkers):
    """Keeps sessions, turns, instances, transitions and effects in an SQL database.

    Text must be storable by every database: NUL characters and lone surrogates are kept out at the border.
    A turn that carries one all the same is `Refused`; nothing else is harmed.
    """

    def __init__(
        self,
        runner: Runner,
        *,
        plugins: Sequence[PluginTables] = (),
        url: str = "",
        effect_handlers: Mapping[str, EffectHandler] | None = None,
    ) -> None:
        super().__init__(runner, Fitting(plugins, self._refuse))
        self._own = runner
        self._recent = Recent()
        self.plugins = tuple(plugins)  #: whose tables are kept here, too
        self.url = url  #: where; "" in memory
        self.effect_handlers = dict(effect_handlers or {})  #: by kind, besides those of plugins

    async def start(self) -> None:
        try:
            await self._own.start()
        except StoreUnavailable as error:
            self._runner = Unready(error)
            raise
        self._runner = self._own

    def _refuse(self, why: StoreUnavailable | None) -> None:
        self._runner = self._own if why is None else Unready(why)

    async def close(self) -> None:
        await self._own.close()

    async def check(self) -> None:
        """A row is written as it is: a database that may only be read, or has no space left, is of no use.

        Nor is one that has just refused a turn: this look may be let through where a turn is not.
        """
        self._recent.require()
        await self.write(self._touch)

    def _touch(self, conn: Connection) -> None:
        sql.TOUCH.run(conn, {})

    async def read(self, fn: Callable[[Connection], T]) -> T:
        """What `fn` reads, in one transaction; for tables that a plugin brings along."""
        return await self._runner.read(fn)

    async def glance(self, fn: Callable[[Connection], T]) -> T:
        """What `fn` reads, a few rows by their keys, without a detour where the database allows it."""
        return await self._runner.glance(fn)

    async def write(self, fn: Callable[[Connection], T]) -> T:
        """What `fn` returns after its transaction; it may run twice, so it must bear that."""
        return await self._runner.write(fn)

    async def scrub(self) -> None:
        """What was erased and committed leaves the file too, and the log beside it.

        On SQLite its bytes were overwritten with zeros; here they leave the log, as soon as no reader needs them.
        PostgreSQL keeps such rows until it vacuums, and its log as long as it is set up to.
        """
        await self._runner.scrub()

    # -- people and keys
    async def ensure_person(self, email: str, *, id: str, at: datetime) -> Person:
        return await self.write(lambda conn: people.ensure_person(conn, email, id, at))

    async def person(self, person_id: str) -> Person | None:
        return await self.read(lambda conn: people.person(conn, person_id))

    async def person_by_email(self, email: str) -> Person | None:
        return await self.read(lambda conn: people.person_by_email(conn, email))

    async def update_person(self, person: Person) -> None:
        await self.write(lambda conn: people.update_person(conn, person))

    async def delete_person(self, person_id: str) -> None:
        await self.write(lambda conn: erasing.delete_person(conn, person_id, self.plugins))
        await self.scrub()

    async def add_key(self, key: AccessKey) -> None:
        await self.write(lambda conn: people.add_key(conn, key))

    async def keys(self) -> Sequence[AccessKey]:
        return await self.read(people.all_keys)

    async def keyed(self) -> bool:
        return await self.read(people.keyed)

    async def key_by_hash(self, hash: str) -> AccessKey | None:
        with self._recent.reading:
            return await self.read(lambda conn: people.key_by_hash(conn, hash))

    async def keys_in_use(self, hashes: Collection[str]) -> Collection[str]:
        return await self.read(lambda conn: people.keys_in_use(conn, hashes))

    async def revoke_key(self, key_id: str, *, at: datetime) -> bool:
        return await self.write(lambda conn: people.revoke_key(conn, key_id, at))

    async def model_key(self, person_id: str) -> str | None:
        return await self.glance(lambda conn: people.model_key(conn, person_id))

    async def set_model_key(self, person_id: str, sealed: str | None, *, was: str | None = None) -> bool:
        return await self.write(lambda conn: people.set_model_key(conn, person_id, sealed, was))

    async def model_keys(self) -> Mapping[str, str]:
        return await self.read(people.model_keys)

    # -- the path of a turn
    async def load(self, person: Person, session_id: str | None, turn_id: str | None = None) -> Loaded:
        if session_id is None and turn_id is None:
            return Loaded(snapshot=None)
        with self._recent.reading:
            return await self.glance(lambda conn: path.load(conn, person, session_id, turn_id))

    async def accept(self, acceptance: Acceptance) -> AcceptResult:
        with self._recent:
            return await super().accept(acceptance)

    async def commit(self, commits: Sequence[TurnCommit]) -> Sequence[CommitResult]:
        if not commits:
            return ()
        with self._recent:
            return await self._runner.commit(commits)

    async def take(self, session_id: str, worker: str, *, force: bool = False) -> Taken | Occupied | None:
        with self._recent:
            return await self._runner.write(
                lambda conn: path.take(conn, session_id, worker, force=force),
                again=lambda conn: path.take(conn, session_id, worker, force=force, mine=True),
            )

    async def glimpses(self, session_ids: Sequence[str]) -> Mapping[str, Glimpse]:
        return await self.read(lambda conn: reading.glimpses(conn, session_ids))

    async def release(self, session_id: str, fence: int) -> None:
        await self.write(lambda conn: path.release(conn, session_id, fence))

    async def reopen(self, person_id: str, turn_id: str) -> bool:
        return await self.write(lambda conn: path.reopen(conn, person_id, turn_id))

    # -- workers
    @asynccontextmanager
    async def beside(self) -> AsyncIterator[SqlWorkers]:
        """Where workers are, for the event loop of another thread."""
        async with self._runner.beside() as runner:
            yield SqlWorkers(runner, self._fitting)

    async def stranded(self, limit: int) -> Sequence[str]:
        return await self.read(lambda conn: workers.stranded(conn, limit))

    # -- runs of long work
    async def claim_run(
        self, kind: str, run_id: str, worker: str, *, wake: bool = True, mine: bool = False
    ) -> Claim | None:
        def claim(conn: Connection) -> Claim | None:
            return claims.claim_run(conn, kind, run_id, worker, wake=wake, mine=mine)

        def resolve(conn: Connection) -> Claim | None:
            return claims.claim_run(conn, kind, run_id, worker, wake=wake, mine=True)

        try:
            return await self._runner.write(claim, again=resolve)
        except IntegrityError:
            # Since we looked, another worker has claimed it: now that is seen.
            return await self._runner.write(claim, again=resolve)

    async def wake_runs(self, runs: Collection[tuple[str, str]]) -> Collection[tuple[str, str]]:
        return await self.write(lambda conn: claims.wake_runs(conn, runs))

    async def driven_runs(self, kinds: Collection[str]) -> Collection[tuple[str, str]]:
        return await self.read(lambda conn: claims.driven_runs(conn, kinds))

    async def claims_of(self, worker: str) -> Mapping[int, int]:
        return await self.read(lambda conn: claims.claims_of(conn, worker))

    async def abandoned_runs(self, kinds: Collection[str], limit: int) -> Sequence[tuple[str, str]]:
        return await self.read(lambda conn: claims.abandoned_runs(conn, kinds, limit))

    async def claim_stands(self, claim: Claim) -> bool:
        return await self.write(lambda conn: claims.claim_stands(conn, claim))

    async def drop_claim(self, claim: Claim, woken: int) -> int | None:
        return await self.write(lambda conn: claims.drop_claim(conn, claim, woken))

    async def hand_on_run(self, claim: Claim) -> None:
        await self.write(lambda conn: claims.hand_on_run(conn, claim))

    # -- time
    async def due(self, at: datetime, limit: int) -> Sequence[Due]:
        return await self.read(lambda conn: reading.due(conn, at, limit))

    # -- reading
    async def get(self, person_id: str, kind: str, key: str) -> StoredRecord | None:
        return await self.read(lambda conn: reading.record(conn, person_id, kind, key))

    async def list(self, person_id: str, kind: str) -> Sequence[StoredRecord]:
        return await self.read(lambda conn: reading.records_of(conn, person_id, kind))

    async def records(self, person_id: str) -> Sequence[StoredRecord]:
        return await self.read(lambda conn: reading.all_records(conn, person_id))

    async def suspended(self, person_id: str) -> Sequence[Instance]:
        return await self.glance(lambda conn: reading.suspended(conn, person_id))

    async def elsewhere(self, person_id: str, session_id: str) -> Sequence[Instance]:
        return await self.read(lambda conn: reading.elsewhere(conn, person_id, session_id))

    async def past(self, person_id: str, process: str) -> Sequence[Instance]:
        return await self.read(lambda conn: reading.past(conn, person_id, process))

    async def asked_of(self, person_id: str) -> Sequence[Instance]:
        return await self.glance(lambda conn: reading.asked_of(conn, person_id))

    async def instances(self, session_id: str) -> Sequence[Instance]:
        return await self.read(lambda conn: reading.instances_in(conn, session_id))

    async def instance(self, instance_id: str) -> Instance | None:
        return await self.read(lambda conn: reading.instance(conn, instance_id))

    async def instances_of(self, process: str) -> Sequence[Instance]:
        return await self.read(lambda conn: reading.instances_of(conn, process))

    async def transitions(self, instance_ids: Sequence[str]) -> Sequence[Transition]:
        return await self.read(lambda conn: reading.transitions_of(conn, instance_ids))

    async def turn(self, person_id: str, turn_id: str) -> TurnRow | None:
        return await self.read(lambda conn: commits_.find_turn(conn, person_id, turn_id))

    async def turn_anywhere(self, turn_id: str) -> Sequence[TurnRow]:
        return await self.read(lambda conn: reading.turn_anywhere(conn, turn_id))

    async def session(self, person_id: str, session_id: str) -> Session | None:
        return await self.read(lambda conn: reading.session(conn, person_id, session_id))

    async def sessions(self, person_id: str, *, before: str | None, limit: int) -> Sequence[Session]:
        return await self.read(lambda conn: reading.sessions_of(conn, person_id, before, limit))

    async def overviews(self, person_id: str, session_ids: Sequence[str]) -> Sequence[Overview]:
        return await self.read(lambda conn: listing.overviews(conn, person_id, session_ids))

    async def call_session(self, person_id: str, session_id: str, title: str | None) -> bool:
        return await self.write(lambda conn: listing.call_session(conn, person_id, session_id, title))

    async def open_session(self, session: Session) -> None:
        await self.write(lambda conn: reading.open_session(conn, session))

    async def items(
        self,
        person_id: str,
        *,
        session_id: str | None = None,
        project_id: str | None = None,
        after: int = 0,
        before: int | None = None,
        limit: int = 50,
    ) -> Sequence[Item]:
        if session_id is not None and before is not None:
            return await self.read(
                lambda conn: reading.items_before(conn, person_id, session_id, before, limit)
            )
        return await self.read(
            lambda conn: reading.items(conn, person_id, session_id, project_id, after, limit)
        )

    async def decision(self, person_id: str, session_id: str, turn_id: str) -> str | None:
        return await self.read(lambda conn: reading.decision(conn, person_id, session_id, turn_id))

    async def decisions(
        self, person_id: str, session_id: str, *, after: int = 0, limit: int = 50
    ) -> Sequence[tuple[int, str]]:
        return await self.read(lambda conn: reading.decisions_of(conn, person_id, session_id, after, limit))

    async def archivable(self, before: datetime, *, after: str = "", limit: int = 200) -> Sequence[str]:
        return await self.read(lambda conn: archiving.archivable(conn, before, after, limit))

    async def archive(self, session_id: str, before: datetime) -> Archived:
        return await self.write(lambda conn: archiving.archive(conn, session_id, before))

    async def forgettable(self, before: datetime, *, limit: int = 200) -> Sequence[str]:
        return await self.read(lambda conn: archiving.forgettable(conn, before, limit))

    async def forget(self, session_id: str, before: datetime) -> int:
        return await self.write(lambda conn: archiving.forget(conn, session_id, before))

    async def delete_session(self, person_id: str, session_id: str) -> bool:
        erased = await self.write(
            lambda conn: erasing.delete_session(conn, person_id, session_id, self.plugins)
        )
        if erased:
            await self.scrub()
        return erased

    # -- outbox
    async def outbox(
        self, at: datetime, limit: int, *, kinds: Collection[str] | None = None, worker: str | None = None
    ) -> Sequence[OutboxItem]:
        return await self.glance(lambda conn: outbox.waiting(conn, at, limit, kinds, worker))

    async def unreported(
        self, at: datetime, limit: int, *, worker: str | None = None
    ) -> Sequence[OutboxItem]:
        return await self.glance(lambda conn: outbox.unreported(conn, at, limit, worker))

    async def kinds_due(self, at: datetime) -> Mapping[str, int]:
        return await self.read(lambda conn: outbox.kinds(conn, at))

    async def undelivered(self, limit: int) -> Sequence[OutboxItem]:
        return await self.read(lambda conn: outbox.undelivered(conn, limit))

    async def undelivered_of(self, session_id: str, seq: int) -> Sequence[OutboxItem]:
        return await self.read(lambda conn: outbox.undelivered_of(conn, session_id, seq))

    async def claim(self, items: Sequence[OutboxItem], worker: str) -> Sequence[OutboxItem]:
        return await self.write(lambda conn: outbox.claim(conn, items, worker))

    async def put_back(self, item: OutboxItem) -> bool:
        return await self.write(lambda conn: outbox.put_back(conn, item))

    async def delivered(self, item: OutboxItem, *, report: bool = False) -> bool:
        return await self.write(lambda conn: outbox.delivered(conn, item, now(), report=report))

    async def postpone(self, item: OutboxItem, until: datetime, *, error: str = "") -> bool:
        return await self.write(lambda conn: outbox.postpone(conn, item, until, error))

    async def set_aside(self, item: OutboxItem, error: str, *, report: bool = False) -> bool:
        return await self.write(lambda conn: outbox.set_aside(conn, item, error, report=report))

    async def reported(self, item: OutboxItem, *, again: datetime | None = None) -> bool:
        return await self.write(lambda conn: outbox.reported(conn, item, again))

    async def try_again(self, key: str, *, at: datetime) -> bool:
        return await self.write(lambda conn: outbox.try_again(conn, key, at))
