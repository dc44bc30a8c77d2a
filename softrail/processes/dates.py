"""Finds the day in a sentence, as the person's calendar has it: "tomorrow", "next Friday", "March 15th"."""

import re
from calendar import monthrange
from collections.abc import Mapping
from datetime import date, timedelta
from typing import Any

from softrail.core.questions import Option
from softrail.processes.numerals import in_digits
from softrail.processes.unread import BUTTONS, Unread
from softrail.processes.years import Year, day_in_words, day_of, either_day, shifted

_LOOK_AT = 300  #: characters; a day that comes later is not an answer
_FARTHEST = 4000  #: of a unit, in "in N days"

_ISO = re.compile(r"(?<![\d-])(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?![\d-])")
#: A day and a month; with one figure behind the point, and none behind that, it is a number: "4.5 weeks".
_DAY_MONTH = re.compile(r"(?<![\d/.])(\d{1,2})(?:(/)(\d{1,2})|(\.)(\d{2}|\d(?=\.(?!\d)))\.?)(?![\d/]|\.\d)")
_PARTS = re.compile(
    r"(?<![\d/.-])(\d{1,2})(?:([/.-])(\d{1,2})\2(\d{4}|\d{2})|\s(\d{1,2})\s(\d{4}))(?![\d/-])"
)
_TWO_DAYS = re.compile(r"(?<![\d-])\d{1,2}\s*[-–—]\s*\d{1,2}(?![\d-])")  # "3-7 May"
_TOKEN = re.compile(r"(?<!\w)['’]\d\d\b|\d+\.\d+|[^\W\d_]+|\d+")


