"""Files as they go out: piece by piece, at the pace of whoever takes them."""

from collections.abc import AsyncGenerator
from typing import Any

from anyio import CancelScope
from starlette.responses import StreamingResponse
from starlette.types import Send


class Download(StreamingResponse):
    """A response of known length whose pieces are read when they can be sent; however it ends, the source is closed."""

    def __init__(self, pieces: AsyncGenerator[bytes, None], **more: Any) -> None:
        self._pieces = pieces
        super().__init__(pieces, **more)

    async def stream_response(self, send: Send) -> None:
        """Send it all."""
        try:
            await super().stream_response(send)
        finally:
            with CancelScope(shield=True):
                await self._pieces.aclose()
