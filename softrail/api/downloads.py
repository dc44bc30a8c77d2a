"""What goes out piece by piece, at the pace of whoever takes it: files, and everything that is kept of a person."""

import logging
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from typing import Any, Final

from anyio import CancelScope
from starlette.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from softrail.core.errors import SoftrailError

log = logging.getLogger(__name__)

CUT: Final = "softrail.cut"  #: an extension of our connections: what closes one in the middle of an answer


class Download(StreamingResponse):
    """A response whose pieces are read when they can be sent; however it ends, the source is closed.

    Where the rest cannot be read (the database is away), the answer is not brought to an end, so that whoever takes it
    can tell that it is not whole: their connection is closed before the last chunk, or before the length that was told.
    """

    def __init__(self, pieces: AsyncGenerator[bytes, None], **more: Any) -> None:
        self._pieces = pieces
        self._whole = True
        super().__init__(pieces, **more)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send it all, or what could be read of it."""
        await super().__call__(scope, receive, send)
        cut = (scope.get("extensions") or {}).get(CUT)
        if (
            not self._whole and cut is not None
        ):  # another web server notices by itself that the end is missing
            cut["now"]()
            while (await receive())["type"] != "http.disconnect":
                pass

    async def stream_response(self, send: Send) -> None:
        """Send it all, or what can be read of it."""
        try:
            await super().stream_response(send)
        except SoftrailError as error:
            self._whole = False
            log.warning("A download was cut off in the middle: %s", error)
        finally:
            with CancelScope(shield=True):
                await self._pieces.aclose()


async def begun(pieces: AsyncIterator[bytes]) -> AsyncGenerator[bytes, None]:
    """The same pieces, the first of which is read by now: what stands against it is an answer of its own."""
    return _with(await anext(pieces, b""), pieces)


async def _with(first: bytes, rest: AsyncIterator[bytes]) -> AsyncGenerator[bytes, None]:
    async with aclosing(rest) as pieces:  # type: ignore[type-var]  # they are generators
        yield first
        async for piece in pieces:
            yield piece
