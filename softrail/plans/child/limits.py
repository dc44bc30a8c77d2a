"""What this process may use, set before it opens anything, and its end when nobody waits for it any more."""

import contextlib
import os
import sys
import threading
from collections.abc import Mapping, Sequence
from typing import Any, Final

FILES: Final = 64  #: open at once
BACK: Final = 10  #: how far it stands behind whoever talks with people
LEFT: Final = 4  #: one of so many processors is left to the worker, at least one where there are two


def step_back() -> None:
    """Let the worker go first: this process takes what processors have to spare."""
    with contextlib.suppress(AttributeError, OSError):  # Windows knows no such thing
        os.nice(BACK)
    # Where Linux shares processors among sessions, what counts is how this one, which has its own, stands to others.
    with contextlib.suppress(OSError), open("/proc/self/autogroup", "w") as file:
        file.write(str(BACK))
    # Standing behind is not enough: whoever wakes on a processor that is taken waits some milliseconds for it all the same.
    with contextlib.suppress(AttributeError, OSError):  # macOS and Windows know no such thing
        os.sched_setaffinity(0, processors(sorted(os.sched_getaffinity(0))))


def processors(there: Sequence[int]) -> Sequence[int]:
    """Those that processes for data share; the first ones are left free for whoever wakes."""
    return there[max(1, len(there) // LEFT) :] or there


def bind(limits: Mapping[str, Any]) -> None:
    """Bound memory, time and files of this process. Where the system knows no such bounds, whoever waits ends it."""
    try:
        import resource
    except ImportError:  # Windows
        return
    wanted = {
        resource.RLIMIT_DATA: int(limits["memory"]),
        resource.RLIMIT_CPU: int(limits["seconds"]),
        resource.RLIMIT_FSIZE: int(limits["file"]),
        resource.RLIMIT_NOFILE: FILES,
        resource.RLIMIT_CORE: 0,
    }
    for kind, most in wanted.items():
        _, hard = resource.getrlimit(kind)
        bound = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(kind, (bound, bound))


def end_with_the_parent() -> None:
    """End this process as soon as the other end of its input is closed: a killed worker leaves nothing behind."""

    def watch() -> None:
        while os.read(sys.stdin.fileno(), 1024):
            pass
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
