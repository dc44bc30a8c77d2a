"""What an independent validator of AG-UI finds in a recorded stream: its framing, its events, their order."""

import asyncio
from collections.abc import AsyncIterator

from ag_ui_validate.transport import TransportOptions, validate_body


def faults(stream: bytes, content_type: str = "text/event-stream") -> list[str]:
    """Every error and every warning, in words; none for a stream that is as the protocol wants it."""

    async def pieces() -> AsyncIterator[bytes]:
        yield stream

    found = asyncio.run(validate_body(pieces(), content_type, TransportOptions(recorded=True))).report
    assert not found.internal_errors, found.internal_errors
    assert found.event_count > 0, "Nothing was recorded."
    return [f"{one.rule} {one.message}" for one in found.diagnostics if one.severity != "info"]
