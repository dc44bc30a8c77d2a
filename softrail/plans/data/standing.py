"""How a process for data stands to the worker: behind it, and on other processors where there are several."""

import contextlib
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Final

BACK: Final = 10  #: how far it stands behind whoever talks with people
LEFT: Final = 4  #: one of so many processors is left to the worker, at least one where there are two


def put_behind(pid: int) -> None:
    """Let the worker go first: that process takes what processors have to spare.

    Done to it as soon as it is begun: what it loads before it could do so itself takes longest, and others wait for that.
    """
    with contextlib.suppress(AttributeError, OSError):  # Windows knows no such thing
        here = os.getpriority(os.PRIO_PROCESS, 0)
        os.setpriority(os.PRIO_PROCESS, pid, min(19, here + BACK))
    # Where Linux shares processors among sessions, what counts is how that one, which has its own, stands to others.
    with contextlib.suppress(OSError):
        Path(f"/proc/{pid}/autogroup").write_text(str(BACK))
    # Standing behind is not enough: whoever wakes on a processor that is taken waits some milliseconds for it all the same.
    with contextlib.suppress(AttributeError, OSError):  # macOS and Windows know no such thing
        os.sched_setaffinity(pid, processors(sorted(os.sched_getaffinity(0))))


def processors(there: Sequence[int]) -> Sequence[int]:
    """Those that processes for data share; the first ones are left free for whoever wakes."""
    return there[max(1, len(there) // LEFT) :] or there
