"""Brings a database up to date as `softrail db upgrade` does, and ends by kill -9 before a statement or after a time.

    python -m tests.faults.migrating URL 17 0        before its 17th statement
    python -m tests.faults.migrating URL 0 0.25      so many seconds after its first one

With neither it says how many statements there are and how many seconds they take.
"""

import asyncio
import os
import signal
import sys
import threading
import time
from typing import Any

from sqlalchemy import Engine, event

from softrail.store import upgrade
from tests.faults.old_schemas import PLUGINS


class Killed:
    """Counts what reaches the database, and has this process killed."""

    def __init__(self, at: int, after: float) -> None:
        self.at = at
        self.after = after
        self.seen = 0
        self.began = 0.0
        for name in ("before_cursor_execute", "commit"):
            event.listen(Engine, name, self._reached)

    def _reached(self, *_: Any) -> None:
        self.seen += 1
        if self.seen == 1:
            self.began = time.monotonic()
            if self.after:
                threading.Timer(self.after, _kill).start()
        if self.seen == self.at:
            _kill()


def _kill() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def main() -> None:
    """The command line."""
    url, at, after = sys.argv[1:]
    killed = Killed(int(at), float(after))
    asyncio.run(upgrade(url, plugins=PLUGINS))
    print(killed.seen, time.monotonic() - killed.began, flush=True)
    os._exit(0)  # a kill that comes too late would find nothing to cut


if __name__ == "__main__":
    main()
