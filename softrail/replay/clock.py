"""A clock that stands still until the test moves it."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta

from softrail.core.clock import clock, clock_here

MONDAY = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)


class FrozenClock:
    """What `now()` says while it is installed."""

    def __init__(self, at: datetime = MONDAY) -> None:
        self._at = at.astimezone(UTC)

    def __call__(self) -> datetime:
        """The time it stands at."""
        return self._at

    def advance(self, **parts: float) -> datetime:
        """Move by that much, e.g. `advance(minutes=31)` or `advance(days=-1)`; returns the new time."""
        self._at += timedelta(**parts)
        return self._at

    def set(self, at: datetime) -> None:
        """Move to a moment; it must know its zone."""
        if at.tzinfo is None:
            raise ValueError("A time without a zone is ambiguous: give tzinfo=UTC or another.")
        self._at = at.astimezone(UTC)

    @contextmanager
    def installed(self) -> Iterator["FrozenClock"]:
        """Within the block, this is the time."""
        with clock(self):
            yield self

    @contextmanager
    def here(self) -> Iterator["FrozenClock"]:
        """Within the block, this is the time for this task and those that it begins; for nobody else."""
        with clock_here(self):
            yield self
