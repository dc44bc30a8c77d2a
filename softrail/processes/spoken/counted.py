"""Days counted from today or from another day: "in a fortnight", "two weeks ago", "a week on Friday", "the day before"."""

import re
from datetime import timedelta
from typing import Final

from softrail.processes.spoken.calendar import beside, either_day, shifted
from softrail.processes.spoken.walk import Days, Found, Rules, many_days
from softrail.processes.unread import Unread

#: Nothing is said from when on: "a week after" stands alone.
ALONE: Final = "(?:behind (?=comma|stop|$)|(?!ago|later|from|beside|at_day|on|past|last|next|relative|weekday|or|dash|bound|bounded))"
_SAME_DAY: Final = 6  #: hours ago that were of the same day


def _unclear(days: Days, match: re.Match[str]) -> Found:
    """It is told so that nobody can tell which day it is."""
    raise Unread("unclear_day")


def _another(days: Days, match: re.Match[str]) -> Found | None:
    if days.found:
        raise Unread("unclear_day")  # "not this Saturday, the next one"
    return None


def _aged(days: Days, match: re.Match[str]) -> Found | None:
    """'60 today', 'she turned ten last Friday' is how old somebody is, to a question for a day that has been."""
    if not days.year.past or (not days.year.born and days.is_a(match.end() - 1, "part")):
        return None  # "ten this morning"
    found = days.named(match.end("n")) if days.year.born else None
    if found is None:
        raise Unread("unclear_day")
    return shifted(found[0], -days.many(match, "n"), "year"), found[1]


def _in_so_long(days: Days, match: re.Match[str]) -> Found:
    return shifted(days.today, days.many(match), days.unit(match)), match.end()


