"""One timer for many things that have the same time each: nearly all of them end long before it is over."""

import asyncio
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class Deadlines(Generic[T]):
    """Calls `over` with each thing that has begun and not ended within so many seconds, once."""

    def __init__(self, seconds: float, over: Callable[[T], None]) -> None:
        self._seconds = seconds
        self._over = over
        self._due: dict[T, float] = {}  #: in the order in which they are due
        self._timer: asyncio.TimerHandle | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    def begin(self, thing: T) -> None:
        """Its time begins now. Must be called in the event loop."""
        loop = asyncio.get_running_loop()
        if loop is not self._loop:  # an earlier loop's timer never comes
            self._loop, self._timer, self._due = loop, None, {}
        self._due[thing] = due = loop.time() + self._seconds
        if self._timer is None:
            self._timer = loop.call_at(due, self._look)

    def end(self, thing: T) -> None:
        """It has ended: nobody is told."""
        self._due.pop(thing, None)

    def close(self) -> None:
        """Nobody is told of anything any more."""
        self._due.clear()
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _look(self) -> None:
        loop, self._timer = asyncio.get_running_loop(), None
        while self._due:
            thing, due = next(iter(self._due.items()))
            if due > loop.time():
                self._timer = loop.call_at(due, self._look)
                return
            del self._due[thing]
            self._over(thing)
