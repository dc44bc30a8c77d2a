"""Finds the one part of an answer that has the form a question wants: “it is room 423” where digits are wanted.

People write numbers in groups: where no part fits as it is, the signs between them are left out, “AB 123 456”.
"""

import re
from collections.abc import Callable, Sequence
from typing import Final

_WORDS: Final = 16  #: longer answers are not looked through
_GROUPS: Final = re.compile(r"[\s./_-]+")  #: what stands between the groups of a number
_AROUND: Final = ".,;:!?\"'“”„‘’()[]"


def fitting_part(text: str, fits: Callable[[str], bool]) -> str | None:
    """The longest run of words that fits, where there is exactly one that is no part of another; else None."""
    words = list(re.finditer(r"\S+", text))
    if len(words) > _WORDS:
        return None
    found = _runs(text, words, fits, len(words) - 1)
    if not found:
        return _in_groups(text, words, fits)
    if len(found) != 1:
        return None
    first, last = found[0]
    return _between(text, words[first], words[last])


def _in_groups(text: str, words: Sequence[re.Match[str]], fits: Callable[[str], bool]) -> str | None:
    """The one run that fits without the signs between its groups, all of which it needs; None where a part of it fits as well."""

    def fits_joined(part: str) -> bool:
        joined = _GROUPS.sub("", part)
        return joined != part and any(map(str.isdecimal, part)) and fits(joined)

    found = _runs(text, words, fits_joined, len(words))
    if len(found) != 1:
        return None
    first, last = found[0]
    shorter = ((first + 1, last), (first, last - 1)) if first < last else ()
    if any(fits_joined(_between(text, words[a], words[b])) for a, b in shorter):
        return None  # a form that anything may stand around
    return _GROUPS.sub("", _between(text, words[first], words[last]))


def _runs(
    text: str, words: Sequence[re.Match[str]], fits: Callable[[str], bool], most: int
) -> list[tuple[int, int]]:
    """The first and the last word of each run of at most so many that fits and is no part of another."""
    found: list[tuple[int, int]] = []
    for count in range(most, 0, -1):
        for first in range(len(words) - count + 1):
            last = first + count - 1
            if any(a <= first and last <= b for a, b in found):
                continue
            if fits(_between(text, words[first], words[last])):
                found.append((first, last))
    return found


def _between(text: str, first: re.Match[str], last: re.Match[str]) -> str:
    return text[first.start() : last.end()].strip(_AROUND)
