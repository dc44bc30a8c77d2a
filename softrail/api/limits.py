"""How often one person may ask."""

import time
from collections import Counter, OrderedDict
from collections.abc import AsyncGenerator, Callable
from typing import Final, TypeVar

from softrail.api.failures import TooMany

Piece = TypeVar("Piece")

WINDOW: Final = 60.0
MOST_PEOPLE: Final = 10_000


class RateLimit:
    """At most `most` requests a person in any window of a minute, on this worker; 0 sets no limit.

    Kept as two fixed windows, the older weighted by how much of it still counts: two numbers a person.
    """

    def __init__(self, most: int, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._most = most
        self._clock = clock
        self._counts: OrderedDict[str, tuple[int, int, int]] = (
            OrderedDict()
        )  # window, in it, in the one before

    def check(self, person_id: str) -> None:
        """Count one request. Raises TooMany, and then it does not count."""
        if not self._most:
            return
        at = self._clock()
        window, passed = int(at // WINDOW), at % WINDOW
        last, here, before = self._counts.pop(person_id, (window, 0, 0))
        if last != window:
            here, before = 0, here if last == window - 1 else 0
        weight = 1 - passed / WINDOW
        used = here + before * weight
        allowed = used + 1 <= self._most
        self._counts[person_id] = (window, here + allowed, before)
        if len(self._counts) > MOST_PEOPLE:
            self._counts.popitem(last=False)
        if not allowed:
            raise TooMany(
                f"At most {self._most} requests a minute are taken. Send it again later; nothing is lost.",
                retry_after=self._wait(here, before, passed),
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
