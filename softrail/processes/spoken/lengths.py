"""A length of time: "two and a half hours", "an hour and ten", "1h30", "3 days and 4 hours"; never one of two."""

import re
from datetime import timedelta
from decimal import Decimal
from functools import lru_cache
from typing import Final

from softrail.processes.spoken.grammar import grammar
from softrail.processes.spoken.said import Said, said
from softrail.processes.unread import Unread

_KEPT: Final = 1024  #: questions of which it is known still what they ask for
_LONGEST: Final = timedelta(days=36_500)
_HOUR: Final = 3600
_CLOCK: Final = re.compile(r"(\d+)[h:](\d\d?)(?:m|min)?\Z")

#: One part of a length; a unit of one letter only right behind figures.
_PART: Final = "(?:n|a|full) full? dash? u={kind}"
_ONE_OF: Final = ("n (?:or|to|dash) n", "between n and n", "a (?:length|span) or n")
_MORE: Final = "and (?:H=(a? half)|(?:T=(int)|a)? quarter)"
_TEN: Final = "and? m=minutes (?!n|length|span|share)"
_JOINT: Final = "comma? (?:and|plus)?"


def read_length(message: str, locale: str) -> timedelta:
    """The length of time a message names, its parts added up: "2 hours", "an hour and a half", "1h30"."""
    seconds = _added_up(said(message, locale), "length")
    if not 0 < seconds <= Decimal(int(_LONGEST.total_seconds())):
        raise Unread("no_length")
    return timedelta(seconds=float(seconds))


@lru_cache(_KEPT)
def unit_asked_for(question: str, name: str, locale: str) -> str | None:
    """The unit of time that a question counts, or the name of a field: "For how many minutes?", `duration_minutes`."""
    known = grammar(locale)
    units = {unit for kind in ("length", "span") for unit in known.values[kind] if len(unit) > 2}
    found = re.findall(rf"\b(?:{'|'.join(known.asking['unit'])})\s+([a-z]+)\b", question.lower())
    return next((unit for unit in (*found, name.lower().rpartition("_")[2]) if unit in units), None)


def read_in_units(message: str, unit: str, locale: str) -> Decimal | None:
    """How many of the unit a message names in parts or in other units: an hour is 60 minutes; None where it does not."""
    text = said(message, locale)
    kind = "length" if unit in text.known.values["length"] else "span"
    sizes = text.known.values[kind]
    named = {sizes[word] for word in text.texts if word in sizes and len(word) > 1}
    parts = text.known.pattern("half|quarter").search(text.signs) or any(
        t == "0.5" or t.endswith(("0.25", ".75")) for t in text.texts
    )
    if (
        not (named - {sizes[unit]})
        and not (named and parts)
        and not text.known.pattern("clock").search(text.signs)
    ):
        return None
    return _added_up(text, kind) / sizes[unit] or None


def _added_up(text: Said, kind: str) -> Decimal:
    """The parts of a length, in the smallest of the units; 0 where there are none."""
    known, sizes = text.known, text.known.values[kind]
    if any(text.scan(*_ONE_OF)):
        raise Unread("many_numbers")  # "10 to 15 minutes", "a day or two"
    total, last, end, seen = Decimal(0), 0, 0, set[int]()
    if kind == "length":
        for match in text.scan("clock hours_sign?"):
            if (parts := _CLOCK.match(text.texts[match.start()])) and ("h" in parts[0] or len(match[0]) > 1):
                total += int(parts[1]) * _HOUR + int(parts[2]) * 60
    for match in text.scan(_PART.format(kind=kind)):
        count, unit = text.texts[match.start()], sizes[text.texts[match.start("u")]]
        glued = text.ends[match.start("u") - 1] == text.starts[match.start("u")]
        if len(text.texts[match.start("u")]) == 1 and not (glued or count[0].isdecimal()):
            continue
        joined = not last or known.pattern(_JOINT).fullmatch(text.signs, end, match.start())
        if unit in seen or not joined:
            raise Unread("many_numbers")  # "two hours, no, three hours", "45 minutes to an hour"
        seen.add(unit)
        total += (
            Decimal(count.replace(",", ".")) if count[0].isdecimal() and count.count(",") < 2 else 1
        ) * unit
        last, end = unit, match.end()
    if last and (more := known.pattern(_MORE).match(text.signs, end)):
        return total + last * (
            Decimal("0.5") if more["H"] else Decimal("0.75") if more["T"] else Decimal("0.25")
        )
    if last in (_HOUR, 60) and kind == "length" and (more := known.pattern(_TEN).match(text.signs, end)):
        total += int(text.texts[more.start("m")]) * last // 60  # "an hour and ten"
    return total
