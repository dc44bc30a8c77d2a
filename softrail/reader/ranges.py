"""Two values of a kind in one breath: "from Monday to Friday", "3 to 7 May", "from Lyon to Porto".

The small model marks one place for one value, and does not tell the first of two from the second. So such words are
parted before it reads: what is left of the message has one value, and the other is known by where it stood.
"""

import re
from calendar import monthrange
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from typing import Any, Final

from softrail.core.reading import Command, Field, Place, Value
from softrail.language import Language
from softrail.reader.fields import RUN, TYPED, field_query
from softrail.reader.hearing import Hearing
from softrail.reader.learned import Marker

SURE: Final = 0.99  #: how sure a value is that stands where only it can stand
KINDS: Final = frozenset({"date", "time"})  #: of which both values are read by their type
_MOST: Final = 6  #: words of one value
_NAME: Final = 4  #: words of a name, where only its clause ends it
_SEEN: Final = 0.7  #: how likely the small model must think it that a name is there
_ALONE: Final = 2  #: words of a name with nothing before it that tells where it begins
_TOKEN: Final = re.compile(r"[^\s,;.!?()]++(?:\.[^\s,;.!?()]++)*+|[,;.!?()]")
_DASH: Final = re.compile(r"(?<=[\w.])\s*[-–—]\s*(?=\w)")
_NUMBER: Final = re.compile(r"(?<![\d:])\d{1,2}(?:[^\W\d_]{2})?(?![\w:.])")
#: Where what parts two values begins and ends, and where "from" stands before it.
_Middle = tuple[int, int, int | None]
DAY_ALONE: Final = re.compile(r"(?:[^\W\d_]+ )?\d{1,2}[^\W\d_]{2}")  #: "the 4th"
_NAMES: Final = re.compile(r"[^\W\d_]{3}")  #: letters enough for a name
_WHOLE_DAY: Final = re.compile(r"([01]?\d|2[0-3]):[0-5]\d")


@dataclass(frozen=True, kw_only=True, slots=True)
class Parted:
    """A message without a part of it, which `told` gives."""

    message: str
    told: tuple[Command, ...]
    fields: frozenset[str]  #: what the rest of the message is not to be read for