def read_date(
    message: str,
    today: date,
    words: Mapping[str, Any],
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
    text, may = message[:_LOOK_AT].lower(), words["days"]["verbs"][0]
    year = Year(today, past=past, after=after, month=month)
    found = {day_of(int(y), int(m), int(d)) for y, _, m, d in _ISO.findall(text)}
    text = _ISO.sub(" ", text)
    found |= {_numeric(int(a), int(b or c), year.told(y or z)) for a, _, b, y, c, z in _PARTS.findall(text)}
    text = in_digits(_PARTS.sub(" ", text), words, beside=may).text
    told = [
        _day_and_month(int(a), stroke or point, int(b or c), year)
        for a, stroke, b, point, c in _DAY_MONTH.findall(text)
    ]
    found |= {year.of(*one) for one in told if one is not None}
    text = _DAY_MONTH.sub(" ", text)
    if _TWO_DAYS.search(text):
        raise Unread("many_dates")
    found.update(_Tokens(_TOKEN.findall(text), today, words, year).days())
    if not found:
        raise Unread("no_date")
    if len(found) > 1:
        days = sorted(found)[:BUTTONS]
        either = [Option(label=day_in_words(day), value=day.isoformat()) for day in days]
        raise Unread("many_dates", either=either)
    return found.pop()


def _numeric(first: int, second: int, year: int) -> date:
    if first > 12:
        return day_of(year, second, first)
    if second > 12 or first == second:
        return day_of(year, first, second)
    raise either_day(day_of(year, second, first), day_of(year, first, second))


def _day_and_month(first: int, sign: str, second: int, year: "Year") -> tuple[int, int] | None:
    """Without a year; None where it is something else: "9.30"."""
    if second > 12 >= first and sign == "/":
        first, second = second, first
    if not 1 <= second <= 12 or not 1 <= first <= 31:
        return None
    if first <= 12 and first != second:
        raise either_day(year.of(first, second), year.of(second, first))
    return first, second


class _Tokens:
    """The words of a message, read from left to right."""

    def __init__(self, tokens: list[str], today: date, words: Mapping[str, Any], year: Year) -> None:
        self._tokens = tokens
        self._at = 0
        self._today = today
        self._year = year
        self._days = words["days"]
        self._joins = words["numbers"]["joins"]
        self._either = words["lengths"]["either"]
        self._found: list[date] = []
        self._known = {word for kind in self._days.values() for name in kind for word in name.split()}

    def days(self) -> list[date]:
        apart = False
        while self._at < len(self._tokens):
            apart = apart or self._is_a_year()
            if (found := self._after_that() or self._one()) is not None:
                self._found.append(found)
        if apart and self._found:
            raise Unread("unclear_day")  # "the year was 1999, June 5"
        return self._found

    def _is_a_year(self) -> bool:
        """A year stands by itself here: of which day, nobody can tell."""
        word = self._ahead(0)
        return len(word) == 4 and word[:2] in ("19", "20") and word.isdecimal() and self._is(-1, "dating")

    def _one(self, *, counted: bool = False) -> date | None:
        """The day that is named here, maybe to be counted from; None, one word further, where none is."""
        if self._ahead(0) not in self._known and not self._ahead(0)[-1:].isdecimal():
            self._at += 1
            return None
        named = self._phrase() or self._end_of_month() or self._beside() or self._span() or self._nth()
        found = named or self._weekday() or self._holiday(counted) or self._of_a_month() or self._month()
        found = found or self._ordinal_alone()
        if found is None:
            found = self._relative(self._ahead(0))
            self._at += 1
            if found is not None and (away := self._shift_behind()):
                if found < self._today:
                    raise Unread("unclear_day")  # "yesterday week"
                found = shifted(found, 1, away)  # "tomorrow week"
        return found

    def _relative(self, word: str) -> date | None:
        shift = self._days["relative"].get(word)
        return self._today + timedelta(days=shift) if shift is not None else None

    def _ahead(self, offset: int) -> str:
        at = self._at + offset
        return self._tokens[at] if 0 <= at < len(self._tokens) else ""

    def _is(self, offset: int, *kinds: str) -> bool:
        word = self._ahead(offset)
        return any(word in self._days[kind] for kind in kinds)

    def _shift_behind(self) -> str | None:
        """The unit of “Friday week”, “today fortnight”, which is one more of it."""
        unit = self._ahead(0) if self._is(0, "more") else None
        self._at += unit is not None
        return unit

    def _after_that(self) -> date | None:
        """'The Monday after that', 'the day before': counted from the day named before, in whose place it stands."""
        if self._found and self._is(0, "next", "ones") and self._is(1, "ones", "beside"):
            raise Unread("unclear_day")  # "not this Saturday, the next one"
        weekday = self._days["weekdays"].get(self._ahead(0))
        unit = "day" if weekday is not None else self._days["units"].get(self._ahead(0))
        single = unit is not None and not self._ahead(0).endswith("s") and self._is(-1, "of")
        if not single or not self._is(1, "beside") or not (self._is(2, "that") or not self._ahead(2)):
            return None
        sign = 1 if self._is(1, "behind") else -1
        self._at += 3
        if not self._found:
            raise Unread("unclear_day")
        before = self._found.pop()
        if weekday is None:
            return shifted(before, sign, unit or "day")
        return shifted(before, sign * ((sign * (weekday - before.weekday()) - 1) % 7 + 1), "day")

    def _phrase(self) -> date | None:
        if self._is_next_week():  # "next week on Saturday"
            behind = 3 if self._is(2, "on") else 2
            if (weekday := self._days["weekdays"].get(self._ahead(behind))) is not None:
                self._at += behind + 1
                return self._of_week(weekday, 1)
        for phrase, shift in self._days["phrases"].items():
            parts = phrase.split()
            if self._tokens[self._at : self._at + len(parts)] == parts:
                self._at += len(parts)
                return self._today + timedelta(days=shift)
        return None

    def _end_of_month(self) -> date | None:
        """'The end of January', 'end of March 2027', 'the end of the month': its last day."""
        if not self._is(0, "end"):
            return None
        offset = 1
        while self._is(offset, "of"):
            offset += 1
        month = self._days["months"].get(self._ahead(offset))
        if month is None:
            named = offset + self._is(offset, "next", "last", "this")
            if self._days["units"].get(self._ahead(named)) in ("week", "year"):
                raise Unread("unclear_day")  # "the end of next week"
            return self._in_month_behind(offset if offset > 1 else 0, None)
        self._at += offset + 1
        year = self._year_behind()
        return self._year.end_of(month) if year is None else day_of(year, month, monthrange(year, month)[1])

    def _of_a_month(self) -> date | None:
        """'The 28th of next month', 'the first of the month'."""
        start, day = self._at, self._ordinal() or self._ordinal_word()
        found = None
        if day is not None and self._is(0, "of"):
            offset = 0
            while self._is(offset, "of"):
                offset += 1
            found = self._in_month_behind(offset, day)
        if found is None:
            self._at = start
        return found

    def _in_month_behind(self, offset: int, day: int | None) -> date | None:
        """That day of “next month”, “last month”, “the month” so many words ahead, its last one for None."""
        away = 1 if self._is(offset, "next") else -1 if self._is(offset, "last") else 0
        named = offset + 1 if away or self._is(offset, "this") else offset
        if not offset or self._days["units"].get(self._ahead(named)) != "month":
            return None
        self._at += named + 1
        if named == offset and not away and day is not None:
            return self._year.of_month(day)  # "the 10th of the month"
        first = shifted(self._today.replace(day=1), away, "month")
        return day_of(first.year, first.month, day or monthrange(first.year, first.month)[1])

    def _span(self) -> date | None:
        """'In 3 days', '2 weeks ago', 'a week from tomorrow', 'a week on Friday', 'three days later'."""
        ahead = self._is(0, "ahead")
        offset = 1 if ahead else 0
        unit, many = self._days["units"].get(self._ahead(offset + 1)), self._many(self._ahead(offset))
        if not ahead and many is None and self._is(0, "more"):  # "week on Monday"
            unit, many, offset = self._days["units"][self._ahead(0)], 1, -1
            if not self._is(1, "on", "from"):
                return None
        if unit is None or many is None:
            return None
        start = self._at
        self._at += offset + 2
        if (
            self._tokens[start - 1 : start]
            and self._ahead(start - 1 - self._at) in self._either
            and self._ahead(start - 2 - self._at).isdecimal()
        ):
            raise Unread("unclear_day")  # "2 or 3 weeks ago"
        if self._ahead(0) in self._joins and self._is(1, "a"):
            raise Unread("unclear_day")  # "in a year and a half"
        if ahead:
            return shifted(self._today, many, unit)
        if self._is(0, "later"):
            self._at += 1
            return self._year.later(many, unit)
        if self._is(0, "ago"):
            self._at += 1
            counted = self._relative(self._ahead(0))  # "a week ago today"
            self._at += counted is not None
            return shifted(counted or self._today, -many, unit)
        found = self._counted_from(many, unit)
        if found is None:
            self._at = start
        return found

    def _counted_from(self, many: int, unit: str) -> date | None:
        """So long after the day named here: “from now”, “on Friday”, “today”."""
        weeks = unit in ("week", "fortnight")
        if weeks and self._is(0, "last"):
            raise Unread("unclear_day")  # "a week last Friday"
        told = self._is(0, "from") or (weeks and self._is(0, "on", "this"))
        offset = 1 if told else 0
        if told and self._is(1, "this"):
            offset = 2
        counted = self._relative(self._ahead(offset))
        if counted is None and told and self._is(offset, "now"):
            counted = self._today
        if counted is not None and (told or weeks):
            self._at += offset + 1
            return shifted(counted, many, unit)
        if weeks and not told and self._is(0, "weekdays"):
            raise Unread("unclear_day")  # "two weeks Friday"
        named = self._named_behind(offset) if told else None
        return shifted(named, many, unit) if named is not None else None

    def _beside(self) -> date | None:
        """'The day before Christmas Eve', 'two days after the 14th'."""
        many = 1 if self._is(0, "of") else self._many(self._ahead(0))
        unit, word = self._days["units"].get(self._ahead(1)), self._ahead(2)
        if many is None or unit is None or word not in self._days["beside"]:
            return None
        relative = self._relative(self._ahead(3)) if word in self._days["behind"] else None
        start = relative or self._named_behind(3)
        if start is None:
            return None
        self._at += 4 if relative is not None else 0
        return shifted(start, many if word in self._days["behind"] else -many, unit)

    def _named_behind(self, offset: int) -> date | None:
        """The day that is named so many words ahead, where the reading goes on behind it; None, and nothing is read."""
        start = self._at
        self._at += offset
        while self._is(0, "of"):
            self._at += 1
        named = self._at < len(self._tokens) and self._relative(self._ahead(0)) is None
        if named and (found := self._one(counted=True)) is not None:
            return found
        self._at = start
        return None

    def _nth(self) -> date | None:
        """'The last Saturday of January', 'first Monday after Easter' where that is a day that is known."""
        word, start = self._ahead(0), self._at
        nth = -1 if self._is(0, "last") else self._days["ordinal_words"].get(word, 0)
        offset = 1
        if not nth and word.isdecimal() and self._is(1, "ordinals"):
            nth, offset = int(word), 2
        weekday = self._days["weekdays"].get(self._ahead(offset))
        if weekday is None or not -1 <= nth <= 5 or nth == 0:
            return None
        behind = self._ahead(offset + 1)
        if self._is(offset + 1, "of", "ahead"):
            last = offset + 2
            while self._is(last, "of"):
                last += 1
            month = self._days["months"].get(self._ahead(last))
            if month is None:
                self._at = start
                first = self._in_month_behind(last, 1)
                if first is None and nth > 0:
                    raise Unread("unclear_day")  # "the first Monday in the new year"
                return None if first is None else self._year.of_nth(nth, weekday, first.month, first.year)
            self._at += last + 1
            return self._year.of_nth(nth, weekday, month, self._year_behind())
        ahead = nth == 1 and behind in self._days["behind"]
        back = nth == -1 and behind in self._days["beside"] and behind not in self._days["behind"]
        if not (ahead or back) or (day := self._named_behind(offset + 2)) is None:
            self._at = start
            if nth > 0:
                raise Unread("unclear_day")  # "the second Saturday"
            return None
        away = (weekday - day.weekday() - 1) % 7 + 1 if ahead else -((day.weekday() - weekday - 1) % 7 + 1)
        return shifted(day, away, "day")

    def _holiday(self, counted: bool) -> date | None:
        """'Christmas Eve': of those that are the same day every year, and not what only ends or begins by one."""
        for name, told in self._days["holidays"].items():
            parts = name.split()
            if self._tokens[self._at : self._at + len(parts)] == parts:
                if not counted and self._ahead(-1) in self._days["beside"]:
                    raise Unread("unclear_day")  # "before Christmas"
                self._at += len(parts)
                month, day = map(int, told.split("-"))
                year = self._year_behind()
                return self._year.of(day, month) if year is None else day_of(year, month, day)
        return None

    def _year_behind(self) -> int | None:
        """The year that stands here: "Christmas 2027", "'88", "19 88" said in words; of what has been "88", too."""
        offset = 1 if self._is(0, "of") else 0
        away = 1 if self._is(offset, "next") else -1 if self._is(offset, "last") else 0
        if (away or self._is(offset, "this")) and self._days["units"].get(self._ahead(offset + 1)) == "year":
            self._at += offset + 2
            return self._today.year + away
        word, more = self._ahead(0), self._ahead(1)
        if not word.lstrip("'’").isdecimal() or not int(word.lstrip("'’")):
            return None
        if len(word) == 4:
            self._at += 1
            return int(word)
        if word in ("18", "19", "20") and len(more) == 2 and more.isdecimal():
            self._at += 2
            return int(word + more)
        last = self._at + 1 == len(self._tokens)
        bare = len(word) == 2 and (
            word[0] == "0" or (int(word) > 31 and (last or self._year.past)) or (last and self._year.past)
        )
        if not bare and word[0].isdecimal():
            return None
        self._at += 1
        return self._year.told(word.lstrip("'’"))

    def _many(self, word: str) -> int | None:
        if word.isdecimal():
            if len(word) > 4 or int(word) > _FARTHEST:
                raise Unread("no_such_date")
            return int(word)
        return 1 if word in self._days["a"] else None

    def _weekday(self) -> date | None:
        word, before = self._ahead(0), self._ahead(-1)
        following, past = self._is(0, "next"), self._is(0, "last", "past")
        offset = 1 if following or past else 0
        wanted = self._days["weekdays"].get(self._ahead(offset))
        if wanted is None or (word in self._days["verbs"] and before in self._days["doing"]):
            return None
        self._at += offset + 1
        if self._is_counted_from_another(last=past):
            raise Unread("unclear_day")
        if self._is(0, "last") and self._days["units"].get(self._ahead(1)) != "week":
            past, self._at = True, self._at + 1  # "Friday last"
        elif self._is(0, "just") and self._is(1, "gone"):
            past, self._at = True, self._at + 2
        if (following or past) and self._is(0, "more"):
            raise Unread("unclear_day")  # "next Monday week"
        if past:
            return self._today - timedelta(days=(self._today.weekday() - wanted - 1) % 7 + 1)
        if (weeks := self._week_behind()) is not None:  # "Saturday next week"
            return self._of_week(wanted, weeks)
        if following:
            return self._of_week(wanted, 1)
        while self._is(0, "of"):
            self._at += 1
        counts = self._is(1, "units", "of")  # "Friday, two of us"
        if self._is(0, "months") or (self._ahead(0).isdecimal() and not counts):
            return None  # "Friday, March 13", "Friday the 13th": the day says it
        if (away := self._shift_behind()) is not None:  # "Monday week" is the one after Monday
            return shifted(self._year.of_week(wanted), 1, away)
        if self._is(0, "behind") and self._is(1, "next"):
            return self._after_next(wanted)
        if self._is(0, "beside") and (before in self._days["of"] or self._is(1, "holidays")):
            return self._beside_another(wanted)
        return self._in_weeks(wanted) or self._year.of_week(wanted)

    def _week_behind(self) -> int | None:
        """How many weeks away that is which stands here: “next week”, “of last week”, “the week after next”."""
        offset = 0
        while self._is(offset, "of", "on"):
            offset += 1
        away = 1 if self._is(offset, "next") else -1 if self._is(offset, "last") else None
        if away is not None and self._days["units"].get(self._ahead(offset + 1)) == "week":
            self._at += offset + 2
            return away
        ahead = self._is(offset + 1, "behind") and self._is(offset + 2, "next")
        if self._days["units"].get(self._ahead(offset)) == "week" and ahead:
            self._at += offset + 3
            return 2
        return None

    def _beside_another(self, weekday: int) -> date:
        """'The Monday after Christmas', 'the Friday before the 14th'; not where that is no day that is known."""
        behind = self._is(0, "behind")
        day = self._named_behind(1)
        if day is None:
            raise Unread("unclear_day")
        return shifted(
            day,
            (weekday - day.weekday() - 1) % 7 + 1 if behind else -((day.weekday() - weekday - 1) % 7 + 1),
            "day",
        )

    def _after_next(self, weekday: int) -> date:
        """'The Saturday after next': a week after the next one, which may be that of this week or of the next."""
        self._at += 2
        early, late = (
            shifted(d, 1, "week") for d in (self._year.of_week(weekday), self._of_week(weekday, 1))
        )
        if early != late:
            raise either_day(early, late)
        return early

    def _is_next_week(self) -> bool:
        return self._is(0, "next") and self._days["units"].get(self._ahead(1)) == "week"

    def _of_week(self, weekday: int, away: int) -> date:
        return shifted(self._today, 7 * away - self._today.weekday() + weekday, "day")

    def _in_weeks(self, wanted: int) -> date | None:
        """'Friday in two weeks': of that week and so long after the next Friday, where both are one day."""
        many = self._many(self._ahead(1)) if self._is(0, "ahead") else None
        unit = self._days["units"].get(self._ahead(2))
        if many is None or unit not in ("week", "fortnight"):
            return None
        self._at += 3
        many *= 2 if unit == "fortnight" else 1
        found = self._year.of_week(wanted) + timedelta(weeks=many)
        if found != self._today + timedelta(weeks=many, days=wanted - self._today.weekday()):
            raise Unread("unclear_day")
        return found

    def _is_counted_from_another(self, *, last: bool) -> bool:
        """It is one of a month, or before something: "Saturday of January", "the last Saturday before Christmas"."""
        if self._is(0, "of"):
            return self._is(1, "months")
        if self._is(0, "beside") and self._is(1, "last"):
            return True  # "the Friday before last"
        return last and self._is(0, "beside") and self._ahead(1).isalpha()

    def _month(self) -> date | None:
        """'March 15th', '15 March 2026', 'the 15th of March', 'March the third'."""
        start = self._at
        month, day = self._days["months"].get(self._ahead(0)), None
        if month is not None:
            self._at += 1
            while self._is(0, "of") and not self._is(0, "ahead"):
                self._at += 1
            day = self._ordinal() or self._ordinal_word()
        elif (day := self._ordinal() or self._ordinal_word()) is not None:
            while self._is(0, "of"):
                self._at += 1
            month = self._days["months"].get(self._ahead(0))
            self._at += 1
        if month is None or day is None:
            self._at = start
            return None
        year = self._year_behind()
        return self._year.of(day, month) if year is None else day_of(year, month, day)

    def _ordinal_alone(self) -> date | None:
        """'The 14th': the next day of that number, unless it counts something else, as in 'the 2nd week'."""
        start, day = self._at, self._ordinal()
        if day is None or self._ahead(-1) not in self._days["ordinals"] or self._is(0, "units", "weekdays"):
            self._at = start
            return None
        return self._year.of_month(day)

    def _ordinal_word(self) -> int | None:
        """'First', 'twelfth': only beside a month, for "the second" may count anything."""
        day = self._days["ordinal_words"].get(self._ahead(0))
        self._at += day is not None
        return int(day) if day is not None else None

    def _ordinal(self) -> int | None:
        word = self._ahead(0)
        if not word.isdecimal() or not 1 <= len(word) <= 2:
            return None
        if not 1 <= int(word) <= 31:
            return None
        self._at += 1
        self._at += self._is(0, "ordinals")
        return int(word)
