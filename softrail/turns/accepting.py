"""Acceptance: a turn is written down and numbered before anything outside can notice it.

The event loop does that, beside the turn. Where a step lets nothing else run, the thread that beats does it in the
loop's place: a turn that ends its process is counted by what is written.
"""

import asyncio
import contextlib
import logging
import threading

from softrail.core import commits
from softrail.core.commits import Acceptance, Seen, TurnRow
from softrail.core.ports import Store, Workers
from softrail.core.sessions import Session
from softrail.turns.left import Left
from softrail.turns.phases import Accepted, Arrived, Leased, Thinking
from softrail.turns.running import RunningTurn
from softrail.turns.tasks import Tasks
from softrail.turns.trouble import in_short
from softrail.turns.worker import Worker

log = logging.getLogger(__name__)


class Acceptor:
    """Writes turns down in the order of their arrival on this worker."""

    def __init__(self, store: Store, worker: Worker, tasks: Tasks, left: Left) -> None:
        self._store = store
        self._worker = worker
        self._tasks = tasks
        self._left = left
        self._computed: set[RunningTurn] = set()  #: under way just now, from a snapshot
        self._lock = threading.Lock()  #: held by the loop and the thread for a moment: who writes a turn down

    def computing(self, run: RunningTurn) -> None:
        """An attempt begins: from here on the thread that beats may write the turn down."""
        with self._lock:
            self._computed.add(run)

    def computed(self, run: RunningTurn) -> None:
        """The attempt is over, and nobody begins to write the turn down any more."""
        with self._lock:
            self._computed.discard(run)

    def overdue(self, run: RunningTurn) -> None:
        """`accept_after` is over: a turn that was looked up is written down while it waits or is computed."""
        run.accept_first = True
        if isinstance(run.phase, Arrived | Thinking) and run.phase.basis is not None:
            self.begin(run)

    def begin(self, run: RunningTurn) -> asyncio.Future[None]:
        """Begin to write the turn down; one attempt at a time."""
        with self._lock:
            if run.accepting is None:
                run.accepting = self._tasks.spawn(self._accept(run))
                run.accepting.add_done_callback(_heard)
            return run.accepting

    async def accept(self, run: RunningTurn) -> None:
        """Write the turn down, if it is not; raises what stands against it. Its phase tells what came of it."""
        if run.seq is None:
            # Shielded: what is being written stays written when this worker stops, and is heard of at the retry.
            await asyncio.shield(self.begin(run))

    async def before_outside(self, run: RunningTurn) -> None:
        """Write the turn down before a model is called; an attempt that is void by then ends here."""
        await self.accept(run)
        if run.superseded.done():
            raise asyncio.CancelledError  # its race is over; whatever it still says is dropped

    async def _accept(self, run: RunningTurn) -> None:
        try:
            if run.previous is not None:
                # Numbers are given in the order of arrival: the turn before has its own, or will never need one.
                await run.previous.settled.wait()
            phase = run.phase
            if isinstance(phase, Arrived | Thinking) and phase.basis is not None:
                acceptance = Acceptance(
                    turn=_row(run),
                    session=phase.basis,
                    worker=await self._worker.ready(),
                    take=isinstance(phase, Thinking),
                )
                # While this is written the attempt goes on; whichever ends first, the store has the say.
                self._moved(run, await self._store.accept(acceptance))
        finally:
            run.accepting = None

    # -- in the thread that beats

    async def in_place_of_the_loop(self, workers: Workers, worker: str) -> None:
        """Write down what is computed while the event loop stands still: it may never come round again."""
        for run, basis, written in self._claimed():
            acceptance = Acceptance(turn=_row(run), session=basis, worker=worker, take=True)
            result: commits.AcceptResult | Exception
            try:
                result = await workers.accept(acceptance)
            except Exception as error:  # the next beat tries again
                log.warning(
                    "Turn %s could not be written down in the loop's place: %s", run.turn_id, in_short(error)
                )
                result, run.accepting = error, None
            with contextlib.suppress(RuntimeError):  # the loop was closed
                written.get_loop().call_soon_threadsafe(self._written, run, written, result)

    def _claimed(self) -> list[tuple[RunningTurn, Session, asyncio.Future[None]]]:
        """What nobody else writes down; from here on the loop leaves it to this thread."""
        claimed = list[tuple[RunningTurn, Session, asyncio.Future[None]]]()
        with self._lock:
            for run in self._computed:
                phase = run.phase
                if isinstance(phase, Thinking) and run.accepting is None:
                    run.accepting = run.done.get_loop().create_future()
                    claimed.append((run, phase.basis, run.accepting))
        return claimed

    # -- in the event loop

    def _written(
        self, run: RunningTurn, written: asyncio.Future[None], result: commits.AcceptResult | Exception
    ) -> None:
        """It comes round after all, and hears what the thread has written meanwhile."""
        written.add_done_callback(_heard)
        try:
            if isinstance(result, Exception):
                raise result
            run.accepting = None
            self._moved(run, result)
            written.set_result(None)
        except Exception as error:
            written.set_exception(error)

    def _moved(self, run: RunningTurn, result: commits.AcceptResult) -> None:
        if isinstance(result, Seen):
            run.recognise(result.turn)
        elif not isinstance(result, commits.Accepted):
            if isinstance(run.phase, Thinking):
                run.step_back()
        elif not run.finished:
            run.move(Accepted(result.seq) if result.fence is None else Leased(result.seq, result.fence))
        elif result.fence is not None:
            self._left.give_back(run.session_id, result.fence)


def _row(run: RunningTurn) -> TurnRow:
    return TurnRow(
        session_id=run.session_id,
        seq=0,
        person_id=run.person.id,
        turn_id=run.turn_id,
        hash=run.request.hash,
        request=run.request.model_dump_json(),
        origin=run.request.origin,
        accepted_at=run.at,
        project_id=run.request.project_id,
    )


def _heard(task: asyncio.Future[None]) -> None:
    """Whoever waits for the acceptance gets what stands against it; nobody waiting is no fault."""
    if not task.cancelled():
        task.exception()
