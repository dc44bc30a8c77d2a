"""What the peers share: the tape comes in, what is seen of each line goes out as JSON."""

import asyncio
import json
import sys
from dataclasses import asdict
from typing import Any, Literal

from benchmarks.reading.judge import Seen
from benchmarks.reading.lines import CONFIRM, Line, Slot, tape
from benchmarks.reading.playing import Say, bare, played

RETRY = {
    "int": "Please send a number.",
    "digits": "Please send digits only.",
    "bool": "Please answer yes or no.",
    "choice": "Please choose one of the options.",
}
AGAIN = "I don't understand. Is that right? Please answer yes or no."


def answers_before(line: Line) -> list[tuple[Slot, str]]:
    """The slots before the open one, each with the words that answer it."""
    found = []
    for slot in line.slots:
        if slot.name == line.open:
            break
        found.append((slot, in_words(slot)))
    return found


def in_words(slot: Slot) -> str:
    """The sample answer of a slot as a person would type it."""
    if slot.kind == "bool":
        return "Yes" if slot.value else "No"
    return str(slot.value) if slot.value is not None else "none"


def value_of(slot: Slot, text: str) -> Any:
    """What handlers keep of a text that their filter let through."""
    if slot.kind == "int":
        return int(text)
    if slot.kind == "bool":
        return text.casefold() == "yes"
    if slot.kind == "choice":
        return next(o for o in slot.options if o.casefold() == text.casefold())
    return text


def summary_of(line: Line) -> str:
    """What is shown for confirmation."""
    return line.question if line.open == CONFIRM else "Is that right?"


def seen(
    line: Line,
    before: dict[str, Any],
    after: dict[str, Any],
    state: Literal["active", "left", "completed"],
    asks: str | None,
    words: str,
) -> Seen:
    """What is seen; a question that comes alone once more is recognised by its text."""
    return Seen(
        before=before,
        after=after,
        state=state,
        asks=asks,
        words=words,
        again=state == "active" and bare(words) == bare(line.question),
    )


def main(say: Say) -> None:
    """Play the whole tape; one JSON object a line on standard output."""
    for line, one in asyncio.run(played(tape(), say)):
        row = {"id": line.id, **asdict(one), "acts": sorted(one.acts)}
        sys.stdout.write(json.dumps(row, ensure_ascii=False) + "\n")
