"""Days by their week: "next Friday", "Saturday next week", "the last Saturday of January", and "tomorrow"."""

import re
from datetime import date, timedelta
from typing import Final

from softrail.processes.spoken.bounds import bounded
from softrail.processes.spoken.calendar import beside, day_option, either_day, shifted
from softrail.processes.spoken.months import year_behind
from softrail.processes.spoken.walk import Days, Found, Rules
from softrail.processes.unread import Unread

_OF_THIS_MONTH: Final = "(?:off|in) (?:of|N=(next|last|this)) month_unit"
_THAT_WEEK: Final = "(?:comma|on|off|of)* (?:N=(next|last) week_unit|of? week_unit behind next)"


def _that_week(days: Days, match: re.Match[str]) -> Found:
    away = days.away(match, "N")
    if match["w"]:
        return days.of_week(days.value(match, "w", "weekday"), away), match.end()
    raise Unread("day_of_week")


def _week_after(days: Days, match: re.Match[str]) -> Found:
    """'The week after next, on Monday'."""
    if not match["w"]:
        raise Unread("day_of_week")
    return days.of_week(days.value(match, "w", "weekday"), 2), match.end()


def _this_day(days: Days, match: re.Match[str]) -> Found:
    """'This day next week', 'this time last year'."""
    unit = str(days.text.value(match.start("U"), "calendar"))
    return shifted(days.today, days.away(match, "N"), unit), match.end()


def _nth_weekday(days: Days, match: re.Match[str]) -> Found | None:
    """'The last Saturday of January', 'first Monday after Easter' where that is a day that is known."""
    at, end = match.start("O"), match.end()
    nth = -1 if days.is_a(at, "last") else days.number(match, "O")
    weekday = days.value(match, "w", "weekday")
    if nth > 5:
        return None
    if (of := days.known.pattern("(?:off|in) of? m=month").match(days.signs, end)) is not None:
        year, end = year_behind(days, of.end())
        return days.year.of_nth(nth, weekday, days.value(of, "m", "month"), year), end
    if (of := days.known.pattern(_OF_THIS_MONTH).match(days.signs, end)) is not None:
        first = shifted(days.today.replace(day=1), days.away(of, "N") if of["N"] else 0, "month")
        return days.year.of_nth(nth, weekday, first.month, first.year), of.end()
    if (of := days.known.pattern("(?:off|in) of? new year_unit").match(days.signs, end)) is not None:
        return days.year.of_nth(nth, weekday, 1, None), of.end()
    behind = days.is_a(end, "behind")
    if days.is_a(end, "beside") and nth == (1 if behind else -1):
        found = days.named(end + 1)
        if found is not None:
            return beside(found[0], weekday, behind=behind), found[1]
    if nth > 0:
        raise Unread("unclear_day")  # "the second Saturday"
    return None


