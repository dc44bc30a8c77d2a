"""What is read of a long message: its beginning; where an answer goes on to the end of that, it goes on to the end."""

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import islice
from typing import Final

from softrail.core.reading import Command, Reading, Value

#: Read of a message, as much as the small models take in: what is looked for in it costs more than its length.
CHARACTERS: Final = 1000
WORDS: Final = 200
_WORD: Final = re.compile(r"\w+")


def beginning(message: str) -> str:
    """As much of a message as is read; all of it but for what people paste, or send to do harm."""
    if len(message) <= WORDS:
        return message
    head = message[:CHARACTERS]
    if len(head) < len(message) and (kept := head.rpartition(" ")[0].rstrip()):
        head = kept  # no word and no number is read by half
    last = next(islice(_WORD.finditer(head), WORDS - 1, None), None)
    return head if last is None else head[: last.end()]


def with_the_rest(reading: Reading, message: str) -> Reading:
    """What was read of the beginning of that message, as a reading of all of it."""
    head = reading.message
    rest = message[len(head) :]
    if not rest:
        return reading

    def whole(values: Sequence[Value]) -> tuple[Value, ...]:
        return tuple(
            replace(v, text=v.text + rest) if v.text and head.endswith(v.text) else v for v in values
        )

    def told(command: Command) -> Command:
        return replace(command, values=whole(command.values)) if command.values else command

    return reading.evolve(
        message=message, commands=tuple(map(told, reading.commands)), maybe=whole(reading.maybe)
    )
