"""Engines over SQLite that share what SQLAlchemy works out once: what the library can do, and statements as text."""

from collections.abc import Callable
from functools import cache
from typing import Any, Final

from sqlalchemy import Engine, NullPool, StaticPool, create_engine
from sqlalchemy.util import LRUCache

_MOST_COMPILED: Final = 1000


def engine_over(connect: Callable[[], Any], *, pool: type[NullPool] | type[StaticPool] = NullPool) -> Engine:
    """An engine over what `connect` opens.

    Its errors hold no parameters, whatever is logged of them: what is written here is what people said.
    """
    like = _first()
    opened = pool(connect, dialect=like.dialect)
    engine = Engine(opened, like.dialect, like.url, hide_parameters=True)
    return engine.execution_options(compiled_cache=_compiled())


@cache
def _first() -> Engine:
    """One whose dialect has seen a connection; it says what this SQLite can do."""
    engine = create_engine("sqlite://")
    with engine.connect():
        return engine


@cache
def _compiled() -> LRUCache[Any, Any]:
    return LRUCache(_MOST_COMPILED)
