"""The engine for a fleet of machines over one PostgreSQL: DBOS hands each run to a worker that has a place for it."""

import asyncio
import contextlib
import logging
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from functools import partial
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final, ParamSpec, TypeVar

from softrail.core.errors import DefinitionError
from softrail.core.execution import Claims, Host, Work
from softrail.execution.drives import BATCH, Drives
from softrail.execution.wakes import NotLaunched, OpenWake, Wake

if TYPE_CHECKING:
    from softrail.execution.dbos import Door

log = logging.getLogger(__name__)

P = ParamSpec("P")
T = TypeVar("T")

SCHEMA: Final = "softrail_dbos"
KEPT: Final = timedelta(days=1)  #: that a wake which is over can be looked up in DBOS
BUSY: Final = 1.0  #: seconds until a wake that came to a worker which stops is handed out again
CLOSES_WITHIN: Final = 10.0  #: seconds that DBOS gets to end


class Dbos(Drives):
    """Drives the runs that DBOS hands to this worker; what is true of them, and who may write it, is in our tables.

    Args:
        claims: Where runs are claimed: a store in PostgreSQL.
        url: Of its database.
        at_once: Runs that this worker drives at the same time; the others go to other workers, or wait in order.
        look_every: Seconds between two looks for wakes, for claims that were lost, and for runs of workers that are gone.
        poll_every: Seconds between two rounds of `Work.left`, for whatever nobody was woken for.
        slowest_retry: Seconds that the pause after a failure grows to.
        schema: Where DBOS has its tables, beside ours.

    Raises:
        DefinitionError: DBOS is not installed, or the database is not PostgreSQL.
    """

    def __init__(
        self,
        claims: Claims,
        url: str,
        *,
        at_once: int = 4,
        look_every: float = 0.5,
        poll_every: float = 60.0,
        slowest_retry: float = 300.0,
        schema: str = SCHEMA,
    ) -> None:
        if not url.startswith("postgresql"):
            raise DefinitionError(
                "The engine 'dbos' needs PostgreSQL. For SQLite there is 'embedded', which needs nothing but the database."
            )
        if find_spec("dbos") is None:
            raise DefinitionError('The engine "dbos" needs the package dbos: pip install "softrail[dbos]".')
        super().__init__(
            claims,
            at_once=at_once,
            look_every=look_every,
            poll_every=poll_every,
            slowest_retry=slowest_retry,
        )
        self._url = url
        self._schema = schema
        self._later = self._put_off
        self._door: Door | None = None
        self._opened = asyncio.Event()
        #: Runs that were woken here, and that nobody was told of yet, in order.
        self._told: dict[tuple[str, str], None] = {}
        self._news = asyncio.Event()
        self._telling: asyncio.Task[None] | None = None

    @property
    def loop(self) -> asyncio.AbstractEventLoop:
        """Where it lives: wakes come from a thread of DBOS."""
        return self._loop

    async def start(self, works: Mapping[str, Work], host: Host) -> None:
        """Begin to drive what is left, as soon as DBOS is ready."""
        self._loop = asyncio.get_running_loop()
        self._opened, self._news = asyncio.Event(), asyncio.Event()  # of this event loop
        self._told.clear()
        # One to ask, and one more to end while wakes that come meanwhile are put back.
        self._threads = ThreadPoolExecutor(max_workers=2, thread_name_prefix="softrail-dbos")
        await super().start(works, host)
        if works:
            self._telling = asyncio.create_task(self._tell(), name="softrail-execution-wakes")

    async def stop(self, grace: float) -> None:
        """Begin no more runs, let drives come to an end for `grace` seconds, hand on the others, end DBOS."""
        self._stopping = True
        if self._telling is not None:
            self._telling.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._telling
            self._telling = None
        await super().stop(grace)
        if (door := self._door) is not None:
            try:  # after the drives: their workflows are over, or nearly
                await asyncio.wait_for(self._asked(door.close, self), CLOSES_WITHIN)
            except (
                Exception
            ) as error:  # a database that is away: whoever stops has more to give back than this
                log.warning("DBOS did not end (%s); it ends with the process.", type(error).__name__)
            self._door = None
        if self._host is not None:
            self._threads.shutdown(wait=False)

    async def ready(self) -> None:
        """Wait until DBOS hands runs to this worker, for a test or a script."""
        await self._opened.wait()

    # -- with DBOS

    async def _asked(self, ask: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        return await self._loop.run_in_executor(self._threads, partial(ask, *args, **kwargs))

    def _through(self) -> "Door":
        if self._door is None:
            raise RuntimeError("DBOS is not ready.")
        return self._door

    async def _live(self) -> None:
        try:
            await self._open()
        except (DefinitionError, ImportError) as error:
            log.error("No long work is driven here. %s", error)
            return
        # Side by side: who asks DBOS for long hears of a cancel all the same.
        async with asyncio.TaskGroup() as looks:
            looks.create_task(self._over_and_over(self._look))
            looks.create_task(self._over_and_over(self._find))

    async def _open(self) -> None:
        """Start DBOS, or join the host's; while that fails, try again."""
        assert self._host is not None  # noqa: S101 - it was started
        pause, told = self._look_every, False
        while True:
            try:
                name = await self._host.worker()
                self._door = door = await self._asked(self._made_door)
                await self._asked(door.open, self, name)
                break
            except (DefinitionError, ImportError):
                raise
            except NotLaunched:
                if not told:
                    log.warning(
                        "The DBOS of this process is not launched yet; until DBOS.launch() no long work is driven here."
                    )
                told, pause = True, self._look_every
                await asyncio.sleep(pause)
                continue
            except Exception as error:
                # Where it came from is told by DBOS.
                log.warning("DBOS could not be started (%s); again in %g s.", type(error).__name__, pause)
            await asyncio.sleep(pause)
            pause = min(2 * pause, self._poll_every)
        self._opened.set()
        self._news.set()

    def _made_door(self) -> "Door":
        # Importing it takes a second: in a thread, and only where it is used.
        from softrail.execution.dbos import Door

        kinds = sorted(self._works)
        return Door(self._url, self._schema, kinds, at_once=self._at_once, every=self._look_every)

    async def _put(self, wake: Wake, *, delay: float | None = None, once: bool = False) -> None:
        assert self._host is not None  # noqa: S101 - it was started
        door, unique = self._through(), self._host.new_id()
        await self._asked(door.put, wake, unique, delay=delay, once=once)

    # -- what DBOS hands over, in the event loop but for `fits`

    def fits(self, kind: str, run_id: str) -> int:
        """How well a run belongs here: best where it is, else where there are most places; from a thread of DBOS."""
        if kind not in self._works:
            return -1
        if (kind, run_id) in self._runs:
            return 1_000_001
        return 0 if self._stopping else max(1, 1_000_000 - len(self._runs))

    async def take(self, wake: Wake) -> None:
        """See to a run, to the end of what there is to do for it here."""
        key = (wake.kind, wake.run_id)
        run = self._runs.get(key)
        if run is not None:
            if wake.woken:
                run.wake()
            return
        if self._stopping or self._host is None:
            await self._put(wake, delay=BUSY)
            return
        seen_to = self._begin(wake.kind, wake.run_id, self._host, woken=wake.woken, failures=wake.failures)
        await asyncio.wait({seen_to})

    # -- what becomes of runs that are not here

    def _woken(self, kind: str, run_id: str) -> None:
        self._told[kind, run_id] = None
        self._news.set()

    async def _tell(self) -> None:
        """Pass on what was woken: to the worker that drives it, or into the queue."""
        while True:
            await self._news.wait()
            self._news.clear()
            try:
                while self._told:
                    await self._pass_on()
            except Exception as error:
                log.warning("Nobody could be told of what was woken just now (%s).", type(error).__name__)
                await asyncio.sleep(self._look_every)
                self._news.set()

    async def _pass_on(self) -> None:
        """The first of those that were woken until now, each forgotten once somebody was told."""
        woken = list(self._told)[:BATCH]
        # A cancel does not wait in a queue: who drives the run hears of it at the next look.
        told = await self._claims.wake_runs(woken)
        for kind, run_id in woken:
            # Before anything is awaited: a wake that comes from here on is passed on anew.
            del self._told[kind, run_id]
            try:
                await self._pass_one_on(kind, run_id, told=(kind, run_id) in told)
            except BaseException:
                self._told.setdefault((kind, run_id))
                raise

    async def _pass_one_on(self, kind: str, run_id: str, *, told: bool) -> None:
        run = self._runs.get((kind, run_id))
        if run is not None:
            run.wake()
        elif not told and self._opened.is_set():  # else: the first thing then is to look for all that is left
            await self._put(Wake(kind=kind, run_id=run_id, woken=True))

    async def _put_off(self, kind: str, run_id: str, pause: float, failures: int) -> None:
        await self._put(Wake(kind=kind, run_id=run_id, failures=failures), delay=pause)

    async def _abandoned(self, runs: Sequence[tuple[str, str]]) -> None:
        """Have them handed to a living worker: by the wake that their dead one was handed, or by a new one."""
        door = self._through()
        for kind in sorted({kind for kind, _ in runs}):
            run_ids = [run_id for one, run_id in runs if one == kind]
            wakes = await self._asked(door.open_wakes, kind, run_ids)
            await self._resume(kind, [one for one in wakes if one.begun])
            on_the_way = {one.run_id for one in wakes if not one.delayed}
            for run_id in run_ids:
                if run_id not in on_the_way:
                    await self._put(Wake(kind=kind, run_id=run_id), once=True)

    async def _left(self, kind: str, runs: Sequence[str]) -> None:
        """Put into the queue what is not there, take back what dead workers were handed, forget what is long over."""
        door = self._through()
        wakes = await self._asked(door.open_wakes, kind)
        # After the wakes: whoever was handed one by then has claimed its run by now, or nearly.
        driven = {run_id for _, run_id in await self._claims.driven_runs([kind])}
        await self._resume(kind, [one for one in wakes if one.begun and one.run_id not in driven])
        there = driven | {one.run_id for one in wakes}
        for run_id in runs:
            if run_id not in there:
                await self._put(Wake(kind=kind, run_id=run_id), once=True)
        assert self._host is not None  # noqa: S101 - it was started
        before = self._host.now() - KEPT
        while await self._asked(door.forget, before, BATCH) >= BATCH:
            pass

    async def _resume(self, kind: str, wakes: Sequence[OpenWake]) -> None:
        door = self._through()
        lost = [one for one in wakes if (kind, one.run_id) not in self._runs]
        if lost:
            await self._asked(door.resume, kind, lost)
