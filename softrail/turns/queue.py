"""Runs the turns of a session in order: here, and over all workers.

On one worker the turns of a session stand in line and are served as they came. A turn that ends within
`accept_after` is computed from a snapshot and committed at once; any other is accepted first (`accepting`) and
runs under the session's lease (`leases`). Where a turn stands is its phase (`phases`).
"""

import asyncio
import contextlib
import logging
from collections import Counter
from collections.abc import Iterator, Mapping

from softrail.core.errors import NotFound, SoftrailError, Stopping, StoreUnavailable, TooManyTurns
from softrail.core.holding import only_after
from softrail.core.ports import Store, Workers
from softrail.core.sessions import Session, Snapshot
from softrail.turns.accepting import Acceptor
from softrail.turns.commit import Committer, Thinker
from softrail.turns.deadlines import Deadlines
from softrail.turns.kept import Kept
from softrail.turns.leases import Leases
from softrail.turns.left import Left
from softrail.turns.phases import Accepted, Arrived, Leased, Thinking
from softrail.turns.requests import turn_for
from softrail.turns.running import RunningTurn
from softrail.turns.tasks import Tasks
from softrail.turns.timing import Timing
from softrail.turns.worker import Worker

log = logging.getLogger(__name__)

LONG_LINE = 4  #: turns of one session on this worker from which on it lets others go first
GIVES_WAY = (
    0.02  #: seconds that it does so for each turn, at most: a step that thinks for long holds nobody up
)
MOST_ATTEMPTS = 5  #: without a lease; a turn that loses as often is written down and waits for one


