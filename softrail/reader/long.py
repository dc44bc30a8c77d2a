"""What is read of a long message: its beginning; where an answer goes on to the end of that, it goes on to the end."""

import re
from dataclasses import replace
from itertools import islice
from typing import Final

from softrail.core.reading import Place, Reading, Value

#: Read of a message, as much as the small models take in: what is looked for in it costs more than its length.
CHARACTERS: Final = 1000
WORDS: Final = 200
_WORD: Final = re.compile(r"\w+")
_ENDS: Final = " .,;:!?\n"


def beginning(message: str) -> str:
    """As much of a message as is read; all of it but for what people paste, or send to do harm."""
    if len(message) <= WORDS:
        return message
    head = message[:CHARACTERS]
    if len(head) < len(message) and (kept := head.rpartition(" ")[0].rstrip()):
        head = kept  # no word and no number is read by half
    last = next(islice(_WORD.finditer(head), WORDS - 1, None), None)
    return head if last is None else head[: last.end()]


def as_all_of(reading: Reading, message: str, place: Place) -> Reading:
    """What was read of the beginning of that message, as a reading of all of it."""
    head = reading.message
    if len(head) == len(message):
        return reading
    wanted = {field.name: field.wanted for field in place.fields()}

    def whole(value: Value) -> Value:
        kind = wanted.get(value.field, "text")
        last = value.text.rpartition("\n")[2].rstrip(_ENDS)
        end = head.rfind(last) + len(last) if last and last in head else 0
        if not end or kind not in ("text", "list") or (head[end:].strip(_ENDS) and kind == "text"):
            return value  # it ends before what is not read
        # A list that has not come to its end goes on behind the last item that was read of it.
        more = message[end:] if not head[end:].strip(_ENDS) else "\n" + message[end:].lstrip(_ENDS)
        return replace(value, text=value.text.rstrip(_ENDS) + more)

    return reading.evolve(
        message=message,
        commands=tuple(c.with_each(whole) for c in reading.commands),
        maybe=tuple(map(whole, reading.maybe)),
    )
