"""Days by their month: in figures, "March 15th", "the end of January", "the 28th of next month", holidays."""

import re
from calendar import monthrange
from datetime import date, timedelta
from typing import Final

from softrail.processes.spoken.calendar import day_of, easter, either_day, shifted
from softrail.processes.spoken.walk import Days, Found, Rules, many_days
from softrail.processes.unread import Unread

_OF_ANYTHING: Final = 2  #: numbers that are said of more than days
_DAY: Final = "D=(ordinal|ord_word|day)"
_OF: Final = "off? of?"
#: What stands between a day and the number of another one.
_JOINED: Final = "(?:comma|of|on|or|and|perhaps|repair|denied|stop|U=(to|dash))*"
_PART_OF: Final = (
    "(?:end|first_of|(?:ord_word|ordinal|last) week_unit)"  #: of a month: a day behind it is of that month
)
_YEAR: Final = (
    "(?:comma|stop|dash)? (?:in|off)?"
    "(?:Y=(four)|C=(century) T=(two)|P=(apostrophe_year)|of? N=(next|last|this) year_unit|B=(two))"
)


def _written(days: Days, match: re.Match[str]) -> Found:
    one, two, three = (int(figures) for figures in re.findall(r"\d+", days.text.texts[match.start()]))
    if days.is_a(match.start(), "iso"):
        return day_of(one, two, three), match.end()
    figures = re.findall(r"\d+", days.text.texts[match.start()])[2]
    return _either_way(one, two, days.year.told(figures)), match.end()


def _either_way(one: int, two: int, year: int) -> date:
    """A day and a month, either of which may come first."""
    if one > 12:
        return day_of(year, two, one)
    if two > 12 or one == two:
        return day_of(year, one, two)
    raise either_day(day_of(year, two, one), day_of(year, one, two))


def _two_figures(days: Days, match: re.Match[str]) -> Found | None:
    """A day and a month; None where they are something else: "9.30", "4.5"."""
    word = days.text.texts[match.start()]
    first, second = (int(figures) for figures in re.findall(r"\d+", word))
    if second > 12 >= first and "/" in word:
        first, second = second, first
    if not 1 <= second <= 12 or not 1 <= first <= 31:
        return None
    if first <= 12 and first != second:
        raise either_day(days.year.of(first, second), days.year.of(second, first))
    return days.year.of(first, second), match.end()


def _in_one(days: Days, match: re.Match[str]) -> Found | None:
    """'20260703', '05111979'."""
    figures = days.text.texts[match.start()]
    if figures[:2] in ("19", "20"):
        return day_of(int(figures[:4]), int(figures[4:6]), int(figures[6:])), match.end()
    if figures[4:6] not in ("19", "20"):
        return None
    return _either_way(int(figures[:2]), int(figures[2:4]), int(figures[4:])), match.end()


def year_behind(days: Days, at: int) -> tuple[int | None, int]:
    """The year that stands there: "Christmas 2027", "'88", "19 88" said in words; of what has been "88", too."""
    told = days.known.pattern(_YEAR).match(days.signs, at)
    if told is None:
        return None, at
    texts, start = days.text.texts, told.start

    def word(name: str) -> str:
        return texts[start(name)]

    if told["Y"]:
        return int(word("Y")), told.end()
    if told["C"]:
        return int(word("C") + word("T")), told.end()
    if told["N"]:
        return days.today.year + days.away(told, "N"), told.end()
    if told["P"]:
        return days.year.told(word("P")[1:]), told.end()
    figures, last = word("B"), told.end() == len(days.signs) or days.is_a(told.end(), "comma", "stop")
    year = days.year.told(figures)
    written = figures[0] == "0" and figures != "00"
    old = int(figures) > 31 and (last or days.year.past)
    if written or old or (last and figures != "00" and (days.year.past or year >= days.today.year)):
        return year, told.end()
    return None, at


def _dated(days: Days, match: re.Match[str], year: int | None, end: int) -> Found | None:
    day, month = days.number(match, "D"), days.value(match, "m", "month")
    at, named = match.start("D"), match.start("m")
    if year is None and days.is_a(named, "may") and days.is_a(at, "day"):
        counts = days.is_a(at, "spelled") and named != at + 2
        if counts or (end < len(days.signs) and days.is_unknown(end)):
            return None  # "two may come"
        if days.is_a(named - 1, "stop") and days.is_a(end, "doing"):
            return None  # "on the 5. May I …"
    found = days.year.of(day, month) if year is None else day_of(year, month, day)
    weekday = days.text.value(match.start("w"), "weekday") if match.groupdict().get("w") else None
    if year is None and weekday is not None and weekday != found.weekday():
        raise Unread("unclear_day")  # "Monday, 5 May" where that is a Tuesday
    return found, end


