"""This worker's sign of life, and its watch over the others.

Every worker writes a rising number to its own row. Who has seen the same number of another for `dead_after`
seconds on its own monotonic clock removes that row, and whatever it held is free. No wall clock is compared.
"""

import asyncio
import contextlib
import logging
import time
from collections.abc import Callable, Mapping

from softrail.core.errors import SoftrailError
from softrail.core.ids import Ids
from softrail.core.ports import Store

log = logging.getLogger(__name__)


class Worker:
    """Registers with the store when first needed, beats while it lives, and buries the dead.

    `lost` is called after each beat with its monotonic time and the holds that still stand.
    """

    def __init__(
        self,
        store: Store,
        ids: Ids,
        *,
        interval: float,
        dead_after: float,
        lost: Callable[[float, Mapping[str, int]], None],
    ) -> None:
        self._store = store
        self._ids = ids
        self._interval = interval
        self._dead_after = dead_after
        self._lost = lost
        self._beat = 0
        self._registering = asyncio.Lock()
        self._registered = False
        self._seen: dict[str, tuple[int, float]] = {}
        self._task: asyncio.Task[None] | None = None
        self.id = ids.new()

    async def ready(self) -> str:
        """This worker's id, registered with the store."""
        if not self._registered:
            async with self._registering:
                if not self._registered:
                    await self._store.beat(self.id, 0)
                    self._registered = True
                    if self._task is None:
                        self.start()
        return self.id

    def start(self) -> None:
        """Begin to beat in the background."""
        self._task = asyncio.create_task(self._live(), name="softrail-beat")

    async def stop(self) -> None:
        """Stop beating and give up every hold."""
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task
            self._task = None
        if self._registered:
            with contextlib.suppress(SoftrailError):
                await self._store.remove_worker(self.id)
            self._registered = False

    async def _live(self) -> None:
        while True:
            try:
                await self.pulse()
            except SoftrailError as error:
                log.warning("The beat of this worker was not written: %s", error)
            await asyncio.sleep(self._interval)

    async def pulse(self) -> None:
        """One beat: write ours, look at theirs, and see whether we still hold what we think."""
        clock = time.monotonic()
        if self._registered:
            self._beat += 1
            if not await self._store.beat(self.id, self._beat):
                log.warning("This worker was declared dead while it slept; it goes on under a new name.")
                async with self._registering:
                    self.id, self._beat = self._ids.new(), 0
                    await self._store.beat(self.id, 0)
                self._lost(clock, {})
            else:
                self._lost(clock, await self._store.holds(self.id))
        beats = await self._store.workers()
        self._seen = {w: s for w, s in self._seen.items() if w in beats}
        for worker, beat in beats.items():
            if worker == self.id:
                continue
            known = self._seen.get(worker)
            if known is None or known[0] != beat:
                self._seen[worker] = (beat, clock)
            elif clock - known[1] >= self._dead_after and await self._store.remove_worker(worker, beat):
                log.warning(
                    "Worker %s gave no sign for %.1f s; its sessions are free.", worker, self._dead_after
                )