def _hours(days: Days, match: re.Match[str]) -> Found | None:
    """'In 48 hours' is so many days; fewer are a time of day."""
    word = days.text.texts[match.start("n")]
    hours = int(word) if word.isdecimal() else 0
    if not hours or hours % 24:
        return None
    return shifted(days.today, hours // 24, "day"), match.end()


def _hours_ago(days: Days, match: re.Match[str]) -> Found | None:
    """'An hour ago' was today, unless it is many of them."""
    if days.is_a(match.end() - 2, "hour_unit") and days.many(match) > _SAME_DAY:
        return None
    return days.today, match.end()


def _for_so_long(days: Days, match: re.Match[str]) -> Found | None:
    """'For two weeks', where it is asked since when."""
    if not days.year.since:
        return None
    return shifted(days.today, -days.many(match), days.unit(match)), match.end()


def _weekend(days: Days, match: re.Match[str]) -> Found:
    """Either of its days, which is asked."""
    away = 1 if days.is_a(match.start(), "next") else -1 if days.is_a(match.start(), "last", "past") else None
    each = days.year.weekend(away)
    if len(each) == 1:
        return each[0], match.end()
    raise many_days(each)


def _ago(days: Days, match: re.Match[str]) -> Found:
    many, unit, end = -days.many(match), days.unit(match), match.end()
    if days.text.is_a(match.start("A"), "beside") and (found := days.named(end)) is not None:
        return shifted(found[0], many, unit), found[1]  # "two days before Christmas"
    counted = days.text.value(end, "relative")  # "a week ago today"
    start = days.today if counted is None else days.today + timedelta(days=counted)
    return shifted(start, many, unit), end + (counted is not None)


def _later(days: Days, match: re.Match[str]) -> Found | None:
    found = days.year.later(days.many(match), days.unit(match))
    return None if found is None else (found, match.end())


def _lasting(days: Days, match: re.Match[str]) -> Found | None:
    """'For five days', 'three nights', 'a week after', where it is asked when something is over that has a first day."""
    unit = "day" if match["N"] else days.unit(match)
    found = days.year.later(days.many(match), unit) if days.year.lasts else None
    return None if found is None else (found, match.end())


def _beside(days: Days, match: re.Match[str]) -> Found | None:
    """'The day before Christmas Eve', 'two days after the 14th'."""
    many = days.many(match) if "Q" in match.groupdict() else 1
    behind = days.is_a(match.start("b"), "behind")
    found = days.named(match.end())
    if found is None:
        if "Q" not in match.groupdict() and days.is_word(match.end()):
            raise Unread("unclear_day")  # "the day after my birthday"
        return None
    unit = "day" if "Q" not in match.groupdict() else days.unit(match)
    return shifted(found[0], many if behind else -many, unit), found[1]


def _weeks_from(days: Days, match: re.Match[str]) -> Found | None:
    """'A week on Friday', 'a week today', 'three days from Monday'."""
    many = days.many(match) if "Q" in match.groupdict() else 1
    at = match.end()
    last = at - 1
    if days.is_a(last, "past") and days.year.past and days.is_a(at, "weekday"):
        monday = days.year.of_week(days.text.value(at, "weekday"))
        raise either_day(shifted(monday, -many, days.unit(match)), monday)  # "a week past Monday"
    if days.is_a(last, "past", "last") and days.is_a(at, "weekday", "relative"):
        raise Unread("unclear_day")  # "a week last Friday"
    bare = not days.is_a(last, "at_day", "of", "on", "from")
    if bare and days.is_a(at, "weekday"):
        raise Unread("unclear_day")  # "two weeks Friday"
    found = days.named(at)
    if found is None:
        return None
    return shifted(found[0], many, days.unit(match)), found[1]


def _eve(days: Days, match: re.Match[str]) -> Found | None:
    found = days.named(match.end())
    return (shifted(found[0], -1, "day"), found[1]) if found is not None else None


def _beside_that(days: Days, match: re.Match[str]) -> Found | None:
    """'The Monday after that', 'the day before': counted from the day named before, in whose place it stands."""
    if not match["w"] and not days.is_a(match.start(), "of"):
        return None
    if not days.found:
        raise Unread("unclear_day")
    before = days.found.pop()[0]
    behind = days.is_a(match.start("b"), "behind")
    if not match["w"]:
        return shifted(before, 1 if behind else -1, "day"), match.end()
    return beside(before, days.value(match, "w", "weekday"), behind=behind), match.end()


#: What begins such a day, and how it goes on.
COUNTED: Final[Rules] = {
    "of? (?:week_unit|weekend) (?:off|beside) (?!next)": _unclear,
    "next (?:one|it)|(?:one|it) beside": _another,
    "of? (?:w=weekday|day_one) b=beside (?:that|(?=stop|comma|$))": _beside_that,
    "(?<=repair) (?:comma|stop|of)* (?:ord_word|year)": _another,
    "n=n (?:relative|now)": _aged,
    "(?:age|becomes) n=n (?=on|(?:next|last|past|this)? weekday)": _aged,
    "eve_of of?": _eve,
    "(?:end|first_of) off? of? (?:next|last|this)? (?:week_unit|year_unit)": _unclear,
    "in? (?:n (?:or|to|dash) n calendar|a calendar or n|(?:n|a) calendar and a? (?:half|quarter))": _unclear,
    "in n=n hour_unit": _hours,
    "n=n hour_unit from now": _hours,
    "in around* Q=(n|a) u=calendar": _in_so_long,
    "in? around* Q=(n) further u=calendar (?!ago|later)": _in_so_long,
    "Q=(n|a) u=calendar A=(ago)": _ago,
    "Q=(n|a) (?:hour_unit|minute_unit) ago": _hours_ago,
    "(?:next|last|past|this)? weekend": _weekend,
    "Q=(n|a) u=calendar later": _later,
    f"(?:lasting_for|plus|behind)? around* Q=(n|a) full? (?:u=calendar|N=(night_unit)) {ALONE}": _lasting,
    "Q=(n|a) u=calendar from this? now": _in_so_long,
    "Q=(n|a) u=calendar b=beside": _beside,
    "(?<!every) of? u=day_one b=beside": _beside,
    "(?<!lasting_for)(?<!lasting_for around) Q=(n|a) u=weekly (?:at_day of?|past|last|(?=relative|weekday))": _weeks_from,
    "(?<!lasting_for)(?<!lasting_for around) Q=(n|a) u=calendar from of?": _weeks_from,  # "for ten days from 5 May"
    "Q=(n|a) (?!day_unit) u=calendar (?=relative)": _weeks_from,
    "u=more (?:on|from) of?": _weeks_from,
    "around* Q=(n|a) u=calendar (?!ago|later|from|beside|at_day|past|last|relative|weekday)": _for_so_long,
}