def _of_month(days: Days, match: re.Match[str]) -> Found | None:
    return _dated(days, match, *year_behind(days, match.end()))


def _year_first(days: Days, match: re.Match[str]) -> Found | None:
    texts = days.text.texts
    year = texts[match.start("Y")] if match["Y"] else texts[match.start("C")] + texts[match.start("T")]
    return _dated(days, match, int(year), match.end())


def _either_of_month(days: Days, match: re.Match[str]) -> Found:
    year, _ = year_behind(days, match.end())
    month = days.value(match, "m", "month")
    both = [int(days.text.texts[match.start(name)]) for name in "AZ"]
    each = [days.year.of(day, month) if year is None else day_of(year, month, day) for day in both]
    apart = days.is_a(match.start("Z") - 1, "or")
    raise many_days(each, (each[0], each[1]) if each[0] < each[1] and not apart else None)


def _end_of_month(days: Days, match: re.Match[str]) -> Found:
    month = days.value(match, "m", "month")
    year, end = year_behind(days, match.end())
    return days.year.end_of(month) if year is None else day_of(year, month, monthrange(year, month)[1]), end


def _first_of_month(days: Days, match: re.Match[str]) -> Found:
    month = days.value(match, "m", "month")
    year, end = year_behind(days, match.end())
    return days.year.of(1, month) if year is None else day_of(year, month, 1), end


def _first_of_this(days: Days, match: re.Match[str]) -> Found:
    if not match["N"]:
        return days.year.of_month(1), match.end()
    return shifted(days.today.replace(day=1), days.away(match, "N"), "month"), match.end()


def _end_of_this(days: Days, match: re.Match[str]) -> Found:
    first = shifted(days.today.replace(day=1), days.away(match, "N") if match["N"] else 0, "month")
    return day_of(first.year, first.month, monthrange(first.year, first.month)[1]), match.end()


def _of_this_month(days: Days, match: re.Match[str]) -> Found:
    """'The 28th of next month', 'the first of the month'."""
    day = days.number(match, "D")
    if not match["N"]:
        return days.year.of_month(day), match.end()
    first = shifted(days.today.replace(day=1), days.away(match, "N"), "month")
    return day_of(first.year, first.month, day), match.end()


def _of_numbered_month(days: Days, match: re.Match[str]) -> Found | None:
    """'The fifth of the fifth eighty-eight': only with a year."""
    year, end = year_behind(days, match.end())
    month = days.number(match, "E")
    return (day_of(year, month, days.number(match, "D")), end) if year is not None and month <= 12 else None


def _number(days: Days, match: re.Match[str]) -> Found:
    """'The 14th': the next day of that number; or of a month that was named before it: "in May 2025, on the 6th"."""
    day, first = days.number(match, "d"), days.first_month(match.start())
    if (same := _behind_a_day(days, match.start(), day)) is not None:
        return same, match.end()
    found = days.year.of_month(day)
    if first is None:
        return found, match.end()
    year, behind = year_behind(days, first + 1)
    month = int(days.text.value(first, "month"))
    named = days.year.of(day, month) if year is None else day_of(year, month, day)
    apart = days.known.pattern("stop|denied|repair").search(days.signs, behind, match.start())
    if apart is not None or days.text.is_concluded(match.start()):
        raise either_day(named, found)  # "in May I was in Rome. Come on the 6th"
    return named, match.end()


def _behind_a_day(days: Days, at: int, number: int) -> date | None:
    """The day of that number in the month of the day right before it: "3 May, or the 4th", "28 May until the 3rd"; None where none is."""
    if not days.found:
        return None
    told, begin, end = days.found[-1]
    joined = days.known.pattern(_JOINED).fullmatch(days.signs, end, at)
    if joined is None or not any(days.is_a(one, "month") for one in range(begin, end)):
        return None
    later = joined["U"] is not None and number <= told.day
    month = shifted(told.replace(day=1), int(later), "month")
    return month.replace(day=number) if number <= monthrange(month.year, month.month)[1] else None


