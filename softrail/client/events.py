"""Server-sent events as they are read."""

import json
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Event:
    """One event of a stream: its name, what it tells, and its id, by which the stream is gone on with."""

    name: str
    data: Any
    id: str = ""


async def events(lines: AsyncIterator[str]) -> AsyncIterator[Event]:
    """The events in the lines of a stream; what breaks off in the middle of one is none."""
    fields: dict[str, str] = {}
    data: list[str] = []
    async for line in lines:
        if line.startswith(":"):
            continue  # a sign of life
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
