"""A day, as the person's calendar has it: "tomorrow", "next Friday", "March 15th", "a week on Tuesday"."""

import re
from calendar import monthrange
from collections.abc import Iterator
from datetime import date, timedelta
from typing import Final

from softrail.core.questions import Option
from softrail.processes.spoken.calendar import Year, day_in_words, day_of, easter, either_day, shifted
from softrail.processes.spoken.said import Said, said
from softrail.processes.unread import BUTTONS, Unread

_FARTHEST: Final = 4000  #: of a unit, in "in N days"
_Found = tuple[date | None, int]  #: a day, and the token behind it

_DAY: Final = "D=(ordinal|ord_word|day)"
_OF: Final = "off? of?"
#: What begins a day, and how it goes on: the first whose reader finds one is taken.
_RULES: Final = {
    "iso|dmy": "_written",
    "day_month|point_two": "_two_figures",
    f"A=(day|ordinal) of? (?:dash|to|or) of? Z=(day|ordinal) {_OF} m=month": "_either_of_month",
    "m=month of? A=(day|ordinal) (?:dash|to) Z=(day|ordinal)": "_either_of_month",
    "of? week_unit off of?": "_unclear",
    "eight": "_in_one",
    "except (?:on|of)* (?:weekday|relative|month|day|ordinal)": "_unclear",
    "t=this_day N=(next|last) U=(week_unit|month_unit|year_unit)": "_this_day",
    "next (?:one|it)|(?:one|it) beside": "_another",
    "of? (?:w=weekday|day_one) b=beside (?:that|(?=stop|comma|$))": "_beside_that",
    "eve_of of?": "_eve",
    "end off? of? (?:next|last|this)? (?:week_unit|year_unit)": "_unclear",
    "end off? of? m=month": "_end_of_month",
    "end off? (?:of|N=(next|last|this)) month_unit": "_end_of_this",
    "in? (?:n (?:or|to|dash) n calendar|a calendar or n|(?:n|a) calendar and a? (?:half|quarter))": "_unclear",
    "in n=n hour_unit|n hour_unit from now": "_hours",
    "in Q=(n|a) u=calendar": "_in_so_long",
    "Q=(n|a) u=calendar A=(ago)": "_ago",
    "Q=(n|a) u=calendar later": "_later",
    "Q=(n|a) u=calendar from this? now": "_in_so_long",
    "Q=(n|a) u=calendar b=beside": "_beside",
    "of? u=day_one b=beside": "_beside",
    "Q=(n|a) u=weekly (?:at_day of?|past|last|(?=relative|weekday))": "_weeks_from",
    "Q=(n|a) u=calendar from of?": "_weeks_from",
    "u=more (?:on|from) of?": "_weeks_from",
    "N=(next|last) week_unit (?:on? of? w=weekday)?": "_that_week",
    "O=(ord_word|ordinal|last) w=weekday": "_nth_weekday",
    "h=holiday": "_holiday",
    f"(?:w=weekday comma?)? (?:off|on)? of? {_DAY} (?:{_OF}|dash|stop) m=month": "_of_month",
    f"(?:w=weekday comma?)? m=month (?:stop|of|dash)? {_DAY}": "_of_month",
    f"(?:Y=(year)|C=(century) T=(two)) comma? of? (?:m=month of? {_DAY})": "_year_first",
    f"(?:Y=(year)|C=(century) T=(two)) comma? of? {_DAY} {_OF} m=month": "_year_first",
    "D=(ordinal|ord_word) off? of? E=(ordinal|ord_word)": "_of_numbered_month",
    "D=(ordinal|ord_word) off? (?:of|N=(next|last|this)) month_unit": "_of_this_month",
    "w=weekday comma? (?:on? of)? d=ordinal": "_weekday_and_number",
    "(?:next|last|past|this)? coming? w=weekday": "_weekday",
    "d=ordinal (?!calendar|weekday|not_day|month_unit)": "_number",
    "(?<=at_day of) d=ord_word (?=comma|stop|$)": "_number",
    "r=relative": "_relative",
}
_DATING: Final = "(?<=dating) year"
_EACH: Final = tuple(_RULES)


