"""What went wrong in plugin code, in a few words that may be kept and shown."""

import os
from traceback import extract_tb
from typing import Final

from softrail.core.errors import SoftrailError

LONGEST: Final = 200


def in_short(error: BaseException) -> str:
    """Which error, and where: never the words of an error that may hold an address, a key or what a person said.

    Those of our own errors, of a plain ValueError and of the operating system are told.
    """
    name = type(error).__name__
    if isinstance(error, SoftrailError):
        told = error.message
    elif type(error) is ValueError and str(error):
        told = str(error)
    elif isinstance(error, OSError) and isinstance(error.errno, int):
        told = f"{name}: {os.strerror(error.errno)}"
    else:
        told = name
    line = " ".join(told.encode("utf-8", "replace").decode().replace("\0", " ").split()) or name
    line = line if len(line) <= LONGEST else f"{line[: LONGEST - 1]}…"
    return (
        f"{line.rstrip('.')} ({_place(error)})."
        if error.__traceback__ is not None
        else f"{line.rstrip('.')}."
    )


def _place(error: BaseException) -> str:
    """The line of the plugin: the frame below ours, not the depths of what it calls."""
    frames = [frame for frame in extract_tb(error.__traceback__) if os.path.dirname(frame.filename) != _HERE]
    frame = frames[0] if frames else extract_tb(error.__traceback__)[-1]
    return f"{os.path.basename(frame.filename)}, line {frame.lineno}"


_HERE: Final = os.path.dirname(__file__)
