"""One writer at a time: files that several threads and processes read, change and write again."""

import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from threading import Lock

if sys.platform != "win32":
    import fcntl

_ONE_THREAD = Lock()


@contextmanager
def alone(*paths: Path) -> Iterator[None]:
    """No other thread, and where the system can lock a folder no other process, is in here for a file beside these."""
    with _ONE_THREAD, ExitStack() as stack:
        for folder in sorted({path.resolve().parent for path in paths}):
            stack.enter_context(_locked(folder))
        yield


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """The folder itself is locked: the files in it are replaced, and a file beside them would stay behind."""
    if sys.platform == "win32":
        yield
        return
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        with suppress(OSError):  # some network file systems cannot; then threads still wait for each other
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)
