"""How often something is sent, and how long it is waited in between."""

import asyncio
from typing import Final

import httpx2

from softrail.client.failures import NoAnswer, Refused

LONGEST: Final = 30.0

#: What a try may end with; anything else is an error of whoever asks.
FAILURES: Final = (httpx2.TransportError, Refused)


class Tries:
    """The tries of one request: at most `most`, the second after `wait` seconds, then more and more rarely."""

    def __init__(self, most: int, wait: float, *, turn_id: str | None = None) -> None:
        self._most, self._left = most, most
        self._first, self._wait = wait, wait
        self._turn_id = turn_id

    def began(self) -> None:
        """The server is there: what fails from here on is tried as often as at first."""
        self._left, self._wait = self._most, self._first

    async def after(self, error: Exception) -> None:
        """Return when it is time for the next try; raises `error`, or NoAnswer, where there is none."""
        self._left -= 1
        if isinstance(error, Refused):
            if not error.passes or self._left <= 0:
                raise error
            await asyncio.sleep(max(self._wait, error.retry_after))
        else:
            if self._left <= 0:
                told = f"No whole answer came in {self._most} tries: {error}"
                raise NoAnswer(told, turn_id=self._turn_id) from error
            await asyncio.sleep(self._wait)
        self._wait = min(LONGEST, 2 * self._wait)
