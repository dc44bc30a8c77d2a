"""Words said while a turn is still computed, for those who watch its session on this worker; nothing of it is stored."""

import asyncio
from collections import defaultdict, deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Final

from softrail.core.saying import SaidAtOnce

MOST_WAITING: Final = 100  #: messages that one who listens has not taken; the oldest is dropped


class Listening:
    """What somebody who listens to a session has not been told yet, in order."""

    def __init__(self) -> None:
        self.news = asyncio.Event()  #: there is something to take
        self._new: deque[SaidAtOnce] = deque(maxlen=MOST_WAITING)

    def tell(self, said: SaidAtOnce) -> None:
        """This was said."""
        self._new.append(said)
        self.news.set()

    def take(self) -> Sequence[SaidAtOnce]:
        """All that was said since."""
        self.news.clear()
        new = list(self._new)
        self._new.clear()
        return new


class Aloud:
    """Those who listen, by session; whoever comes later has missed what was said."""

    def __init__(self) -> None:
        self._listening: defaultdict[str, set[Listening]] = defaultdict(set)

    def tell(self, said: SaidAtOnce) -> None:
        """Something was said in a session; in the event loop of the worker."""
        for one in self._listening.get(said.session_id, ()):
            one.tell(said)

    @contextmanager
    def follow(self, session_id: str) -> Iterator[Listening]:
        """Within the block, what is said in a session."""
        listening = Listening()
        self._listening[session_id].add(listening)
        try:
            yield listening
        finally:
            self._listening[session_id].discard(listening)
            if not self._listening[session_id]:
                del self._listening[session_id]
