"""A small memory of what was looked up a moment ago."""

import math
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Final, Generic, TypeVar

REMEMBERED: Final = 5.0  #: seconds; a change made elsewhere is seen here at most this much later
MOST: Final = 10_000

Value = TypeVar("Value")


class Memory(Generic[Value]):
    """Values kept for a few seconds of monotonic time, and never too many."""

    def __init__(self, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._kept: OrderedDict[str, tuple[float, Value]] = OrderedDict()

    def get(self, key: str) -> Value | None:
        """What was kept under `key`, while it is fresh."""
        kept = self._kept.get(key)
        return kept[1] if kept is not None and self._clock() < kept[0] else None

    def put(self, key: str, value: Value, *, lasting: bool = False) -> None:
        """Keep it; `lasting` values do not grow old."""
        self._kept.pop(key, None)
        self._kept[key] = (math.inf if lasting else self._clock() + REMEMBERED, value)
        while len(self._kept) > MOST:
            self._kept.popitem(last=False)

    def drop(self, unwanted: Callable[[Value], bool]) -> None:
        """Forget every value that `unwanted` says so of."""
        for key in [key for key, (_, value) in self._kept.items() if unwanted(value)]:
            del self._kept[key]
