"""Acceptance: a turn is written down and numbered before anything outside can notice it."""

import asyncio

from softrail.core.commits import Acceptance, Accepted, Seen, TurnRow
from softrail.core.errors import SoftrailError
from softrail.core.ports import Store
from softrail.core.sessions import Session
from softrail.registry.running import RunningTurn
from softrail.registry.tasks import Tasks
from softrail.registry.worker import Worker


class Accepting:
    """Writes turns down in the order of their arrival on this worker."""

    def __init__(self, store: Store, worker: Worker, tasks: Tasks) -> None:
        self._store = store
        self._worker = worker
        self._tasks = tasks

    def overdue(self, run: RunningTurn) -> None:
        """`accept_after` is over: a turn that is being computed is written down meanwhile."""
        run.late = True
        if run.seq is None and not run.finished and not run.committing and run.basis is not None:
            self.begin(run)

    def begin(self, run: RunningTurn) -> asyncio.Task[None]:
        """Begin to write the turn down, once."""
        if run.accepting is None:
            run.accepting = self._tasks.spawn(self._accept(run))
        return run.accepting

    async def accept(self, run: RunningTurn) -> None:
        """Write the turn down now. Called before anything outside can notice it, such as a model call.

        When the turn has to queue instead of going on, the caller is cancelled and served again.
        """
        if run.seq is None:
            run.refused = None
            await asyncio.shield(self.begin(run))
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
                run.recognise(result.turn)
        except SoftrailError as error:
            run.refused, run.accepting = error, None
            return
        if isinstance(result, Accepted):
            run.accept(result.seq, result.fence)
        if run.fence is None and thinking and run.thinking:
            run.serve_again()
