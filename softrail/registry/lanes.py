"""Runs the turns of a session in order: here, and over all workers.

On one worker the turns of a session stand in a lane and are served as they came. A turn that ends within
`accept_after` is computed from a snapshot and committed at once; any other is accepted first: written down,
numbered, and run under the session's hold. Whoever holds a session runs its oldest accepted turn, also one
that a dead worker left behind.
"""

import asyncio
import contextlib
import logging
import time
from collections.abc import Coroutine, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Protocol

from softrail.core.commits import (
    Acceptance,
    Accepted,
    CommitResult,
    Committed,
    Held,
    Moved,
    Refused,
    Seen,
    Status,
    Taken,
    TurnCommit,
    TurnRow,
)
from softrail.core.errors import NotFound, SoftrailError, Stopping, TurnReused
from softrail.core.people import Person
from softrail.core.ports import Store
from softrail.core.sessions import Session, Snapshot
from softrail.core.turns import Request, Turn
from softrail.registry.draft import Draft
from softrail.registry.running import RunningTurn
from softrail.registry.worker import Worker

log = logging.getLogger(__name__)

MAX_STARTS = 3


@dataclass(frozen=True, kw_only=True, slots=True)
class Pace:
    """The limits of the path, in seconds."""

    accept_after: float = 0.05  #: a turn that is not done by then is written down
    wait_limit: float = 60.0  #: how long a client waits for its turn's place
    poll: float = 0.01  #: how often a waiting turn looks, at first
    poll_most: float = 0.2


class Thinker(Protocol):
    """What the lanes need of the dispatcher."""

    async def see_project(self, request: Request, person: Person) -> None:
        """Raise NotFound for a project that the person is not in."""
        ...

    async def admit(self, request: Request, person: Person) -> None:
        """Raise what forbids the turn before anything of it is stored."""
        ...

    async def think(self, turn: Turn, snapshot: Snapshot, run: RunningTurn | None) -> Draft:
        """Compute a turn; never raises for plugin code or text."""
        ...

    def plainly(self, turn: Turn, snapshot: Snapshot, sentence: str, **values: str) -> Draft:
        """A draft that changes nothing and says that sentence."""
        ...

    def commit_of(
        self,
        draft: Draft,
        request: Request,
        *,
        fence: int | None,
        status: Status = "committed",
        keep_hold: bool = False,
    ) -> TurnCommit:
        """What to commit for a draft."""
        ...

    def committed(self, draft: Draft, reply: str, run: RunningTurn | None) -> None:
        """Told after every commit."""
        ...


