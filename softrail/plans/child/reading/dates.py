"""Dates as people write them: each text is read with the day first and with the month first, and columns decide."""

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, timezone
from functools import lru_cache
from typing import Final

_MONTHS: Final = (
    ("jan", "janv", "january", "januar", "janvier", "jän", "jänner"),
    ("feb", "fév", "february", "februar", "février"),
    ("mar", "mär", "mrz", "march", "märz", "mars"),
    ("apr", "avr", "april", "avril"),
    ("may", "mai"),
    ("jun", "june", "juni", "juin"),
    ("jul", "july", "juli", "juillet"),
    ("aug", "août", "august"),
    ("sep", "sept", "september", "septembre"),
    ("oct", "okt", "october", "oktober", "octobre"),
    ("nov", "november", "novembre"),
    ("dec", "dez", "déc", "december", "dezember", "décembre"),
)
_MONTH: Final = {name: n for n, names in enumerate(_MONTHS, start=1) for name in names}
_TIME: Final = (
    r"(?:[T ]\s*(?P<hour>\d{1,2}):(?P<minute>\d{2})(?::(?P<second>\d{2})(?:[.,](?P<part>\d{1,6})\d*)?)?"
    r"\s*(?P<half>[AaPp][Mm])?\s*(?P<zone>Z|[+-]\d{2}:?\d{2})?)?"
)
_FORMS: Final = (
    re.compile(r"(?P<year>\d{4})([-/.])(?P<month>\d{1,2})\2(?P<day>\d{1,2})" + _TIME),
    re.compile(r"(?P<one>\d{1,2})(?P<mark>[-/.])(?P<two>\d{1,2})(?P=mark)(?P<year>\d{4}|\d{2})" + _TIME),
    re.compile(r"(?P<day>\d{1,2})\.?[- ]?(?P<name>[^\W\d_]{3,9})\.?[- ,]?\s?(?P<year>\d{4})" + _TIME),
    re.compile(r"(?P<name>[^\W\d_]{3,9})\.? (?P<day>\d{1,2})(?:st|nd|rd|th)?,? (?P<year>\d{4})" + _TIME),
    re.compile(r"(?P<year>\d{4})-(?P<month>\d{2})"),
    re.compile(r"(?P<name>[^\W\d_]{3,9})\.?[- ](?P<year>\d{4})"),
)
_CENTURY: Final = 70  #: two digits from here on are of the twentieth century


@dataclass(frozen=True, slots=True)
class Day:
    """A date, or a date with its time: with the day first, and with the month first; None: it is none so."""

    day_first: datetime | None
    month_first: datetime | None
    timed: bool = False
    month_only: bool = False


@lru_cache(maxsize=65536)
def read_date(text: str) -> Day | None:
    """The date in a text; None: it is none."""
    text = text.strip()
    if not 6 <= len(text) <= 40 or not any(c.isdigit() for c in text):
        return None
    for form in _FORMS:
        found = form.fullmatch(text)
        if found is not None:
            return _day(found.groupdict())
    return None


def _day(parts: dict[str, str | None]) -> Day | None:
    at = _time(parts)
    year = int(parts["year"] or 0)
    if len(parts["year"] or "") == 2:
        year += 1900 if year >= _CENTURY else 2000
    if parts.get("one"):
        one, two = int(parts["one"] or 0), int(parts["two"] or 0)
        day_first = _made(year, two, one, at, parts)
        month_first = None if parts["mark"] == "." else _made(year, one, two, at, parts)
    else:
        month = _MONTH.get((parts.get("name") or "").casefold(), 0) or int(parts.get("month") or 0)
        day_first = month_first = _made(year, month, int(parts.get("day") or 1), at, parts)
    if day_first is None and month_first is None:
        return None
    return Day(day_first, month_first, bool(parts.get("hour")), not (parts.get("day") or parts.get("one")))


def _time(parts: dict[str, str | None]) -> time | None:
    if not parts.get("hour"):
        return time()
    hour, half = int(parts["hour"] or 0), (parts["half"] or "").lower()
    if half:
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + (12 if half == "pm" else 0)
    part = (parts["part"] or "").ljust(6, "0")
    try:
        return time(hour, int(parts["minute"] or 0), int(parts["second"] or 0), int(part))
    except ValueError:
        return None


def _made(year: int, month: int, day: int, at: time | None, parts: dict[str, str | None]) -> datetime | None:
    if at is None or not 1000 <= year <= 9999:
        return None
    try:
        made = datetime.combine(date(year, month, day), at)
        zone = parts.get("zone")
        if zone and zone != "Z":
            away = timedelta(hours=int(zone[1:3]), minutes=int(zone[-2:])) * (-1 if zone[0] == "-" else 1)
            made = made.replace(tzinfo=timezone(away)).astimezone(UTC).replace(tzinfo=None)
    except (ValueError, OverflowError):
        return None
    return made
