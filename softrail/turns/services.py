"""Services that begin and end with the worker, and what it is to them."""

import asyncio
import inspect
import logging
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, cast

from softrail.core.clock import now
from softrail.core.errors import DefinitionError, ServiceNotStarted, SoftrailError
from softrail.core.execution import Host, Progress, Service
from softrail.core.ids import Ids
from softrail.core.signals import Signal

log = logging.getLogger(__name__)

#: Seconds that services have to stop, all together, even if the turns before them have used up the grace.
SHORTEST_STOP: Final = 1.0
LAST_MOMENT: Final = 0.1  #: that each of them has in any case


@dataclass(frozen=True, kw_only=True, slots=True)
class WorkerHost:
    """The worker, as services and drivers of long work see it: the port `Host`."""

    progress: Progress
    ids: Ids
    worker: Callable[[], Coroutine[Any, Any, str]]
    wake: Callable[[str, str], None]
    signal: Callable[[str, Signal], Coroutine[Any, Any, str]]
    is_stopping: Callable[[], bool]

    @property
    def stopping(self) -> bool:
        """The worker is about to end."""
        return self.is_stopping()

    def now(self) -> datetime:
        """The time, in UTC."""
        return now()

    def new_id(self) -> str:
        """A new identifier."""
        return self.ids.new()


def services_in(given: Mapping[type, object]) -> Sequence[Service]:
    """Those of the services that begin and end with the worker, each once, in order.

    Raises:
        DefinitionError: One has a `start(host)` and no `stop(grace)`, or the other way round.
    """
    found: list[Service] = []
    for kind, one in given.items():
        starts, stops = _takes(one, "start", "host"), _takes(one, "stop", "grace")
        if starts != stops:
            has, lacks = ("start(host)", "stop(grace)") if starts else ("stop(grace)", "start(host)")
            raise DefinitionError(
                f"The service {kind.__name__} ({_named(one)}) has `async def {has}` and no `async def {lacks}`. A service "
                "that begins and ends with the worker has both."
            )
        if starts and not any(one is other for other in found):
            found.append(cast(Service, one))
    return found


def checks_in(given: Mapping[type, object]) -> Sequence[Callable[[], Awaitable[None]]]:
    """What says whether services can do their work: their `check_ready()`, each once, in order."""
    found = list[Callable[[], Awaitable[None]]]()
    for one in given.values():
        if _takes(one, "check_ready") and one.check_ready not in found:  # type: ignore[attr-defined]  # it has one
            found.append(one.check_ready)  # type: ignore[attr-defined]  # it has one
    return found


def _takes(one: object, method: str, *parameters: str) -> bool:
    """It has `async def method(…)` with those first; what others call start and stop is no business of ours."""
    found = getattr(one, method, None)
    if isinstance(one, type) or not inspect.iscoroutinefunction(found):
        return False
    return list(inspect.signature(found).parameters)[:1] == list(parameters)


def _named(one: object) -> str:
    return f"{type(one).__module__}.{type(one).__qualname__}"


class Services:
    """Starts services in the order they were given in, and stops them in reverse."""

    def __init__(self, services: Sequence[Service]) -> None:
        self._services = services
        self._started: list[Service] = []

    async def start(self, host: Host) -> None:
        """Start them all, or none.

        Raises:
            ServiceNotStarted: One could not be started; those before it are stopped again.
        """
        for one in self._services:
            if any(one is other for other in self._started):
                continue
            try:
                await one.start(host)
            except Exception as error:
                log.error("The service %s could not be started.", _named(one), exc_info=error)
                await self.stop(SHORTEST_STOP)
                why = (
                    error.message if isinstance(error, SoftrailError) else f"{type(error).__name__}: {error}"
                )
                raise ServiceNotStarted(
                    f"The service {_named(one)} could not be started. {why}", service=_named(one)
                ) from error
            self._started.append(one)

    async def stop(self, grace: float) -> None:
        """Stop those that were started, the last one first; one that hangs is cut off when the grace is over."""
        loop = asyncio.get_running_loop()
        end = loop.time() + max(grace, SHORTEST_STOP)
        while self._started:
            one = self._started.pop()
            left = max(LAST_MOMENT, end - loop.time())
            stopping = asyncio.ensure_future(one.stop(left))
            await asyncio.wait({stopping}, timeout=left)
            if not stopping.done():
                stopping.cancel()
                await asyncio.wait({stopping}, timeout=LAST_MOMENT)
                log.error("The service %s did not stop within %.1f s and was cut off.", _named(one), left)
            elif not stopping.cancelled() and (error := stopping.exception()) is not None:
                log.error("The service %s failed while it stopped.", _named(one), exc_info=error)
