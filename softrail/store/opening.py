"""Finds the store that a URL names."""

from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING

from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError

from softrail.core.errors import StoreUnavailable
from softrail.core.ports import EffectHandler
from softrail.store.memory import MemoryStore
from softrail.store.plugins import PluginTables
from softrail.store.sqlite import Durability, SqliteStore
from softrail.store.sqlstore import SqlStore

if TYPE_CHECKING:
    from softrail.store.postgres import PostgresStore


def open_store(
    url: str,
    *,
    durability: Durability = "full",
    busy_timeout: float = 5.0,
    pool_size: int | None = None,
    effect_handlers: Mapping[str, EffectHandler] | None = None,
    plugins: Sequence[PluginTables] = (),
) -> SqlStore:
    """The store of a database URL, not yet started.

    Args:
        url: `sqlite:///FILE` (relative to the working folder; four slashes for an absolute path), `sqlite://`
            for memory, or `postgresql://USER@HOST/NAME`.
        durability: See `SqliteStore`; PostgreSQL has its own settings for this.
        busy_timeout: Seconds SQLite waits for another process that writes.
        pool_size: Threads that read a SQLite file (4), or connections to PostgreSQL (10).
        effect_handlers: What applies effects inside the commit, by kind.
        plugins: Tables that plugins bring along.

    Raises:
        StoreUnavailable: The URL names no kind of database that is supported.
    """
    try:
        parsed = make_url(url)
    except ArgumentError as error:
        raise StoreUnavailable(
            "The database URL cannot be read. Write sqlite:///FILE or postgresql://USER@HOST/NAME."
        ) from error
    kind = parsed.get_backend_name()
    if kind == "sqlite" and parsed.database in (None, "", ":memory:"):
        return MemoryStore(effect_handlers=effect_handlers, plugins=plugins)
    if kind == "sqlite":
        return SqliteStore(
            str(parsed.database),
            durability=durability,
            busy_timeout=busy_timeout,
            pool_size=pool_size or 4,
            effect_handlers=effect_handlers,
            plugins=plugins,
        )
    if kind == "postgresql":
        return _postgres()(url, pool_size=pool_size or 10, effect_handlers=effect_handlers, plugins=plugins)
    raise StoreUnavailable(
        f"No store is known for databases of kind {kind!r}. Use sqlite:///FILE or postgresql://USER@HOST/NAME."
    )


def _postgres() -> "type[PostgresStore]":
    if not (find_spec("asyncpg") and find_spec("greenlet")):  # an extra: most people use a file
        raise StoreUnavailable(
            "PostgreSQL needs two more packages. Install them with: pip install 'softrail[postgres]'"
        )
    from softrail.store.postgres import PostgresStore

    return PostgresStore
