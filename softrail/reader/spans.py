"""From when to when something is, where one answer is when it begins and another one how long it takes: "friday 2 to 3.30pm".

And how long, said beside when: "friday at 3, for an hour".
"""

from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime, time, timedelta
from functools import partial
from typing import Final

from softrail.core.reading import Command, Field, Place, Value
from softrail.language import Language, normal
from softrail.processes.spoken import length_in_units
from softrail.reader.changes.numbers import is_number
from softrail.reader.changes.parts import halves_of_the_day, tells_something
from softrail.reader.clauses import clauses
from softrail.reader.fields import RUN, Span, fewest_words
from softrail.reader.hearing import Hearing
from softrail.reader.ranges import SURE, Parted, Word, parting, without_from, words_before, words_behind
from softrail.reader.so_long import other_of_a_length

_HOUR: Final = ("1 hour", "60 minutes")  #: the same, to who asks for a length
_DAY: Final = date(2000, 1, 1)
_HALF: Final = timedelta(hours=12)


def spanned(message: str, hearing: Hearing) -> Parted | None:
    """The message with the beginning alone in it, and the length told; None where it has not a place for each."""
    place, language = hearing.place, hearing.language
    length, start = _length(place), _start(place)
    if length is not None and length.name == place.field:
        return None
    if length is None and start is not None and start.name != place.field:
        return _asked_later(message, start, place, language)
    if length is None:
        return None
    if start is not None:
        for pair in pairs(message, start, language):
            begin, first, lasts, end = pair
            rest = f"{message[: begin[0]]}{first or message[slice(*begin)]}{message[end:]}"
            if length.reads(f"{message[: begin[0]]} {message[end:]}"):
                return None  # "between 2 and 4, for half an hour" is when it may begin
            return _told(without_from(rest, language, begin[0]), length, length_in_units(lasts))
    return _beside(message, place, length, language)


def _asked_later(message: str, start: Field, place: Place, language: Language) -> Parted | None:
    """The message without both times, where no answer is how long it takes: which of them is meant is asked, of "friday 7 to 9 pm"."""
    if place.wanted != "date" or place.own or place.offer:
        return None
    for begin, _, _, end in pairs(message, start, language):
        value = Value(field=start.name, text=message[begin[0] : end], confidence=SURE)
        told = (Command.of_another(value, changes=False),)
        left = without_from(f"{message[: begin[0]]}{message[end:]}", language, begin[0])
        return Parted(message=left, told=told, fields=frozenset({start.name}))
    return None


def _length(place: Place) -> Field | None:
    """The one answer that is a length of time and not there yet."""
    if not place.of_a_form or place.wanted in ("confirm", "text", "list", "file"):
        return None
    found = [f for f in place.fields() if f.wanted == "number" and is_a_length(f) and not f.given]
    return found[0] if len(found) == 1 else None


def is_a_length(field: Field) -> bool:
    """It is asked how long something takes, in hours and minutes."""
    if field.parses is None:
        return False
    hour, minutes = map(field.parses, _HOUR)
    return hour is not None and hour == minutes


def _start(place: Place) -> Field | None:
    """The one time of day that is asked for, or will be."""
    found = [f for f in place.fields() if f.wanted == "time" and (not f.given or f.name == place.field)]
    return found[0] if len(found) == 1 else None


def _told(message: str, length: Field, words: str) -> Parted:
    value = Value(field=length.name, text=words, confidence=SURE)
    told: tuple[Command, ...] = (Command.of_another(value, changes=False),)
    return Parted(message=message, told=told, fields=frozenset({length.name}))


def pairs(message: str, start: Field, language: Language) -> Iterator[tuple[Span, str, timedelta, int]]:
    """Where a beginning stands, as a time where that is clear, how long it is from there, and where the end ends."""
    for begun, middle, _ in parting(message, language):
        left = _longest(message, words_before(message, begun), start, language, ends=True)
        right = _longest(message, words_behind(message, middle), start, language, ends=False)
        if left is None or right is None:
            continue
        ends = {t for span in (left, right) for t in times(message[slice(*span)], start, language)}
        whole = start.parses(message[left[0] : right[1]]) if start.parses is not None else None
        if whole is not None and whole not in ends:
            continue  # "twenty to eight"
        if (both := _between(message[slice(*left)], message[slice(*right)], start, language)) is not None:
            yield left, both[0], both[1], right[1]
    yield from _by_clause(message, start, language)


