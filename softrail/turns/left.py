"""What turns leave behind that could not end: leases to be given back, and sessions that have to go on.

A turn that is written down and whose worker cannot reach the store is answered by "not now", and its client may never
come again. Whoever has left it goes on with it as soon as the store is back, and not only at the next sweep.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from itertools import pairwise
from typing import Final, TypeVar

from softrail.core.commits import Occupied, Taken
from softrail.core.errors import SoftrailError
from softrail.core.ports import Store
from softrail.turns.tasks import Tasks
from softrail.turns.worker import Worker

log = logging.getLogger(__name__)

AGAIN: Final = 1.0  #: seconds between two tries
AT_ONCE: Final = 8  #: sessions, so that turns find connections, too

T = TypeVar("T")


class Left:
    """Tries in the background, however long the store is away; `go_on` runs what waits under a lease that was taken."""

    def __init__(
        self, store: Store, worker: Worker, tasks: Tasks, go_on: Callable[[Taken], Awaitable[object]]
    ) -> None:
        self._store = store
        self._worker = worker
        self._tasks = tasks
        self._go_on = go_on
        self._leases: dict[str, int] = {}  #: by session, with the fence
        self._waiting: dict[
            str, None
        ] = {}  #: sessions with turns that wait, in the order in which they were left
        self._task: asyncio.Task[None] | None = None

    def give_back(self, session_id: str, fence: int) -> None:
        """Nobody here wants this lease any more."""
        self._leases[session_id] = max(fence, self._leases.get(session_id, fence))
        self._begin()

    def go_on_with(self, session_id: str) -> None:
        """A turn of it is written down, and could not be computed or committed: run it once that is possible."""
        self._waiting[session_id] = None
        self._begin()

    async def release(self, session_id: str, fence: int) -> None:
        """Give a lease back now; where that fails it is done later, and the error raised."""
        try:
            await self._store.release(session_id, fence)
        except BaseException:
            self.give_back(session_id, fence)
            raise

    def _begin(self) -> None:
        if not self._tasks.stopping and (self._task is None or self._task.done()):
            self._task = self._tasks.spawn(self._live())

    async def _live(self) -> None:
        while not self._tasks.stopping:
            try:
                await self._once()
            except SoftrailError:
                log.debug("What is left waits for the store.", exc_info=True)
            except Exception:
                log.exception("What was left could not be seen to; it is tried again.")
            if not self._leases and not self._waiting:
                return
            await asyncio.sleep(AGAIN)

    async def _once(self) -> None:
        await _each(list(self._leases.items()), self._release)
        if self._waiting:
            await self._store.check()  # a step, or a model, is not asked again for nothing
        await _each(list(self._waiting), self._take)

    async def _release(self, lease: tuple[str, int]) -> None:
        session_id, fence = lease
        await self._store.release(session_id, fence)
        if self._leases.get(session_id) == fence:
            del self._leases[session_id]

    async def _take(self, session_id: str) -> None:
        taken = await self._store.take(session_id, await self._worker.ready())
        if not isinstance(taken, Occupied):  # else whoever has it may run this turn, or may not
            self._waiting.pop(session_id, None)
        if isinstance(taken, Taken):
            self._tasks.spawn(self._run(taken))

    async def _run(self, taken: Taken) -> None:
        session_id = taken.snapshot.session.id
        try:
            await self._go_on(taken)
        except SoftrailError as error:
            log.warning("A turn that was left waits again in session %s: %s", session_id, error)
        except Exception:
            log.exception("What waits in session %s could not be run.", session_id)


async def _each(things: Sequence[T], see_to: Callable[[T], Awaitable[None]]) -> None:
    """See to one, and to the others some at a time: as long as the store is away, only one is refused."""
    for begin, end in pairwise((0, *range(1, len(things), AT_ONCE), len(things))):
        await asyncio.gather(*map(see_to, things[begin:end]))
