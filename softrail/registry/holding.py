"""Turns under the hold of their session: whoever has it runs the oldest accepted turn, whoever accepted that.

A dead worker's turns are run by the next one to take the hold, so an accepted turn is never lost.
"""

import asyncio
import contextlib
import time
from collections.abc import Iterable
from dataclasses import replace

from softrail.core.commits import Committed, Held, Status, Taken, TurnRow
from softrail.core.errors import NotFound, SoftrailError
from softrail.core.ports import Store
from softrail.core.sessions import Snapshot
from softrail.core.turns import Request, Turn
from softrail.registry.accepting import Accepting
from softrail.registry.committing import Committing, Thinker
from softrail.registry.pace import Pace
from softrail.registry.running import RunningTurn
from softrail.registry.tasks import Tasks
from softrail.registry.worker import Worker

MAX_STARTS = 3


class Holding:
    """Takes holds, runs what waits under them, and gives them back."""

    def __init__(
        self,
        store: Store,
        worker: Worker,
        thinker: Thinker,
        accepting: Accepting,
        committing: Committing,
        tasks: Tasks,
        pace: Pace,
    ) -> None:
        self._store = store
        self._worker = worker
        self._thinker = thinker
        self._accepting = accepting
        self._committing = committing
        self._tasks = tasks
        self._pace = pace

    async def queue(self, run: RunningTurn) -> str:
        """Wait for the turn's place among those accepted, then run it under the session's hold."""
        run.thinking = False
        if run.seq is None:
            await self._accepting.accept(run)
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
            return await self._committing.commit(run, draft, request, taken.fence, status=status)
        except BaseException:
            if run is None:
                self.let_go(row.session_id, taken.fence)
            raise

    async def drain(self, session_id: str) -> int:
        """Run the accepted turns that nobody runs; how many were committed."""
        ran = 0
        while not self._tasks.stopping:
            taken = await self._store.take(session_id, await self._worker.ready())
            if not isinstance(taken, Taken):
                return ran
            if await self._run_oldest(taken, None) is None:
                return ran
            ran += 1
        return ran

    async def interrupt(
        self, session_id: str, here: Iterable[RunningTurn], *, before: int | None = None
    ) -> int:
        """Raise the fence and commit the unfinished turns (before that number) as interrupted, in order.

        `here` are the unfinished turns of the session on this worker. Returns how many were interrupted.
        """
        taken = await self._store.take(session_id, await self._worker.ready(), force=True)
        if not isinstance(taken, Taken):
            return 0
        snapshot, stopped = taken.snapshot, 0
        rows = [row for row in taken.waiting if before is None or row.seq < before]
        numbers = {row.turn_id for row in rows}
        for run in here:
            if run.turn_id in numbers and run.seq is not None:
                run.serve_again()
        for row in rows:
            turn, request = _stored_turn(row, snapshot)
            draft = self._thinker.plainly(turn, snapshot, "interrupted")
            commit = self._thinker.commit_of(
                draft, request, fence=taken.fence, status="interrupted", keep_hold=True
            )
            result = await self._committing.once(commit)
            if not isinstance(result, Committed):
                break
            self._thinker.committed(draft, result.reply, None)
            session = snapshot.session
            snapshot = replace(snapshot, session=session.evolve(rev=result.rev, waiting=session.waiting - 1))
            stopped += 1
        await self._store.release(session_id, taken.fence)
        return stopped

    def let_go(self, session_id: str, fence: int) -> None:
        """Give a hold back in the background, however long the store is away."""
        self._tasks.spawn(self._release(session_id, fence))

    async def _release(self, session_id: str, fence: int) -> None:
        while not self._tasks.stopping:
            with contextlib.suppress(SoftrailError):
                await self._store.release(session_id, fence)
                return
            await asyncio.sleep(1.0)


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
