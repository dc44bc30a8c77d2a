"""A turn on its way through this worker: it lives outside the request that brought it."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from softrail.core.commits import TurnRow
from softrail.core.errors import SessionBusy, TurnReused
from softrail.core.people import Person
from softrail.core.signals import SignalRequest
from softrail.turns.deadlines import Deadlines
from softrail.turns.phases import (
    BACK,
    Accepted,
    Arrived,
    Committing,
    Done,
    Leased,
    Phase,
    Thinking,
    move,
    number,
)
from softrail.turns.requests import AnyRequest


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
        self._news.set()

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
        request: AnyRequest,
        person: Person,
        *,
        turn_id: str,
        session_id: str,
        opens: bool,
        at: datetime,
        streaming: bool,
        escapes: bool,
        patience: "Patience",
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
        self._told: set[str] = set()
        self.phase: Phase = Arrived()  #: changed by `move` alone
        self.superseded: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        #: of the attempt under way: it is void
        self.runs = 0  #: attempts that were begun
        self.unread = False  #: the attempt is computed from a snapshot that was kept, not read
        self.stored = request.turn_id is not None  #: the store may know this id already
        self.accept_first = streaming  #: before anything of it is computed
        self.accepting: asyncio.Future[None] | None = None  #: it is being written down
        self.previous: RunningTurn | None = None
        self.settled = asyncio.Event()  #: accepted or finished
        self.done: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self._waiting: list[asyncio.Future[str]] = []  #: one for each who waits for the reply
        self._patience = patience
        self.ended: Callable[[], None] = _nothing  #: called once, when it has its reply or failed

    @property
    def seq(self) -> int | None:
        """Its number, while it has one here."""
        return number(self.phase)

    @property
    def fence(self) -> int | None:
        """The token of the lease it is computed or committed under."""
        return self.phase.fence if isinstance(self.phase, Leased | Committing) else None

    @property
    def finished(self) -> bool:
        """It has its reply, or failed."""
        return isinstance(self.phase, Done)

    def move(self, to: Phase) -> None:
        """Go to the next phase; an attempt that becomes void by that is told so. Raises IllegalMove."""
        before, self.phase = self.phase, move(self.phase, to)
        way = was, kind = type(before), type(to)
        if kind is Thinking or way == (Accepted, Leased):
            self.runs += 1
            self.superseded = self.done.get_loop().create_future()
        elif way in BACK:
            self.superseded.set_result(None)
            if was is not Thinking:  # nothing is shown before it is accepted
                self.emit("turn.superseded", {"turn_id": self.turn_id})
        if isinstance(to, Accepted | Leased) and not self.settled.is_set():
            self.stored = True
            self.emit(
                "turn.accepted", {"session_id": self.session_id, "turn_id": self.turn_id, "seq": to.seq}
            )
            self.settled.set()
        elif kind is Done:
            self.settled.set()
            self.log.close()
            self.previous = None
            ended = self.ended
            self.ended = _nothing  # who is told knows this turn, which must not hold itself
            ended()

    def step_back(self) -> None:
        """The attempt is void: its answer, or its place, is in the store."""
        self.move(Arrived() if self.seq is None else Accepted(self.seq))

    def recognise(self, row: TurnRow) -> str | None:
        """Check a stored turn of this id against the request; its reply when it has one. Raises TurnReused."""
        if row.hash != self.request.hash:
            raise TurnReused(_reused(self.request, self.turn_id), turn_id=self.turn_id)
        self.session_id, self.opens, self.stored = row.session_id, False, True
        if row.reply is None and self.seq is None:
            self.move(Accepted(row.seq))
        elif isinstance(self.phase, Thinking):
            self.step_back()
        return row.reply

    def emit(self, name: str, data: dict[str, Any]) -> None:
        """Add to the stream, when there is one."""
        if self.streaming:
            self.log.add(name, data)

    def not_told(self, texts: Sequence[str]) -> Sequence[str]:
        """Those that no attempt has told yet; from now on they are told."""
        new = [text for text in texts if text not in self._told]
        self._told.update(new)
        return new

    def finish(self, reply: str) -> None:
        """The reply is durable."""
        self.move(Done())
        self.done.set_result(reply)
        for waiting in self._unanswered():
            waiting.set_result(reply)

    def fail(self, error: BaseException) -> None:
        """It will get no reply from this worker."""
        self.move(Done())
        self.done.set_exception(error)
        self.done.exception()  # whoever asks gets it; nobody asking is no fault
        for waiting in self._unanswered():
            waiting.set_exception(error)

    def _unanswered(self) -> "list[asyncio.Future[str]]":
        """Those who wait still: some have given up."""
        return [waiting for waiting in self._waiting if not waiting.done()]

    async def accepted(self) -> None:
        """Returns once the turn is durable; raises what stopped it before that."""
        await self.settled.wait()
        if self.finished:
            self.done.result()

    async def result(self) -> str:
        """The reply's JSON. Raises SessionBusy after the wait limit; the turn goes on regardless."""
        if self.done.done():
            return self.done.result()
        # A future of its own: whoever stops waiting stops nothing, and whoever waits on is told with the turn itself.
        loop = self.done.get_loop()
        waiting: asyncio.Future[str] = loop.create_future()
        self._waiting.append(waiting)
        self._patience.begin((self, waiting))
        try:
            return await waiting
        finally:
            self._patience.end((self, waiting))
            self._waiting.remove(waiting)

    def lose_patience(self, waiting: "asyncio.Future[str]") -> None:
        """Tell one who waits too long for the turn's place to send it again."""
        if self.runs or waiting.done():
            return
        waiting.set_exception(
            SessionBusy(
                "An earlier turn of this session is still running. Send this one again with the same "
                "turn_id; it is not lost.",
                turn_id=self.turn_id,
                session_id=self.session_id,
            )
        )


#: Those who wait for a turn's reply, and how long they wait for its place.
Patience = Deadlines[tuple[RunningTurn, "asyncio.Future[str]"]]


def patience(seconds: float) -> Patience:
    """So long each waits before the turn has its place."""
    return Deadlines(seconds, lambda waits: waits[0].lose_patience(waits[1]))


def _nothing() -> None:
    """Nobody wants to hear of it."""


def _reused(request: AnyRequest, turn_id: str) -> str:
    if isinstance(request, SignalRequest):
        signal = request.signal
        return (
            f"The signal {signal.name!r} with key {signal.key!r} came before with other data. One key stands for one "
            "thing that happened: use a new key for a new one."
        )
    return f"The turn_id {turn_id!r} was used before with another body. Use a new id for a new turn."
