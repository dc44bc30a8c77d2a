"""Where in a message a number, a day or a time stands, all of it: no part of a longer phrase is taken for a value.

The small model marks the "four" of "twenty to four", and the "Friday" of "a week on Friday".
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping
from datetime import date
from typing import Final

from softrail.processes.spoken.bounds import Kind, told
from softrail.processes.spoken.counted import ALONE
from softrail.processes.spoken.days import spans
from softrail.processes.spoken.lengths import PAID
from softrail.processes.spoken.numbers import foreign
from softrail.processes.spoken.rates import DAILY, rates
from softrail.processes.spoken.said import Said, said
from softrail.processes.spoken.things import things

_ANY_DAY: Final = date(2000, 1, 1)  #: where a day stands does not depend on today
_KINDS: Final[Mapping[str, Kind]] = {"date": "day", "time": "time"}  #: of a number "many"
#: Behind and before these another value may stand: all that is said there is read.
_OR_BEFORE: Final = "(?<!^) (?:or|perhaps) (?:perhaps|of|on|around)* $"
_OR_BEHIND: Final = "comma? (?:or|perhaps) (?!stop|comma|$)"
#: The half of the day, which is a part of a time wherever it stands.
_HALF_BEFORE: Final = "(?:part|half_day) comma? (?:at|around|on)* $"
_HALF_BEHIND: Final = "comma? (?:in|of|off|around|this|a)* (?:part|half_day)"
#: "An hour and a half", "two hours and ten minutes".
_LENGTH: Final = "(?:n|a) full? {0} (?:and? (?:n|a) full? {0})* (?:and a? (?:half|quarter))?"
#: "Five miles", "six foot two", "five pounds fifty".
_IN_UNITS: Final = (
    *(_LENGTH.format(kind) for kind in ("length", "distance", "mass", "volume", "area")),
    "feet|n full? dash? mass minutes(?!n|mass)",
    *PAID,
)
#: By how much it is more or less than it was.
_BY: Final = "another n|n percent? (?:more_of|less_of)|n percent|(?:rises|falls) by_much n percent?"
_LENGTH_FROM: Final = (
    "(?:lasting_for around*)? (?:n|a) full? (?:length|span) comma? begins_on (?!now|relative)"
)
_STAY: Final = f"(?:lasting_for around*|plus)? (?:n|a) full? (?:calendar|night_unit) {ALONE}"
_AROUND: Final = 100  #: characters on either side, in which all of a value stands


def whole(
    message: str, start: int, end: int, kind: str, locale: str, question: str, *, past: bool = False
) -> tuple[int, int]:
    """Where all of the number, day or time stands of which that place is a part; a day may be one that has been."""
    if end - start > _AROUND:
        return start, end
    away = _word_from(message, max(0, start - _AROUND), start)
    text = said(message[away : end + _AROUND], locale)
    for begin, behind in spans(text, _ANY_DAY, past=past) if kind == "date" else _numbers(text, question):
        first, last = (away + at for at in text.span(begin, behind))
        if first < end and start < last:
            start, end = min(start, first), max(end, last)
    first = bisect_right(text.ends, start - away)
    last = max(bisect_left(text.starts, end - away), first)
    around = told(text, None, first, last, _KINDS.get(kind, "many"))
    begin, behind = around.begin, around.end
    halves = text.known.pattern(_HALF_BEHIND)
    if kind in _KINDS and (half := halves.match(text.signs, behind)) is not None:
        behind = half.end()  # "yesterday evening", "half past nine in the morning"
    elif kind == "time" and (half := text.known.pattern(_HALF_BEFORE).search(text.signs, 0, begin)):
        begin = half.start()
    if text.known.pattern(_OR_BEFORE).search(text.signs, 0, begin) is not None:
        begin = 0
    if text.known.pattern(_OR_BEHIND).match(text.signs, behind) is not None:
        behind = len(text)
    if begin < behind:
        first_of_it, last_of_it = text.span(begin, behind)
        start, end = min(start, away + first_of_it), max(end, away + last_of_it)
    return start, end


def _word_from(message: str, at: int, until: int) -> int:
    """Where a word begins, from there on: none is cut."""
    return at if at == 0 else max(message.find(" ", at, until), at)


def _numbers(text: Said, question: str) -> Iterator[tuple[int, int]]:
    for match in text.scan(
        "n (?:comma? n|. (?:and|plus|added) (?:n|whose))*"
    ):  # "one suitcase plus one rucksack"
        yield match.span()
    yield from foreign(text, question)
    yield from things(text, question)
    yield from rates(text, question)
    for match in text.scan(*_IN_UNITS, _BY):
        yield match.span()


def is_cut(message: str, start: int, end: int, locale: str) -> bool:
    """That place begins or ends in the middle of a number or of a measure: "seventy" of "seventy two point five"."""
    text = said(message, locale)
    spans = (text.span(*match.span()) for one in ("n", *_IN_UNITS, *DAILY) for match in text.scan(one))
    return any(first < at < last for first, last in spans for at in (start, end))


def length_from(message: str, locale: str) -> Iterator[tuple[int, int, int, int]]:
    """Where it is told how long something is and from when: its first word, the length from and to, and the day.

    Of "for ten days from 5 May"; a length before "from now" is a day by itself.
    """
    text = said(message, locale)
    for match in text.scan(_LENGTH_FROM):
        begin, end = match.span()
        first = next(at for at in range(begin, end) if text.is_a(at, "n") or text.is_a(at, "a"))
        last = next(
            at for at in range(end - 1, begin, -1) if text.is_a(at, "length") or text.is_a(at, "span")
        )
        if end < len(text):
            yield text.starts[begin], text.starts[first], text.ends[last], text.starts[end]


def stays(message: str, locale: str) -> Iterator[tuple[int, int]]:
    """Where it is told how many days, weeks or nights something is, and not from when on: "for a week", "three nights"."""
    text = said(message, locale)
    return (text.span(*match.span()) for match in text.scan(_STAY) if not text.is_a(match.start() - 1, "in"))


def in_digits(message: str, locale: str) -> str:
    """The words of a message with its numbers in digits."""
    return " ".join(said(message, locale).texts)
