"""Tells listeners on this worker that something of a session was committed."""

import asyncio
from collections import defaultdict
from collections.abc import Callable


class Notifier:
    """Wakes those who wait for news of a session; the news itself is read from the store."""

    def __init__(self) -> None:
        self._waiting: defaultdict[str, set[asyncio.Future[None]]] = defaultdict(set)
        self.pass_on: Callable[[str], None] = lambda session_id: None  #: to other workers

    def changed(self, session_id: str) -> None:
        """This worker has committed something of that session."""
        self.heard(session_id)
        self.pass_on(session_id)

    def heard(self, session_id: str) -> None:
        """Something of that session is committed, whoever has done it."""
        for future in self._waiting.pop(session_id, ()):
            if not future.done():
                future.set_result(None)

    async def wait(self, session_id: str, seconds: float | None = None) -> bool:
        """True when something was committed within that time: here, or seen by who watches sessions."""
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting[session_id].add(future)
        try:
            async with asyncio.timeout(seconds):
                await future
        except TimeoutError:
            return False
        else:
            return True
        finally:
            waiting = self._waiting.get(session_id)
            if waiting is not None:
                waiting.discard(future)
                if not waiting:
                    del self._waiting[session_id]
