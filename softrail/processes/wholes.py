"""Widens a place in a message to the whole of what stands there: no part of a longer phrase is taken for a value.

The small model marks the "four" of "twenty to four", and the "Friday" of "a week on Friday".
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from softrail.processes.numerals import in_digits
from softrail.processes.quantities import foreign

_WORD = re.compile(r"['’]?\w+")
_RUN = re.compile(r"\d[\d.,]*(?:\s\d[\d.,]*)*")
_CALENDAR = (
    *("weekdays", "months", "relative", "units", "next", "last", "past", "ago", "later", "from", "of", "on"),
    *("beside", "that", "ordinal_words", "a", "more", "this", "now", "just", "gone", "end", "ahead"),
)
_LOOSE = ("of", "on", "a", "from", "ahead", "that", "this", "now", "just", "beside")  #: and which end nothing


def whole(
    message: str, start: int, end: int, kind: str, words: Mapping[str, Any], question: str
) -> tuple[int, int]:
    """Where all of the number, day or time stands of which that place is a part."""
    text = message.lower()
    if len(text) != len(message):
        return start, end
    digits = in_digits(text, words)
    if kind == "date":
        parts = _days(digits.text, words["days"])
    else:
        parts = iter(
            [*(m.span() for m in _RUN.finditer(digits.text)), *foreign(digits.text, words, question)]
        )
    for part in [digits.before(*part) for part in parts]:
        if part[0] < end and start < part[1]:
            start, end = min(start, part[0]), max(end, part[1])
    return start, end


def _days(text: str, days: Mapping[str, Any]) -> Iterator[tuple[int, int]]:
    """Runs of words of the calendar, with no sign between them, and without numbers that count something else."""
    known = frozenset(word for kind in _CALENDAR for word in days[kind])
    loose = frozenset(word for kind in _LOOSE for word in days[kind]) - {"now"}
    joins = loose - frozenset(days["of"])
    run: list[re.Match[str]] = []
    for match in [*_WORD.finditer(text), None]:
        belongs = match is not None and (match[0] in known or match[0].lstrip("'’")[:1].isdecimal())
        if run and (match is None or not belongs or text[run[-1].end() : match.start()].strip()):
            while len(run) > 1 and run[0][0].isdecimal() and run[1][0] in joins:
                run = run[1:]  # "a table for two on Friday"
            while len(run) > 1 and (run[-1][0] in loose - {"that"} or _counts(run, days)):
                run = run[:-1]
            yield from _trimmed(run, loose)
            run = []
        if match is not None and belongs:
            run.append(match)


def _counts(run: list[re.Match[str]], days: Mapping[str, Any]) -> bool:
    """The number at its end is of something else: "Monday 2 of us"."""
    return run[-1][0].isdecimal() and run[-2][0] in days["weekdays"]


def _trimmed(run: list[re.Match[str]], loose: frozenset[str]) -> Iterator[tuple[int, int]]:
    """The run from its first word that says something; nothing where none does."""
    first = next((n for n, m in enumerate(run) if m[0] not in loose or (m[0] in ("a", "an"))), len(run))
    if any(not m[0][0].isdecimal() and m[0] not in loose for m in run[first:]):
        yield run[first].start(), run[-1].end()
