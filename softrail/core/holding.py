"""How long code of plugins holds the event loop in one go: what holds it too long is told, with its name.

Whoever holds the loop holds up every other turn of the worker. Nothing can end such code from outside without breaking
what it may rely on, so it is measured instead: told when it is over, and by the thread that beats while it lasts. The
time that it took is taken off nobody else's limit.
"""

import asyncio
import logging
import types
from collections.abc import Callable, Coroutine, Generator
from contextvars import ContextVar
from typing import Any, Final

from softrail.core.clock import ticks
from softrail.core.decisions import Stall
from softrail.core.within import Within

LIMIT: Final = 0.25  #: seconds, where no turn says another

log = logging.getLogger(__name__)

_noting: ContextVar[tuple[float, list[Stall]] | None] = ContextVar("softrail_held", default=None)


class _Loop:
    """The event loop of this process: what holds it now, and for how long code has held it too long in all."""

    at_work: tuple[str, float] | None = None
    taken = 0.0


def held_at_most(seconds: float, into: list[Stall]) -> Within[tuple[float, list[Stall]] | None]:
    """Within the block, what holds the loop longer in one go is noted in `into`, and told in the log."""
    return Within(_noting, (seconds, into))


#: What is on its way that has to be there before code of a plugin goes on.
OnItsWay = Callable[[], "asyncio.Future[Any] | None"]

_before: ContextVar[OnItsWay] = ContextVar("softrail_before", default=lambda: None)


def only_after(what: OnItsWay) -> Within[OnItsWay]:
    """Within the block, code of a plugin that may hold the loop waits for that first: nothing of it goes on meanwhile."""
    return Within(_before, what)


async def nothing_on_its_way() -> None:
    """Returns once there is nothing to wait for."""
    if (first := _before.get()()) is not None:
        await asyncio.wait({first})


def at_work() -> str:
    """What of a plugin holds the event loop just now, for another thread that asks; "" for nothing."""
    found = _Loop.at_work
    return found[0] if found is not None else ""


def taken() -> float:
    """Seconds that code has held the loop, each time longer than it may; it only rises."""
    return _Loop.taken


class Holding:
    """Measures one piece of code each time it has the loop, and adds up what was too long."""

    def __init__(self, where: str) -> None:
        self._where = where
        self.seconds = 0.0

    def now(self, function: Callable[..., Any], *args: Any, **named: Any) -> Any:
        """What the function returns, or raises."""
        before, began = _Loop.at_work, ticks()
        _Loop.at_work = (self._where, began)
        try:
            return function(*args, **named)
        finally:
            _Loop.at_work = before
            self._took(ticks() - began)

    @types.coroutine
    def steps(self, coroutine: Coroutine[Any, Any, Any]) -> Generator[Any, Any, Any]:
        """What the coroutine comes to, measured from one of its awaits to the next."""
        resume: Callable[..., Any] = coroutine.send
        given: Any = None
        while True:
            try:
                wanted = self.now(resume, given)
            except StopIteration as end:
                return end.value
            try:
                resume, given = coroutine.send, (yield wanted)
                if _before.get()() is not None:
                    yield from nothing_on_its_way().__await__()
            except BaseException as error:
                resume, given = coroutine.throw, error

    def _took(self, seconds: float) -> None:
        limit, into = _noting.get() or (LIMIT, None)
        if seconds < limit:
            return
        self.seconds += seconds
        _Loop.taken += seconds
        log.warning(
            "%s held the event loop for %.2f s: every turn of this worker waited.", self._where, seconds
        )
        if into is not None:
            into.append(Stall(what=self._where, milliseconds=round(seconds * 1000, 1)))
