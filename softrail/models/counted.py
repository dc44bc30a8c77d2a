"""A body of a response that ends at a limit; imported with the SDK, at the first call."""

from collections.abc import AsyncIterator

import httpx2


class TooLongError(Exception):
    """More came than may come."""


class Counted(httpx2.AsyncByteStream):
    """The bytes of another stream, as long as there are no more than `most`."""

    def __init__(self, stream: httpx2.AsyncByteStream, most: int) -> None:
        self._stream = stream
        self._most = most

    async def __aiter__(self) -> AsyncIterator[bytes]:
        """The pieces; raises TooLongError at the first byte that is too much."""
        seen = 0
        async for piece in self._stream:
            seen += len(piece)
            if seen > self._most:
                raise TooLongError(f"more than {self._most} bytes")
            yield piece

    async def aclose(self) -> None:
        """Close the other stream."""
        await self._stream.aclose()
