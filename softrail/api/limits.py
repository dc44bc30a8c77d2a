"""How often one person may ask."""

import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Final

from softrail.api.failures import TooMany

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
