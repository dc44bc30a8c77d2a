"""The processes that are at work on data, or wait for some, as the system lists them."""

import os
from pathlib import Path
from typing import Final

KNOWN: Final = Path("/proc/self/status").exists()  #: the system lists them


def processes_of_data(parent: int | None = None) -> set[str]:
    """The processes of this one, or of another, that are at work on data."""
    return {name for name, at_work in _found(parent) if at_work}


def processes_that_wait(parent: int | None = None) -> set[str]:
    """Those that were begun ahead, and have nothing to do yet."""
    return {name for name, at_work in _found(parent) if not at_work}


def _found(parent: int | None) -> list[tuple[str, bool]]:
    """Each with whether it has a folder of its own: who waits is nowhere."""
    found, begun_by = list[tuple[str, bool]](), os.getpid() if parent is None else parent
    for folder in Path("/proc").iterdir():
        try:
            words = (folder / "cmdline").read_bytes() if folder.name.isdigit() else b""
            mine = f"PPid:\t{begun_by}\n" in (folder / "status").read_text() if words else False
            if mine and b"plans/child/__main__.py" in words:
                found.append((folder.name, os.readlink(folder / "cwd") != "/"))
        except OSError:  # it ended while it was looked at
            continue
    return found
