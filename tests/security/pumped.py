"""Messages that are made to be slow to read: one thing over and over, with an end that nothing was waiting for."""

import re
from collections.abc import Iterator, Sequence
from importlib import import_module
from typing import Any, Final

#: What is said over and over; the first of each row once held a thread or the event loop for seconds, or for ever.
SAID: Final = (
    *("and ", "1,", "please, ", "not ", "a, ", "instead of ", " ", "\n", ".", "-", "'", "/"),
    *(
        "a ",
        "1 ",
        "a,",
        "no ",
        "no, ",
        "wait, ",
        "ok, ",
        "so ",
        "hey, ",
        "yes ",
        "the ",
        "i ",
        "it is ",
        "can you ",
    ),
    *(
        "not a but b, ",
        "and a, ",
        "actually ",
        "i mean ",
        "monday ",
        "two ",
        "12:00 ",
        "1000,",
        "1.1",
        "1h",
        "? ",
    ),
    *("a'", "a-", "0.", "é", "(", "@", "a@", "a.", "a/", "http://", "{", "[", "%", "﻿", "- a\n", "a: ", '"'),
)
#: Characters of all kinds, those that much is made of first.
_TRIED: Final = "a 1,.'-\n\"x_é:%/Z0e(☃"
_NAMED: Final = ("LITERAL", "RANGE")
_CATEGORIES: Final = {
    "DIGIT": re.compile(r"\d"),
    "NOT_DIGIT": re.compile(r"\D"),
    "SPACE": re.compile(r"\s"),
    "NOT_SPACE": re.compile(r"\S"),
    "WORD": re.compile(r"\w"),
    "NOT_WORD": re.compile(r"\W"),
}


def message(said: str, size: int, before: str = "") -> str:
    """It over and over, so many characters in all."""
    return (before + said * (size // len(said) + 1))[: size - 3] + " x!"


def pumps(pattern: re.Pattern[str]) -> Iterator[tuple[str, str]]:
    """For each part of a pattern that repeats: words that lead up to it, and words that it takes once."""
    parser: Any = import_module("re._parser")  # what a pattern is made of, as the library itself reads it
    yield from _repeats(parser.parse(pattern.pattern, pattern.flags), "")


def _repeats(parts: Any, before: str) -> Iterator[tuple[str, str]]:
    for kind, part in parts:
        match str(kind):
            case "MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT":
                for which in range(4):
                    yield before, _one(part[2], which)
                yield from _repeats(part[2], before)
                before += _one(part[2], 0) * part[0]
            case "SUBPATTERN":
                yield from _repeats(part[3], before)
                before += _one(part[3], 0)
            case "ATOMIC_GROUP":
                yield from _repeats(part, before)
                before += _one(part, 0)
            case "BRANCH":
                for branch in part[1]:
                    yield from _repeats(branch, before)
                before += _one(part[1][0], 0)
            case "ASSERT" | "ASSERT_NOT":
                yield from _repeats(part[1], before)
            case _:
                before += _one([(kind, part)], 0)


def _one(parts: Any, which: int) -> str:
    """Words that these parts of a pattern take; of several branches that one."""
    found = ""
    for kind, part in parts:
        match str(kind):
            case "LITERAL":
                found += chr(part)
            case "NOT_LITERAL" | "ANY":
                found += "a" if part != ord("a") else "b"
            case "IN":
                found += _of(part)
            case "MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT":
                found += _one(part[2], which) * max(part[0], 1)
            case "SUBPATTERN":
                found += _one(part[3], which)
            case "ATOMIC_GROUP":
                found += _one(part, which)
            case "BRANCH":
                found += _one(part[1][which % len(part[1])], which)
    return found


def _of(allowed: Sequence[Any]) -> str:
    """A character of such a set."""
    ranges = [
        chr(part if str(kind) == "LITERAL" else part[0]) for kind, part in allowed if str(kind) in _NAMED
    ]
    tried = [*_TRIED, *ranges]
    return next((one for one in tried if _takes(allowed, one)), ranges[0] if ranges else "a")


def _takes(allowed: Sequence[Any], one: str) -> bool:
    taken = False
    for kind, part in allowed:
        match str(kind):
            case "LITERAL":
                taken |= ord(one) == part
            case "RANGE":
                taken |= part[0] <= ord(one) <= part[1]
            case "CATEGORY":
                taken |= _CATEGORIES[str(part).removeprefix("CATEGORY_")].fullmatch(one) is not None
    return taken != any(str(kind) == "NEGATE" for kind, _ in allowed)
