"""Finds the one part of an answer that has the form a question wants: “it is room 423” where digits are wanted.

People write a code in groups and in small letters, and say its digits: where no part fits as it is, it is looked for with
other signs between its groups, in other letters, and with its numbers in figures; one such way only may give one that fits.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, pairwise
from typing import Final, NamedTuple

_WORDS: Final = 16  #: in longer answers only what looks like a code by itself is looked at
_MOST: Final = 100  #: still longer ones are not looked through
_CODE: Final = 6  #: words of a code in a long answer
_LEAST: Final = 5  #: its letters and digits
_LONGEST: Final = 20  #: letters of a code into which signs are put
_PUT_IN: Final = 2  #: of them, at most
_GROUPS: Final = re.compile(r"[\s./_-]+")  #: what stands between the groups of a number
_SIGNS: Final = "- ./"
_AROUND: Final = ".,;:!?\"'“”„‘’()[]"
#: A piece of a pattern that stands for letters or digits, or for itself, and how often.
_PIECE: Final = re.compile(r"(\[[^\]\\^]+\]|\\[dw]|\\?[-./ ]|\w)(?:\{(\d+)(?:,\d*)?\}|([?*+]))?")
_EDGES: Final = re.compile(r"^(?:\^|\\A)|(?:\$|\\[zZ])$")
_ALL: Final = {"A": "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "a": "abcdefghijklmnopqrstuvwxyz", "1": "1234567890"}

_Fits = Callable[[str], bool]


class Part(NamedTuple):
    """What fits, and the words in which it was said."""

    value: str
    words: str


def fitting_part(
    text: str, fits: _Fits, *, pattern: str = "", ordinary: Callable[[str], bool] = lambda word: False
) -> Part | None:
    """The longest run of words that fits, where there is exactly one that is no part of another; else None.

    No `ordinary` word in small letters begins a code: “it is 123456”.
    """
    words = list(re.finditer(r"\S+", text))
    if len(words) > _MOST:
        return None
    most, taken = len(words), fits
    if len(words) > _WORDS:
        most, taken = _CODE, lambda part: _is_a_code(part) and fits(part)
    found = _runs(text, words, taken, min(most, len(words) - 1))
    if not found:
        return _in_other_writing(text, words, taken, pattern, ordinary, most)
    if len(found) != 1:
        return None
    part = _between(text, words[found[0][0]], words[found[0][1]])
    return Part(part, part)


def _is_a_code(part: str) -> bool:
    """In a story a number alone may be of anything."""
    return any(map(str.isdecimal, part)) and sum(map(str.isalnum, part)) >= _LEAST


def like(pattern: str, fits: _Fits) -> str:
    """A code of that form, "AB123456"; "" where the pattern is none that can be told so."""
    rest, made, at = _EDGES.sub("", pattern), "", 0
    while at < len(rest) and (piece := _PIECE.match(rest, at)) is not None:
        kind, many, sign = piece.groups()
        made += _some(kind, int(many or (sign != "*" and sign != "?")), made)
        at = piece.end()
    return made if at == len(rest) and made and fits(made) else ""


def _some(kind: str, many: int, before: str) -> str:
    """So many letters of that kind, which go on from those before."""
    if kind[0] != "[" and kind not in (r"\d", r"\w"):
        return kind[-1] * many
    known = _ALL[
        "1" if kind == r"\d" or kind[1].isdecimal() else "a" if kind[1].islower() and kind[0] == "[" else "A"
    ]
    at = sum(letter in known for letter in before)
    return "".join(known[(at + n) % len(known)] for n in range(many))


def _in_other_writing(
    text: str,
    words: Sequence[re.Match[str]],
    fits: _Fits,
    pattern: str,
    ordinary: Callable[[str], bool],
    most: int,
) -> Part | None:
    """The one run that fits in another writing, all of which it needs; None where a part of it fits as well."""

    def written(part: str) -> str | None:
        first, *more = part.split() or [""]
        if more and len(first) > 1 and first.islower() and ordinary(first):
            return None
        return (
            _otherwise(part, fits, pattern) if part == text.strip() or any(map(str.isdecimal, part)) else None
        )

    found = _runs(text, words, lambda part: written(part) is not None, most)
    if len(found) != 1:
        return None
    first, last = found[0]
    shorter = ((first + 1, last), (first, last - 1)) if first < last else ()
    if any(written(_between(text, words[a], words[b])) for a, b in shorter):
        return None  # a form that anything may stand around
    part = _between(text, words[first], words[last])
    value = written(part)
    return Part(value, part) if value is not None else None


def _otherwise(part: str, fits: _Fits, pattern: str) -> str | None:
    """It in the first writing in which it fits, if it fits in one way only: without signs, in other letters, with signs put in."""
    joined = _GROUPS.sub("", part)
    cases = (part.upper(), part.lower()), (joined.upper(), joined.lower())
    for ways in ((joined,), *cases, _with_signs(joined, pattern), _with_signs(joined.upper(), pattern)):
        found = {way for way in ways if way != part and fits(way)}
        if found:
            return found.pop() if len(found) == 1 else None
    return None


def _with_signs(joined: str, pattern: str) -> Iterator[str]:
    """It with one of the signs of the pattern between its groups."""
    for sign in _SIGNS if len(joined) <= _LONGEST else "":
        if sign not in pattern.replace(r"\.", "."):
            continue
        for many in range(1, _PUT_IN + 1):
            for places in combinations(range(1, len(joined)), many):
                ends = (0, *places, len(joined))
                yield sign.join(joined[a:b] for a, b in pairwise(ends))


def _runs(text: str, words: Sequence[re.Match[str]], fits: _Fits, most: int) -> list[tuple[int, int]]:
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
