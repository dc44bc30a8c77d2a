"""Runs the turns of a session in order: here, and over all workers.

On one worker the turns of a session stand in a lane and are served as they came. A turn that ends within
`accept_after` is computed from a snapshot and committed at once; any other is accepted first (`accepting`) and
runs under the session's hold (`holding`).
"""

import asyncio
import contextlib
import logging
from collections.abc import Iterator, Mapping

from softrail.core.errors import NotFound, SoftrailError, Stopping
from softrail.core.ports import Store
from softrail.core.sessions import Session, Snapshot
from softrail.core.turns import Turn
from softrail.registry.accepting import Accepting
from softrail.registry.committing import Committing, Thinker
from softrail.registry.holding import Holding
from softrail.registry.pace import Pace
from softrail.registry.running import RunningTurn
from softrail.registry.tasks import Tasks
from softrail.registry.worker import Worker

log = logging.getLogger(__name__)


class Lanes:
    """The order of turns on this worker, and this worker's place among the others."""

    def __init__(self, store: Store, worker: Worker, thinker: Thinker, pace: Pace) -> None:
        self._store = store
        self._thinker = thinker
        self._pace = pace
        self._tasks = Tasks()
        self._accepting = Accepting(store, worker, self._tasks)
        self._committing = Committing(store, thinker)
        self._holding = Holding(store, worker, thinker, self._accepting, self._committing, self._tasks, pace)
        self._last: dict[str, RunningTurn] = {}

    # -- one turn

    def enter(self, run: RunningTurn) -> None:
        """Put a turn at the end of its session's lane; it runs by itself from here on."""
        run.previous = self._last.get(run.session_id)
        self._last[run.session_id] = run
        run.task = self._tasks.spawn(self._live(run))

    async def _live(self, run: RunningTurn) -> None:
        session_id = run.session_id
        loop = asyncio.get_running_loop()
        timer = loop.call_later(self._pace.accept_after, self._accepting.overdue, run)
        try:
            while True:
                try:
                    run.finish(await self._serve(run))
                    return
                except asyncio.CancelledError:
                    # Not ours to keep: another took the hold, or the turn has to queue. Its answer, or
                    # its place, is in the store.
                    task = asyncio.current_task()
                    if self._tasks.stopping or not run.again or task is None:
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
                self._holding.let_go(run.session_id, run.fence)

    async def _serve(self, run: RunningTurn) -> str:
        found = await self._look(run)
        if isinstance(found, str):
            return found
        if run.escapes and run.seq is None and await self._stop_earlier(run, found):
            return await self._holding.queue(run)
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
        return await self._holding.queue(run)

    async def _look(self, run: RunningTurn) -> Snapshot | str:
        """The snapshot to compute from, or the reply when the turn has one already."""
        asks = run.turn_id if run.named or run.known else None
        loaded = await self._store.load(run.person, None if run.opens else run.session_id, asks)
        if loaded.seen is not None:
            if run.runs == 0 and run.seq is None:  # a replay needs the rights of now, not of then
                await self._thinker.see_project(run.request, run.person)
            reply = run.recognise(loaded.seen)
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
            await self._accepting.accept(run)
        draft = await self._thinker.think(turn, snapshot, run)
        run.thinking, run.committing = False, True
        if run.accepting is not None:
            await asyncio.shield(run.accepting)
        if run.seq is not None and run.fence is None:
            run.committing = False
            return None
        return await self._committing.commit(run, draft, run.request, run.fence)

    async def accept(self, run: RunningTurn) -> None:
        """Write the turn down now. Called before anything outside can notice it, such as a model call."""
        await self._accepting.accept(run)

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
                self._accepting.begin(earlier)
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(1.0):
                        await earlier.settled.wait()
        look = await self._store.load(run.person, run.session_id)
        if look.snapshot is None:
            raise NotFound()
        if not look.snapshot.session.waiting:
            return False
        await self._accepting.accept(run)
        await self.interrupt(run.session_id, before=run.seq)
        return True

    async def interrupt(self, session_id: str, *, before: int | None = None) -> int:
        """Interrupt what is accepted and unfinished in a session (before that number); how many turns."""
        return await self._holding.interrupt(session_id, self._line(session_id), before=before)

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
                    run.serve_again()

    def _line(self, session_id: str) -> Iterator[RunningTurn]:
        run = self._last.get(session_id)
        while run is not None:
            if not run.finished:
                yield run
            run = run.previous

    # -- turns without a client

    async def drain(self, session_id: str) -> int:
        """Run the accepted turns that nobody runs; how many were committed."""
        return await self._holding.drain(session_id)

    # -- ending

    async def stop(self, grace: float) -> None:
        """Let what runs finish for `grace` seconds, then cancel it; accepted turns stay accepted."""
        tasks = {run.task for last in list(self._last.values()) for run in self._line(last.session_id)}
        waiting = {task for task in tasks if task is not None}
        if waiting:
            await asyncio.wait(waiting, timeout=grace)
        await self._tasks.stop()


async def _quietly(done: asyncio.Future[str]) -> None:
    """Wait for an earlier turn; how it ended is not our business."""
    await asyncio.wait({done})
