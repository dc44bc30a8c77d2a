"""Where in a message a number, a day or a time stands, all of it: no part of a longer phrase is taken for a value.

The small model marks the "four" of "twenty to four", and the "Friday" of "a week on Friday".
"""

from collections.abc import Iterator
from datetime import date

from softrail.processes.spoken.days import spans
from softrail.processes.spoken.grammar import grammar
from softrail.processes.spoken.numbers import foreign
from softrail.processes.spoken.said import LOOK_AT, Said, said


def whole(message: str, start: int, end: int, kind: str, locale: str, question: str) -> tuple[int, int]:
    """Where all of the number, day or time stands of which that place is a part."""
    text = said(message, locale) if len(message) <= LOOK_AT else Said(message, grammar(locale))
    for begin, behind in _days(text) if kind == "date" else _numbers(text, question):
        first, last = text.span(begin, behind)
        if first < end and start < last:
            start, end = min(start, first), max(end, last)
    return start, end


def _days(text: Said) -> Iterator[tuple[int, int]]:
    yield from spans(text, date(2000, 1, 1))


def _numbers(text: Said, question: str) -> Iterator[tuple[int, int]]:
    for match in text.scan("n (?:comma? n)*"):
        yield match.span()
    yield from foreign(text, question)


def in_digits(message: str, locale: str) -> str:
    """The words of a message with its numbers in digits."""
    return " ".join(Said(message, grammar(locale)).texts)