class Lanes:
    """The order of turns on this worker, and this worker's place among the others."""

    def __init__(self, store: Store, worker: Worker, thinker: Thinker, pace: Pace) -> None:
        self._store = store
        self._worker = worker
        self._thinker = thinker
        self._pace = pace
        self._last: dict[str, RunningTurn] = {}
        self._background: set[asyncio.Task[None]] = set()
        self._stopping = False

    # -- one turn

    def enter(self, run: RunningTurn) -> None:
        """Put a turn at the end of its session's lane; it runs by itself from here on."""
        run.previous = self._last.get(run.session_id)
        self._last[run.session_id] = run
        run.task = self._spawn(self._live(run))

    async def _live(self, run: RunningTurn) -> None:
        session_id = run.session_id
        loop = asyncio.get_running_loop()
        timer = loop.call_later(self._pace.accept_after, self._overdue, run)
        try:
            while True:
                try:
                    run.finish(await self._serve(run))
                    return
                except asyncio.CancelledError:
                    # Not ours to keep: another took the hold, or the turn has to queue. Its answer, or
                    # its place, is in the store.
                    task = asyncio.current_task()
                    if self._stopping or not run.again or task is None:
                        raise
                    task.uncancel()
                    run.again = run.thinking = run.committing = False
                    run.fence = None
        except asyncio.CancelledError:
            run.fail(Stopping("The server is stopping. Send the turn again with the same turn_id."))
        except SoftrailError as error:
            run.fail(error)
        except BaseException as error:
            log.exception("Turn %s of session %s failed outside any plugin.", run.turn_id, session_id)
            run.fail(error)
        finally:
            timer.cancel()
            if self._last.get(session_id) is run:
                del self._last[session_id]
            if run.fence is not None and run.done.exception() is not None:
                self._spawn(self._let_go(run.session_id, run.fence))

    async def _serve(self, run: RunningTurn) -> str:
        found = await self._look(run)
        if isinstance(found, str):
            return found
        if run.escapes and run.seq is None and await self._stop_earlier(run, found):
            return await self._queue(run)
        if run.previous is not None and not run.previous.finished:
            await _quietly(run.previous.done)
            found = await self._look(run)
            if isinstance(found, str):
                return found
        while run.seq is None and found.session.holder is None and not found.session.waiting and run.runs < 5:
            reply = await self._at_once(run, found)
            if reply is not None:
                return reply
            found = await self._look(run)
            if isinstance(found, str):
                return found
        return await self._queue(run)

    async def _look(self, run: RunningTurn) -> Snapshot | str:
        """The snapshot to compute from, or the reply when the turn has one already."""
        asks = run.turn_id if run.named or run.known else None
        loaded = await self._store.load(run.person, None if run.opens else run.session_id, asks)
        if loaded.seen is not None:
            if run.runs == 0 and run.seq is None:  # a replay needs the rights of now, not of then
                await self._thinker.see_project(run.request, run.person)
            reply = self._recognise(run, loaded.seen)
            if reply is not None:
                return reply
            loaded = await self._store.load(run.person, run.session_id)
        elif run.runs == 0 and run.seq is None:
            if not run.opens and loaded.snapshot is None:
                raise NotFound()
            await self._thinker.admit(run.request, run.person)
        if run.opens:
            new = Session(id=run.session_id, person_id=run.person.id, created_at=run.at)
            return Snapshot(person=run.person, session=new)
        if loaded.snapshot is None:
            raise NotFound()
        run.basis = loaded.snapshot.session
        return loaded.snapshot

    def _recognise(self, run: RunningTurn, row: TurnRow) -> str | None:
        """Check a stored turn of this id against the request; its reply when it has one."""
        if row.hash != run.request.hash:
            raise TurnReused(
                f"The turn_id {run.turn_id!r} was used before with another body. Use a new id for a new turn.",
                turn_id=run.turn_id,
            )
        run.session_id, run.opens = row.session_id, False
        if row.reply is None:
            run.accept(row.seq, run.fence)
        return row.reply

    async def _at_once(self, run: RunningTurn, snapshot: Snapshot) -> str | None:
        """Compute from a snapshot, holding nothing, and commit. None: look again."""
        run.runs += 1
        run.basis, run.thinking = snapshot.session, True
        run.began.set()
        turn = Turn(
            id=run.turn_id,
            session_id=run.session_id,
            seq=snapshot.session.next_seq,
            person=snapshot.person,
            message=run.request.message,
            at=run.at,
            project_id=run.request.project_id,
            intent_hint=run.request.intent_hint,
        )
        if run.late or run.streaming:
            await self.accept(run)
        draft = await self._thinker.think(turn, snapshot, run)
        run.thinking, run.committing = False, True
        if run.accepting is not None:
            await asyncio.shield(run.accepting)
        if run.seq is not None and run.fence is None:
            run.committing = False
            return None
        return await self._commit(run, draft, run.request, run.fence)

    async def _queue(self, run: RunningTurn) -> str:
        """Wait for the turn's place among those accepted, then run it under the session's hold."""
        run.thinking = False
        if run.seq is None:
            await self.accept(run)
        pause = self._pace.poll
        while True:
            taken = await self._store.take(run.session_id, await self._worker.ready())
            if taken is None:
                raise NotFound()
            if isinstance(taken, Taken):
                mine = bool(taken.waiting) and taken.waiting[0].turn_id == run.turn_id
                reply = await self._run_oldest(taken, run if mine else None)
                if mine and reply is not None:
                    return reply
                if taken.waiting:
                    continue
            row = await self._store.turn(run.person.id, run.turn_id)
            if row is None:
                raise NotFound()
            if row.reply is not None:
                return row.reply
            if isinstance(taken, Held):
                await asyncio.sleep(pause)
                pause = min(pause * 1.5, self._pace.poll_most)

    async def _run_oldest(self, taken: Taken, run: RunningTurn | None) -> str | None:
        """Run the oldest accepted turn of a session we hold, whoever accepted it."""
        if not taken.waiting:
            await self._store.release(taken.snapshot.session.id, taken.fence)
            return None
        row = taken.waiting[0]
        if run is not None:
            run.fence, run.held_since = taken.fence, time.monotonic()
            run.began.set()
        turn, request = _stored_turn(row, taken.snapshot)
        status: Status = "committed"
        try:
            if row.starts >= MAX_STARTS:
                draft, status = self._thinker.plainly(turn, taken.snapshot, "gave_up"), "failed"
            else:
                draft = await self._thinker.think(turn, taken.snapshot, run)
            return await self._commit(run, draft, request, taken.fence, status=status)
        except BaseException:
            if run is None:
                self._spawn(self._let_go(row.session_id, taken.fence))
            raise

    async def _commit(
        self,
        run: RunningTurn | None,
        draft: Draft,
        request: Request,
        fence: int | None,
        *,
        status: Status = "committed",
    ) -> str | None:
        """Commit a draft. None: it was computed from something that has changed."""
        draft.decision.runs = run.runs if run else 1
        result = await self._one(self._thinker.commit_of(draft, request, fence=fence, status=status))
        if isinstance(result, Refused):
            log.warning("Effect %s of turn %s was refused: %s", result.kind, draft.turn.id, result.reason)
            draft = self._thinker.plainly(draft.turn, draft.snapshot, "not_saved", reason=result.reason)
            draft.decision.trouble = f"effect {result.kind} refused: {result.reason}"
            result = await self._one(self._thinker.commit_of(draft, request, fence=fence, status=status))
        if run is not None:
            run.committing = False
        if isinstance(result, Committed):
            if run is not None:
                run.fence = None
            self._thinker.committed(draft, result.reply, run)
            return result.reply
        if run is not None:
            run.emit("turn.superseded", {"turn_id": run.turn_id})
            if isinstance(result, Seen):
                run.fence = None
                return self._recognise(run, result.turn)
            run.fence = None
        if fence is not None and isinstance(result, Moved):
            await self._store.release(draft.session.id, fence)
        return None

    async def _one(self, commit: TurnCommit) -> CommitResult:
        [result] = await asyncio.shield(self._store.commit([commit]))
        return result

    # -- acceptance

    def _overdue(self, run: RunningTurn) -> None:
        run.late = True
        if run.seq is None and not run.finished and not run.committing and run.basis is not None:
            self._begin_accepting(run)

    def _begin_accepting(self, run: RunningTurn) -> asyncio.Task[None]:
        if run.accepting is None:
            run.accepting = self._spawn(self._accept(run))
        return run.accepting

    async def accept(self, run: RunningTurn) -> None:
        """Write the turn down now. Called before anything outside can notice it, such as a model call.

        When the turn has to queue instead of going on, the caller is cancelled and served again.
        """
        if run.seq is None:
            run.refused = None
            await asyncio.shield(self._begin_accepting(run))
            if run.refused is not None:
                raise run.refused
        if run.again:
            await asyncio.Event().wait()

    async def _accept(self, run: RunningTurn) -> None:
        """Number the turn in the order of arrival, and take the hold when nothing is in the way."""
        if run.previous is not None:
            await run.previous.settled.wait()
        if run.finished or run.seq is not None or run.committing:
            run.accepting = None  # too late for this attempt; if its commit is lost, the next one may need it
            return
        thinking = run.thinking
        basis = run.basis or Session(id=run.session_id, person_id=run.person.id, created_at=run.at)
        row = TurnRow(
            session_id=run.session_id,
            seq=0,
            person_id=run.person.id,
            turn_id=run.turn_id,
            hash=run.request.hash,
            request=run.request.model_dump_json(),
            accepted_at=run.at,
            project_id=run.request.project_id,
        )
        session = basis if thinking else basis.evolve(rev=-1)
        try:
            result = await self._store.accept(
                Acceptance(turn=row, session=session, worker=await self._worker.ready())
            )
            if isinstance(result, Seen):
                run.known = True
                self._recognise(run, result.turn)
        except SoftrailError as error:
            run.refused, run.accepting = error, None
            return
        if isinstance(result, Accepted):
            run.accept(result.seq, result.fence)
        if run.fence is None and thinking and run.thinking:
            self._serve_again(run)

    def _serve_again(self, run: RunningTurn) -> None:
        run.again = True
        if run.task is not None:
            run.task.cancel()

    # -- stopping what runs

    async def _stop_earlier(self, run: RunningTurn, found: Snapshot) -> bool:
        """An escape word interrupts the turns before it that are accepted and unfinished."""
        earlier = run.previous
        if (earlier is None or earlier.finished) and not found.session.waiting:
            return False
        if earlier is not None and not earlier.finished:
            # Most turns end at once by themselves, and then nothing has to be stopped.
            await asyncio.wait({earlier.done}, timeout=self._pace.accept_after)
            if not earlier.finished:
                self._begin_accepting(earlier)
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(1.0):
                        await earlier.settled.wait()
        look = await self._store.load(run.person, run.session_id)
        if look.snapshot is None:
            raise NotFound()
        if not look.snapshot.session.waiting:
            return False
        await self.accept(run)
        await self.interrupt(run.session_id, before=run.seq)
        return True

    async def interrupt(self, session_id: str, *, before: int | None = None) -> int:
        """Raise the fence and commit the unfinished turns (before that number) as interrupted, in order."""
        taken = await self._store.take(session_id, await self._worker.ready(), force=True)
        if not isinstance(taken, Taken):
            return 0
        snapshot, stopped = taken.snapshot, 0
        rows = [row for row in taken.waiting if before is None or row.seq < before]
        numbers = {row.turn_id for row in rows}
        for run in self._line(session_id):
            if run.turn_id in numbers and run.seq is not None:
                self._serve_again(run)
        for row in rows:
            turn, request = _stored_turn(row, snapshot)
            draft = self._thinker.plainly(turn, snapshot, "interrupted")
            commit = self._thinker.commit_of(
                draft, request, fence=taken.fence, status="interrupted", keep_hold=True
            )
            result = await self._one(commit)
            if not isinstance(result, Committed):
                break
            self._thinker.committed(draft, result.reply, None)
            session = snapshot.session
            snapshot = replace(snapshot, session=session.evolve(rev=result.rev, waiting=session.waiting - 1))
            stopped += 1
        await self._store.release(session_id, taken.fence)
        return stopped

    async def cancel(self, session_id: str) -> int:
        """Interrupt everything of a session that is accepted and unfinished; how many turns."""
        last = self._last.get(session_id)
        if last is not None and not last.finished and last.seq is None:
            await asyncio.wait({last.done}, timeout=self._pace.accept_after * 2)
        return await self.interrupt(session_id)

    def lost(self, since: float, holds: Mapping[str, int]) -> None:
        """Serve again whatever runs under a hold that no longer stands."""
        for last in list(self._last.values()):
            for run in self._line(last.session_id):
                held = run.fence is not None and run.held_since < since and not run.committing
                if held and holds.get(run.session_id) != run.fence:
                    self._serve_again(run)

    def _line(self, session_id: str) -> Iterator[RunningTurn]:
        run = self._last.get(session_id)
        while run is not None:
            if not run.finished:
                yield run
            run = run.previous

    # -- turns without a client

    async def drain(self, session_id: str) -> int:
        """Run the accepted turns that nobody runs; how many were committed."""
        ran = 0
        while not self._stopping:
            taken = await self._store.take(session_id, await self._worker.ready())
            if not isinstance(taken, Taken):
                return ran
            if await self._run_oldest(taken, None) is None:
                return ran
            ran += 1
        return ran

    async def _let_go(self, session_id: str, fence: int) -> None:
        """Give a hold back, however long the store is away."""
        while not self._stopping:
            with contextlib.suppress(SoftrailError):
                await self._store.release(session_id, fence)
                return
            await asyncio.sleep(1.0)

    # -- ending

    async def stop(self, grace: float) -> None:
        """Let what runs finish for `grace` seconds, then cancel it; accepted turns stay accepted."""
        tasks = {run.task for last in list(self._last.values()) for run in self._line(last.session_id)}
        waiting = {task for task in tasks if task is not None}
        if waiting:
            await asyncio.wait(waiting, timeout=grace)
        self._stopping = True
        for task in list(self._background):
            task.cancel()
        if self._background:
            await asyncio.wait(self._background, timeout=5)

    def _spawn(self, work: Coroutine[None, None, None]) -> asyncio.Task[None]:
        task = asyncio.get_running_loop().create_task(work)
        self._background.add(task)
        task.add_done_callback(self._background.discard)
        return task


def _stored_turn(row: TurnRow, snapshot: Snapshot) -> tuple[Turn, Request]:
    """The turn as it was accepted, at the time it was accepted."""
    request = Request.model_validate_json(row.request or "{}")
    turn = Turn(
        id=row.turn_id,
        session_id=row.session_id,
        seq=row.seq,
        person=snapshot.person,
        message=request.message,
        at=row.accepted_at,
        project_id=request.project_id,
        intent_hint=request.intent_hint,
    )
    return turn, request


async def _quietly(done: asyncio.Future[str]) -> None:
    """Wait for an earlier turn; how it ended is not our business."""
    await asyncio.wait({done})