def _weekday(days: Days, match: re.Match[str]) -> Found | None:
    at, end = match.start("w"), match.end()
    wanted, first = days.value(match, "w", "weekday"), match.start()
    if days.is_a(at, "verb") and first == at and days.is_a(at - 1, "doing"):
        return None  # "we sat in the sun"
    following = days.is_a(first, "next")
    past = days.is_a(at - 1, "past") or (first < at and days.is_a(first, "last", "past"))
    if days.is_a(end, "off") and days.is_a(end + 1, "month"):
        raise Unread("unclear_day")  # "Saturday of January"
    if days.known.pattern("off that week_unit").match(days.signs, end) is not None:
        if (same := days.year.of_that_week(wanted)) is None:
            raise Unread("unclear_day")  # of which week, nothing tells
        return same, end + 3
    if days.is_a(end, "beside") and (days.is_a(end + 1, "last") or (past and days.is_word(end + 1))):
        raise Unread("unclear_day")  # "the Friday before last"
    if days.is_a(end, "last", "next", "this") and days.is_a(end + 1, "year_unit", "month_unit"):
        raise Unread("unclear_day")  # "Friday last year"
    if days.is_a(end, "last") and not days.is_a(end + 1, "week_unit"):
        past, end = True, end + 1  # "Friday last"
    elif days.is_a(end, "just_gone"):
        past, end = True, end + 1
    if (following or past) and days.is_a(end, "more"):
        raise Unread("unclear_day")  # "next Monday week"
    if past:
        return days.today - timedelta(days=(days.today.weekday() - wanted - 1) % 7 + 1), end
    if (week := days.known.pattern(_THAT_WEEK).match(days.signs, end)) is not None:  # "Saturday next week"
        return days.of_week(wanted, days.away(week, "N") if week["N"] else 2), week.end()
    if following:
        return days.of_week(wanted, 1), end
    if days.is_a(end, "more"):  # "Monday week" is the one after Monday
        return shifted(days.year.of_week(wanted), 1, str(days.text.value(end, "calendar"))), end + 1
    if days.is_a(end, "behind") and days.is_a(end + 1, "next"):
        return _after_next(days, wanted), end + 2
    counts = days.is_a(at - 1, "of") or days.is_a(end + 1, "holiday")
    if days.is_a(end, "beside") and counts:
        found = days.named(end + 1)
        if found is None:
            raise Unread("unclear_day")  # "the Monday after the wedding"
        return beside(found[0], wanted, behind=days.is_a(end, "behind")), found[1]
    if (weeks := days.known.pattern("in Q=(n|a) u=weekly").match(days.signs, end)) is not None:
        fortnights = days.unit(weeks) == "fortnight"
        return _in_weeks(days, wanted, days.many(weeks) * (2 if fortnights else 1)), weeks.end()
    same = days.year.of_that_week(wanted) if not days.is_a(first, "this", "coming") else None
    return same or days.year.of_week(wanted), end


def _some_weekday(days: Days, match: re.Match[str]) -> Found:
    """'A Saturday' is any of them, unless it tells which weekday the one is that was named: "the 17th, that's a Friday"."""
    wanted = days.value(match, "w", "weekday")
    if days.found and days.found[-1][0].weekday() == wanted:
        return days.found[-1][0], match.end()
    raise bounded(day_option(days.year.of_week(wanted)), "exact")


def _after_next(days: Days, weekday: int) -> date:
    """'The Saturday after next': a week after the next one, which may be that of this week or of the next."""
    early, late = (shifted(d, 1, "week") for d in (days.year.of_week(weekday), days.of_week(weekday, 1)))
    if early != late:
        raise either_day(early, late)
    return early


def _in_weeks(days: Days, wanted: int, many: int) -> date:
    """'Friday in two weeks': of that week and so long after the next Friday, where both are one day."""
    found = days.year.of_week(wanted) + timedelta(weeks=many)
    if found != days.today + timedelta(weeks=many, days=wanted - days.today.weekday()):
        raise Unread("unclear_day")
    return found


def _relative(days: Days, match: re.Match[str]) -> Found:
    found, end = days.today + timedelta(days=days.value(match, "r", "relative")), match.end()
    if not days.is_a(end, "more"):
        return found, end
    if found < days.today:
        raise Unread("unclear_day")  # "yesterday week"
    return shifted(found, 1, str(days.text.value(end, "calendar"))), end + 1  # "tomorrow week"


#: What begins such a day, and how it goes on.
WEEKS: Final[Rules] = {
    "t=this_day N=(next|last) U=(week_unit|month_unit|year_unit)": _this_day,
    "N=(next|last) week_unit (?:comma? on? of? w=weekday)?": _that_week,
    "of? week_unit behind next (?:comma? on? of? w=weekday)?": _week_after,
    "O=(ord_word|ordinal|last) w=weekday": _nth_weekday,
    "(?<!excluding) (?<!excluding on) a w=weekday (?!more|.*(?:ordinal|month|day_month|dmy|iso))": _some_weekday,
    "(?:next|last|past|this)? coming? w=weekday": _weekday,
    "r=relative": _relative,
}