def _number_in_words(days: Days, match: re.Match[str]) -> Found | None:
    """'The thirteenth'; "the first" and "the second" may be of anything."""
    return _number(days, match) if days.number(match, "d") > _OF_ANYTHING else None


def _weekday_and_number(days: Days, match: re.Match[str]) -> Found:
    """'Friday the 13th': that day, or one that both may be."""
    day, weekday = days.number(match, "d"), days.value(match, "w", "weekday")
    found = days.year.of_month(day)
    if found.weekday() != weekday:
        raise either_day(found, days.year.of_weekday_and_number(weekday, day))
    return found, match.end()


def _weekday_and_figures(days: Days, match: re.Match[str]) -> Found | None:
    """'Fri 8/5': of the days that the figures may be the one that is a Friday."""
    try:
        days.one(match.end())
        return None  # there is one, whatever weekday it is
    except Unread as unread:
        each = [date.fromisoformat(str(one.value)) for one in unread.either]
        fitting = [day for day in each if day.weekday() == days.value(match, "w", "weekday")]
        if len(fitting) != 1:
            raise
        return fitting[0], match.end() + 1


def _holiday(days: Days, match: re.Match[str]) -> Found:
    """'Christmas Eve', 'Easter Monday'."""
    told = str(days.text.value(match.start(), "holiday"))
    year, end = year_behind(days, match.end())
    if told.startswith("easter"):
        away = timedelta(days=int(told.removeprefix("easter")))
        return days.year.of_years(lambda y: easter(y) + away, year), end
    if "+" in told:
        month, nth, weekday, more = map(int, re.findall(r"\d+", told))
        return days.year.of_years(lambda y: _nth(nth, weekday, month, y) + timedelta(days=more), year), end
    month, day = map(int, told.split("-"))
    return days.year.of(day, month) if year is None else day_of(year, month, day), end


def _nth(nth: int, weekday: int, month: int, year: int) -> date:
    first = date(year, month, 1)
    return first + timedelta(days=(weekday - first.weekday()) % 7 + 7 * (nth - 1))


#: What begins such a day, and how it goes on.
MONTHS: Final[Rules] = {
    "iso|dmy": _written,
    "day_month|point_two": _two_figures,
    f"A=(day|ordinal) of? (?:dash|to|or) of? Z=(day|ordinal) {_OF} m=month": _either_of_month,
    "m=month of? A=(day|ordinal) of? (?:dash|to|or) of? Z=(day|ordinal)(?!oclock|half_day|n|share)": _either_of_month,
    "eight": _in_one,
    f"of? {_PART_OF} (?:off|in)? of? m=month comma? of? D=(ordinal|ord_word)": _of_month,
    "(?:end|last off) off? of? m=month": _end_of_month,
    "(?:end|last off) off? (?:of|N=(next|last|this)) month_unit": _end_of_this,
    "first_of off of? m=month": _first_of_month,
    "first_of off (?:of|N=(next|last|this)) month_unit": _first_of_this,
    "h=holiday": _holiday,
    f"(?:w=weekday comma?)? (?:off|on)? of? {_DAY} (?:{_OF}|dash|stop|stroke) m=month": _of_month,
    f"(?:w=weekday comma?)? m=month (?:stop|of|dash)? {_DAY}": _of_month,
    "m=month comma of? D=(ordinal|ord_word)": _of_month,
    "D=(ordinal|ord_word) comma m=month": _of_month,
    f"(?:Y=(year)|C=(century) T=(two)) comma? of? (?:m=month of? {_DAY})": _year_first,
    f"(?:Y=(year)|C=(century) T=(two)) comma? of? {_DAY} {_OF} m=month": _year_first,
    "D=(ordinal|ord_word) off? of? E=(ordinal|ord_word)": _of_numbered_month,
    "D=(ordinal|ord_word) off? (?:of|N=(next|last|this)) month_unit": _of_this_month,
    "w=weekday comma? (?:off|on|of)* (?=day_month|dmy)": _weekday_and_figures,
    "w=weekday comma? (?:on? of)? d=ordinal": _weekday_and_number,
    "w=weekday comma? on? of d=ord_word (?!not_day|calendar|weekday)": _weekday_and_number,
    "d=ordinal (?!calendar|weekday|not_day|month_unit)": _number,
    "(?<=at_day of) d=ord_word (?=comma|stop|joins_day|around|$)": _number,
    "of d=ord_word (?=comma|stop|joins_day|around|$)": _number_in_words,
}
