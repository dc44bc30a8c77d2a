"""Delivers `after_commit` effects beside everything else: a few of each kind at once, each by one worker at a time.

A row is claimed before it is delivered, and from then on its try counts. A worker that dies leaves its claims to the
others; after `MOST_TRIES` a row is set aside and stays there until somebody has it tried again.
"""

import asyncio
import contextlib
import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final, Literal

from softrail.core.clock import now
from softrail.core.effects import OutboxItem
from softrail.core.errors import SoftrailError, StoreUnavailable
from softrail.core.ports import Deliverer, Store
from softrail.turns.trouble import in_short
from softrail.turns.worker import Worker

log = logging.getLogger(__name__)

Outcome = Literal["delivered", "failed"]
#: Tells whoever made an effect what became of it, and why not; raising means: tell it again later.
Report = Callable[[OutboxItem, Outcome, str | None], Awaitable[None]]
#: Hears of every effect that was delivered or set aside; its `status` says which.
Heard = Callable[[OutboxItem], None]

AT_ONCE: Final = 4  #: of one kind, on one worker: a kind that hangs takes nobody else's place
MOST_TRIES: Final = 5
FIRST_PAUSE: Final = timedelta(seconds=15)  #: after the first try that failed; it doubles
LONGEST_PAUSE: Final = timedelta(hours=1)
STORE_AWAY: Final = 1.0  #: seconds between two tries to write down what became of a delivery
LAST_MOMENT: Final = 5.0  #: seconds for what is cut off to give its claim back

LONGEST_WORDS: Final = 400  #: characters of an outcome that a deliverer puts in its own words
_REPORTS: Final = ""  #: what is only to be reported counts as a kind of its own


class _Final(str):
    """Why something is never delivered, in words for people: no other try would change it."""

    __slots__ = ()


