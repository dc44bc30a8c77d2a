"""Weeks, where a week is asked for: "week 12", "the first week of March", "the week of the 15th"; any of its days answers.

To other questions they are no days, which the rules behind these tell.
"""

import re
from datetime import date, timedelta
from typing import Final

from softrail.processes.spoken.calendar import either_day, shifted
from softrail.processes.spoken.months import year_behind
from softrail.processes.spoken.walk import Days, Found, Rules
from softrail.processes.unread import Unread

_LAST_WEEK: Final = 53
_FRIDAY: Final = 4


def _numbered(days: Days, match: re.Match[str]) -> Found | None:
    """'Week 12', by the calendar of ISO."""
    week = int(days.text.texts[match.start("W")])
    if not days.year.weekly or not 1 <= week <= _LAST_WEEK:
        return None
    return days.year.of_number(week), match.end()


def _that_week(days: Days, match: re.Match[str]) -> Found | None:
    """'Next week', 'the end of next week': its Monday, or its Friday; of this week today."""
    if not days.year.weekly:
        return None
    away = days.away(match, "N")
    found = days.of_week(_FRIDAY if match.groupdict().get("E") else 0, away)
    return (found if away else max(found, days.today)), match.end()


def _week_of(days: Days, match: re.Match[str]) -> Found | None:
    """'The week of the 15th' has that day; 'the week after Easter' is seven days later."""
    if not days.year.weekly:
        return None
    if days.is_a(match.end(), "that", "it") and days.found:
        found: Found | None = (days.found[-1][0], match.end() + 1)  # "April 5th, or the week of it"
    else:
        found = days.named(match.end())
    if found is None:
        return None
    away = (1 if days.is_a(match.start("b"), "behind") else -1) if match["b"] else 0
    return shifted(found[0], away, "week"), found[1]


def _of_month(days: Days, match: re.Match[str]) -> Found | None:
    """'The first week of March': that of the 1st, or the first whole one, which is asked where they are two."""
    if not days.year.weekly:
        return None
    month = days.value(match, "m", "month")
    told, end = year_behind(days, match.end())
    if days.is_a(match.start("O"), "last"):
        last = days.year.end_of(month)
        last = last if told is None else last.replace(year=told)
        return _either(_monday(last), _monday(last + timedelta(days=1)) - timedelta(days=7)), end
    nth = days.number(match, "O")
    if nth > 5:
        raise Unread("no_such_date")
    first = days.year.of(1, month) if told is None else date(told, month, 1)
    whole = first + timedelta(days=-first.weekday() % 7)
    away = timedelta(days=7 * (nth - 1))
    return _either(_monday(first) + away, whole + away), end


def _either(one: date, other: date) -> date:
    if one != other:
        raise either_day(one, other)
    return one


def _monday(day: date) -> date:
    return day - timedelta(days=day.weekday())


#: What begins such a week, and how it goes on.
WHOLE_WEEKS: Final[Rules] = {
    "of? O=(ord_word|ordinal|last) week_unit (?:off|in) of? m=month": _of_month,
    "(?<!n)(?<!a) week_unit no? W=int (?!calendar|hour_unit)": _numbered,
    "of? week_unit (?:off|b=beside) (?!next)": _week_of,
    "(?:E=(end)|first_of) off? of? N=(next|last|this) week_unit": _that_week,
    "(?<!beside) N=(next|last|this) week_unit (?!comma? on? of? weekday)": _that_week,
}
