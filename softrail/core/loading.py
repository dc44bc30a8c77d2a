"""Loading code: what is loaded stays, so nothing of it is searched for garbage."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache


@contextmanager
def loading() -> Iterator[None]:
    """Nothing is searched for garbage in the block, and nothing of what is there at its end ever again.

    Looking took a fifth of the time that a start takes, and the first look after it as long again. Whoever has the
    collector look at nothing, or leave some things alone, goes on deciding that by himself.
    """
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        if _is_ours():
            gc.freeze()
        gc.enable()


@cache
def _is_ours() -> bool:
    """Nobody had set things aside before us; asked once, since counting them takes as long as they are many."""
    return gc.get_freeze_count() == 0
