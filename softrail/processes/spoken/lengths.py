"""A length of time: "two and a half hours", "an hour and ten", "1h30", "3 days and 4 hours"; never one of two.

And what is told in another unit than the one that is asked for: an hour is 60 minutes, "five foot four" 64 inches.
"""

import re
from collections.abc import Iterator, Mapping
from datetime import timedelta
from decimal import ROUND_HALF_UP, Decimal
from functools import lru_cache
from typing import Any, Final

from softrail.core.questions import Option
from softrail.processes.spoken.bounds import bounded, meant
from softrail.processes.spoken.grammar import UNITS, grammar
from softrail.processes.spoken.said import Said, plain, said
from softrail.processes.unread import BUTTONS, Unread

_KEPT: Final = 1024  #: questions of which it is known still what they ask for
_HOUR: Final = 3600
_DAY: Final = 86_400
_LONGEST: Final = 36_500 * _DAY
_WEEKS: Final = 14 * _DAY  #: units above it are told in months and years
_MANY: Final = 60  #: days from which on it is told what they come to
_MONTH: Final = 365.25 / 12
_FOOT, _INCH = Decimal("304.8"), Decimal("25.4")
_EXACT: Final = 2  #: digits of a number of units that may be meant
_SHORT: Final = {"length": "clock", "distance": "feet"}  #: what is written without a unit: "1:30", "5'11"
#: What a number behind a unit counts without a word: minutes behind an hour, inches behind a foot.
_BELOW: Final[Mapping[str, Mapping[Decimal, Decimal]]] = {
    "length": {Decimal(3600): Decimal(60), Decimal(60): Decimal(1)},
    "distance": {_FOOT: _INCH, Decimal(1000): Decimal(10)},
    "mass": {Decimal("6350.29318"): Decimal("453.59237")},
}
_CLOCK: Final = re.compile(r"(\d+)[h:](\d\d?)(?:m|min)?\Z")

PAID: Final = ("n full? currency (?:and? minutes cent?)?", "currency n")  #: "five pounds fifty", "$40"
_LASTING: Final = "length|span"
_UNITS: Final = ("length", "mass", "distance", "volume")
#: One part of a length; a unit of one letter only right behind figures.
_PART: Final = "(?:n|a|full) full? dash? U=({kind})"
#: "10 to 15 minutes", "between two and three hours", "a day or two", "twenty minutes, or thirty".
_ONE_OF: Final = (
    "between A=(n) and n full? dash? U=({kind})",
    "A=(n) comma? (?:or|to|dash) n full? dash? U=({kind})",
    "(?:n|a) full? dash? U=({kind}) (?:comma|stop)? (?:or|perhaps)+ A=(n) (?!.? (?:{kind}))",
    "(?:n|a) full? dash? U=({kind}) (?:(?!n|a|{kind}|comma|stop).){0,2} comma perhaps A=(n) (?!.? (?:{kind}))",
)
_MORE: Final = "(?:and (?:H=(a? half)|(?:T=(int)|a)? quarter)|h=half (?=stop|comma|$))"  #: "1 hour half"
_TEN: Final = "and? M=(minutes|two) (?!n|length|span|share|mass|distance)"
_ALONE: Final = (
    "n stop?",
    "feet stop?",
    *(f"(?:{told}) stop?" for told in PAID),
    *(f"(?:n|a) {u} (?:and? (?:(?:n|a) {u}|a? (?:half|quarter)|minutes))? stop?" for u in _UNITS),
)
_OTHERWISE: Final = "n full? (?:mass|distance|volume|area)"
_JOINT: Final = "comma? (?:and|plus)?"


def read_length(message: str, locale: str, *, question: str = "") -> timedelta:
    """The length of time a message names, its parts added up: "2 hours", "an hour and a half", "1h30", "half a year"."""
    text = said(message, locale)
    read = list(_told(text, _LASTING, _lasting(locale)))
    lengths = [(timedelta(seconds=float(size)), begin, end) for size, begin, end in read if size <= _LONGEST]
    if not lengths or len(lengths) < len(read):
        raise Unread("no_length")
    each, sense = meant(text, lengths, "many", question)
    if len(each) > 1:
        raise Unread("many_lengths", either=[_option(length) for length in each[:BUTTONS]])
    if sense != "exact":
        raise bounded(_option((each or [lengths[0][0]])[0]), sense)
    return each[0]


def length_in_units(length: timedelta) -> str:
    """'1 day 2 hours', '90 minutes' as '1 hour 30 minutes'."""
    seconds, told = int(length.total_seconds()), list[str]()
    for unit, size in (("day", _DAY), ("hour", _HOUR), ("minute", 60), ("second", 1)):
        many, seconds = divmod(seconds, size)
        if many:
            told.append(f"{many} {unit}{'s' if many > 1 else ''}")
    return " ".join(told)