def _by_clause(message: str, start: Field, language: Language) -> Iterator[tuple[Span, str, timedelta, int]]:
    """The same, where each time has a clause of its own: "start at two, end at ten", "two, and until the dance, say ten"."""
    spans = times_told(message, start, language)
    if len(spans) != 2 or end_of_it(message, spans[0][1], spans[1][0], language) is None:
        return
    left, right = spans
    if (both := _between(message[slice(*left)], message[slice(*right)], start, language)) is not None:
        yield left, both[0], both[1], right[1]


def times_told(message: str, start: Field, language: Language) -> Sequence[Span]:
    """Where the time of each clause stands that has one."""
    ends = (word.span() for word in RUN.finditer(message) if language.is_an_end(word[0]))
    bare = _spaced_out(message, ends)  # "till nine" would be a bound
    reads = partial(_any_of, start, language)
    return [at for clause in clauses(bare) if (at := fewest_words(bare, clause, reads)) is not None]


def _spaced_out(message: str, spans: Iterable[Span]) -> str:
    """The message without those words; every other letter stays where it is."""
    for begin, end in spans:
        message = f"{message[:begin]}{' ' * (end - begin)}{message[end:]}"
    return message


def _any_of(start: Field, language: Language, words: str) -> object:
    return tuple(times(words, start, language)) or None


def end_of_it(message: str, begin: int, end: int, language: Language) -> int | None:
    """Where the last word between those places stands that leads to the end of something: "till", "finish"."""
    words = list(RUN.finditer(message, begin, end))
    found = [at for at, word in enumerate(words) if language.is_an_end(word[0])]
    if not found or (found[-1] and language.denies(normal(words[found[-1] - 1][0]))):
        return None  # "not until ten"
    return words[found[-1]].start()


def _longest(
    message: str, words: Sequence[Word], start: Field, language: Language, *, ends: bool
) -> Span | None:
    """Where the words stand that are a time, next to what parts both."""
    for size in range(len(words), 0, -1):
        some = words[-size:] if ends else words[:size]
        span = (some[0].start, some[-1].end)
        found = fewest_words(message, span, partial(_any_of, start, language))
        if found is not None and (found[1] == span[1] if ends else found[0] == span[0]):
            return found
    return None


def times(words: str, start: Field, language: Language) -> list[time]:
    """The times that they may be, the one that people mean first."""
    if start.parses is None:
        return []
    meant = start.parses(words)
    each = [meant] if isinstance(meant, time) else []
    if each or start.may_read(words):
        halves = (start.parses(f"{words} {half}") for half in halves_of_the_day(language))
        each += [one for one in halves if isinstance(one, time)]
    return list(dict.fromkeys(each))


def _between(first: str, last: str, start: Field, language: Language) -> tuple[str, timedelta] | None:
    """The beginning, "" where it is not clear, and how long it is until the end: less than half a day."""
    begins, ends = times(first, start, language), times(last, start, language)
    clear = [start.parses is not None and start.parses(words) is not None for words in (first, last)]
    if not any(clear):
        from_one = lasts(begins[0], ends[0]) % _HALF
        return ("", from_one) if from_one else None
    each = [
        (rank, lasts(begin, end), begin)
        for n, begin in enumerate(begins)
        for m, end in enumerate(ends)
        if timedelta() < lasts(begin, end) < _HALF
        if (rank := n * clear[0] + m * clear[1]) is not None
    ]
    best = min(each, key=lambda one: (one[0], one[1]), default=None)
    return (best[2].isoformat("minutes"), best[1]) if best is not None else None


def lasts(begun: time, over: time) -> timedelta:
    """How long it is from one time of a day to another, less than nothing where that one is before it."""
    return datetime.combine(_DAY, over) - datetime.combine(_DAY, begun)


def _beside(message: str, place: Place, length: Field, language: Language) -> Parted | None:
    """A clause of its own is how long it takes, where a number, a day or a time is asked for."""
    if place.wanted not in ("date", "time", "number") or length.parses is None:
        return None
    said = list(clauses(message))
    found = [(span, at) for span in said if (at := fewest_words(message, span, length.parses)) is not None]
    if len(said) < 2 or len(found) != 1:
        return None
    (begin, end), (first, last) = found[0]
    first, last = length.widened(message, first, last)  # "an hour and a half"
    end = max(end, last)
    if is_number(message[first:last], language):
        return None  # "3 and a dog": of what that is nothing says
    if other_of_a_length(message[first:last], length, message, place, language) is not None:
        return None  # "ten days, it's a 7 by now" says since when
    if tells_something(f"{message[begin:first]} {message[last:end]}", language):
        return None
    return _told(f"{message[:begin].rstrip(' ,;')}{message[end:]}", length, message[first:last])
