"""How long something is and from when, in one breath: "for ten days from 5 May" is no day in the middle of May."""

from collections.abc import Sequence
from typing import Final

from softrail.core.reading import Command, Field, Value
from softrail.language import Language
from softrail.processes.spoken import length_from, stays
from softrail.reader.fields import RUN
from softrail.reader.hearing import Hearing
from softrail.reader.ranges import SURE, Parted, belong, next_of_its_kind, without_from
from softrail.reader.so_long import lasts_so_long

_MOST: Final = 6  #: words of a day


def lasting(message: str, hearing: Hearing) -> Parted | None:
    """The message parted, where it gives the length and the beginning of something; None where it has not a place for each."""
    place = hearing.place
    if place.own or place.offer:
        return None
    fields = place.fields()
    days = [f for f in fields if f.wanted == "date" and f.parses is not None]
    days = [f for f in days if not f.given or len(days) == 1] or days
    for start, begin, end, at in length_from(message, hearing.language.code) if days else ():
        length, day = message[begin:end], _day(message, at, days[0])
        lengths = [f for f in fields if f.reads(length) and lasts_so_long(f)]
        if day is None or len(lengths) != 1:
            continue
        both = (days[0], lengths[0])
        asked = place.wanted == "confirm" or place.field in {field.name for field in both}
        if start == begin and not asked:
            continue  # "two weeks from Friday" is a day where neither is asked for
        values = {both[0].name: message[at:day], both[1].name: length}
        kept = values.get(place.field or "", "")
        told = [_told(field, values[field.name]) for field in both if field.name != place.field]
        return Parted(
            message=f"{message[:start]}{kept}{message[day:]}".strip(" \t\n,;.!?-–—"),
            told=tuple(command for command in told if command is not None),
            fields=frozenset(values) - {place.field or ""},
        )
    return None


def until_it_is_over(message: str, hearing: Hearing) -> Parted | None:
    """The message with its first day alone, where the day on which it is over is told by how long it is: "from Friday for a week"."""
    place, language = hearing.place, hearing.language
    if not place.of_a_form or place.field is None:
        return None
    begun = [
        (start, end, at)
        for start, begin, end, at in length_from(message, language.code)
        if start != begin or "," in message[end:at]  # "a week from Friday" is a day
    ]
    spans = begun or [(start, end, end) for start, end in stays(message, language.code)]
    for first, second in next_of_its_kind(place.fields()) if len(spans) == 1 else ():
        if second.given or second.name == place.field or not _is_over_on(first, second, language):
            continue
        start, end, behind = spans[0]
        head, rest = message[:start], message[behind:]
        left = without_from(f"{head}{rest}", language) if head or rest.strip() else ""
        if first.parses is None or (not first.given and first.parses(left) is None):
            continue
        value = Value(field=second.name, text=message[start:end], confidence=SURE)
        return Parted(
            message=left.strip(" \t\n,;-–—"),
            told=(Command.of_another(value, changes=False),),
            fields=frozenset({second.name}),
        )
    return None


def _is_over_on(first: Field, second: Field, language: Language) -> bool:
    return (
        first.wanted == "date"
        and belong(first, second, language)
        and "day_back" in language.asks_for(second.question)
    )


def _day(message: str, at: int, field: Field) -> int | None:
    """Where the day ends that begins there: the fewest words that give what the most of them give."""
    ends: Sequence[int] = [word.end() for word in RUN.finditer(message, at)][:_MOST]
    read = [(end, field.parses(message[at:end])) for end in ends] if field.parses is not None else []
    found = [(end, value) for end, value in read if value is not None]
    return next((end for end, value in found if value == found[-1][1]), None)


def _told(field: Field, words: str) -> Command | None:
    """What is told of another answer than the open one, which it may change; None where it is that already."""
    if field.given and field.parses is not None and str(field.parses(words)) == field.present:
        return None
    value = Value(field=field.name, text=words, confidence=SURE)
    return Command.of_another(value, changes=field.given)
