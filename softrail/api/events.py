"""Server-sent events as a response: signs of life while nothing happens, everything closed when the reader leaves."""

import asyncio
from collections.abc import AsyncGenerator, Mapping
from contextlib import AbstractContextManager, aclosing, nullcontext
from dataclasses import dataclass
from typing import Any, Final

from anyio import CancelScope
from fastapi.sse import KEEPALIVE_COMMENT, format_sse_event
from starlette.responses import StreamingResponse
from starlette.types import Send

from softrail.api.failures import body_of

PING_EVERY: Final = 15.0  #: seconds without an event after which a comment keeps the connection open
TAKEN_BACK: Final = body_of("unauthorized", "The access was taken back.").decode()


@dataclass(frozen=True, slots=True)
class Event:
    """One server-sent event; `data` is JSON text."""

    name: str  #: "": the protocol has no names
    data: str
    id: str | None = None


#: What ends a stream whose access was taken back.
OVER: Final = Event("error", TAKEN_BACK)


class EventStream(StreamingResponse):
    """A response that sends events as they come.

    FastAPI's own way, a route that yields, ends in an error in the log when a client leaves while an event is on
    its way; here leaving is an ordinary end.
    """

    media_type = "text/event-stream"

    def __init__(
        self,
        events: AsyncGenerator[Event, None],
        *,
        ping_every: float = PING_EVERY,
        follow: "AbstractContextManager[asyncio.Future[None] | None] | None" = None,
        over: Event = OVER,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        self._lines = _lines(events, ping_every, follow or nullcontext(), over)
        usual = {"Cache-Control": "no-cache", "X-Accel-Buffering": "no"}
        super().__init__(self._lines, headers={**usual, **(headers or {})})

    async def stream_response(self, send: Send) -> None:
        """Send it all; however that ends, the events are closed."""
        try:
            await super().stream_response(send)
        finally:
            with CancelScope(shield=True):
                await self._lines.aclose()


async def _lines(
    events: AsyncGenerator[Event, None],
    ping_every: float,
    follow: "AbstractContextManager[asyncio.Future[None] | None]",
    last: Event,
) -> AsyncGenerator[bytes, None]:
    with follow as over:
        async with aclosing(_while_it_stands(events, ping_every, over, last)) as lines:
            async for line in lines:
                yield line


async def _while_it_stands(
    events: AsyncGenerator[Event, None], ping_every: float, over: "asyncio.Future[None] | None", last: Event
) -> AsyncGenerator[bytes, None]:
    coming: asyncio.Task[Event | None] | None = None
    try:
        while True:
            # Only the wait has a time limit: a limit around `anext` would end the events themselves.
            coming = coming or asyncio.create_task(_next(events))
            either: set[asyncio.Future[Any]] = {coming} if over is None else {coming, over}
            await asyncio.wait(either, timeout=ping_every, return_when=asyncio.FIRST_COMPLETED)
            if over is not None and over.done():
                yield format_sse_event(event=last.name or None, data_str=last.data)
                return
            if not coming.done():
                yield KEEPALIVE_COMMENT
                continue
            event, coming = coming.result(), None
            if event is None:
                return
            yield format_sse_event(event=event.name or None, data_str=event.data, id=event.id)
    finally:
        with CancelScope(shield=True):
            if coming is not None:
                coming.cancel()
                await asyncio.wait({coming})
            await events.aclose()


async def _next(events: AsyncGenerator[Event, None]) -> Event | None:
    return await anext(events, None)
