"""How long something is, told by when it is over: "till nine in the evening", where it begins at one, is eight hours."""

from datetime import date, datetime, time, timedelta
from typing import Final

from softrail.core.reading import Command, Field, Place
from softrail.language import Language
from softrail.processes.spoken import length_in_units
from softrail.reader.changes.parts import tells_something
from softrail.reader.fields import Span, fewest_words
from softrail.reader.hearing import Hearing
from softrail.reader.ranges import Parted, day_after, told_of, without_from, words_behind
from softrail.reader.so_long import lasts_so_long
from softrail.reader.spans import end_of_it, is_a_length, lasts, pairs, times, times_told

_HALF: Final = timedelta(hours=12)
_WHOLE: Final = timedelta(hours=24)


def until(message: str, hearing: Hearing) -> Parted | None:
    """The message with the length in place of the end, where it is asked how long it is and known when it begins."""
    place, language = hearing.place, hearing.language
    length = place.open_field()
    if length is None or length.wanted != "number" or not place.of_a_form:
        return None
    if is_a_length(length) and (start := _one(place, "time")) is not None:
        return _from_when_to_when(message, length, start, language) or _till(message, length, start, language)
    if lasts_so_long(length) and (day := _one(place, "date")) is not None:
        return _till_a_day(message, length, day, language)
    return None


def _one(place: Place, wanted: str) -> Field | None:
    """The one answer of that kind, if it is asked for before: what comes later is no beginning of it."""
    fields = place.fields()
    found = [(n, f) for n, f in enumerate(fields) if f.wanted == wanted and f.parses is not None]
    asked = next((n for n, f in enumerate(fields) if f.name == place.field), 0)
    return found[0][1] if len(found) == 1 and found[0][0] < asked else None


def _from_when_to_when(message: str, length: Field, start: Field, language: Language) -> Parted | None:
    for (first, last), clear, long, end in pairs(message, start, language):
        if length.reads(f"{message[:first]} {message[end:]}"):
            return None  # "between 2 and 4, for half an hour"
        words = clear or message[first:last]
        known = any(one.isoformat() == start.present for one in times(message[first:last], start, language))
        told = None if known else told_of(start, words)
        rest = without_from(f"{message[:first]}{length_in_units(long)}{message[end:]}", language, first)
        told_too: tuple[Command, ...] = (told,) if told is not None else ()
        return Parted(message=rest, told=told_too, fields=frozenset({start.name}))
    return None


def _till(message: str, length: Field, start: Field, language: Language) -> Parted | None:
    spans = times_told(message, start, language)
    if not start.given or start.present is None or len(spans) != 1:
        return None
    begin, end = spans[0]
    at = end_of_it(message, 0, begin, language)
    if at is None or length.reads(f"{message[:at]} {message[end:]}"):
        return None
    begun = time.fromisoformat(start.present)
    long = [lasts(begun, one) % _WHOLE for one in times(message[begin:end], start, language)]
    clear = start.parses is not None and start.parses(message[begin:end]) is not None
    likely = [one for one in long if timedelta() < one <= _HALF] or (long[:1] if clear else [])
    if not likely or not likely[0]:
        return None
    return _instead(message, (at, end), likely[0])


def _till_a_day(message: str, length: Field, day: Field, language: Language) -> Parted | None:
    if not day.given or day.present is None or day.parses is None or len(day.present) != len("2027-06-12"):
        return None
    at = end_of_it(message, 0, len(message), language)
    words = words_behind(message, at)[1:] if at is not None else ()
    found = fewest_words(message, (words[0].start, words[-1].end), day.parses) if words else None
    if at is None or found is None or tells_something(message[words[0].start : found[0]], language):
        return None
    if length.reads(f"{message[:at]} {message[found[1] :]}"):
        return None
    begun, last = date.fromisoformat(day.present), day.parses(message[slice(*found)])
    if not isinstance(last, date) or isinstance(last, datetime):
        return None
    if last <= begun:
        later = day_after(message[slice(*found)], begun, day.parses)
        last = date.fromisoformat(later) if later is not None else begun
    return _instead(message, (at, found[1]), last - begun) if last > begun else None


def _instead(message: str, span: Span, long: timedelta) -> Parted:
    rest = f"{message[: span[0]]}{length_in_units(long)}{message[span[1] :]}"
    return Parted(message=rest, told=(), fields=frozenset())
