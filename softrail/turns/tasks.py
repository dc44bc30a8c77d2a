"""Work of this worker that belongs to no request: it runs by itself and ends with the worker."""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


class Tasks:
    """The running pieces of work, kept until each is done."""

    def __init__(self) -> None:
        self.stopping = False
        self._running: set[asyncio.Task[Any]] = set()

    def spawn(self, work: Coroutine[None, None, T]) -> asyncio.Task[T]:
        """Begin a piece of work."""
        task = asyncio.get_running_loop().create_task(work)
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        return task

    async def unless(self, void: asyncio.Future[None], work: Coroutine[None, None, T]) -> T | None:
        """What the work comes to; None once `void` is done, and then the work has ended too or was not begun."""
        if void.done():  # not even begun: its first words would be shown
            work.close()
            return None
        task = self.spawn(work)
        either: set[asyncio.Future[Any]] = {task, void}
        try:
            await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
        finally:
            if not task.done():
                task.cancel()
                # To its end: two attempts of one turn never run side by side.
                await asyncio.wait({task})
        return None if void.done() else task.result()

    async def stop(self) -> None:
        """Cancel everything and wait a moment for it to end."""
        self.stopping = True
        for task in list(self._running):
            task.cancel()
        if self._running:
            await asyncio.wait(self._running, timeout=5)
