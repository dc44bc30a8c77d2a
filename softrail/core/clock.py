"""The only source of time."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime


def _wall() -> datetime:
    return datetime.now(UTC)


_source: Callable[[], datetime] = _wall


def now() -> datetime:
    """The time, in UTC. Everyone asks here, so a test can stop the clock."""
    return _source()


def ticks() -> float:
    """Seconds of a clock that only goes forward, for how long something took; where `now()` is stopped, so is this."""
    return time.monotonic() if _source is _wall else _source().timestamp()


@contextmanager
def clock(source: Callable[[], datetime]) -> Iterator[None]:
    """Within the block, `now()` is what `source` says (aware datetimes only)."""
    global _source
    before, _source = _source, source
    try:
        yield
    finally:
        _source = before
