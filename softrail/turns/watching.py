"""One look for all who watch sessions on this worker: what other workers committed is found by one statement a second."""

import asyncio
import contextlib
import logging
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Final

from softrail.core.errors import SoftrailError
from softrail.core.ports import Store
from softrail.turns.notifier import Notifier

log = logging.getLogger(__name__)

EVERY: Final = 1.0  #: seconds between two looks
AT_ONCE: Final = 500  #: sessions in one statement


class SessionsWatched:
    """Tells the notifier when a watched session has moved, or is gone; it looks only while somebody watches."""

    def __init__(
        self, store: Store, notifier: Notifier, *, stopping: Callable[[], bool], every: float = EVERY
    ) -> None:
        self._store = store
        self._notifier = notifier
        self._stopping = stopping
        self._every = every
        self._watched: Counter[str] = Counter()
        self._seen: dict[str, int | None] = {}  #: the revision of each; None: it is gone
        self._task: asyncio.Task[None] | None = None

    @contextlib.contextmanager
    def watch(self, session_id: str) -> Iterator[None]:
        """Within the block, news of that session reaches the notifier, wherever it was committed."""
        self._watched[session_id] += 1
        if self._task is None:
            self._task = asyncio.create_task(self._live(), name="softrail-watch")
        try:
            yield
        finally:
            self._watched[session_id] -= 1
            if not self._watched[session_id]:
                del self._watched[session_id]
                self._seen.pop(session_id, None)

    async def _live(self) -> None:
        try:
            while self._watched:
                if self._stopping():
                    self._tell(list(self._watched))
                else:
                    await self._try_to_look()
                await asyncio.sleep(self._every)
        finally:
            self._task = None

    async def _try_to_look(self) -> None:
        try:
            await self.look()
        except SoftrailError as error:
            log.warning("Nobody could look for news of sessions: %s", error)
        except Exception:
            log.exception("The look for news of sessions failed.")

    async def look(self) -> None:
        """One look at all of them."""
        ids = list(self._watched)
        for begin in range(0, len(ids), AT_ONCE):
            some = ids[begin : begin + AT_ONCE]
            found = await self._store.glimpses(some)
            moved = []
            for session_id in some:
                rev = found[session_id].rev if session_id in found else None
                # The first look tells, too: something may have been committed since the watcher read.
                if self._watched[session_id] and self._seen.get(session_id, -1) != rev:
                    self._seen[session_id] = rev
                    moved.append(session_id)
            self._tell(moved)

    def _tell(self, session_ids: list[str]) -> None:
        for session_id in session_ids:
            self._notifier.changed(session_id)
