"""A library that takes seconds to import: loaded once, in one thread, however many wait for it and give up."""

import asyncio
from collections.abc import Callable
from typing import Generic, TypeVar

Loaded = TypeVar("Loaded")


class Loading(Generic[Loaded]):
    """What `load` returns, asked for by many at once."""

    def __init__(self, load: Callable[[], Loaded]) -> None:
        self._load = load
        self._task: asyncio.Task[Loaded] | None = None

    async def done(self) -> Loaded:
        """What was loaded; raises what loading raised, and the next call tries again."""
        if self._task is None or self._task.cancelled():
            self._task = asyncio.create_task(asyncio.to_thread(self._load))
        task = self._task
        try:
            # Whoever gives up leaves it going on: a thread for each would keep all others from a thread of theirs.
            return await asyncio.shield(task)
        except Exception:
            if self._task is task:
                self._task = None
            raise
