"""What this process may use, set before it opens anything, and its end when nobody waits for it any more."""

import os
import sys
import threading
from collections.abc import Mapping
from typing import Any, Final

FILES: Final = 64  #: open at once


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
