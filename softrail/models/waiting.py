"""How long a call waits: for a library to be loaded, for a provider that asks for patience; never longer than it has left."""

import asyncio
from collections.abc import Awaitable
from contextvars import ContextVar
from email.utils import parsedate_to_datetime
from typing import Any, Final, TypeVar

from softrail.core.clock import now
from softrail.core.errors import ModelUnreachable

Opened = TypeVar("Opened")

_FIRST: Final = (
    0.5  #: seconds before the first new try, where the provider names none; each further one doubles it
)
_until: ContextVar[float | None] = ContextVar("softrail_waits_until", default=None)


def waits_until(at: float) -> None:
    """From now on this task's call waits for nothing that lies behind that moment of the event loop."""
    _until.set(at)


async def opened(opening: Awaitable[Opened], name: str) -> Opened:
    """What is opened in the time that the call has; raises ModelUnreachable with `asked=False` where it takes longer.

    Loading a provider's library takes seconds, on a busy machine many: that says nothing about the provider.
    """
    try:
        async with asyncio.timeout_at(_until.get()):
            return await opening
    except TimeoutError:
        late = ModelUnreachable(f"The library of the model {name} is still being loaded.", asked=False)
        late.trouble = "slow"
        raise late from None


async def patient(response: Any) -> None:
    """Keep the client from waiting for a new try that would come too late; it then gives up at once."""
    until = _until.get()
    if until is None or response.status_code < 400:
        return
    if asyncio.get_running_loop().time() + _wait(response) >= until:
        response.headers["x-should-retry"] = "false"  # what the clients of both providers obey


def _wait(response: Any) -> float:
    """The seconds before the next try: what the provider asks for, else what its client would wait."""
    headers = response.headers
    asked = (_seconds(headers.get("retry-after-ms")) or 0.0) / 1000 or _seconds(headers.get("retry-after"))
    if asked is None and headers.get("retry-after"):
        asked = _seconds_to(headers["retry-after"])
    tried = _seconds(response.request.headers.get("x-stainless-retry-count")) or 0.0
    return asked if asked is not None and asked > 0 else _FIRST * 2.0 ** min(tried, 10.0)


def _seconds(text: str | None) -> float | None:
    try:
        return float(text) if text is not None else None
    except ValueError:
        return None


def _seconds_to(date: str) -> float | None:
    try:
        return (parsedate_to_datetime(date) - now()).total_seconds()
    except (ValueError, TypeError):
        return None
