"""Loading code: what is loaded stays, so nothing of it is searched for garbage; and what is hardly used is built late."""

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


@contextmanager
def described_later() -> Iterator[None]:
    """Models that are made in the block are built when they are first used; for those that hardly ever are.

    FastAPI has a hundred of them for the document of an API, which nobody may ask for: a tenth of a second at each start.
    """
    from pydantic import BaseModel

    BaseModel.model_config["defer_build"] = True  # whatever model is made takes it over
    try:
        yield
    finally:
        del BaseModel.model_config["defer_build"]
