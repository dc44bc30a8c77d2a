"""A worker among several ends itself in time, and the process that started it starts another in its place."""

import asyncio
import logging
import multiprocessing
import os
import random
import signal
import sys
import time
from collections.abc import Callable
from typing import Final

log = logging.getLogger(__name__)

LOOK_EVERY: Final = 5.0
RELOADED: Final = (
    "RELOADED_BY_SOFTRAIL"  #: set where processes are started anew when files change, not when they end
)
STUCK: Final = 70  #: the status of a worker that ended itself because nothing else could

if sys.platform != "win32":
    import resource


def is_replaced() -> bool:
    """Whoever started this process watches it, and starts another when it ends."""
    return multiprocessing.parent_process() is not None and RELOADED not in os.environ


def end_at_once() -> None:
    """End this process from any thread, whatever the others do; turns that were accepted are run elsewhere."""
    log.error("This worker ends itself, to be replaced.")
    logging.shutdown()
    os._exit(STUCK)


def end_politely() -> None:
    """Take nothing new, finish what runs, and end."""
    signal.raise_signal(signal.SIGTERM)


class Recycling:
    """Ends a worker that is old or has grown, 0 meaning never; a tenth sooner or later, so that not all end at once."""

    def __init__(
        self,
        *,
        age: float,
        memory: int,
        end: Callable[[], None] = end_politely,
        used: Callable[[], int] | None = None,
    ) -> None:
        self._until = time.monotonic() + age * random.uniform(0.9, 1.1) if age else None  # noqa: S311 - no secret
        self._memory = memory
        self._end = end
        self._used = used or memory_used

    async def watch(self, every: float = LOOK_EVERY) -> None:
        """Look now and then, and end it once."""
        if self._until is None and not self._memory:
            return
        while not self.is_due():  # noqa: ASYNC110 - nobody tells when a process has grown
            await asyncio.sleep(every)
        self._end()

    def is_due(self) -> bool:
        """It has had its time, or more than its memory."""
        if self._until is not None and time.monotonic() > self._until:
            log.info("This worker has had its time and is replaced.")
            return True
        if self._memory and (used := self._used()) > self._memory:
            log.info("This worker has grown to %d bytes and is replaced.", used)
            return True
        return False


def memory_used() -> int:
    """Resident bytes of this process; where the system does not say, the most it ever had; 0 where it says neither."""
    try:
        with open("/proc/self/statm", encoding="ascii") as statm:
            return int(statm.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError):
        if sys.platform == "win32":
            return 0
        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return most if sys.platform == "darwin" else most * 1024
