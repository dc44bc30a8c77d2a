"""The only source of time."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime, timedelta

Source = Callable[[], datetime]


def _wall() -> datetime:
    return datetime.now(UTC)


_source: Source = _wall
_here: ContextVar[Source | None] = ContextVar("softrail_clock", default=None)


def now() -> datetime:
    """The time, in UTC. Everyone asks here, so a test can stop the clock."""
    return (_here.get() or _source)()


def ticks() -> float:
    """Seconds of a clock that only goes forward, for how long something took; where `now()` is stopped, so is this."""
    source = _here.get() or _source
    return time.monotonic() if source is _wall else source().timestamp()


def after(at: datetime, by: timedelta) -> datetime:
    """The moment that long after another; the last one there is, where it lies beyond."""
    try:
        return at + by
    except OverflowError:
        return datetime.max.replace(tzinfo=UTC)


def before(at: datetime, by: timedelta) -> datetime:
    """The moment that long before another; the first one there is, where it lies beyond."""
    try:
        return at - by
    except OverflowError:
        return datetime.min.replace(tzinfo=UTC)


@contextmanager
def clock(source: Source) -> Iterator[None]:
    """Within the block, `now()` is what `source` says (aware datetimes only), everywhere in the process."""
    global _source
    before, _source = _source, source
    try:
        yield
    finally:
        _source = before


@contextmanager
def clock_here(source: Source) -> Iterator[None]:
    """Within the block, `now()` is what `source` says, for this task and those that it begins; for nobody else."""
    before = _here.set(source)
    try:
        yield
    finally:
        _here.reset(before)
