"""Reads how far back a question asks: “since Monday”, “over the last two weeks”, “since March 3rd”."""

import re
from collections.abc import Mapping, Sequence
from datetime import date, datetime, timedelta, tzinfo
from typing import Any, Final

_READ: Final = 2_000  #: characters of a message that are looked at
_MOST_DAYS: Final = 3660
_SPANS: Final = {"hours": 1 / 24, "days": 1.0, "weeks": 7.0, "months": 30.0}


class Since:
    """The expressions of one language, compiled."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        patterns = {name: value for name, value in data.items() if isinstance(value, list)}
        self._patterns: Mapping[str, Sequence[re.Pattern[str]]] = {
            name: tuple(re.compile(pattern, re.IGNORECASE) for pattern in value)
            for name, value in patterns.items()
        }
        self._amounts: Mapping[str, int] = data["numbers"]
        self._weekdays: Mapping[str, int] = data["weekday_numbers"]
        self._months: Mapping[str, int] = data["month_numbers"]

    def read(self, message: str, *, at: datetime, zone: tzinfo) -> datetime | None:
        """The moment from which on a message asks, by the person's calendar; None when it names no time."""
        said = message[:_READ]
        midnight = at.astimezone(zone).replace(hour=0, minute=0, second=0, microsecond=0)
        return (
            self._date(said, midnight)
            or self._weekday(said, midnight)
            or self._start(said, midnight)
            or self._span(said, at)
        )

    def period(self, message: str, *, at: datetime, zone: tzinfo) -> tuple[date, date] | None:
        """The first and the last day that a message asks about; without an end, up to today."""
        start = self.read(message, at=at, zone=zone)
        if start is None:
            return None
        first, today = start.astimezone(zone).date(), at.astimezone(zone).date()
        said = message[:_READ]
        if self._first("day", said):
            return first, first
        if self._first("last_week", said):
            return first, first + timedelta(days=6)
        if self._first("last_month", said):
            return first, (first.replace(day=1) + timedelta(days=32)).replace(day=1) - timedelta(days=1)
        return first, today

    def _start(self, said: str, midnight: datetime) -> datetime | None:
        week, month = midnight - timedelta(days=midnight.weekday()), midnight.replace(day=1)
        starts = {
            "today": midnight,
            "yesterday": midnight - timedelta(days=1),
            "this_week": week,
            "last_week": week - timedelta(days=7),
            "this_month": month,
            "last_month": (month - timedelta(days=1)).replace(day=1),
        }
        return next((start for name, start in starts.items() if self._first(name, said)), None)

    def _weekday(self, said: str, midnight: datetime) -> datetime | None:
        """The last such day before today."""
        found = self._first("weekday", said)
        if found is None:
            return None
        back = (midnight.weekday() - self._weekdays[found["weekday"].lower()]) % 7 or 7
        return midnight - timedelta(days=back)

    def _date(self, said: str, midnight: datetime) -> datetime | None:
        """That day, the last one when no year is said; a day that no calendar has, or is to come, is none."""
        found = self._first("date", said)
        if found is None:
            return None
        parts = found.groupdict()
        month = int(parts["m"]) if parts.get("m") else self._months[found["month"].lower()]
        year = int(parts["y"]) if parts.get("y") else midnight.year
        try:
            day = midnight.replace(year=year, month=month, day=int(parts["d"]))
            past = day if day <= midnight or parts.get("y") else day.replace(year=year - 1)
        except ValueError:
            return None
        return past if past <= midnight else None

    def _span(self, said: str, at: datetime) -> datetime | None:
        for name, days in _SPANS.items():
            found = self._first(name, said)
            if found is not None:
                return at - timedelta(days=min(days * self._amount(found), _MOST_DAYS))
        return None

    def _amount(self, found: re.Match[str]) -> int:
        said = (found.groupdict().get("n") or "1").lower()
        return int(said) if said.isdecimal() and len(said) < 6 else self._amounts.get(said, 1)

    def _first(self, name: str, said: str) -> re.Match[str] | None:
        return next((found for pattern in self._patterns[name] if (found := pattern.search(said))), None)