def read_day(
    message: str,
    today: date,
    locale: str,
    *,
    past: bool = False,
    after: date | None = None,
    month: date | None = None,
) -> date:
    """The one day a message names; raises Unread when there is none, or more than one.

    A day without a year is the next one to come, of what has been the last one (`past`), and not before `after`. The
    number of a day alone is of that month, where one is given.
    "Friday" is the next one after today, "next Friday" the one of the week after this.
    """
    text = said(message, locale)
    return day_in(text, text.without(sure_times(text)), today, past=past, after=after, month=month)


def sure_times(text: Said) -> list[tuple[int, int]]:
    """Where a time stands that is no day whatever is beside it."""
    return [match.span() for match in text.scan(*SURE)]


#: A time whatever stands beside it. "6.03" may be a day, "by 15" begins one: those are left to who asks for a time.
SURE: Final = ("clock", "(?:hour|point_two) dash? half_day", "hour dash? oclock", "hour h")


def day_in(
    text: Said,
    signs: str,
    today: date,
    *,
    past: bool = False,
    after: date | None = None,
    month: date | None = None,
) -> date:
    """The one day that is told by these signs of a message."""
    read = _Days(text, signs, Year(today, past=past, after=after, month=month)).all()
    concluded = [one for one in read if text.is_a(one[1] - 1, "hence")]
    found = {day for day, _, _ in concluded or read}
    if not found:
        raise Unread("no_date")
    if len(found) > 1:
        raise _many(sorted(found), _ends(text, read))
    return found.pop()


def _ends(text: Said, read: list[tuple[date, int, int]]) -> tuple[date, date] | None:
    """From one day to another: "Friday to Monday"."""
    if len(read) != 2 or read[0][0] > read[1][0]:
        return None
    joined = text.known.pattern("(?:to|dash) (?:on|of)*").fullmatch(text.signs, read[0][2], read[1][1])
    return (read[0][0], read[1][0]) if joined is not None else None


def _many(days: list[date], ends: tuple[date, date] | None) -> Unread:
    either = [Option(label=day_in_words(day), value=day.isoformat()) for day in days[:BUTTONS]]
    return Unread("many_dates", either=either, ends=ends)