class SessionQueue:
    """The order of turns on this worker, and this worker's place among the others."""

    def __init__(self, store: Store, worker: Worker, thinker: Thinker, timing: Timing) -> None:
        self._store = store
        self._thinker = thinker
        self._timing = timing
        self._tasks = Tasks()
        self._left = Left(store, worker, self._tasks, lambda taken: self._leases.go_on(taken))
        self._acceptor = Acceptor(store, worker, self._tasks, self._left)
        self._kept = Kept(lambda: worker.alone)
        self._committer = Committer(store, thinker, self._kept, self._left, self._alone)
        self._leases = Leases(
            store, worker, thinker, self._acceptor, self._committer, self._left, self._tasks, timing
        )
        self._overdue = Deadlines(timing.accept_after, self._acceptor.overdue)
        self._last: dict[str, RunningTurn] = {}
        self._here: Counter[str] = Counter()  #: unfinished turns by session
        self._brisk: set[RunningTurn] = (
            set()
        )  #: unfinished, of a short line, and nothing outside was asked yet

    # -- one turn

    def enter(self, run: RunningTurn) -> None:
        """Put a turn at the end of its session's line; it runs by itself from here on.

        Where the line is full it fails at once: what one session waits for must not be what everybody waits for.
        """
        if self._bounded(run) and self._here[run.session_id] >= self._timing.waiting_limit:
            run.fail(self._too_many())
            return
        # With no time at all it is written down before its step begins, not beside it: a step may let nothing else run.
        run.accept_first = run.accept_first or not self._timing.accept_after
        self._here[run.session_id] += 1
        if self._here[run.session_id] < LONG_LINE:
            self._brisk.add(run)
        run.previous = self._last.get(run.session_id)
        self._last[run.session_id] = run
        self._tasks.spawn(self._live(run))

    async def _live(self, run: RunningTurn) -> None:
        session_id = run.session_id
        self._overdue.begin(run)
        try:
            run.finish(await self._serve(run))
        except asyncio.CancelledError:  # only the end of this worker cancels a turn
            self._fail(run, Stopping("The server is stopping. Send the turn again with the same turn_id."))
        except SoftrailError as error:
            self._fail(run, error)
        except BaseException as error:
            log.exception("Turn %s of session %s failed outside any plugin.", run.turn_id, session_id)
            self._fail(run, error)
        finally:
            self._overdue.end(run)
            self._brisk.discard(run)
            self._here[session_id] -= 1
            if not self._here[session_id]:
                del self._here[session_id]
            if self._last.get(session_id) is run:
                del self._last[session_id]

    def _fail(self, run: RunningTurn, error: BaseException) -> None:
        fence, written = run.fence, run.seq is not None
        run.fail(error)
        if fence is not None:
            self._left.give_back(run.session_id, fence)
        if written and isinstance(error, StoreUnavailable):
            self._left.go_on_with(run.session_id)

    async def _serve(self, run: RunningTurn) -> str:
        """The reply, after as many attempts as it takes."""
        found = await self._look(run)
        if isinstance(found, str):
            return found
        # Before it waits for those in front: they are what it wants to stop.
        if run.escapes and isinstance(run.phase, Arrived) and await self._stop_earlier(run, found):
            return await self._leases.wait(run)
        if run.previous is not None:
            waits = not run.previous.finished
            if waits:
                # Turns of one session on this worker follow each other; how an earlier one ends is not our business.
                await asyncio.wait({run.previous.done})
            if await self._give_way(run) or waits:
                found = await self._look(run)  # what was read before the wait is old
        while isinstance(found, Snapshot):
            session = found.session
            taken = session.leased_to is not None or session.waiting > 0
            if isinstance(run.phase, Accepted) or taken or run.runs >= MOST_ATTEMPTS:
                return await self._leases.wait(run)
            reply = await self._at_once(run, found)
            if reply is not None:
                return reply
            found = await self._look(run)
        return found

    async def _give_way(self, run: RunningTurn) -> bool:
        """Let the turns of others go first where many of this session wait: one person's hundred are not everybody's.

        False: there was nobody to wait for.
        """
        if self._here[run.session_id] < LONG_LINE or run.escapes:
            return False
        others = {other.done for other in self._brisk if other.session_id != run.session_id}
        if others:
            await asyncio.wait(others, timeout=GIVES_WAY)
        return bool(others)

    async def _look(self, run: RunningTurn) -> Snapshot | str:
        """The snapshot to compute from, or the reply when the turn has one already."""
        kept = None
        if run.runs == 0 and run.seq is None and not run.opens:
            kept = self._kept.newest(run.session_id, person_id=run.person.id, turn_id=run.turn_id)
        run.unread = kept is not None
        if kept is not None:
            await self._thinker.admit(run.request, run.person)
            run.move(Arrived(kept.session))
            return Snapshot(person=run.person, session=kept.session, instances=kept.instances)
        asks = run.turn_id if run.stored else None
        # Anew at every attempt: a snapshot is only good for the attempt that it was read for.
        loaded = await self._store.load(run.person, None if run.opens else run.session_id, asks)
        if loaded.seen is not None:
            if run.runs == 0 and run.seq is None:  # a replay needs the rights of now, not of then
                await self._thinker.see_project(run.request, run.person)
            again = run.phase == Arrived() and loaded.seen.status == "failed"
            reply = run.recognise(loaded.seen)
            if again and await self._store.reopen(run.person.id, run.turn_id):
                run.move(Accepted(loaded.seen.seq))  # given up is never final: it was sent again
            elif reply is not None:
                return reply
            loaded = await self._store.load(run.person, run.session_id)
        elif run.runs == 0 and run.seq is None:
            if not run.opens and loaded.snapshot is None:
                raise NotFound()
            await self._thinker.admit(run.request, run.person)
            waiting = loaded.snapshot.session.waiting if loaded.snapshot is not None else 0
            if self._bounded(run) and waiting >= self._timing.waiting_limit:
                raise self._too_many()  # on other workers
        snapshot = loaded.snapshot
        if run.opens:
            new = Session(id=run.session_id, person_id=run.person.id, created_at=run.at)
            snapshot = Snapshot(person=run.person, session=new)
        if snapshot is None:
            raise NotFound()
        if isinstance(run.phase, Arrived):
            run.move(Arrived(snapshot.session))
        return snapshot

    def _alone(self) -> bool:
        """One turn is under way on this worker."""
        return len(self._here) == 1 and sum(self._here.values()) == 1

    def _bounded(self, run: RunningTurn) -> bool:
        """A person's turn takes up room; what stops others, or has happened outside, always comes in."""
        return run.request.origin == "person" and not run.escapes

    def _too_many(self) -> TooManyTurns:
        most = self._timing.waiting_limit
        return TooManyTurns(f"{most} turns wait in this session already. Send this one again in a moment.")

    async def _at_once(self, run: RunningTurn, snapshot: Snapshot) -> str | None:
        """Compute from a snapshot, without a lease, and commit. None: look again."""
        run.move(Thinking(snapshot.session))
        turn = turn_for(
            run.request,
            turn_id=run.turn_id,
            session_id=run.session_id,
            seq=snapshot.session.next_seq,
            person=snapshot.person,
            at=run.at,
        )
        if run.accept_first:
            await self._acceptor.accept(run)  # a stream shows nothing of a turn that may yet be forgotten
        self._acceptor.computing(run)
        try:
            with only_after(lambda: run.accepting):
                draft = await self._tasks.unless(run.superseded, self._thinker.think(turn, snapshot, run))
        finally:
            self._acceptor.computed(run)
        if run.accepting is not None:
            # It began while the turn was computed: it says under which fence, or whether at all, to commit.
            await asyncio.wait({run.accepting})
        if draft is None or not isinstance(run.phase, Thinking | Leased):
            return None
        if run.unread:
            draft.touch_all()
        return await self._committer.commit(run, draft, run.request, run.fence)

    async def stands_still(self, workers: Workers, worker: str) -> None:
        """Write down what is computed, from the thread that beats: the event loop may never come round again."""
        await self._acceptor.in_place_of_the_loop(workers, worker)

    async def before_outside(self, run: RunningTurn) -> None:
        """Write the turn down now: called before anything outside can notice it, such as a model call."""
        self._brisk.discard(run)  # from here on it mostly waits itself
        await self._acceptor.before_outside(run)

    # -- stopping what runs

    async def _stop_earlier(self, run: RunningTurn, found: Snapshot) -> bool:
        """An escape word interrupts the turns before it that are accepted and unfinished."""
        earlier = run.previous
        if (earlier is None or earlier.finished) and not found.session.waiting:
            return False
        if earlier is not None and not earlier.finished:
            # Most turns end at once by themselves, and then nothing has to be stopped.
            await asyncio.wait({earlier.done}, timeout=self._timing.accept_after)
            if not earlier.finished:
                self._acceptor.begin(earlier)
                # Only what has a number can be interrupted; one that gets none in time is waited for like any other.
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(1.0):
                        await earlier.settled.wait()
        look = await self._store.load(run.person, run.session_id)
        if look.snapshot is None:
            raise NotFound()
        if not look.snapshot.session.waiting:
            return False
        await self._acceptor.accept(run)  # its own number says which turns are before it
        await self.interrupt(run.session_id, before=run.seq)
        return True

    async def interrupt(self, session_id: str, *, before: int | None = None) -> int:
        """Interrupt what is accepted and unfinished in a session (before that number); how many turns."""
        return await self._leases.interrupt(session_id, self._line(session_id), before=before)

    async def cancel(self, session_id: str) -> int:
        """Interrupt everything of a session that is accepted and unfinished; how many turns."""
        last = self._last.get(session_id)
        if last is not None and not last.finished and last.seq is None:
            # It ends or is accepted about now; either way it can be told afterwards.
            await asyncio.wait({last.done}, timeout=self._timing.accept_after * 2)
        return await self.interrupt(session_id)

    def lost(self, since: float, leases: Mapping[str, int]) -> None:
        """Serve again whatever runs under a lease that no longer stands."""
        for last in list(self._last.values()):
            for run in self._line(last.session_id):
                phase = run.phase
                old = isinstance(phase, Leased) and phase.since < since  # a newer one was not looked for
                if old and leases.get(run.session_id) != run.fence:
                    run.step_back()

    def _line(self, session_id: str) -> Iterator[RunningTurn]:
        run = self._last.get(session_id)
        while run is not None:
            if not run.finished:
                yield run
            run = run.previous

    # -- turns without a client

    async def drain(self, session_id: str) -> int:
        """Run the accepted turns that nobody runs; how many were committed."""
        return await self._leases.drain(session_id)

    # -- ending

    async def stop(self, grace: float) -> None:
        """Let what runs finish for `grace` seconds, then cancel it; accepted turns stay accepted."""
        waiting = {run.done for last in list(self._last.values()) for run in self._line(last.session_id)}
        if waiting:
            await asyncio.wait(waiting, timeout=grace)
        await self._tasks.stop()
        self._overdue.close()
