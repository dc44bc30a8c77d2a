"""Work of this worker that belongs to no request: it runs by itself and ends with the worker."""

import asyncio
from collections.abc import Coroutine


class Tasks:
    """The running pieces of work, kept until each is done."""

    def __init__(self) -> None:
        self.stopping = False
        self._running: set[asyncio.Task[None]] = set()

    def spawn(self, work: Coroutine[None, None, None]) -> asyncio.Task[None]:
        """Begin a piece of work."""
        task = asyncio.get_running_loop().create_task(work)
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        return task

    async def stop(self) -> None:
        """Cancel everything and wait a moment for it to end."""
        self.stopping = True
        for task in list(self._running):
            task.cancel()
        if self._running:
            await asyncio.wait(self._running, timeout=5)
