"""The only source of time."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime


def _wall() -> datetime:
    return datetime.now(UTC)


_source: Callable[[], datetime] = _wall


def now() -> datetime:
    """The time, in UTC. Everyone asks here, so a test can stop the clock."""
    return _source()


@contextmanager
def clock(source: Callable[[], datetime]) -> Iterator[None]:
    """Within the block, `now()` is what `source` says (aware datetimes only)."""
    global _source
    before, _source = _source, source
    try:
        yield
    finally:
        _source = before
