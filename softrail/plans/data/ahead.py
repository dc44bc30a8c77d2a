"""Processes that are begun before there is anything to do in them, so that nobody waits while they load."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from typing import Final

from softrail.plans.data.beginning import Process

Begin = Callable[[str], Awaitable[Process]]
End = Callable[[Process], Awaitable[None]]

#: After a job of a kind, what is probably asked next, and how many of it at once.
NEXT: Final[Mapping[str, Mapping[str, int]]] = {
    "read": {"query": 2},
    "query": {"query": 2},
    "draw": {"draw": 1},
}
REST: Final = (
    0.25  #: seconds without a job before any is begun: what people wait for has the processors to itself
)

log = logging.getLogger(__name__)


class Ahead:
    """A few processes that wait for a job: each is given one at most, or ends when none has come for `seconds`."""

    def __init__(self, begin: Begin, end: End, *, seconds: float) -> None:
        self._begin = begin
        self._end = end
        self._seconds = seconds
        self._waiting: dict[str, list[Process]] = {}
        self._wanted: dict[str, int] = {}
        self._under_way = 0  #: jobs
        self._rest: asyncio.TimerHandle | None = None
        self._tasks = set[asyncio.Task[None]]()
        self._open = False

    @property
    def waiting(self) -> int:
        """So many wait."""
        return sum(map(len, self._waiting.values()))

    def start(self) -> None:
        """From now on some are begun, in this event loop."""
        self._open = self._seconds > 0

    async def stop(self) -> None:
        """End those that wait; none is begun any more."""
        self._open = False
        self._put_off()
        for task in self._tasks:
            task.cancel()
        if self._tasks:
            await asyncio.wait(self._tasks)

    def taken(self, kind: str) -> Process | None:
        """One that waits for a job of this kind, which is the caller's from now on."""
        waiting = self._waiting.get(kind, [])
        while waiting:
            process = waiting.pop(0)
            if process.returncode is None:
                return process
        return None

    def begun(self) -> None:
        """A job is under way."""
        self._under_way += 1
        self._put_off()

    def done(self, kind: str) -> None:
        """A job has ended; after the last one those are begun that will probably be asked for."""
        self._under_way -= 1
        if not self._open:
            return
        self._wanted |= NEXT.get(kind, {})
        if not self._under_way:
            self._rest = asyncio.get_running_loop().call_later(REST, self._fill)

    def _put_off(self) -> None:
        if self._rest is not None:
            self._rest.cancel()
            self._rest = None

    def _fill(self) -> None:
        wanted, self._wanted = self._wanted, {}
        for kind, count in wanted.items():
            for _ in range(count - len(self._waiting.get(kind, []))):
                task = asyncio.create_task(self._kept(kind), name=f"softrail-ahead-{kind}")
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)

    async def _kept(self, kind: str) -> None:
        """Begin one, and end it where nobody has taken it in time."""
        try:
            process = await self._begin(kind)
        except OSError as error:
            log.info("No process for data could be begun ahead: %s", error)
            return
        waiting = self._waiting.setdefault(kind, [])
        waiting.append(process)
        try:
            await asyncio.sleep(self._seconds)
        finally:
            if process in waiting:  # else it is somebody's who ends it
                waiting.remove(process)
                await self._end(process)
