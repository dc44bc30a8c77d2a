"""What is handed from worker to worker: that there may be something to do for a run."""

from dataclasses import dataclass


class NotLaunched(Exception):
    """The host of Softrail has made what hands out wakes, and not launched it yet."""


@dataclass(frozen=True, kw_only=True)
class Wake:
    """There may be something to do for a run; `failures` tries have failed before, one after the other."""

    kind: str
    run_id: str
    woken: bool = False  #: whoever drives the run is to hear of it
    failures: int = 0


@dataclass(frozen=True, kw_only=True)
class OpenWake:
    """A wake that is not over."""

    id: str
    run_id: str
    begun: bool  #: a worker was handed it
    delayed: bool = False  #: it waits for its time
