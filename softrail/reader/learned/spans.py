"""Finds the likeliest span from the logits of starts and ends, and cuts what does not belong to a value."""

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_BEFORE = " \t\r\n\"'“”‘’«»`„([{<:;,.-–—"
_AFTER = " \t\r\n\"'“”‘’«»`„)]}>:;,.!?…"
_FIGURES = re.compile(r"(?P<dash>-?)\d{3,}")
_LETTERS = re.compile(r"(?<![\w-])[^\W\d_]{1,4}(?P<dash>-?)$")
_HOUSE = re.compile(r"\.\s?\d+[a-f]\b")
_PAIRS = {")": "(", "]": "[", "}": "{", ">": "<"}


@dataclass(frozen=True, kw_only=True)
class Point:
    """The first and the last token of the likeliest span, and the log odds of it."""

    first: int
    last: int
    logit: float


def best(points: "NDArray[np.float32]") -> Point:
    """The likeliest span: no end before its start."""
    import numpy as np

    shifted: Any = points.astype(np.float64) - points.max(axis=0)
    odds: Any = np.exp(shifted)
    odds /= odds.sum(axis=0)
    both: Any = np.triu(np.outer(odds[:, 0], odds[:, 1]))
    first, last = divmod(int(both.argmax()), len(points))
    likely = float(min(max(both[first, last], 1e-6), 1 - 1e-6))
    return Point(first=first, last=last, logit=float(np.log(likely / (1 - likely))))


def trimmed(message: str, start: int, end: int) -> tuple[int, int]:
    """The span without spaces, quotes and the marks that end a sentence; the whole of it where nothing else is there."""
    first, last = start, end
    while first < last and message[first] in _BEFORE and not _signed(message, first, last):
        first += 1
    while first < last and message[last - 1] in _AFTER and not _closes(message, first, last):
        last -= 1
    first, last = _begun(message, first), _ended(message, last)
    return (first, last) if first < last else (start, end)


def _begun(message: str, first: int) -> int:
    """Where the code begins of which the figures were marked: of "7719", or "-7719", in "it-7719"."""
    figures = _FIGURES.match(message, first)
    letters = _LETTERS.search(message, 0, first)
    if figures is None or letters is None or not (figures["dash"] or letters["dash"]):
        return first
    return letters.start()


def _ended(message: str, last: int) -> int:
    """Where the house ends whose street was marked: of "Lindenstr" in "Lindenstr. 7b"."""
    house = _HOUSE.match(message, last)
    return house.end() if house is not None else last


def _signed(message: str, first: int, last: int) -> bool:
    """Whether a minus or a point begins a number, or a bracket is closed within."""
    mark = message[first]
    if mark in "-.":
        return first + 1 < last and message[first + 1].isdigit()
    closing = next((c for c, opening in _PAIRS.items() if opening == mark), None)
    return closing is not None and closing in message[first:last]


def _closes(message: str, first: int, last: int) -> bool:
    """Whether the last bracket was opened within."""
    opening = _PAIRS.get(message[last - 1])
    return opening is not None and opening in message[first : last - 1]
