"""Which process of which machine a worker is, so that those beside it can tell at once that it has ended.

A worker's id ends with it: `ID@MACHINE.PID.START`. It is told on Linux alone; elsewhere, and of a worker on another machine or in
another container, nobody can tell, and who watches has to wait until it has given no sign for long enough.
"""

import os
import sys
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Final

_PROC: Final = Path("/proc")
_STATE, _START = 0, 19  #: fields of `/proc/PID/stat` behind the name (proc_pid_stat(5): 3 and 22)
_NO_MORE: Final = ("Z", "X", "x")  #: a process that has ended and whose parent has not asked yet how


def tag() -> str:
    """What is put behind the id of a worker of this process; empty where it cannot be told."""
    machine, pid = _machine(), os.getpid()
    stat = _stat(pid) if machine else None
    return f"@{machine}.{pid}.{stat[_START]}" if stat else ""


def has_ended(worker: str) -> bool:
    """Whether the process of that worker has surely ended; False where nobody here can tell.

    A process that only stands still has not. Its number may have been given to another since: that one began at another time.
    """
    machine, _, process = worker.partition("/")[0].partition("@")[2].partition(".")
    pid, _, start = process.partition(".")
    if not pid.isdecimal() or machine != _machine():
        return False
    try:
        os.kill(
            int(pid), 0
        )  # a signal that is not sent: it says whether there is anybody, whatever of /proc may be seen
    except ProcessLookupError:
        return True
    except (OSError, OverflowError):
        return False
    stat = _stat(int(pid))
    return stat is not None and (stat[_STATE] in _NO_MORE or stat[_START] != start)


@cache
def _machine() -> str:
    """The running system, its name and the space in which its processes are numbered, as a few digits; empty elsewhere."""
    if sys.platform != "linux":
        return ""
    try:
        boot = (_PROC / "sys/kernel/random/boot_id").read_text()
        space = (_PROC / "self/ns/pid").stat().st_ino
    except OSError:
        return ""
    return sha256(f"{boot}{space}{os.uname().nodename}".encode()).hexdigest()[:12]


def _stat(pid: int) -> list[str] | None:
    try:
        # The name stands in brackets and may hold anything, brackets too.
        return (_PROC / str(pid) / "stat").read_text(errors="replace").rpartition(")")[2].split()
    except OSError:
        return None
