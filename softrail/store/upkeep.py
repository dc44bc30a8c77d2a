"""The file of a SQLite store: that it is still the one that was opened, and that its log stays short and holds nothing erased."""

import os
import sqlite3
import time
from pathlib import Path
from typing import Final

from softrail.core.errors import StoreUnavailable

LOG_USUAL: Final = 4 * 2**20  #: bytes; SQLite starts the log anew there, where no reader stands in the way
LOG_MOST: Final = 2 * LOG_USUAL
EVERY: Final = 1.0  #: seconds between two tries
#: So many pages are given back to the file system in one go that no turn waits long for it.
_GIVE_BACK: Final = "PRAGMA incremental_vacuum(2000)"


class SameFile:
    """Tells the file that was opened from another, or none, under its name.

    SQLite goes on with the file that it has open, wherever it has been moved: what is written there nobody finds.
    """

    def __init__(self, path: Path) -> None:
        self._path = os.fspath(path)  # asked for twice a turn
        self._known: tuple[int, int] | None = None

    def remember(self) -> None:
        """The file that is there now is the one."""
        self._known = self._there()

    def require(self) -> None:
        """Raises StoreUnavailable when it is not there any more, or another is in its place."""
        if self._known is not None and self._there() != self._known:
            raise StoreUnavailable(
                "The database file was moved, removed or replaced while it was in use. Put it back, or start again.",
                reason="moved",
            )

    def _there(self) -> tuple[int, int] | None:
        try:
            found = os.stat(self._path)
        except OSError:
            return None
        return found.st_dev, found.st_ino


class Upkeep:
    """Empties the log when it has grown long or something was erased; runs on the one thread that writes.

    A reader that still sees what was before stands in the way: then it is tried again with a later write.
    """

    def __init__(self, path: Path, *, most: int = LOG_MOST, every: float = EVERY) -> None:
        self._log = f"{path}-wal"
        self._most = most
        self._every = every
        self._tried = -every
        self._looked = -every
        self._long = False  #: the log was, when it was looked at
        self._erased = True  # whoever erased before the last end may not have come so far

    def erased(self) -> None:
        """Something was erased: what is left of it goes at the next opportunity."""
        self._erased = True
        self._tried = -self._every

    def due(self) -> bool:
        """There is something to do, and it was not tried just now; how long the log is, is looked at as rarely."""
        at = time.monotonic()
        if at - self._tried < self._every:
            return False
        if at - self._looked >= self._every:
            self._looked, self._long = at, self._size() > self._most
        return self._erased or self._long

    def run(self, raw: sqlite3.Connection) -> None:
        """Give free pages back, write the log into the file and empty it; `raw` waits for nobody."""
        self._tried, self._long = time.monotonic(), False
        try:
            if self._erased:
                raw.execute(_GIVE_BACK).fetchall()  # each row is a page
            busy = raw.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
            if self._erased and not busy:
                compacts = raw.execute("PRAGMA auto_vacuum").fetchone() == (2,)
                self._erased = compacts and raw.execute("PRAGMA freelist_count").fetchone() != (0,)
        except sqlite3.OperationalError:
            return  # somebody writes, or there is no space: a later write tries again

    def _size(self) -> int:
        try:
            return os.stat(self._log).st_size
        except OSError:
            return 0
