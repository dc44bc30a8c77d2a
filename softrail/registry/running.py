"""A turn on its way through this worker: it lives outside the request that brought it."""

import asyncio
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from softrail.core.commits import TurnRow
from softrail.core.errors import SessionBusy, SoftrailError, TurnReused
from softrail.core.people import Person
from softrail.core.sessions import Session
from softrail.core.turns import Request


@dataclass(frozen=True, slots=True)
class Event:
    """One event of a turn's stream."""

    id: int  #: 1, 2, 3 … within the turn
    name: str
    data: dict[str, Any] = field(default_factory=dict)


class EventLog:
    """The events of one turn, kept so that a client that comes back gets the exact rest."""

    def __init__(self) -> None:
        self._events: list[Event] = []
        self._closed = False
        self._news = asyncio.Event()

    def add(self, name: str, data: dict[str, Any]) -> None:
        """Append an event; nothing is added after `close`."""
        if not self._closed:
            self._events.append(Event(len(self._events) + 1, name, data))
            self._wake()

    def close(self) -> None:
        """No more events will come."""
        self._closed = True
        self._wake()

    def _wake(self) -> None:
        self._news.set()
        self._news = asyncio.Event()

    async def after(self, last: int = 0) -> AsyncIterator[Event]:
        """Events with an id above `last`, as they come; ends with the turn."""
        at = last
        while True:
            news = self._news
            while at < len(self._events):
                event = self._events[at]
                at += 1
                yield event
            if self._closed:
                return
            await news.wait()


class RunningTurn:
    """One turn on this worker, from arrival to its reply."""

    def __init__(
        self,
        request: Request,
        person: Person,
        *,
        turn_id: str,
        session_id: str,
        opens: bool,
        at: datetime,
        streaming: bool,
        escapes: bool,
        wait_limit: float,
    ) -> None:
        self.request = request
        self.person = person
        self.turn_id = turn_id
        self.session_id = session_id
        self.opens = opens  #: the server opens the session with this turn
        self.at = at
        self.streaming = streaming
        self.escapes = escapes  #: it stops what runs before it
        self.log = EventLog()
        self.seq: int | None = None  #: known once accepted
        self.fence: int | None = None  #: the hold it runs under
        self.known = False  #: it is stored already
        self.named = request.turn_id is not None
        self.basis: Session | None = None  #: the session as the present attempt read it
        self.thinking = False  #: an attempt is being computed from `basis`
        self.committing = False
        self.accepting: asyncio.Task[None] | None = None
        self.refused: SoftrailError | None = None  #: why it could not be accepted
        self.late = False  #: `accept_after` is over
        self.again = False  #: cancelled to be served again: its answer or its place is in the store
        self.held_since = 0.0  #: monotonic
        self.runs = 0
        self.previous: RunningTurn | None = None
        self.task: asyncio.Task[None] | None = None
        self.began = asyncio.Event()  #: it has its place: nothing before it is unfinished
        self.settled = asyncio.Event()  #: accepted or finished
        self.done: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self._wait_limit = wait_limit

    @property
    def finished(self) -> bool:
        """It has its reply, or failed."""
        return self.done.done()

    def emit(self, name: str, data: dict[str, Any]) -> None:
        """Add to the stream, when there is one."""
        if self.streaming:
            self.log.add(name, data)

    def accept(self, seq: int, fence: int | None) -> None:
        """It is written down: from here on it survives this worker."""
        self.seq, self.fence, self.known = seq, fence, True
        self.held_since = time.monotonic()
        if not self.settled.is_set():
            self.emit("turn.accepted", {"session_id": self.session_id, "turn_id": self.turn_id, "seq": seq})
        self.settled.set()

    def recognise(self, row: TurnRow) -> str | None:
        """Check a stored turn of this id against the request; its reply when it has one. Raises TurnReused."""
        if row.hash != self.request.hash:
            raise TurnReused(
                f"The turn_id {self.turn_id!r} was used before with another body. Use a new id for a new turn.",
                turn_id=self.turn_id,
            )
        self.session_id, self.opens = row.session_id, False
        if row.reply is None:
            self.accept(row.seq, self.fence)
        return row.reply

    def serve_again(self) -> None:
        """Cancel the present attempt: the turn's answer, or its place, is in the store."""
        self.again = True
        if self.task is not None:
            self.task.cancel()

    def finish(self, reply: str) -> None:
        """The reply is durable."""
        if not self.finished:
            self.done.set_result(reply)
        self._end()

    def fail(self, error: BaseException) -> None:
        """It will get no reply from this worker."""
        if not self.finished:
            self.done.set_exception(error)
            self.done.exception()  # whoever asks gets it; nobody asking is no fault
        self._end()

    def _end(self) -> None:
        self.began.set()
        self.settled.set()
        self.log.close()
        self.previous = None

    async def accepted(self) -> None:
        """Returns once the turn is durable; raises what stopped it before that."""
        await self.settled.wait()
        if self.finished:
            self.done.result()

    async def result(self) -> str:
        """The reply's JSON. Raises SessionBusy after the wait limit; the turn goes on regardless."""
        waiting = asyncio.shield(self.done)
        timer = waiting.get_loop().call_later(self._wait_limit, self._give_up, waiting)
        try:
            return await waiting
        finally:
            timer.cancel()

    def _give_up(self, waiting: "asyncio.Future[str]") -> None:
        if self.began.is_set() or waiting.done():
            return
        waiting.set_exception(
            SessionBusy(
                "An earlier turn of this session is still running. Send this one again with the same "
                "turn_id; it is not lost.",
                turn_id=self.turn_id,
                session_id=self.session_id,
            )
        )