def length_in_words(length: timedelta) -> str:
    """The same, with what many days come to: '540 days (18 months)', '548 days (about 18 months)'."""
    told, days = length_in_units(length), length.days
    if days < _MANY or length % timedelta(days=1):
        return told
    months = round(days / _MONTH)
    years, more = divmod(months, 12)
    sizes = (30 * months, 365 * years + 30 * more)
    parts = ((years, "year"), (more, "month")) if years > 1 or not more else ((months, "month"),)
    come_to = " ".join(f"{many} {unit}{'s' if many > 1 else ''}" for many, unit in parts if many)
    return f"{told} ({come_to if days in sizes else f'about {come_to}'})"


def _option(length: timedelta) -> Option:
    return Option(label=length_in_words(length), value=length_in_units(length))


@lru_cache
def _lasting(locale: str) -> Mapping[str, Any]:
    """The units of time in seconds: a month has 30 days, a year 365."""
    known = grammar(locale).values
    days = {unit: months // 12 * 365 or months * 30 for unit, months in known["span"].items()}
    return {**known["length"], **{unit: many * _DAY for unit, many in days.items()}}


@lru_cache(_KEPT)
def unit_asked_for(question: str, name: str, locale: str) -> str | None:
    """The unit of time that a question counts, or the name of a field: "For how many minutes?", `duration_minutes`."""
    known = grammar(locale)
    units = {unit for kind in UNITS for unit in known.values[kind] if len(unit) > 1}
    found = re.findall(rf"\b(?:{'|'.join(known.asking['unit'])})\s+([a-z]+)\b", question.lower())
    return next((unit for unit in (*found, name.lower().rpartition("_")[2]) if unit in units), None)


def read_in_units(message: str, unit: str, locale: str, *, question: str = "") -> Decimal | None:
    """How many of the unit a message names in parts or in other units: an hour is 60 minutes; None where it does not."""
    text = said(message, locale)
    kind = next(kind for kind in UNITS if unit in text.known.values[kind])
    sizes = text.known.values[kind]
    named = {sizes[word] for at, word in enumerate(text.texts) if word in sizes and _is_unit(text, at)}
    parts = text.known.pattern("half|quarter").search(text.signs) or any(
        t == "0.5" or t.endswith(("0.25", ".75")) for t in text.texts
    )
    short = text.known.pattern(_SHORT[kind]).search(text.signs) if kind in _SHORT else None
    if not (named - {sizes[unit]} or (named and parts) or short):
        return None
    asked = Decimal(str(sizes[unit]))
    added = [_added_up(text, kind, meant_so) for meant_so in _as_meant(text, sizes, asked)]
    each, (_, begin, end) = list(dict.fromkeys(size / asked for size, _, _ in added)), added[0]
    if not each[0]:
        return None
    if len(each) > 1:
        raise Unread("many_numbers", either=[Option(label=plain(round(one, _EXACT))) for one in each])
    [many] = each
    _, sense = meant(text, [(many, begin, end)], "many", question)
    if sense != "exact":
        raise bounded(Option(label=plain(many)), sense)
    return many


def is_told_in_units(words: str, unit: str, locale: str) -> bool:
    """They are counted from parts or from other units: the number is none that was said."""
    try:
        return read_in_units(words, unit, locale) is not None
    except Unread:
        return False


def _as_meant(text: Said, sizes: Mapping[str, Any], asked: Decimal) -> list[dict[str, Any]]:
    """The sizes of the units as they may be meant: a ton is 1,000 kilograms, and 2,000 pounds or 2,240.

    Where one of them is a whole number of the unit that is asked for, the others are not meant.
    """
    known = text.known.values["elsewhere"]
    each = [dict(sizes)]
    for word in dict.fromkeys(word for word in text.texts if word in known and word in sizes):
        may_be = [sizes[word], *known[word]]
        whole = [size for size in may_be if not Decimal(str(size)) % asked]
        each = [{**one, word: size} for one in each for size in whole or may_be]
    return each


def counts_otherwise(message: str, unit: str, locale: str) -> bool:
    """A number of it is counted in units of another kind than that one: "5 kg", where kilometres are asked for."""
    text = said(message, locale)
    kinds = [kind for kind in UNITS if unit in text.known.values[kind]]
    return any(not any(text.is_a(at, kind) for kind in kinds) for at in _units(text))


def is_measured(words: str, locale: str) -> bool:
    """A number of them is counted in a unit, or in money: "5 kg", "5'11", "£5"."""
    text = said(words, locale)
    return any(True for _ in _units(text)) or any(True for _ in text.scan("feet", *PAID))


def is_amount_alone(words: str, locale: str) -> bool:
    """It is one number and nothing else, in words or with its units: "seventy two point five", "11 stone 4"."""
    text = said(words, locale)
    return any(text.known.pattern(one).fullmatch(text.signs) is not None for one in _ALONE)


def _units(text: Said) -> Iterator[int]:
    """Where the unit stands of each number that is counted in one."""
    return (at for match in text.scan(_OTHERWISE) if _is_unit(text, at := match.end() - 1))


def _is_unit(text: Said, at: int) -> bool:
    """A letter is one behind a number only: "5 m"."""
    return len(text.texts[at]) > 1 or text.is_a(at - 1, "n")


def _added_up(text: Said, kind: str, sizes: Mapping[str, Any] | None = None) -> tuple[Decimal, int, int]:
    """The one length, weight or distance that is told, in the smallest of the units, and where it stands; 0 where none is."""
    each = list(_told(text, kind, sizes or text.known.values[kind]))
    if len(each) > 1:
        raise Unread("many_numbers")
    return each[0] if each else (Decimal(0), 0, 0)


def _told(text: Said, kind: str, sizes: Mapping[str, Any]) -> Iterator[tuple[Decimal, int, int]]:
    """Every length, weight or distance that is told, its parts added up, and where it stands."""
    two = (match for told in _ONE_OF for match in text.scan(told.replace("{kind}", kind)))
    alone = (_of_the_same_unit(text, match, sizes) for match in two)
    found = sorted(
        [*alone, *_without_units(text, kind), *_in_parts(text, kind, sizes)], key=lambda one: one[1]
    )
    yield from (one for one in found if one[0] > 0)


def _of_the_same_unit(text: Said, match: re.Match[str], sizes: Mapping[str, Any]) -> tuple[Decimal, int, int]:
    """The number of two that has no unit of its own: the ten of "10 to 15 minutes"."""
    at = match.start("A")
    return _many(text, at) * Decimal(str(sizes[text.texts[match.start("U")]])), at, at + 1


def _without_units(text: Said, kind: str) -> Iterator[tuple[Decimal, int, int]]:
    """What is written without words: "1:30 h", "1h30", "5'11"."""
    for match in text.scan("clock hours_sign?") if "length" in kind else ():
        if (parts := _CLOCK.match(text.texts[match.start()])) and ("h" in parts[0] or len(match[0]) > 1):
            yield Decimal(int(parts[1]) * _HOUR + int(parts[2]) * 60), *match.span()
    for match in text.scan("feet") if kind == "distance" else ():
        feet, inches = map(int, re.findall(r"\d+", f"{text.texts[match.start()]} 0")[:2])
        yield feet * _FOOT + inches * _INCH, *match.span()


def _in_parts(text: Said, kind: str, sizes: Mapping[str, Any]) -> Iterator[tuple[Decimal, int, int]]:
    known = text.known
    total, last, begin, end, seen = Decimal(0), Decimal(0), 0, 0, set[Decimal]()
    for match in text.scan(_PART.format(kind=kind)):
        unit = Decimal(str(sizes[text.texts[match.start("U")]]))
        if not _is_unit(text, match.start("U")):
            continue
        if last and match.start() == end and text.is_a(end, "a"):
            continue  # "three days a week": how often, and no part of it
        joined = last and known.pattern(_JOINT).fullmatch(text.signs, end, match.start())
        if last and (unit in seen or not joined):  # "two hours, no, three hours", "45 minutes to an hour"
            yield _with_the_rest(text, kind, total, last, begin, end)
            total, seen = Decimal(0), set[Decimal]()
        begin = begin if seen else match.start()
        seen.add(unit)
        total += _many(text, match.start()) * unit
        last, end = unit, match.end()
    if last:
        yield _with_the_rest(text, kind, total, last, begin, end)


def _with_the_rest(
    text: Said, kind: str, total: Decimal, last: Decimal, begin: int, end: int
) -> tuple[Decimal, int, int]:
    """With what stands behind the last unit and has none of its own: "an hour and a half", "an hour and ten"."""
    if more := text.known.pattern(_MORE).match(text.signs, end):
        part = "0.5" if more["H"] or more["h"] else "0.75" if more["T"] else "0.25"
        total, end = total + last * Decimal(part), more.end()
    elif (below := _BELOW.get(kind.partition("|")[0], {}).get(last)) and (
        more := text.known.pattern(_TEN).match(text.signs, end)
    ):
        total, end = total + int(text.texts[more.start("M")]) * below, more.end()
    if kind == _LASTING and last > _WEEKS:
        total = (total / _DAY).quantize(Decimal(1), ROUND_HALF_UP) * _DAY  # half a year is 183 days
    return total, begin, end


def _many(text: Said, at: int) -> Decimal:
    count = text.texts[at]
    return Decimal(count.replace(",", ".")) if count[0].isdecimal() and count.count(",") < 2 else Decimal(1)
