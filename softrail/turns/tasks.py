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
        """What the work comes to; None once `void` is done, and then the work has ended too or was not begun.

        It runs in the task that asks: most work waits for nothing, and a task of its own would cost more than it does.
        """
        if void.done():  # not even begun: its first words would be shown
            work.close()
            return None
        task = asyncio.current_task()
        assert task is not None  # noqa: S101 - a coroutine that is awaited runs in one
        cancelled = ended = False

        def cancel(_: asyncio.Future[None]) -> None:
            nonlocal cancelled
            if not ended:  # else the task is at something else by now
                cancelled = task.cancel()

        void.add_done_callback(cancel)
        try:
            result = await work
        except asyncio.CancelledError:
            # As `asyncio.timeout` has it: where nobody but this has cancelled the task, only the attempt is over.
            if not void.done() or task.cancelling() > cancelled:
                raise
            return None
        except Exception:
            if not void.done():  # else it is nothing to anybody what became of it
                raise
            return None
        finally:
            ended = True
            void.remove_done_callback(cancel)
            if cancelled:
                task.uncancel()
        return None if void.done() else result

    async def stop(self) -> None:
        """Cancel everything and wait a moment for it to end."""
        self.stopping = True
        for task in list(self._running):
            task.cancel()
        if self._running:
            await asyncio.wait(self._running, timeout=5)
