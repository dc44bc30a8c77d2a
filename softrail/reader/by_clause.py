"""Two days, or two times, of which each clause says whose it is: "pick up on the 5th, bring it back on the 9th"."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

from softrail.core.reading import Field, Place
from softrail.language import Language
from softrail.reader.changes.parts import keys, runs, tells
from softrail.reader.changes.spoken_of import likeness
from softrail.reader.clauses import clauses
from softrail.reader.fields import Span, blanked, fewest_words
from softrail.reader.hearing import Hearing
from softrail.reader.ranges import KINDS, Parted, belong, day_after, next_of_its_kind, told_of

_AROUND: Final = (
    1  #: words that tell something beside a value that is the other one's: "collect it on Friday"
)


@dataclass(frozen=True, kw_only=True, slots=True)
class _Told:
    """A clause with one value, and how much it speaks of the first and of the second answer."""

    span: Span
    value: Span
    text: str
    like: tuple[float, float]


def told_apart(message: str, hearing: Hearing) -> Parted | None:
    """The message without the two values, which `told` gives; None where it is not clear whose each of them is."""
    place, language = hearing.place, hearing.language
    if (
        place.own
        or place.offer
        or place.wanted == "file"
        or (place.field is None and place.wanted != "confirm")
    ):
        return None
    said = list(clauses(message))
    if len(said) < 2 or any(message[:start].strip() for start, _ in language.puts_right(message)):
        return None  # "back on the 8th. no, the 7th": what is put right is no other day
    for first, second in next_of_its_kind(place.fields()):
        if first.wanted not in KINDS or first.parses is None or second.parses is None:
            continue
        found = [one for span in said if (one := _of(message, span, first, second, language)) is not None]
        if len(found) != 2 or (pair := _each(message, found, first, second, language)) is None:
            continue
        last = _last_of(pair, first, second) if belong(first, second, language) else pair[1]
        return _parted(message, place, {first.name: pair[0], second.name: last}, (first, second))
    return None


def _of(message: str, span: Span, first: Field, second: Field, language: Language) -> _Told | None:
    value = fewest_words(message, span, first.parses) if first.parses is not None else None
    if value is None:
        return None
    beside = f"{message[span[0] : value[0]]} {message[value[1] : span[1]]}"
    spoken = likeness(" ".join([beside, *_pairs(beside)]), [first, second], language)
    like = [spoken[first.name], spoken[second.name]]
    if belong(first, second, language):
        asked = language.asks_for(beside) | language.asks_for(" ".join(_pairs(beside)))
        like[0] += "day_begins" in asked
        like[1] += "day_ends" in asked
    return _Told(span=span, value=value, text=message[slice(*value)], like=(like[0], like[1]))


def _pairs(words: str) -> list[str]:
    """Two words that are written as one: "drop off" is "dropoff", too."""
    return [f"{one}{other}" for one, other in pairwise(keys(words))]


def _each(
    message: str, found: Sequence[_Told], first: Field, second: Field, language: Language
) -> tuple[_Told, _Told] | None:
    """The value of the first answer and that of the second one, where their clauses say so."""
    one, other = found
    if one.like[0] + other.like[1] == one.like[1] + other.like[0]:
        return None
    begins, ends = (one, other) if one.like[0] + other.like[1] > one.like[1] + other.like[0] else (other, one)
    if begins.like[0] < begins.like[1] or ends.like[1] < ends.like[0]:
        return None
    bare = [each for each, at in ((begins, 0), (ends, 1)) if not each.like[at]]
    if not bare:
        return begins, ends
    if not belong(first, second, language) or not _in_order(begins, ends, first, second):
        return None  # "pick it up on Friday, on Thursday I work"
    return (begins, ends) if all(_says_little(message, each, language) for each in bare) else None


def _in_order(begins: _Told, ends: _Told, first: Field, second: Field) -> bool:
    if first.parses is None or second.parses is None:
        return False
    earlier, last = first.parses(begins.text), second.parses(ends.text)
    if type(earlier) is not type(last):
        return False
    return bool(earlier < last) or (
        first.wanted == "date" and day_after(ends.text, earlier, second.parses) is not None
    )


def _last_of(pair: tuple[_Told, _Told], first: Field, second: Field) -> _Told:
    """The second value, as a date where it can only be meant after the first: "the 8th" behind the 4th of January."""
    if first.parses is None or second.parses is None or first.wanted != "date":
        return pair[1]
    earlier, last = first.parses(pair[0].text), second.parses(pair[1].text)
    if type(earlier) is not type(last) or earlier < last:
        return pair[1]
    moved = day_after(pair[1].text, earlier, second.parses)
    return replace(pair[1], text=moved) if moved is not None else pair[1]


def _says_little(message: str, each: _Told, language: Language) -> bool:
    """At most what is to be done stands before the value, and says nothing of it: "fetch it on Friday", not "Friday is a holiday"."""
    before, behind = message[each.span[0] : each.value[0]], message[each.value[1] : each.span[1]]
    telling = [run for run in runs(before) if tells(run, language)]
    if any(tells(run, language) or language.links(run.key) for run in runs(behind)):
        return False
    led = [run for run in runs(before) if language.links(run.key) or language.speaks_of_oneself(run.key)]
    return not led and len(telling) <= _AROUND and (not telling or telling[0] == runs(before)[0])


def _parted(message: str, place: Place, values: dict[str, _Told], fields: tuple[Field, Field]) -> Parted:
    """What is left for the open answer to be read from: its own value, where it is one of the two."""
    kept = place.field if place.field in values else None
    rest = blanked(message, [one.span for one in values.values()]).replace("…", " ")
    told = [told_of(field, values[field.name].text) for field in fields if field.name != kept]
    return Parted(
        message=(values[kept].text if kept is not None else "") + rest.rstrip(" \t\n,;-–—"),
        told=tuple(command for command in told if command is not None),
        fields=frozenset(values) - {kept or ""},
    )
