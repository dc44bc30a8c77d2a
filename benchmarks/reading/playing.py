"""Lines one after the other, each said in a conversation of its own, by whatever says them.

Only the standard library is needed: peers play in environments that have nothing of ours.
"""

from collections.abc import Awaitable, Callable, Iterable
from dataclasses import replace

from benchmarks.reading.judge import DOUBT, Seen
from benchmarks.reading.lines import Line

#: Takes a line to its place, says something there, and tells what is seen.
Say = Callable[[Line, str], Awaitable[Seen]]
#: What nobody can mean anything by; the words it is answered with are those of not having understood.
NONSENSE = ("flurb wimzle", "zzkt", "brimble ostwick fandle", "gnarp")


async def played(lines: Iterable[Line], say: Say) -> list[tuple[Line, Seen]]:
    """All lines with what is seen of each."""
    found: list[tuple[Line, Seen]] = []
    unclear: dict[tuple[object, ...], set[str]] = {}
    for line in lines:
        seen = await say(line, line.message)
        if seen.state == "active" and not seen.changed and not seen.passed and seen.asks != DOUBT:
            slot = line.slot(line.open)
            place = (line.kind, slot.options, slot.optional) if slot else (line.open,)
            if place not in unclear:
                unclear[place] = {_without(line, w, (await say(line, w)).words) for w in NONSENSE}
            seen = replace(seen, unclear=_without(line, line.message, seen.words) in unclear[place])
        found.append((line, seen))
    return found


def bare(text: str) -> str:
    """The text with single blanks."""
    return " ".join(text.split())


def _without(line: Line, message: str, words: str) -> str:
    """The words of a reply without the question, and without what they repeat of the message."""
    return bare(words).replace(bare(line.question), "?").replace(bare(message), "…").casefold()