class Deliveries:
    """Claims what is due, delivers it and writes down what came of it."""

    def __init__(
        self,
        store: Store,
        worker: Worker,
        deliverers: Mapping[str, Deliverer],
        *,
        limit: float,
        report: Report | None = None,
        heard: Iterable[Heard] = (),
    ) -> None:
        self._store = store
        self._worker = worker
        self._deliverers = dict(deliverers)
        self._limit = limit
        self._report = report
        self.heard = list(heard)  #: called with every effect that was delivered or set aside
        self._under_way: dict[str, tuple[str, asyncio.Task[None]]] = {}  #: kind and task, by key
        self._claiming = asyncio.Lock()
        self._delivered = 0
        self._unknown: set[str] = set()  #: kinds that nothing delivers, told once
        self._task: asyncio.Task[None] | None = None
        self._nudged = asyncio.Event()
        self._look_closely = False
        self._stopping = False

    # -- life

    def start(self) -> None:
        """Deliver in the background whenever there may be something."""
        self._stopping = False
        self._task = asyncio.create_task(self._live(), name="softrail-deliveries")

    def nudge(self) -> None:
        """There may be something to deliver now."""
        if self._deliverers:
            self._nudged.set()

    def look(self) -> None:
        """Look for everything that is due: what others left, too, and what nothing here delivers."""
        self._look_closely = True
        self._nudged.set()

    async def stop(self, grace: float) -> None:
        """Begin nothing new; what is under way may end within `grace` seconds, else it is tried again later."""
        self._stopping = True
        live, self._task = self._task, None  # it may be stopped twice at once
        if live is not None:
            self._nudged.set()
            await asyncio.wait({live}, timeout=LAST_MOMENT)
            live.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await live
        if running := self._tasks():
            _, late = await asyncio.wait(running, timeout=grace)
            for task in late:
                task.cancel()
            if late:
                await asyncio.wait(late, timeout=LAST_MOMENT)

    @property
    def inside(self) -> Collection[str]:
        """The kinds whose delivery changes nothing outside the store."""
        return [kind for kind, one in self._deliverers.items() if getattr(one, "inside", False)]

    async def once(self, *, inside: bool = False) -> int:
        """Deliver everything that is due now and wait for what is under way; how many were delivered meanwhile.

        With `inside` only what changes nothing outside the store.
        """
        at, before = now(), self._delivered
        kinds = self.inside if inside else None
        if not inside:
            await self._tell_unknown(at)
        while await self._begin(at, kinds) or self._under_way:
            if running := self._tasks():
                await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
        return self._delivered - before

    def _tasks(self) -> set[asyncio.Task[None]]:
        return {task for _, task in self._under_way.values()}

    async def _live(self) -> None:
        while not self._stopping:
            await self._nudged.wait()
            self._nudged.clear()
            closely, self._look_closely = self._look_closely, False
            try:
                if closely:
                    await self._tell_unknown(now())
                await self._begin(now())
            except SoftrailError as error:
                log.warning("Deliveries wait: %s", error)
            except Exception:
                log.exception("Nothing could be delivered.")

    async def _tell_unknown(self, at: datetime) -> None:
        """Say once of each kind that nothing here delivers it; its rows are left to those who do."""
        for kind in await self._store.kinds_due(at):
            if kind not in self._deliverers and kind not in self._unknown:
                self._unknown.add(kind)
                log.error("Nothing delivers effects of kind %r. Pass build(deliverers={%r: …}).", kind, kind)

    # -- claims

    async def _begin(self, at: datetime, kinds: Collection[str] | None = None) -> int:
        """Claim what is due, as much as there is room for, and begin with it; how much is due that no other worker has in hand.

        What this one had in hand when it looked counts, too: it may be done by now, and have hidden what comes after it.
        """
        async with self._claiming:
            busy = set(self._under_way)
            room = Counter(dict.fromkeys((*self._deliverers, _REPORTS), AT_ONCE))
            room.subtract(kind for kind, _ in self._under_way.values())
            items = list[OutboxItem]()
            due = await self._due(at, kinds)
            for kind, item in due:
                if not self._stopping and item.key not in busy and room[kind] > 0:
                    room[kind] -= 1
                    items.append(item)
            if not items:
                return 0 if self._stopping else len(due)
            mine = await self._store.claim(items, await self._worker.ready())
            for item in mine:
                work = self._put_back(item) if self._stopping else self._run(item)
                kind = item.kind if item.status == "waiting" else _REPORTS
                self._under_way[item.key] = (kind, asyncio.create_task(work))
            if len(mine) < len(items):  # another worker was faster; there may be more that it has no room for
                self._nudged.set()
            return len(due)

    async def _due(self, at: datetime, kinds: Collection[str] | None) -> list[tuple[str, OutboxItem]]:
        """What is due of those kinds; None: of all, and what is only to be reported."""
        me = self._worker.id
        wanted = tuple(self._deliverers if kinds is None else kinds)
        found = await self._store.outbox(at, AT_ONCE, kinds=wanted, worker=me)
        due = [(item.kind, item) for item in found]
        if self._report is not None and kinds is None:
            found = await self._store.unreported(at, AT_ONCE, worker=me)
            due += [(_REPORTS, item) for item in found]
        return due

    async def _run(self, item: OutboxItem) -> None:
        try:
            if item.status == "waiting":
                await self._deliver(item)
            else:
                await self._tell(item)
        except asyncio.CancelledError:
            await self._put_back(item)
            raise
        except SoftrailError as error:
            log.warning("What became of effect %s was not written down: %s", item.key, error)
        except Exception:
            log.exception("What became of effect %s could not be written down.", item.key)
            await asyncio.sleep(STORE_AWAY)  # it is claimed still, and begun anew
        finally:
            self._under_way.pop(item.key, None)
            self._nudged.set()

    async def _put_back(self, item: OutboxItem) -> None:
        self._under_way.pop(item.key, None)
        with contextlib.suppress(SoftrailError):  # this worker signs off: its claims are free in any case
            await self._store.put_back(item)

    # -- one delivery

    async def _deliver(self, item: OutboxItem) -> None:
        error = await self._tried(item)
        item = replace(item, tries=min(item.tries, MOST_TRIES - 1))
        tries = item.tries + 1
        report = self._report is not None and item.instance_id is not None
        if error is None:
            self._delivered += 1
            stands = await self._written(lambda: self._store.delivered(item, report=report))
        elif tries < MOST_TRIES and not isinstance(error, _Final):
            pause = min(FIRST_PAUSE * 2**item.tries, LONGEST_PAUSE)
            if await self._written(lambda: self._store.postpone(item, now() + pause, error=error)):
                log.warning("Effect %s was not delivered. %s Again in %s.", item.key, error, pause)
                asyncio.get_running_loop().call_later(pause.total_seconds(), self.nudge)
            return
        else:
            stands = await self._written(lambda: self._store.set_aside(item, error, report=report))
        if not stands:
            log.warning("Effect %s is in other hands by now, or gone.", item.key)
            return
        if error is not None:
            log.error(
                "Effect %s of kind %r is set aside after %d tries. %s To try again: softrail outbox --retry %s",
                *(item.key, item.kind, tries, error, item.key),
            )
        item = replace(
            item, status="delivered" if error is None else "failed", tries=tries, error=error or ""
        )
        self._tell_observers(item)
        if report:
            await self._tell(replace(item, unreported=0))

    async def _tried(self, item: OutboxItem) -> str | None:
        """Why it was not delivered; None: it was."""
        if item.tries >= MOST_TRIES:
            return "The worker ended during the last try."
        deliverer = self._deliverers[item.kind]
        limit = float(getattr(deliverer, "limit", self._limit))
        return await self._within(limit, lambda: deliverer(item))

    async def _within(self, limit: float, work: Callable[[], Awaitable[None]]) -> str | None:
        """What went wrong, in short. A plugin may raise anything: only our own end passes."""
        try:
            async with asyncio.timeout(limit) as waiting:
                await work()
        except GeneratorExit:  # the event loop is closed
            raise
        except BaseException as error:
            if waiting.expired():
                return f"It took longer than {limit:g} s."
            task = asyncio.current_task()
            if isinstance(error, asyncio.CancelledError) and task is not None and task.cancelling():
                raise
            if isinstance(error, SoftrailError) and error.final:
                return _Final(error.message[:LONGEST_WORDS])
            return in_short(error)
        return None

    async def _tell(self, item: OutboxItem) -> None:
        """Tell whoever made it what became of it, until that is heard."""
        report = self._report
        if report is None or item.status == "waiting":
            return
        outcome: Outcome = item.status
        error = await self._within(self._limit, lambda: report(item, outcome, item.error or None))
        if error is None:
            await self._written(lambda: self._store.reported(item))
            return
        pause = min(FIRST_PAUSE * 2 ** min(item.unreported or 0, 12), LONGEST_PAUSE)
        log.warning("What became of effect %s was not heard. %s Again in %s.", item.key, error, pause)
        await self._written(lambda: self._store.reported(item, again=now() + pause))
        asyncio.get_running_loop().call_later(pause.total_seconds(), self._nudged.set)

    def _tell_observers(self, item: OutboxItem) -> None:
        for hear in self.heard:
            try:
                hear(item)
            except Exception:
                log.exception("An observer of deliveries failed.")

    async def _written(self, write: Callable[[], Awaitable[bool]]) -> bool:
        """What the store says, however long it is away: nobody else can take what is claimed here."""
        while True:
            try:
                return await write()
            except StoreUnavailable:
                if self._stopping:
                    raise
            await asyncio.sleep(STORE_AWAY)
