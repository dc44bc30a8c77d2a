"""News for all who watch sessions on this worker, of what any worker has committed.

Where workers can tell each other, they do, and this one listens while somebody watches. What nobody tells is found by
one look at all sessions that are watched: every second, or now and then as long as others are heard.
"""

import asyncio
import contextlib
import logging
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Final

from softrail.core.errors import SoftrailError
from softrail.core.ports import News, Store
from softrail.turns.notifier import Notifier

log = logging.getLogger(__name__)

EVERY: Final = 1.0  #: seconds between two looks
HEARING: Final = 5.0  #: the same, while others are heard: what was lost, and what no worker has done
AT_ONCE: Final = 500  #: sessions in one statement
TOGETHER: Final = 0.05  #: seconds in which what is committed is told to others together


class Telling:
    """Tells other workers what this one commits: together, a moment later, and never in anybody's way."""

    def __init__(self, news: News) -> None:
        self._news = news
        self._moved: set[str] = set()
        self._task: asyncio.Task[None] | None = None

    def tell(self, session_id: str) -> None:
        """Have it told soon."""
        self._moved.add(session_id)
        if self._task is None:
            self._task = asyncio.create_task(self._soon(), name="softrail-news")

    async def stop(self) -> None:
        """Tell what is left."""
        if self._task is not None:
            await self._task

    async def _soon(self) -> None:
        try:
            while self._moved:
                await asyncio.sleep(TOGETHER)
                moved, self._moved = self._moved, set()
                try:
                    await self._news.tell(moved)
                except SoftrailError as error:  # whoever watches finds it by looking
                    log.warning("Other workers were not told what has moved: %s", error)
        finally:
            self._task = None


class SessionsWatched:
    """Tells the notifier when a watched session has moved, or is gone; it looks only while somebody watches."""

    def __init__(
        self,
        store: Store,
        notifier: Notifier,
        *,
        stopping: Callable[[], bool],
        alone: Callable[[], bool] = lambda: False,
        every: float = EVERY,
        hearing: float = HEARING,
    ) -> None:
        self._store = store
        self._news: News | None = getattr(store, "news", None)
        self._telling = Telling(self._news) if self._news is not None else None
        self._deaf = False  #: others could not be heard, and it was said
        self._notifier = notifier
        notifier.pass_on = self._pass_on
        self._stopping = stopping
        self._alone = alone
        self._every = every
        self._hearing = hearing
        self._watched: Counter[str] = Counter()
        self._seen: dict[str, int | None] = {}  #: the revision of each; None: it is gone
        self._task: asyncio.Task[None] | None = None

    async def stop(self) -> None:
        """Tell others what they were not told yet."""
        if self._telling is not None:
            await self._telling.stop()

    def _pass_on(self, session_id: str) -> None:
        """Have other workers told, where there are any; one that has just come finds it by looking."""
        if self._telling is not None and not self._alone():
            self._telling.tell(session_id)

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
                async with self._listening() as hears:
                    await self._look_while(hears)
        finally:
            self._task = None

    @contextlib.asynccontextmanager
    async def _listening(self) -> AsyncIterator[Callable[[], bool] | None]:
        """Within the block others are heard, if that is possible; what it gives says whether they still are."""
        async with contextlib.AsyncExitStack() as stack:
            hears = None
            if self._news is not None:
                try:
                    hears = await stack.enter_async_context(self._news.listening(self._hear))
                    self._deaf = False
                except SoftrailError as error:
                    if not self._deaf:
                        log.warning("Other workers are not heard; their news is looked for: %s", error)
                    self._deaf = True
            yield hears

    async def _look_while(self, hears: Callable[[], bool] | None) -> None:
        """Look again and again: once at first, for nothing was heard before; until it has to be listened anew."""
        left = 0.0
        while self._watched:
            if self._stopping():
                self._tell(list(self._watched))
            elif left <= 0:
                await self._try_to_look()
                left = self._every if hears is None else self._hearing
            await asyncio.sleep(self._every)
            left -= self._every
            if self._news is not None and (hears is None or not hears()):
                return

    def _hear(self, session_ids: list[str]) -> None:
        for session_id in session_ids:
            if self._watched[session_id]:
                self._notifier.heard(session_id)

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
            self._notifier.heard(session_id)
