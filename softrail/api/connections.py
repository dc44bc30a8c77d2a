"""Connections that do not wait for ever: a protocol for the web server with limits on what a client may leave undone.

The web server closes idle connections itself, but waits without end for the rest of a request, and for a reader who
does not read. Its own protocol does the work; this one watches the clock.
"""

import asyncio
import logging
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from uvicorn.config import Config

from softrail.api.downloads import CUT

if TYPE_CHECKING:
    from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol as OfTheServer
else:
    from uvicorn.protocols.http.auto import (
        AutoHTTPProtocol as OfTheServer,  # the faster one where it is installed
    )

if sys.platform != "win32":
    import resource

log = logging.getLogger(__name__)

LONGEST_HEAD: Final = 65_536  #: bytes of a request's line and headers, and of what may stand behind its body
LEAST_RATE: Final = 1000  #: bytes a second that a body has to come with, beside the time it has at first
_LOOK_EVERY: Final = 1.0
_REFUSED: Final = (
    b"HTTP/1.1 %s\r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length: %d\r\n\r\n%s"
)
_FULL: Final = b"503 Service Unavailable\r\nretry-after: 2"
_TOO_MANY: Final = (
    b'{"error":{"code":"too_many_connections","message":"This server has as many connections as it takes. '
    b'Try again in a moment.","details":{}}}'
)
_LONG: Final = b"431 Request Header Fields Too Large"
_TOO_LONG: Final = (
    b'{"error":{"code":"headers_too_large","message":"The address and the headers of a request may have 65,536 bytes.",'
    b'"details":{}}}'
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Limits:
    """How long a connection may leave something undone, in seconds, and how many there may be at once."""

    header: float = (
        10.0  #: from the first byte of a request, or from the connection, to the last of its headers
    )
    body: float = 20.0  #: for a body, besides a second for each `LEAST_RATE` bytes of it
    stalled: float = 60.0  #: for a reader to take anything of what waits for them
    connections: int = 0  #: on one worker; 0 sets no limit


class Timed(OfTheServer):
    """One connection, with the `limits` that hold in this process."""

    limits = Limits()

    def __init__(self, config: Config, *args: Any, **more: Any) -> None:
        super().__init__(config, *args, **more)
        self._clock: asyncio.TimerHandle | None = None
        self._what = ""  #: what of a request is waited for: "header", "body" or nothing
        self._since = 0.0
        self._bytes = 0  #: of the body so far
        self._in_head = False  #: what comes next belongs to a head, or stands behind a body
        self._head = 0  #: bytes of it so far
        self._taken = 0.0  #: when the reader last took something
        self._left = 0  #: what waited for the reader then, in bytes

    # -- what the web server calls

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        most = self.limits.connections
        if most and len(self.connections) > most:
            self._refuse(_FULL, _TOO_MANY)
            return
        self._await("header")

    def data_received(self, data: bytes) -> None:
        if self.transport.is_closing():
            return
        before, of_a_head = self.cycle, self._in_head or self._what != "body"
        super().data_received(data)
        if self._in_head and self._is_too_long(len(data) if of_a_head else 0):
            return
        if self.transport.get_protocol() is not self:
            self._leave()  # it is a websocket from here on, and none of ours
            return
        cycle = self.cycle
        if cycle is None or (cycle.response_complete and not cycle.more_body):
            self._await("header")  # of the first request, or of the next one
        elif cycle.more_body:
            if cycle is not before or self._what != "body":
                self._await("body")
            self._bytes += len(data)
        elif self._what in ("header", "body"):
            self._await("")

    def pause_writing(self) -> None:
        super().pause_writing()
        self._await_reader()

    def connection_lost(self, exc: Exception | None) -> None:
        self._leave()
        super().connection_lost(exc)

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self._what == "header" or (self.cycle is not None and not self.cycle.more_body):
            self._await("")  # idle: the web server closes it after a while, unless more comes
        if self._unread():  # it closes nothing before the rest of the answer is taken
            self._await_reader()

    # -- what the parser finds; a slower one has a limit of its own

    def on_message_begin(self) -> None:
        self._begin_head()
        super().on_message_begin()
        self.scope["extensions"] = {CUT: {"now": self.transport.close}}

    def on_headers_complete(self) -> None:
        self._in_head = False
        super().on_headers_complete()

    def on_chunk_header(self) -> None:
        self._begin_head()  # of the last one, as nothing of a body follows it

    def on_body(self, body: bytes) -> None:
        self._in_head = False
        super().on_body(body)

    def on_message_complete(self) -> None:
        self._in_head = False
        super().on_message_complete()

    def _begin_head(self) -> None:
        self._in_head, self._head = True, 0

    def _is_too_long(self, more: int) -> bool:
        self._head += more
        if self._head <= LONGEST_HEAD:
            return False
        log.info("A connection was closed: the headers of its request have no end.")
        if self._is_answered():
            self._refuse(_LONG, _TOO_LONG)
        else:
            self.transport.abort()  # in the middle of another answer
        return True

    def _refuse(self, status: bytes, body: bytes) -> None:
        self.transport.write(_REFUSED % (status, len(body), body))
        self.transport.close()

    # -- the clock

    def _await(self, what: str) -> None:
        if what == self._what and what == "header":
            return  # each further byte is no new beginning
        self._what, self._since, self._bytes = what, self.loop.time(), 0
        if what:
            self._watch()

    def _leave(self) -> None:
        self._what = ""
        if self._clock is not None:
            self._clock.cancel()

    def _await_reader(self) -> None:
        self._taken, self._left = self.loop.time(), self._unread()
        self._watch()

    def _watch(self) -> None:
        if self._clock is None:
            self._clock = self.loop.call_later(_LOOK_EVERY, self._look)

    def _look(self) -> None:
        self._clock = None
        late = "answer was not taken" if self._reader_is_late() else self._late()
        if late:
            log.info("A connection was closed: its %s in time.", late)
            self.transport.abort()
        elif self._what or self._left:
            self._watch()

    def _reader_is_late(self) -> bool:
        """What could be taken was not; `_left` is how much that is now, 0 where no reader is waited for."""
        waits = self.flow.write_paused or self._is_answered() or self.transport.is_closing()
        left = self._unread() if waits else 0
        if not left or left < self._left:
            self._taken = self.loop.time()
        self._left = left
        return left > 0 and self.loop.time() - self._taken > self.limits.stalled

    def _late(self) -> str:
        """What of a request did not come; "" when all is well."""
        if self._what == "body" and self.flow.read_paused:
            self._since = self.loop.time()  # it is we who do not read
        late = self._what and self.loop.time() - self._since > self._allowed()
        return f"{self._what} did not come" if late and not self.transport.is_closing() else ""

    def _is_answered(self) -> bool:
        """Nothing of an answer is still to be written."""
        return self.cycle is None or self.cycle.response_complete

    def _allowed(self) -> float:
        if self._what == "header":
            return self.limits.header
        return self.limits.body + self._bytes / LEAST_RATE

    def _unread(self) -> int:
        return int(self.transport.get_write_buffer_size())


_SPARE: Final = 64  #: open files that are no connections: the database, logs, what runs beside


def most_connections(wanted: int) -> int:
    """So many, or fewer where the system lets a process have no more files open."""
    if sys.platform == "win32":
        return wanted
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    here = wanted if soft == resource.RLIM_INFINITY else max(1, soft - _SPARE)
    return min(wanted, here) if wanted else here
