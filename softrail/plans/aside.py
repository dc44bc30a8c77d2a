"""What a turn works out that may take long is worked out beside the event loop, little of it at the same time."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from functools import partial
from typing import Final, ParamSpec, TypeVar

from softrail.plugin import Host

AT_ONCE: Final = (
    2  #: one that takes long keeps nobody else's waiting, and more would keep the event loop waiting
)

P = ParamSpec("P")
T = TypeVar("T")


class Aside:
    """Threads for what only computes. The limit is that of who waits: what nobody waits for any more does not begin."""

    def __init__(self) -> None:
        self._threads: ThreadPoolExecutor | None = None

    async def start(self, host: Host) -> None:
        """Nothing is begun before it is needed."""

    async def stop(self, grace: float) -> None:
        """What has not begun is not begun any more."""
        if self._threads is not None:
            self._threads.shutdown(wait=False, cancel_futures=True)
            self._threads = None

    async def run(self, work: Callable[P, T], /, *given: P.args, **named: P.kwargs) -> T:
        """What comes of it; others have their turn meanwhile."""
        if self._threads is None:
            self._threads = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="softrail-plans")
        here = partial(copy_context().run, work, *given, **named)
        return await asyncio.get_running_loop().run_in_executor(self._threads, here)
