"""Server-sent events as they are read."""

import json
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Event:
    """One event of a stream: its name, what it tells, and its id, by which the stream is gone on with."""

    name: str
    data: Any
    id: str = ""


async def events(lines: AsyncIterator[str], alive: Callable[[], None] | None = None) -> AsyncIterator[Event]:
    """The events in the lines of a stream; what breaks off in the middle of one is none. `alive` hears of signs of life."""
    fields: dict[str, str] = {}
    data: list[str] = []
    async for line in lines:
        if line.startswith(":"):
            if alive is not None:
                alive()
            continue
        if line:
            name, _, value = line.partition(":")
            value = value.removeprefix(" ")
            if name == "data":
                data.append(value)
            else:
                fields[name] = value
        elif data:
            yield Event(fields.get("event", "message"), json.loads("\n".join(data)), fields.get("id", ""))
            fields, data = {}, []