class _Days:
    """The days of a message, read from left to right."""

    def __init__(self, text: Said, signs: str, year: Year) -> None:
        self._text, self._signs, self._year = text, signs, year
        self._known, self._today = text.known, year.today
        self._found: list[tuple[date, int, int]] = []
        self._reach = 0  #: the last token that anything was read of

    def all(self) -> list[tuple[date, int, int]]:
        """Each day, and the tokens that say it."""
        at = 0
        while (begin := self._next(at)) is not None:
            at = begin + 1
            if (found := self._one(begin)) is not None:
                at = max(found[1], at)
                if found[0] is not None:
                    self._found.append((found[0], begin, found[1]))
        if self._found and any(not self._within(m.start()) for m in self._text.scan(_DATING)):
            raise Unread("unclear_day")  # "the year was 1999, and it was June 5"
        return self._found

    def places(self) -> list[tuple[int, int]]:
        """Where a day is told, whether or not it is clear which one."""
        at, spans = 0, list[tuple[int, int]]()
        while (begin := self._next(at)) is not None:
            self._reach = begin
            try:
                found = self._one(begin)
                end = found[1] if found is not None else begin
            except Unread:
                end = self._reach
            at = max(end, begin + 1)
            if end > begin:
                spans.append((begin, end))
        years = [m.start() for m in self._text.scan(_DATING)]
        apart = [at for at in years if not any(begin <= at < end for begin, end in spans)]
        if spans and apart:
            return [(min(spans[0][0], *apart), max(spans[-1][1], apart[-1] + 1))]
        return spans

    def _next(self, at: int) -> int | None:
        """The next token with which something begins that may be a day."""
        found = self._known.read(_EACH, self._signs, at)
        return found[1].start() if found is not None else None

    def _within(self, at: int) -> bool:
        return any(begin <= at < end for _, begin, end in self._found)

    def _one(self, at: int, *, counted: bool = False) -> _Found | None:
        """The day that is told at that token, maybe to be counted from; None where none is."""
        first = self._known.read(_EACH, self._signs, at)
        if first is None or first[1].start() > at:
            return None
        for rule in range(first[0], len(_EACH)):
            reader = _RULES[_EACH[rule]]
            match = first[1] if rule == first[0] else self._known.pattern(_EACH[rule]).match(self._signs, at)
            if match is None:
                continue
            self._reach = max(self._reach, match.end())
            if (found := getattr(self, reader)(match)) is not None:
                if not counted and reader == "_holiday" and self._is(at - 1, "beside"):
                    raise Unread("unclear_day")  # "before Christmas"
                return found
        return None

    def _is(self, at: int, *kinds: str) -> bool:
        return 0 <= at < len(self._signs) and any(self._known.is_a(self._signs[at], kind) for kind in kinds)

    def _value(self, match: re.Match[str], name: str, kind: str) -> int:
        return self._text.value(match.start(name), kind)

    def _day(self, match: re.Match[str], name: str) -> int:
        at = match.start(name)
        return self._text.value(at, "ord_word") or int(self._text.texts[at])

    def _many(self, match: re.Match[str]) -> int:
        word = self._text.texts[match.start("Q")]
        if not word[0].isdecimal():
            return 1
        if not word.isdecimal():
            raise Unread("no_date")  # "in 2.5 weeks"
        if int(word) > _FARTHEST:
            raise Unread("no_such_date")
        return int(word)

    def _unit(self, match: re.Match[str]) -> str:
        return str(self._text.value(match.start("u"), "calendar"))

    def _unclear(self, match: re.Match[str]) -> _Found:
        raise Unread("unclear_day")

    def _another(self, match: re.Match[str]) -> _Found | None:
        if self._found:
            raise Unread("unclear_day")  # "not this Saturday, the next one"
        return None

    # ---- in figures ------------------------------------------------------------------------------------------

    def _written(self, match: re.Match[str]) -> _Found:
        one, two, three = (int(figures) for figures in re.findall(r"\d+", self._text.texts[match.start()]))
        if self._is(match.start(), "iso"):
            return day_of(one, two, three), match.end()
        figures = re.findall(r"\d+", self._text.texts[match.start()])[2]
        return self._either_way(one, two, self._year.told(figures)), match.end()

    @staticmethod
    def _either_way(one: int, two: int, year: int) -> date:
        """A day and a month, either of which may come first."""
        if one > 12:
            return day_of(year, two, one)
        if two > 12 or one == two:
            return day_of(year, one, two)
        raise either_day(day_of(year, two, one), day_of(year, one, two))

    def _two_figures(self, match: re.Match[str]) -> _Found | None:
        """A day and a month; None where they are something else: "9.30", "4.5"."""
        word = self._text.texts[match.start()]
        first, second = (int(figures) for figures in re.findall(r"\d+", word))
        if second > 12 >= first and "/" in word:
            first, second = second, first
        if not 1 <= second <= 12 or not 1 <= first <= 31:
            return None
        if first <= 12 and first != second:
            raise either_day(self._year.of(first, second), self._year.of(second, first))
        return self._year.of(first, second), match.end()

    def _in_one(self, match: re.Match[str]) -> _Found | None:
        """'20260703', '05111979'."""
        figures = self._text.texts[match.start()]
        if figures[:2] in ("19", "20"):
            return day_of(int(figures[:4]), int(figures[4:6]), int(figures[6:])), match.end()
        if figures[4:6] not in ("19", "20"):
            return None
        return self._either_way(int(figures[:2]), int(figures[2:4]), int(figures[4:])), match.end()

    # ---- of a month ------------------------------------------------------------------------------------------

    def _year_behind(self, at: int) -> tuple[int | None, int]:
        """The year that stands there: "Christmas 2027", "'88", "19 88" said in words; of what has been "88", too."""
        told = self._known.pattern(
            "(?:comma|stop|dash)? (?:in|off)? (?:Y=(four)|C=(century) T=(two)|P=(apostrophe_year)|of? N=(next|last|this) year_unit|B=(two))"
        ).match(self._signs, at)
        if told is None:
            return None, at
        word = lambda name: self._text.texts[told.start(name)]  # noqa: E731 - said in one breath
        if told["Y"]:
            return int(word("Y")), told.end()
        if told["C"]:
            return int(word("C") + word("T")), told.end()
        if told["N"]:
            return self._today.year + self._away(told, "N"), told.end()
        if told["P"]:
            return self._year.told(word("P")[1:]), told.end()
        figures, last = word("B"), told.end() == len(self._signs) or self._is(told.end(), "comma", "stop")
        year = self._year.told(figures)
        if figures == "00" or not (
            figures[0] == "0"
            or (int(figures) > 31 and (last or self._year.past))
            or (last and (self._year.past or year >= self._today.year))
        ):
            return None, at
        return year, told.end()

    def _away(self, match: re.Match[str], name: str) -> int:
        at = match.start(name)
        return 1 if self._is(at, "next") else -1 if self._is(at, "last") else 0

    def _dated(self, match: re.Match[str], year: int | None, end: int) -> _Found | None:
        day, month = self._day(match, "D"), self._value(match, "m", "month")
        at, named = match.start("D"), match.start("m")
        if year is None and self._is(named, "may") and self._is(at, "day"):
            if (self._is(at, "spelled") and named != at + 2) or not (
                end == len(self._signs) or not self._is_unknown(end)
            ):
                return None  # "two may come"
            if self._is(named - 1, "stop") and self._is(end, "doing"):
                return None  # "on the 5. May I …"
        found = self._year.of(day, month) if year is None else day_of(year, month, day)
        weekday = self._text.value(match.start("w"), "weekday") if match.groupdict().get("w") else None
        if weekday is not None and weekday != found.weekday():
            raise Unread("unclear_day")  # "Monday, 5 May" where that is a Tuesday
        return found, end

    def _is_unknown(self, at: int) -> bool:
        return self._signs[at] == self._known.sign()

    def _of_month(self, match: re.Match[str]) -> _Found | None:
        return self._dated(match, *self._year_behind(match.end()))

    def _year_first(self, match: re.Match[str]) -> _Found | None:
        texts = self._text.texts
        year = texts[match.start("Y")] if match["Y"] else texts[match.start("C")] + texts[match.start("T")]
        return self._dated(match, int(year), match.end())

    def _either_of_month(self, match: re.Match[str]) -> _Found:
        year, _ = self._year_behind(match.end())
        month = self._value(match, "m", "month")
        days = [int(self._text.texts[match.start(name)]) for name in "AZ"]
        each = [self._year.of(day, month) if year is None else day_of(year, month, day) for day in days]
        apart = self._is(match.start("Z") - 1, "or")
        raise _many(each, (each[0], each[1]) if each[0] < each[1] and not apart else None)

    def _end_of_month(self, match: re.Match[str]) -> _Found:
        month = self._value(match, "m", "month")
        year, end = self._year_behind(match.end())
        return self._year.end_of(month) if year is None else day_of(
            year, month, monthrange(year, month)[1]
        ), end

    def _end_of_this(self, match: re.Match[str]) -> _Found:
        first = shifted(self._today.replace(day=1), self._away(match, "N") if match["N"] else 0, "month")
        return day_of(first.year, first.month, monthrange(first.year, first.month)[1]), match.end()

    def _of_this_month(self, match: re.Match[str]) -> _Found:
        """'The 28th of next month', 'the first of the month'."""
        day = self._day(match, "D")
        if not match["N"]:
            return self._year.of_month(day), match.end()
        first = shifted(self._today.replace(day=1), self._away(match, "N"), "month")
        return day_of(first.year, first.month, day), match.end()

    def _number(self, match: re.Match[str]) -> _Found:
        """'The 14th': the next day of that number."""
        return self._year.of_month(self._day(match, "d")), match.end()

    def _weekday_and_number(self, match: re.Match[str]) -> _Found:
        """'Friday the 13th': that day, or one that both may be."""
        day, weekday = self._day(match, "d"), self._value(match, "w", "weekday")
        found = self._year.of_month(day)
        if found.weekday() != weekday:
            raise either_day(found, self._year.of_weekday_and_number(weekday, day))
        return found, match.end()

    def _of_numbered_month(self, match: re.Match[str]) -> _Found | None:
        """'The fifth of the fifth eighty-eight': only with a year."""
        year, end = self._year_behind(match.end())
        month = self._day(match, "E")
        return (day_of(year, month, self._day(match, "D")), end) if year is not None and month <= 12 else None

    def _holiday(self, match: re.Match[str]) -> _Found:
        """'Christmas Eve', 'Easter Monday': and not what only ends or begins by one."""
        told = str(self._text.value(match.start(), "holiday"))
        year, end = self._year_behind(match.end())
        if told.startswith("easter"):
            away = timedelta(days=int(told.removeprefix("easter")))
            return self._year.of_years(lambda y: easter(y) + away, year), end
        month, day = map(int, told.split("-"))
        return self._year.of(day, month) if year is None else day_of(year, month, day), end

    # ---- counted from another --------------------------------------------------------------------------------

    def _in_so_long(self, match: re.Match[str]) -> _Found:
        return shifted(self._today, self._many(match), self._unit(match)), match.end()

    def _hours(self, match: re.Match[str]) -> _Found | None:
        """'In 48 hours' is so many days; fewer are a time of day."""
        word = self._text.texts[match.start("n")] if match["n"] else ""
        hours = int(word) if word.isdecimal() else 0
        if not hours or hours % 24:
            return None
        return shifted(self._today, hours // 24, "day"), match.end()

    def _ago(self, match: re.Match[str]) -> _Found:
        many, unit, end = -self._many(match), self._unit(match), match.end()
        if self._text.is_a(match.start("A"), "beside") and (found := self._named(end)) is not None:
            return shifted(found[0], many, unit), found[1]  # "two days before Christmas"
        counted = self._text.value(end, "relative")  # "a week ago today"
        start = self._today if counted is None else self._today + timedelta(days=counted)
        return shifted(start, many, unit), end + (counted is not None)

    def _later(self, match: re.Match[str]) -> _Found | None:
        found = self._year.later(self._many(match), self._unit(match))
        return None if found is None else (found, match.end())

    def _beside(self, match: re.Match[str]) -> _Found | None:
        """'The day before Christmas Eve', 'two days after the 14th'."""
        many = self._many(match) if "Q" in match.groupdict() else 1
        behind = self._is(match.start("b"), "behind")
        found = self._named(match.end())
        if found is None or found[0] is None:
            return None
        unit = "day" if "Q" not in match.groupdict() else self._unit(match)
        return shifted(found[0], many if behind else -many, unit), found[1]

    def _weeks_from(self, match: re.Match[str]) -> _Found | None:
        """'A week on Friday', 'a week today', 'three days from Monday'."""
        many = self._many(match) if "Q" in match.groupdict() else 1
        at = match.end()
        last = at - 1
        if self._is(last, "past") and self._year.past and self._is(at, "weekday"):
            monday = self._year.of_week(self._text.value(at, "weekday"))
            raise either_day(shifted(monday, -many, self._unit(match)), monday)  # "a week past Monday"
        if self._is(last, "past", "last") and self._is(at, "weekday", "relative"):
            raise Unread("unclear_day")  # "a week last Friday"
        bare = not self._is(last, "at_day", "of", "on", "from")
        if bare and self._is(at, "weekday"):
            raise Unread("unclear_day")  # "two weeks Friday"
        found = self._named(at)
        if found is None or found[0] is None:
            return None
        return shifted(found[0], many, self._unit(match)), found[1]

    def _named(self, at: int) -> _Found | None:
        """The day that is told there, to be counted from."""
        while self._is(at, "of"):
            at += 1
        return self._one(at, counted=True) if at < len(self._signs) else None

    def _eve(self, match: re.Match[str]) -> _Found | None:
        found = self._named(match.end())
        return (
            (shifted(found[0], -1, "day"), found[1]) if found is not None and found[0] is not None else None
        )

    def _beside_that(self, match: re.Match[str]) -> _Found | None:
        """'The Monday after that', 'the day before': counted from the day named before, in whose place it stands."""
        if not match["w"] and not self._is(match.start(), "of"):
            return None
        if not self._found:
            raise Unread("unclear_day")
        before = self._found.pop()[0]
        behind = self._is(match.start("b"), "behind")
        if not match["w"]:
            return shifted(before, 1 if behind else -1, "day"), match.end()
        return _beside_day(before, self._value(match, "w", "weekday"), behind=behind), match.end()

    # ---- of a week -------------------------------------------------------------------------------------------

    def _that_week(self, match: re.Match[str]) -> _Found:
        away = self._away(match, "N")
        if match["w"]:
            return self._of_week(self._value(match, "w", "weekday"), away), match.end()
        return shifted(self._today, 7 * away, "day"), match.end()

    def _this_day(self, match: re.Match[str]) -> _Found:
        """'This day next week', 'this time last year'."""
        unit = str(self._text.value(match.start("U"), "calendar"))
        return shifted(self._today, self._away(match, "N"), unit), match.end()

    def _of_week(self, weekday: int, away: int) -> date:
        return shifted(self._today, 7 * away - self._today.weekday() + weekday, "day")

    def _nth_weekday(self, match: re.Match[str]) -> _Found | None:
        """'The last Saturday of January', 'first Monday after Easter' where that is a day that is known."""
        at, end = match.start("O"), match.end()
        nth = -1 if self._is(at, "last") else self._day(match, "O")
        weekday = self._value(match, "w", "weekday")
        if nth > 5:
            return None
        if (of := self._known.pattern("(?:off|in) of? m=month").match(self._signs, end)) is not None:
            year, end = self._year_behind(of.end())
            return self._year.of_nth(nth, weekday, self._value(of, "m", "month"), year), end
        if (
            of := self._known.pattern("(?:off|in) (?:of|N=(next|last|this)) month_unit").match(
                self._signs, end
            )
        ) is not None:
            first = shifted(self._today.replace(day=1), self._away(of, "N") if of["N"] else 0, "month")
            return self._year.of_nth(nth, weekday, first.month, first.year), of.end()
        behind = self._is(end, "behind")
        if self._is(end, "beside") and nth == (1 if behind else -1):
            found = self._named(end + 1)
            if found is not None and found[0] is not None:
                return _beside_day(found[0], weekday, behind=behind), found[1]
        if nth > 0:
            raise Unread("unclear_day")  # "the second Saturday"
        return None

    def _weekday(self, match: re.Match[str]) -> _Found | None:
        at, end = match.start("w"), match.end()
        wanted, first = self._value(match, "w", "weekday"), match.start()
        if self._is(at, "verb") and first == at and self._is(at - 1, "doing"):
            return None  # "we sat in the sun"
        following, past = (
            self._is(first, "next"),
            (first < at and self._is(first, "last", "past")) or self._is(at - 1, "past"),
        )
        if first == at and self._is(at - 1, "past"):
            past = True
        if self._is(end, "off") and self._is(end + 1, "month"):
            raise Unread("unclear_day")  # "Saturday of January"
        if self._is(end, "beside") and (
            self._is(end + 1, "last") or (past and self._is_unknown_word(end + 1))
        ):
            raise Unread("unclear_day")  # "the Friday before last"
        if self._is(end, "last") and not self._is(end + 1, "week_unit"):
            past, end = True, end + 1  # "Friday last"
        elif self._is(end, "just_gone"):
            past, end = True, end + 1
        if (following or past) and self._is(end, "more"):
            raise Unread("unclear_day")  # "next Monday week"
        if past:
            return self._today - timedelta(days=(self._today.weekday() - wanted - 1) % 7 + 1), end
        week = self._known.pattern(
            "(?:comma|on|off|of)* (?:N=(next|last) week_unit|of? week_unit behind next)"
        ).match(self._signs, end)
        if week is not None:  # "Saturday next week"
            return self._of_week(wanted, self._away(week, "N") if week["N"] else 2), week.end()
        if following:
            return self._of_week(wanted, 1), end
        if self._is(end, "more"):  # "Monday week" is the one after Monday
            return shifted(self._year.of_week(wanted), 1, str(self._text.value(end, "calendar"))), end + 1
        if self._is(end, "behind") and self._is(end + 1, "next"):
            return self._after_next(wanted), end + 2
        counts = self._is(at - 1, "of") or self._is(end + 1, "holiday")
        if self._is(end, "beside") and counts:
            found = self._named(end + 1)
            if found is None or found[0] is None:
                raise Unread("unclear_day")  # "the Monday after the wedding"
            return _beside_day(found[0], wanted, behind=self._is(end, "behind")), found[1]
        if (weeks := self._known.pattern("in Q=(n|a) u=weekly").match(self._signs, end)) is not None:
            return self._in_weeks(
                wanted, self._many(weeks) * (2 if self._unit(weeks) == "fortnight" else 1)
            ), weeks.end()
        return self._year.of_week(wanted), end

    def _is_unknown_word(self, at: int) -> bool:
        return at < len(self._signs) and self._text.texts[at][0].isalpha()

    def _after_next(self, weekday: int) -> date:
        """'The Saturday after next': a week after the next one, which may be that of this week or of the next."""
        early, late = (
            shifted(d, 1, "week") for d in (self._year.of_week(weekday), self._of_week(weekday, 1))
        )
        if early != late:
            raise either_day(early, late)
        return early

    def _in_weeks(self, wanted: int, many: int) -> date:
        """'Friday in two weeks': of that week and so long after the next Friday, where both are one day."""
        found = self._year.of_week(wanted) + timedelta(weeks=many)
        if found != self._today + timedelta(weeks=many, days=wanted - self._today.weekday()):
            raise Unread("unclear_day")
        return found

    def _relative(self, match: re.Match[str]) -> _Found:
        found, end = self._today + timedelta(days=self._value(match, "r", "relative")), match.end()
        if self._year.past and self._is(match.start() - 1, "n"):
            raise Unread("unclear_day")  # "60 today" is an age
        if not self._is(end, "more"):
            return found, end
        if found < self._today:
            raise Unread("unclear_day")  # "yesterday week"
        return shifted(found, 1, str(self._text.value(end, "calendar"))), end + 1  # "tomorrow week"


def _beside_day(day: date, weekday: int, *, behind: bool) -> date:
    """The first such weekday after that day, or the last before it."""
    away = (weekday - day.weekday() - 1) % 7 + 1 if behind else -((day.weekday() - weekday - 1) % 7 + 1)
    return shifted(day, away, "day")


def spans(text: Said, today: date) -> Iterator[tuple[int, int]]:
    """Where days are told in a message, by its tokens, without the words that only lead to them: "on the"."""
    days = _Days(text, text.without(sure_times(text)), Year(today, past=False, after=None, month=None))
    for begin, end in days.places():
        while begin < end - 1 and any(text.is_a(begin, kind) for kind in ("of", "on")):
            begin += 1
        yield begin, end
