"""Makes a SQLite file as small as what is in it, and lets it give free pages back from then on."""

import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy.engine import make_url

from softrail.core.errors import StoreUnavailable
from softrail.store.outage import sqlite_start_fault
from softrail.store.sqlite import sqlite_connection


@dataclass(frozen=True, kw_only=True)
class Compacted:
    """How large the file was and is, in bytes, with the log beside it."""

    before: int
    after: int


def compact(url: str) -> Compacted:
    """Write the file anew, without free pages. Others may read meanwhile; whoever writes waits, or is waited for.

    Raises:
        StoreUnavailable: It is no SQLite file, there is no space for the copy, or another process holds it.
    """
    asked = make_url(url)
    path = Path(asked.database or "")
    if asked.get_backend_name() != "sqlite" or not path.is_file():
        raise StoreUnavailable(
            "Only a SQLite file that is there can be compacted. PostgreSQL gives space back by itself (autovacuum)."
        )
    before = _size(path)
    try:
        with closing(sqlite_connection(path, durability="full", busy_timeout=30.0)) as raw:
            raw.execute("PRAGMA auto_vacuum = INCREMENTAL")  # holds from the next VACUUM on
            raw.execute("VACUUM")
            raw.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    except (sqlite3.Error, OSError) as error:
        raise sqlite_start_fault(error, path) from error
    return Compacted(before=before, after=_size(path))


def _size(path: Path) -> int:
    """Bytes of the file and of its log."""
    log = Path(f"{path}-wal")
    return path.stat().st_size + (log.stat().st_size if log.exists() else 0)
