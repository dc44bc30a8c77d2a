"""This worker's sign of life, and its watch over the others.

Every worker writes a rising number to its own row, from a thread with a way to the database of its own: what turns
do to the event loop or to the connections does not hold it up. Who has watched the same number of another for
`dead_after` seconds removes that row, and its leases are free. No wall clock is compared. Who is on the same machine
need not watch: it asks the system whether the process is still there.
"""

import asyncio
import logging
import threading
import time
from collections.abc import Awaitable, Callable, Mapping

from softrail.core.errors import SoftrailError
from softrail.core.holding import at_work
from softrail.core.ids import Ids, process_of
from softrail.core.os_process import has_ended, tag
from softrail.core.ports import Store, Workers

log = logging.getLogger(__name__)

#: Times `dead_after` that the event loop may stand still before the worker gives no more signs of life.
STUCK = 9

#: Seconds that the event loop may stand still before that is told, with what holds it, and its turns are written down.
SLOW = 1.0


class Worker:
    """Registers with the store when first needed, beats while it lives, and buries the dead.

    `lost` is called in the event loop after each beat, with its monotonic time and the leases that still stand.
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
        self._interval = interval
        self._lost = lost
        self._watch = Watch(dead_after, most=2 * interval)
        self._stuck_after = STUCK * dead_after
        self._beat = 0
        self._names = 1
        self.alone = False  #: at the last beat no other worker was there
        self._registering = asyncio.Lock()
        self._registered = False
        self._thread: threading.Thread | None = None
        self._stopping = threading.Event()
        self._opened = asyncio.Event()  #: the thread has tried its way to the database
        self._loop: asyncio.AbstractEventLoop | None = None
        self._asked: float | None = None  #: since when the event loop owes a sign that it comes round
        self._told: float | None = None  #: the one of those times that was told in the log
        #: called from the thread with its way to the database, at each beat while the event loop stands still
        self.when_still: Callable[[Workers, str], Awaitable[None]] = _nothing
        self.when_stuck: Callable[[], None] = lambda: None  #: called from the thread, once that time is over
        self.id = f"{ids.new()}{tag()}"

    async def ready(self) -> str:
        """This worker's id, registered with the store."""
        if not self._registered:
            async with self._registering:
                if not self._registered:
                    if self._thread is None or not self._thread.is_alive():
                        self.start()
                    # From the moment the others know us we have to beat, whatever the event loop does from then on: the
                    # way to the database is open by then.
                    await self._opened.wait()
                    await self._store.beat(self.id, 0)
                    self._registered = True
        return self.id

    def start(self) -> None:
        """Begin to beat in the background."""
        self._loop = asyncio.get_running_loop()
        self._asked = None  # what an earlier loop owed, it owes for ever
        self._ask(time.monotonic())
        self._stopping.clear()
        self._opened = asyncio.Event()  # of this event loop
        self._thread = threading.Thread(target=self._live, name="softrail-beat", daemon=True)
        self._thread.start()

    async def stop(self) -> None:
        """Stop beating and give up every lease."""
        self._stopping.set()
        if self._thread is not None:
            # A moment: it may hang on a database that is away, and ends with the process in any case.
            await asyncio.to_thread(self._thread.join, 5.0)
            self._thread = None
        if self._registered:
            try:
                await self._store.remove_worker(self.id, leaves=True)
            except SoftrailError as error:
                log.warning("This worker could not sign off; others will notice: %s", error)
            self._registered = False

    # -- in the thread

    def _live(self) -> None:
        try:
            asyncio.run(self._beats())
        finally:
            self._call(self._opened.set)

    async def _beats(self) -> None:
        async with self._store.beside() as workers:
            await self._once(workers)
            self._call(self._opened.set)
            while not self._stopping.wait(self._interval):  # this event loop has nothing else to do
                await self._once(workers)

    async def _once(self, workers: Workers) -> None:
        """One beat, whatever becomes of it: there is another."""
        try:
            await self.pulse(workers)
        except SoftrailError as error:
            log.warning("The beat of this worker was not written: %s", error)
        except Exception:
            log.exception("The beat of this worker failed.")

    async def pulse(self, workers: Workers) -> None:
        """One beat: write ours, look at theirs, and see whether our leases still stand."""
        clock = time.monotonic()
        self._ask(clock)
        self._tell_slow(clock)
        if self._registered and self._still_for(clock) >= min(SLOW, self._stuck_after / 2):
            await self.when_still(workers, self.id)
        if self._registered and not self._stuck(clock):
            self._beat += 1
            signs = await workers.pulse(self.id, self._beat)
            beats = signs.beats
            if signs.registered:
                self._call(self._lost, clock, signs.leases)
            else:
                log.warning("This worker was declared dead while it slept; it goes on under a new name.")
                self._names, self._beat = self._names + 1, 0
                name = f"{process_of(self.id)}/{self._names}"
                await workers.beat(name, 0)
                self.id = name
                self._call(self._lost, clock, {})
        else:
            beats = await workers.workers()
        self.alone = beats.keys() <= {self.id}
        for worker, beat in self._watch.silent(clock, beats, but=self.id):
            if await workers.remove_worker(worker, beat):
                log.warning(
                    "Worker %s gave no sign for %.1f s; its sessions are free.",
                    worker,
                    self._watch.dead_after,
                )
        for worker, beat in beats.items():
            if has_ended(worker) and await workers.remove_worker(worker, beat):
                log.warning("The process of worker %s has ended; its sessions are free.", worker)

    def _ask(self, clock: float) -> None:
        """Ask the event loop for a sign, unless it owes one.

        What counts is how long it leaves us without an answer, not how long nobody asked: a database that hangs, or
        a process that slept, holds up the asking.
        """
        if self._asked is None:
            self._asked = clock
            self._call(self._seen)

    def _still_for(self, clock: float) -> float:
        """Seconds that the event loop has given no sign."""
        asked = self._asked
        return 0.0 if self._loop is None or asked is None else clock - asked

    def _tell_slow(self, clock: float) -> None:
        """Say once of each time that the event loop stands still, while it does, and what of a plugin holds it."""
        asked, still = self._asked, self._still_for(clock)
        if asked != self._told and still >= SLOW:
            self._told = asked
            by = at_work() or "nothing that is measured"
            log.warning("The event loop stands still for %.1f s, held by: %s.", still, by)

    def _stuck(self, clock: float) -> bool:
        """Whether a turn blocks the event loop for so long that others should take over."""
        still = self._still_for(clock)
        if self._loop is None or still < self._stuck_after:
            return False
        log.error("The event loop stands still for %.0f s: no sign of life.", still)
        self.when_stuck()
        return True

    def _call(self, function: Callable[..., None], *args: object) -> None:
        """Have the event loop call it when it comes round; with one that is closed there is nothing left to watch."""
        if self._loop is not None:
            try:
                self._loop.call_soon_threadsafe(function, *args)
            except RuntimeError:
                self._stopping.set()

    # -- in the event loop

    def _seen(self) -> None:
        self._asked = None


class Watch:
    """Counts how long each of the others was silent while somebody really watched.

    Between two looks at most `most` seconds count: who slept cannot tell whether the others did.
    """

    def __init__(self, dead_after: float, *, most: float) -> None:
        self.dead_after = dead_after
        self._most = most
        self._looked: float | None = None
        self._silent: dict[str, tuple[int, float]] = {}

    def silent(self, clock: float, beats: Mapping[str, int], *, but: str) -> list[tuple[str, int]]:
        """Those that gave no sign for `dead_after` seconds, with the beat that they stopped at."""
        passed = 0.0 if self._looked is None else min(clock - self._looked, self._most)
        self._looked = clock
        known, self._silent = self._silent, {}
        for worker, beat in beats.items():
            if worker != but:
                last, seconds = known.get(worker, (None, 0.0))
                self._silent[worker] = (beat, seconds + passed if beat == last else 0.0)
        return [(w, beat) for w, (beat, seconds) in self._silent.items() if seconds >= self.dead_after]


async def _nothing(_: Workers, worker: str) -> None:
    """There is nobody who runs turns."""