@dataclass(frozen=True, kw_only=True, slots=True)
class Word:
    """A word of a message, and where it stands."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, kw_only=True, slots=True)
class _Pair:
    """Two values and all the words that say them, with "from" before them."""

    first: str
    second: str
    start: int
    begin: int  #: where the first value begins
    end: int


def parted(message: str, hearing: Hearing) -> Parted | None:
    """The message parted, where it gives the values of two answers that belong together; else None."""
    place, language = hearing.place, hearing.language
    if place.own or place.offer or place.wanted in ("confirm", "file") or place.field is None:
        return None
    middles = list(parting(message, language))
    words = _words(message)
    if not middles and not (words and language.range_word(words[0].text)):
        return None  # most messages: nothing is said of two values, or of the other one
    for first, second in next_of_its_kind(place.fields()):
        if second.given or not belong(first, second, language):
            continue
        pair = _typed(message, first, second, middles) or _named(message, hearing, (first, second), middles)
        if pair is not None:
            return _without(message, pair, place, first, second)
        if (half := _half(message, hearing, (first, second))) is not None:
            return half
    return None


def next_of_its_kind(fields: Sequence[Field]) -> Iterator[tuple[Field, Field]]:
    """Each answer with the next one that wants the same, whatever is asked for in between."""
    for at, first in enumerate(fields):
        second = next((one for one in fields[at + 1 :] if one.wanted == first.wanted), None)
        if second is not None:
            yield first, second


def belong(first: Field, second: Field, language: Language) -> bool:
    """They are the two ends of something: one question asks from where or when, the other until where or when."""
    if (
        first.wanted != second.wanted
        or first.wanted not in {*KINDS, "text"}
        or first.options
        or second.options
    ):
        return False
    begins, ends = (_asked(field, language) for field in (first, second))
    if first.wanted == "text":
        return "beginnings" in begins and "endings" in ends
    return (
        ("beginnings" in begins or "endings" in ends)
        and first.parses is not None
        and second.parses is not None
    )


def _asked(field: Field, language: Language) -> frozenset[str]:
    return frozenset().union(
        *map(language.asks_for, (field.question, field.label, field.about, *field.names))
    )


def _without(message: str, pair: _Pair, place: Place, first: Field, second: Field) -> Parted:
    """What is left for the open answer to be read from: its own value, where it is one of the two."""
    values = {first.name: pair.first, second.name: pair.second}
    kept = place.field if place.field in values else None
    # "From" before a name leads to it; before a day it would be a bound.
    start = pair.begin if kept == first.name and first.wanted not in KINDS else pair.start
    rest = f"{message[:start]}{values[kept] if kept is not None else ''}{message[pair.end :]}"
    told = [told_of(field, values[field.name]) for field in (first, second) if field.name != kept]
    return Parted(
        message=rest,
        told=tuple(command for command in told if command is not None),
        fields=frozenset(values) - {kept or ""},
    )


def told_of(field: Field, words: str) -> Command | None:
    """The value for another answer than the open one, which it may change; None where it is that already."""
    if field.given and field.present == (
        str(field.parses(words)) if field.wanted in KINDS and field.parses else words
    ):
        return None
    value = Value(field=field.name, text=words, confidence=SURE)
    return Command.of_another(value, changes=field.given)


def _half(message: str, hearing: Hearing, asked: tuple[Field, Field]) -> Parted | None:
    """Nothing but the other of two values: "until Friday" where it is asked from when."""
    place, language = hearing.place, hearing.language
    first, second = asked
    if first.given or place.field not in (first.name, second.name):
        return None
    words = _words(message)
    other, sign = (second, "range_to") if place.field == first.name else (first, "range_from")
    if not 1 < len(words) <= 1 + _NAME or language.range_word(words[0].text) != sign:
        return None
    said = message[words[1].start : words[-1].end]
    if other.wanted in KINDS:
        known = other.parses is not None and other.parses(said) is not None
    else:
        known = _found(message, words[0].start, words[1:], other, hearing.marker, language) == words[-1].end
    told = told_of(other, said) if known else None
    return Parted(message="", told=(told,), fields=frozenset({other.name})) if told is not None else None


# -- two days, two times


def _typed(message: str, first: Field, second: Field, middles: Sequence[_Middle]) -> _Pair | None:
    if first.wanted not in KINDS or first.parses is None or second.parses is None:
        return None
    for begun, middle, opened in middles:
        left, right = words_before(message, begun), words_behind(message, middle)
        found = next(_both(left, right, first.parses, second.parses), None) if left and right else None
        if found is not None:
            said, other, begin, end = found
            before = first.parses(message[:begun]) if "," in message[:begin] else None
            if before is not None and before != first.parses(said):
                continue  # "the week after next, Monday to Thursday"
            start = opened if opened is not None else begin
            return _Pair(first=said, second=other, start=start, begin=begin, end=end)
    return None


def parting(message: str, language: Language) -> Iterator[_Middle]:
    """Where words stand that part two values, each with where "from" stands before it; then dashes."""
    words = [word for word in _words(message) if word.text[0].isalnum()]
    opened: int | None = None
    for word in words:
        part = language.range_word(word.text)
        if part == "range_from":
            opened = word.start
        elif part == "range_to" or (part == "range_and" and opened is not None):
            yield word.start, word.end, opened
    for dash in _DASH.finditer(message):
        yield dash.start(), dash.end(), opened if opened is not None and opened < dash.start() else None


def _words(message: str) -> list[Word]:
    return [Word(text=m[0], start=m.start(), end=m.end()) for m in _TOKEN.finditer(message)]


def words_before(message: str, end: int) -> Sequence[Word]:
    """The last words before that place, in the same clause."""
    words = _words(message[:end])
    stops = [at for at, word in enumerate(words) if not word.text[0].isalnum()]
    return words[stops[-1] + 1 if stops else 0 :][-_MOST:]


def words_behind(message: str, start: int) -> Sequence[Word]:
    """The first words from that place on, in the same clause."""
    words = _words(message[start:])
    stop = next((at for at, word in enumerate(words) if not word.text[0].isalnum()), len(words))
    return [
        Word(text=word.text, start=word.start + start, end=word.end + start) for word in words[:stop][:_MOST]
    ]


def _both(
    left: Sequence[Word], right: Sequence[Word], first: Callable[[str], Any], second: Callable[[str], Any]
) -> Iterator[tuple[str, str, int, int]]:
    """Both values as words and where they stand; what is said once counts for both: "3 to 7 May", "9 to 11 am"."""
    ends = _shortest([_said(right[:size]) for size in range(len(right), 0, -1)], second)
    begins = _shortest([_said(left[-size:]) for size in range(len(left), 0, -1)], first)
    if ends is not None and (number := _number(left[-1].text)) is not None:
        whole = _completed(number, ends, first)
        if whole is not None and _in_order(first(whole), second(ends)):
            said_so = begins is not None and first(begins) == first(whole)  # "March 6 to March 13"
            begin = _start(left, begins) if said_so and begins is not None else left[-1].start
            yield whole, ends, begin, _end(right, ends)
    if begins is not None and ends is not None:
        earlier, later = first(begins), second(ends)
        if _in_order(earlier, later) or not isinstance(earlier, date):
            yield begins, ends, _start(left, begins), _end(right, ends)
        elif type(earlier) is type(later) and (moved := day_after(ends, earlier, second)) is not None:
            yield begins, moved, _start(left, begins), _end(right, ends)


def _in_order(earlier: Any, later: Any) -> bool:
    """The first is not after the second; a day and a moment are not held against each other."""
    return type(earlier) is type(later) and bool(earlier <= later)


def _said(words: Sequence[Word]) -> str:
    return " ".join(word.text for word in words)


def _shortest(said: Sequence[str], parses: Callable[[str], Any]) -> str | None:
    """The fewest words that give what the most of them give; None where none give anything."""
    read = [(words, value) for words in said if (value := parses(words)) is not None]
    return next((words for words, value in reversed(read) if value == read[0][1]), None)


def _start(words: Sequence[Word], said: str) -> int:
    return words[len(words) - len(said.split())].start


def _end(words: Sequence[Word], said: str) -> int:
    return words[len(said.split()) - 1].end


def _number(word: str) -> str | None:
    """The number that a word is, "3" or "3rd"; or a time of day without more, "9:30"."""
    return word if _NUMBER.fullmatch(word) or _WHOLE_DAY.fullmatch(word) else None


def _completed(number: str, other: str, parses: Callable[[str], Any]) -> str | None:
    """A number with what stands beside the other one: "3" beside "7 May" is "3 May", "9:30" beside 17:00 is 09:30."""
    clock = _WHOLE_DAY.fullmatch(other)
    if clock is not None and int(clock[1]) > 12 and _WHOLE_DAY.fullmatch(number):
        whole = number.zfill(5)
    elif (beside := list(_NUMBER.finditer(other))) and len(beside) == 1:
        whole = (
            f"{'' if other[0].islower() else other[: beside[0].start()]}{number}{other[beside[0].end() :]}"
        )
    else:
        return None
    return whole if parses(whole) is not None else None


def day_after(said: str, earlier: date, parses: Callable[[str], Any]) -> str | None:
    """The day after the first one, as a date: "Wednesday" after a Friday, "the 4th" after the 28th of March."""
    day = parses(said)
    if not isinstance(day, date) or isinstance(day, datetime):
        return None
    if not any(c.isdecimal() for c in said):
        return (day + timedelta(days=7)).isoformat()
    if DAY_ALONE.fullmatch(said) is None:
        return None
    month = earlier.replace(day=1)
    for _ in range(3):  # a 31st may be two months away
        if day.day <= monthrange(month.year, month.month)[1] and month.replace(day=day.day) > earlier:
            return month.replace(day=day.day).isoformat()
        month = (month + timedelta(days=31)).replace(day=1)
    return None


# -- two names


def _named(
    message: str,
    hearing: Hearing,
    asked: tuple[Field, Field],
    middles: Sequence[_Middle],
) -> _Pair | None:
    """Two names, parted by "to" after "from", or with nothing before them: "from Lyon to Porto", "Lyon to Porto"."""
    place = hearing.place
    first, second = asked
    if first.wanted != "text" or place.wanted not in ("text", "list"):
        return None
    for begun, middle, opened in middles:
        if message[begun:middle].strip() in ("-", "–", "—"):
            continue
        left, right = words_before(message, begun), words_behind(message, middle)
        if opened is not None:
            left = _since(left, opened)
        if not 0 < len(left) <= _NAME or not right:
            continue
        if opened is None and not _stands_alone(message, left, right):
            continue
        end = _found(message, left[0].start, right, second, hearing.marker, hearing.language)
        if end is None:
            continue
        pair = _Pair(
            first=message[left[0].start : left[-1].end],
            second=message[right[0].start : end],
            start=opened if opened is not None else left[0].start,
            begin=left[0].start,
            end=end,
        )
        named = opened is not None  # "from 14 Mill Lane to 3 Castle Street": a number may be a part of a name
        if not any(_is_of_a_type(words, place.fields(), named) for words in (pair.first, pair.second)):
            return pair
    return None


def _stands_alone(message: str, left: Sequence[Word], right: Sequence[Word]) -> bool:
    """Two short names are all that the clause says: "Bea hands it to Carl" is more."""
    begins = not message[: left[0].start].strip()
    short = len(left) <= _ALONE or all(word.text[0].isupper() for word in left)
    return begins and short and len(right) <= _NAME


def _is_of_a_type(words: str, fields: Sequence[Field], named: bool) -> bool:
    """They are a number, a day or a time, or an answer is of a type that reads them: no name."""
    kinds = KINDS if named and _NAMES.search(words) else TYPED
    typed = [f.parses for f in fields if f.wanted in kinds and not f.given and f.parses is not None]
    numbers = kinds is TYPED and any(c.isdecimal() for c in words)
    return numbers or any(parses(words) is not None for parses in typed)


def _since(words: Sequence[Word], opened: int) -> Sequence[Word]:
    """The words after "from"; none where that stands in another clause."""
    at = next((n for n, word in enumerate(words) if word.start == opened), None)
    return words[at + 1 :] if at is not None else ()


def _found(
    message: str, start: int, words: Sequence[Word], field: Field, marker: Marker, language: Language
) -> int | None:
    """Where a name ends that begins with the first of those words; None where the small model sees none there.

    In "to be nearer to my mother" it sees one, and further on; "to a house near Oslo" it may begin with the house.
    """
    left_out = f"{message[:start]}{' ' * (words[0].start - start)}{message[words[0].start :]}"
    [marks] = marker.mark(left_out, [field_query(field)])
    begins = marks.start <= words[0].start or language.is_choosing_word(words[0].text)
    if marks.value < _SEEN or not begins or marks.end <= words[0].start:
        return None
    return min(marks.end, words[-1].end)


def without_from(message: str, language: Language, at: int | None = None) -> str:
    """The message without "from" or "between", the one right before a place where that is given: there is no end to it any more."""
    words = list(RUN.finditer(message[:at]))
    led = [
        word for word in (words if at is None else words[-1:]) if language.range_word(word[0]) == "range_from"
    ]
    return f"{message[: led[0].start()]}{message[led[0].end() :].lstrip()}" if led else message


def without(place: Place, names: frozenset[str]) -> Place:
    """The place as if those answers were none of the process's."""
    fields = place.fields
    return replace(place, fields=lambda: tuple(f for f in fields() if f.name not in names))
