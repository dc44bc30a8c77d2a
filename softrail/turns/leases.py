"""Turns under the lease of their session: whoever has it runs the oldest accepted turn, whoever accepted that.

A dead worker's turns are run by the next one to take the lease, so an accepted turn is never lost.
"""

import asyncio
from collections.abc import Iterable
from dataclasses import replace

from softrail.core.commits import Committed, Occupied, Status, Taken, TurnRow
from softrail.core.errors import NotFound, StoreUnavailable
from softrail.core.ports import Store
from softrail.core.sessions import Snapshot
from softrail.core.turns import Turn
from softrail.dialogue.draft import Draft
from softrail.turns.accepting import Acceptor
from softrail.turns.commit import Committer, Thinker
from softrail.turns.left import Left
from softrail.turns.phases import Leased
from softrail.turns.requests import AnyRequest, stored_request, turn_for
from softrail.turns.running import RunningTurn
from softrail.turns.tasks import Tasks
from softrail.turns.timing import Timing
from softrail.turns.worker import Worker

MAX_STARTS = 3


class Leases:
    """Takes leases, runs what waits under them, and gives them back."""

    def __init__(
        self,
        store: Store,
        worker: Worker,
        thinker: Thinker,
        acceptor: Acceptor,
        committer: Committer,
        left: Left,
        tasks: Tasks,
        timing: Timing,
    ) -> None:
        self._store = store
        self._worker = worker
        self._thinker = thinker
        self._acceptor = acceptor
        self._committer = committer
        self._left = left
        self._tasks = tasks
        self._timing = timing

    async def wait(self, run: RunningTurn) -> str:
        """Wait for the turn's place among those accepted, then run it under the session's lease."""
        await self._acceptor.accept(run)  # a place in line is a number
        pause, held = self._timing.poll, False
        while True:
            if not held:  # a try to take it is a write, and whoever only waits writes nothing
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
                held = isinstance(taken, Occupied)
            # Looked for after every try: whoever else took the lease may have answered this turn.
            row = await self._store.turn(run.person.id, run.turn_id)
            if row is None:
                raise NotFound()
            if row.reply is not None:
                return row.reply
            if held:
                # Whoever has the lease may be another process: only the store can tell when it is free.
                await asyncio.sleep(pause)
                pause = min(pause * 1.5, self._timing.poll_most)
                seen = (await self._store.glimpses([run.session_id])).get(run.session_id)
                held = seen is not None and seen.held

    async def _run_oldest(self, taken: Taken, run: RunningTurn | None) -> str | None:
        """Run the oldest accepted turn of a session whose lease we have, whoever accepted it; `run` if it is ours."""
        if not taken.waiting:
            await self._left.release(taken.snapshot.session.id, taken.fence)
            return None
        row = taken.waiting[0]
        turn, request = _stored_turn(row, taken.snapshot)
        status: Status = "committed"
        draft: Draft | None
        try:
            if run is not None:
                run.move(Leased(row.seq, taken.fence))
            if row.starts >= MAX_STARTS:
                sentence = "gave_up" if turn.origin == "person" else "signal_gave_up"
                draft, status = self._thinker.plainly(turn, taken.snapshot, sentence), "failed"
            elif run is None:
                draft = await self._thinker.think(turn, taken.snapshot, None)
            else:
                # An escape word or a lost lease ends it at once, however long it would have computed.
                draft = await self._tasks.unless(
                    run.superseded, self._thinker.think(turn, taken.snapshot, run)
                )
            if draft is None:
                return None
            return await self._committer.commit(run, draft, request, taken.fence, status=status)
        except BaseException as error:
            if run is None:
                self._left.give_back(row.session_id, taken.fence)
                if isinstance(error, StoreUnavailable):
                    self._left.go_on_with(row.session_id)
            raise

    async def drain(self, session_id: str) -> int:
        """Run the accepted turns that nobody runs; how many were committed."""
        ran = 0
        while not self._tasks.stopping:
            taken = await self._store.take(session_id, await self._worker.ready())
            if not isinstance(taken, Taken) or await self._run_oldest(taken, None) is None:
                return ran
            ran += 1
        return ran

    async def go_on(self, taken: Taken) -> int:
        """Run what waits under a lease that was taken, and whatever waits then; how many were committed."""
        if await self._run_oldest(taken, None) is None:
            return 0
        return 1 + await self.drain(taken.snapshot.session.id)

    async def interrupt(
        self, session_id: str, here: Iterable[RunningTurn], *, before: int | None = None
    ) -> int:
        """Raise the fence and commit the unfinished turns (before that number) as interrupted, in order.

        `here` are the unfinished turns of the session on this worker. Returns how many were interrupted.
        """
        # First the fence, then the words: from here on nothing that runs can commit, whatever it computes.
        taken = await self._store.take(session_id, await self._worker.ready(), force=True)
        if not isinstance(taken, Taken):
            return 0
        try:
            return await self._interrupted(taken, here, before)
        finally:
            await self._left.release(session_id, taken.fence)

    async def _interrupted(self, taken: Taken, here: Iterable[RunningTurn], before: int | None) -> int:
        snapshot, stopped = taken.snapshot, 0
        rows = [
            row
            for row in taken.waiting
            if row.origin == "person" and (before is None or row.seq < before)  # what happened, happened
        ]
        numbers = {row.turn_id for row in rows}
        for run in here:
            if run.turn_id in numbers and isinstance(run.phase, Leased):
                run.step_back()
        for row in rows:
            turn, request = _stored_turn(row, snapshot)
            draft = self._thinker.plainly(turn, snapshot, "interrupted")
            commit = self._thinker.commit_of(
                draft, request, fence=taken.fence, status="interrupted", keep_lease=True
            )
            result = await self._committer.once(commit)
            if not isinstance(result, Committed):
                break
            self._thinker.committed(draft, result.reply, None)
            session = snapshot.session
            snapshot = replace(snapshot, session=session.evolve(rev=result.rev, waiting=session.waiting - 1))
            stopped += 1
        return stopped


def _stored_turn(row: TurnRow, snapshot: Snapshot) -> tuple[Turn, AnyRequest]:
    """The turn as it was accepted, at the time it was accepted."""
    request = stored_request(row)
    turn = turn_for(
        request,
        turn_id=row.turn_id,
        session_id=row.session_id,
        seq=row.seq,
        person=snapshot.person,
        at=row.accepted_at,
    )
    return turn, request
