"""A SQLite file with all tables: made once in a process and copied, since that takes longer than many a test."""

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from softrail.bootstrap import plugin_tables
from softrail.store import schema
from softrail.store.sqlite import Patience, sqlite_engine


def with_tables(path: Path) -> Path:
    """The file, with all tables if there was none."""
    if not path.exists():
        path.write_bytes(_empty())
    return path


@cache
def _empty() -> bytes:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "softrail.db"
        engine = sqlite_engine(path, durability="normal", busy_timeout=30.0)
        with engine.connect() as conn:
            schema.prepare_sqlite(conn, Patience(30.0), plugin_tables(discover=False))
        engine.dispose()
        return path.read_bytes()
