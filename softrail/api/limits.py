"""How often one person may ask."""

import time
from collections import Counter, OrderedDict
from collections.abc import AsyncGenerator, Callable
from functools import partial
from typing import Final, TypeVar

from softrail.api.failures import TooMany
from softrail.core.clock import now
from softrail.store import SqlStore
from softrail.store.rates import count_request
from softrail.store.rows import stamp

Piece = TypeVar("Piece")

WINDOW: Final = 60.0
MOST_PEOPLE: Final = 10_000


class RateLimit:
    """At most `most` requests a person in any window of a minute; 0 sets no limit.

    Kept as two fixed windows, the older weighted by how much of it still counts: two numbers a person. With a `store`
    these are one row in the database, and the limit is that of all workers; without, each worker counts for itself.
    """

    def __init__(
        self,
        most: int,
        *,
        store: SqlStore | None = None,
        clock: Callable[[], float] | None = None,
    ) -> None:
        self._most = most
        self._store = store
        # What several workers count together is counted by the time that they have in common.
        self._clock = clock or (time.monotonic if store is None else lambda: now().timestamp())
        self._counts: OrderedDict[str, tuple[int, int, int]] = (
            OrderedDict()
        )  # window, in it, in the one before
        self._refused: OrderedDict[str, float] = OrderedDict()

    async def check(self, person_id: str) -> None:
        """Count one request. Raises TooMany, and then it does not count."""
        if not self._most:
            return
        at = self._clock()
        until = self._refused.get(person_id, at)
        if at < until <= at + WINDOW:  # whoever is refused again costs the database nothing
            raise self._too_many(until - at)
        passed = at % WINDOW
        allowed, here, before = await self._count(person_id, int(at // WINDOW), 1 - passed / WINDOW)
        if not allowed:
            wait = self._wait(here, before, passed)
            if self._store is not None:
                self._refused[person_id] = at + wait
                if len(self._refused) > MOST_PEOPLE:
                    self._refused.popitem(last=False)
            raise self._too_many(wait)
        self._refused.pop(person_id, None)

    async def _count(self, person_id: str, window: int, weight: float) -> tuple[bool, int, int]:
        if self._store is not None:
            counted = await self._store.write(
                partial(
                    count_request,
                    person_id=person_id,
                    window=window,
                    most=self._most,
                    weight=weight,
                    at=stamp(now()),
                )
            )
            if counted is not None:
                return counted  # else it is somebody whom the database does not know: counted here
        last, here, before = self._counts.pop(person_id, (window, 0, 0))
        if last != window:
            here, before = 0, here if last == window - 1 else 0
        allowed = here + before * weight + 1 <= self._most
        self._counts[person_id] = (window, here + allowed, before)
        if len(self._counts) > MOST_PEOPLE:
            self._counts.popitem(last=False)
        return allowed, here, before

    def _too_many(self, wait: float) -> TooMany:
        return TooMany(
            f"At most {self._most} requests a minute are taken. Send it again later; nothing is lost.",
            retry_after=wait,
        )

    def _wait(self, here: int, before: int, passed: float) -> float:
        if before and here < self._most:
            return WINDOW * (1 - (self._most - 1 - here) / before) - passed
        return WINDOW - passed


class Streams:
    """At most `most` streams of a person open at once, on this worker."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._open: Counter[str] = Counter()

    def check(self, person_id: str) -> None:
        """Raises TooMany when one more would be too many."""
        if self._open[person_id] >= self._most:
            raise TooMany(
                f"At most {self._most} streams and downloads are open at once. Close one, or try again later.",
                retry_after=5.0,
            )

    async def counted(
        self, person_id: str, pieces: AsyncGenerator[Piece, None]
    ) -> AsyncGenerator[Piece, None]:
        """The same, counted from the first piece to the last, or to when nobody reads on."""
        self._open[person_id] += 1
        try:
            async for piece in pieces:
                yield piece
        finally:
            self._open[person_id] -= 1
            if not self._open[person_id]:
                del self._open[person_id]
            await pieces.aclose()
