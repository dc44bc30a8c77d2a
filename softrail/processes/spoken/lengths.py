"""A length of time: "two and a half hours", "an hour and ten", "1h30", "3 days and 4 hours"; never one of two.

And what is told in another unit than the one that is asked for: an hour is 60 minutes, "five foot four" 64 inches.
"""

import re
from collections.abc import Iterator, Mapping
from datetime import timedelta
from decimal import Decimal
from functools import lru_cache
from typing import Any, Final

from softrail.core.questions import Option
from softrail.processes.spoken.bounds import bounded, meant
from softrail.processes.spoken.grammar import UNITS, grammar
from softrail.processes.spoken.said import Said, plain, said
from softrail.processes.unread import Unread

_KEPT: Final = 1024  #: questions of which it is known still what they ask for
_LONGEST: Final = timedelta(days=36_500)
_HOUR: Final = 3600
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
_UNITS: Final = ("length", "mass", "distance", "volume")
#: One part of a length; a unit of one letter only right behind figures.
_PART: Final = "(?:n|a|full) full? dash? u={kind}"
_ONE_OF: Final = ("n (?:or|to|dash) n", "between n and n", "a (?:length|span|mass|distance|volume|area) or n")
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
    """The length of time a message names, its parts added up: "2 hours", "an hour and a half", "1h30"."""
    text = said(message, locale)
    seconds, begin, end = _added_up(text, "length")
    if not 0 < seconds <= Decimal(int(_LONGEST.total_seconds())):
        raise Unread("no_length")
    length = timedelta(seconds=float(seconds))
    _, sense = meant(text, [(length, begin, end)], "many", question)
    if sense != "exact":
        raise bounded(Option(label=length_in_words(length)), sense)
    return length


def length_in_words(length: timedelta) -> str:
    """'1 day 2 hours', '90 minutes' as '1 hour 30 minutes'."""
    seconds, told = int(length.total_seconds()), list[str]()
    for unit, size in (("day", 86_400), ("hour", _HOUR), ("minute", 60), ("second", 1)):
        many, seconds = divmod(seconds, size)
        if many:
            told.append(f"{many} {unit}{'s' if many > 1 else ''}")
    return " ".join(told)


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
    """The parts of a length, in the smallest of the units, and where they stand; 0 where there are none."""
    known, sizes = text.known, sizes or text.known.values[kind]
    if any(text.scan(*_ONE_OF)):
        raise Unread("many_numbers")  # "10 to 15 minutes", "a day or two"
    total, last, begin, end, seen = Decimal(0), Decimal(0), 0, 0, set[Decimal]()
    if kind == "length":
        for match in text.scan("clock hours_sign?"):
            if (parts := _CLOCK.match(text.texts[match.start()])) and ("h" in parts[0] or len(match[0]) > 1):
                total += int(parts[1]) * _HOUR + int(parts[2]) * 60
                begin, end = match.span()
    for match in text.scan("feet") if kind == "distance" else ():
        feet, inches = map(int, re.findall(r"\d+", f"{text.texts[match.start()]} 0")[:2])
        total += feet * _FOOT + inches * _INCH
        begin, end = match.span()
    for match in text.scan(_PART.format(kind=kind)):
        count, unit = text.texts[match.start()], Decimal(str(sizes[text.texts[match.start("u")]]))
        if not _is_unit(text, match.start("u")):
            continue
        if last and match.start() == end and text.is_a(end, "a"):
            continue  # "three days a week": how often, and no part of it
        joined = not last or known.pattern(_JOINT).fullmatch(text.signs, end, match.start())
        if unit in seen or not joined:
            raise Unread("many_numbers")  # "two hours, no, three hours", "45 minutes to an hour"
        begin = begin if seen else match.start()
        seen.add(unit)
        total += (
            Decimal(count.replace(",", ".")) if count[0].isdecimal() and count.count(",") < 2 else 1
        ) * unit
        last, end = unit, match.end()
    if last and (more := known.pattern(_MORE).match(text.signs, end)):
        part = "0.5" if more["H"] or more["h"] else "0.75" if more["T"] else "0.25"
        return total + last * Decimal(part), begin, more.end()
    below = _BELOW.get(kind, {}).get(last)
    if below is not None and (more := known.pattern(_TEN).match(text.signs, end)):
        total, end = total + int(text.texts[more.start("M")]) * below, more.end()  # "an hour and ten"
    return total, begin, end
