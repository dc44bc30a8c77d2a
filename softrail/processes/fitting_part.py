"""Finds the one part of an answer that has the form a question wants: “it is room 423” where digits are wanted."""

import re
from collections.abc import Callable
from typing import Final

_WORDS: Final = 16  #: longer answers are not looked through
_AROUND: Final = ".,;:!?\"'“”„‘’()[]"


def fitting_part(text: str, fits: Callable[[str], bool]) -> str | None:
    """The longest run of words that fits, where there is exactly one that is no part of another; else None."""
    words = list(re.finditer(r"\S+", text))
    if not 1 < len(words) <= _WORDS:
        return None
    found: list[tuple[int, int]] = []
    for count in range(len(words) - 1, 0, -1):
        for first in range(len(words) - count + 1):
            last = first + count - 1
            if any(a <= first and last <= b for a, b in found):
                continue
            if fits(_between(text, words[first], words[last])):
                found.append((first, last))
    if len(found) != 1:
        return None
    first, last = found[0]
    return _between(text, words[first], words[last])


def _between(text: str, first: re.Match[str], last: re.Match[str]) -> str:
    return text[first.start() : last.end()].strip(_AROUND)
