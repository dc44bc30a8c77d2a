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
def one_process(path: Path) -> Iterator[None]:
    """No other process is in here for this file, where the system can lock one and the folder can be written.

    What is locked is an empty file beside it, which whoever was in here takes away: who waited finds the work done.
    """
    if sys.platform == "win32":
        yield
        return
    beside = path.with_suffix(".lock")
    try:
        handle = os.open(beside, os.O_RDONLY | os.O_CREAT, 0o600)
    except OSError:
        yield
        return
    with _held(handle):
        yield
        with suppress(OSError):
            beside.unlink()


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """The folder itself is locked: the files in it are replaced, and a file beside them would stay behind."""
    if sys.platform == "win32":
        yield
        return
    with _held(os.open(folder, os.O_RDONLY | os.O_DIRECTORY)):
        yield


@contextmanager
def _held(handle: int) -> Iterator[None]:
    try:
        with suppress(OSError):  # some network file systems cannot; then threads still wait for each other
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)
