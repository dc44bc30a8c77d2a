"""How far long work is, for those who watch a session on this worker; nothing of it is stored."""

import asyncio
import math
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Final, TypeVar

from softrail.core.border import mended
from softrail.core.clock import now

T = TypeVar("T")
Key = tuple[str, str]

AT_MOST_EVERY: Final = 0.25  #: seconds between two events of one run
REMEMBERED: Final = 1000  #: runs whose last word is kept; the one begun longest ago is forgotten first
LONGEST_TEXT: Final = 200


@dataclass(frozen=True, kw_only=True, slots=True)
class Told:
    """The last word on a run."""

    session_id: str
    kind: str
    run_id: str
    done: float
    total: float | None
    text: str
    at: datetime


class Following:
    """What somebody who watches a session has not been shown yet: the last word on each run that has a new one."""

    def __init__(self) -> None:
        self.news = asyncio.Event()  #: there is something to take
        self._new: dict[Key, Told] = {}

    def show(self, told: Told) -> None:
        """This is to be shown; what it replaces is not."""
        self._new[told.kind, told.run_id] = told
        self.news.set()

    def take(self) -> Sequence[Told]:
        """All that is to be shown now."""
        self.news.clear()
        new, self._new = list(self._new.values()), {}
        return new


@dataclass(slots=True)
class _Kept:
    told: Told
    shown_at: float = -math.inf  # on the clock of the event loop
    later: asyncio.TimerHandle | None = None


class ProgressBoard:
    """The port `Progress` on one worker: the last word on each run, and those who watch.

    What is told faster than `at_most_every` is thinned out; the last word is always shown, if a moment later.
    """

    def __init__(self, *, at_most_every: float = AT_MOST_EVERY) -> None:
        self._at_most_every = at_most_every
        self._loop: asyncio.AbstractEventLoop | None = None
        self._kept: OrderedDict[Key, _Kept] = OrderedDict()
        self._followers: defaultdict[str, set[Following]] = defaultdict(set)

    def start(self) -> None:
        """From here on words come into this event loop, from whichever thread they are told."""
        self._loop = asyncio.get_running_loop()

    def tell(
        self,
        session_id: str,
        kind: str,
        run_id: str,
        done: float,
        total: float | None = None,
        text: str = "",
    ) -> None:
        """So much of a run is done; from any thread. Raises ValueError for what is no amount."""
        for name, value in (("done", done), ("total", total)):
            if value is not None and not (math.isfinite(value) and value >= 0):
                raise ValueError(
                    f"The progress of run {run_id!r} has {name} = {value!r}, which is no number from 0 on."
                )
        told = Told(
            session_id=session_id,
            kind=kind,
            run_id=run_id,
            done=done,
            total=total,
            text=mended(text)[:LONGEST_TEXT],
            at=now(),
        )
        self._in_loop(self._take, told)

    def over(self, kind: str, run_id: str) -> None:
        """Nothing more will be told of that run from here; from any thread."""
        self._in_loop(self._forget, (kind, run_id))

    def of(self, session_id: str) -> Sequence[Told]:
        """The last words on the runs of a session that go on here, the one begun first at the beginning."""
        return [kept.told for kept in self._kept.values() if kept.told.session_id == session_id]

    @contextmanager
    def follow(self, session_id: str) -> Iterator[Following]:
        """Within the block, what is told of a session; at first the last words there are."""
        following = Following()
        for told in self.of(session_id):
            following.show(told)
        self._followers[session_id].add(following)
        try:
            yield following
        finally:
            self._followers[session_id].discard(following)
            if not self._followers[session_id]:
                del self._followers[session_id]

    # -- in the event loop

    def _in_loop(self, function: Callable[[T], None], argument: T) -> None:
        if self._loop is None or self._loop.is_closed():
            return  # the worker has not begun, or has ended: nobody watches
        try:
            here = asyncio.get_running_loop() is self._loop
        except RuntimeError:
            here = False
        if here:
            function(argument)
        else:
            self._loop.call_soon_threadsafe(function, argument)

    def _take(self, told: Told) -> None:
        key = told.kind, told.run_id
        kept = self._kept.get(key)
        if kept is None:
            kept = self._kept[key] = _Kept(told)
            while len(self._kept) > REMEMBERED:
                self._forget(next(iter(self._kept)))
        kept.told = told
        assert self._loop is not None  # noqa: S101 - this runs in it
        wait = kept.shown_at + self._at_most_every - self._loop.time()
        if wait <= 0:
            self._show(kept)
        elif kept.later is None:
            kept.later = self._loop.call_later(wait, self._show, kept)

    def _show(self, kept: _Kept) -> None:
        if kept.later is not None:
            kept.later.cancel()
            kept.later = None
        assert self._loop is not None  # noqa: S101 - this runs in it
        kept.shown_at = self._loop.time()
        for following in self._followers.get(kept.told.session_id, ()):
            following.show(kept.told)

    def _forget(self, key: Key) -> None:
        kept = self._kept.pop(key, None)
        if kept is not None and kept.later is not None:
            self._show(kept)  # the last word
