"""Finds the day in a sentence, as the person's calendar has it: "tomorrow", "next Friday", "March 15th"."""

import re
from calendar import monthrange
from collections.abc import Iterator, Mapping
from datetime import MAXYEAR, date, timedelta
from typing import Any

from softrail.core.questions import Option
from softrail.processes.unread import BUTTONS, Unread

_LOOK_AT = 300  #: characters; a day that comes later is not an answer
_FARTHEST = 4000  #: of a unit, in "in N days"

_ISO = re.compile(r"(?<![\d-])(\d{4})-(\d{1,2})-(\d{1,2})(?![\d-])")
#: A day and a month; with one figure behind the point, and none behind that, it is a number: "4.5 weeks".
_DAY_MONTH = re.compile(r"(?<![\d/.])(\d{1,2})(?:(/)(\d{1,2})|(\.)(\d{2}|\d(?=\.(?!\d)))\.?)(?![\d/]|\.\d)")
_PARTS = re.compile(r"(?<![\d/.])(\d{1,2})([/.])(\d{1,2})\2(\d{4}|\d{2})(?![\d/])")
_TWO_DAYS = re.compile(r"(?<![\d-])\d{1,2}\s*[-–—]\s*\d{1,2}(?![\d-])")  # "3-7 May"
_TOKEN = re.compile(r"[^\W\d_]+|\d+")


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
    text = message[:_LOOK_AT].lower()
    found = {_day(int(y), int(m), int(d)) for y, m, d in _ISO.findall(text)}
    text = _ISO.sub(" ", text)
    found |= {_numeric(int(a), int(b), int(y)) for a, _, b, y in _PARTS.findall(text)}
    text = _PARTS.sub(" ", text)
    year = _Year(today, past=past, after=after, month=month)
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


def day_in_words(day: date) -> str:
    """A day as a person reads it."""
    return f"{day:%A}, {day.day} {day:%B} {day.year}"


def _day(year: int, month: int, day: int) -> date:
    try:
        return date(year, month, day)
    except ValueError:
        raise Unread("no_such_date") from None


def _numeric(first: int, second: int, year: int) -> date:
    year += 2000 if year < 100 else 0
    if first > 12:
        return _day(year, second, first)
    if second > 12 or first == second:
        return _day(year, first, second)
    raise _either(_day(year, second, first), _day(year, first, second))


def _either(*days: date) -> Unread:
    """Day and month may be either way round: both days that it may be."""
    first, second = (Option(label=day_in_words(day), value=day.isoformat()) for day in days)
    return Unread("either_date", either=(first, second), first=first.label, second=second.label)


def _day_and_month(first: int, sign: str, second: int, year: "_Year") -> tuple[int, int] | None:
    """Without a year; None where it is something else: "9.30"."""
    if second > 12 >= first and sign == "/":
        first, second = second, first
    if not 1 <= second <= 12 or not 1 <= first <= 31:
        return None
    if first <= 12 and first != second:
        raise _either(year.of(first, second), year.of(second, first))
    return first, second


def _shifted(start: date, many: int, unit: str) -> date:
    """So many days, weeks or months after that day; before it where they are less than nothing."""
    try:
        if unit != "month":
            return start + timedelta(days=many * (7 if unit == "week" else 1))
        year, month = divmod(start.year * 12 + start.month - 1 + many, 12)
        return date(year, month + 1, min(start.day, monthrange(year, month + 1)[1]))
    except (ValueError, OverflowError):
        raise Unread("no_such_date") from None


class _Year:
    """Which year, or which month, is meant where only the day is said."""

    def __init__(self, today: date, *, past: bool, after: date | None, month: date | None) -> None:
        self._today = today
        self.past = past
        self._after = after
        self._month = month
        self.first = max(today, after) if after is not None else today  #: the first day that can be meant

    def of(self, day: int, month: int) -> date:
        """That day of that month: the next one, or the last one."""
        way = range(self._today.year, self._today.year - 9, -1) if self.past else self._years()
        for year in way:  # the 29th of February may be years away
            if (
                1 <= year <= MAXYEAR
                and day <= monthrange(year, month)[1]
                and self._fits(found := date(year, month, day))
            ):
                return found
        raise Unread("no_such_date")

    def end_of(self, month: int) -> date:
        """The last day of that month: the next one, or the last one."""
        for year in range(self._today.year, self._today.year - 2, -1) if self.past else self._years():
            if year <= MAXYEAR and self._fits(found := date(year, month, monthrange(year, month)[1])):
                return found
        raise Unread("no_such_date")

    def of_month(self, day: int) -> date:
        """The next day of that number, or the last one."""
        start = self._today if self.past else max(self.first, self._month or self.first)
        year, month = start.year, start.month
        for _ in range(14):  # the 31st may be two months away
            if year > MAXYEAR:
                break
            if day <= monthrange(year, month)[1] and self._fits(found := date(year, month, day)):
                return found
            step = -1 if self.past else 1
            year, month = divmod(year * 12 + month - 1 + step, 12)
            month += 1
        raise Unread("no_such_date")

    def of_week(self, weekday: int) -> date:
        """The next such day of the week after the first day that can be meant, or the last one before today."""
        if self.past:
            return self._today - timedelta(days=(self._today.weekday() - weekday - 1) % 7 + 1)
        ahead = timedelta(days=(weekday - self.first.weekday() - 1) % 7 + 1)
        if date.max - self.first < ahead:
            raise Unread("no_such_date")
        return self.first + ahead

    def of_nth(self, nth: int, weekday: int, month: int, told: int | None) -> date:
        """The first, second, … or last (-1) such weekday of that month: of the year that was told, the next or the last."""
        way = range(self._today.year, self._today.year - 2, -1) if self.past else self._years()
        for year in way if told is None else (told,):
            if year > MAXYEAR:
                break
            days = [
                d
                for d in range(1, monthrange(year, month)[1] + 1)
                if date(year, month, d).weekday() == weekday
            ]
            found = date(year, month, days[nth - (nth > 0)]) if nth <= len(days) else None
            if found is not None and (told is not None or self._fits(found)):
                return found
        raise Unread("no_such_date")

    def later(self, many: int, unit: str) -> date | None:
        """So much after the day that this one follows; None where it follows none."""
        return None if self._after is None else _shifted(self._after, many, unit)

    def _years(self) -> range:
        return range(self.first.year, self.first.year + 9)

    def _fits(self, found: date) -> bool:
        return found <= self._today if self.past else found >= self.first


class _Tokens:
    """The words of a message, read from left to right."""

    def __init__(self, tokens: list[str], today: date, words: Mapping[str, Any], year: _Year) -> None:
        self._tokens = tokens
        self._at = 0
        self._today = today
        self._year = year
        self._days = words["days"]
        self._numbers = words["numbers"]["values"]

    def days(self) -> Iterator[date]:
        while self._at < len(self._tokens):
            if (found := self._one()) is not None:
                yield found

    def _one(self, *, counted: bool = False) -> date | None:
        """The day that is named here, maybe to be counted from; None, one word further, where none is."""
        named = self._phrase() or self._end_of_month() or self._beside() or self._span() or self._nth()
        found = named or self._weekday() or self._holiday(counted) or self._month() or self._ordinal_alone()
        if found is None:
            found = self._relative(self._ahead(0))
            self._at += 1
        return found

    def _relative(self, word: str) -> date | None:
        shift = self._days["relative"].get(word)
        return self._today + timedelta(days=shift) if shift is not None else None

    def _ahead(self, offset: int) -> str:
        at = self._at + offset
        return self._tokens[at] if 0 <= at < len(self._tokens) else ""

    def _phrase(self) -> date | None:
        if self._is_next_week():  # "next week on Saturday"
            behind = 3 if self._ahead(2) in self._days["on"] else 2
            if (weekday := self._days["weekdays"].get(self._ahead(behind))) is not None:
                self._at += behind + 1
                return self._of_next_week(weekday)
        for phrase, shift in self._days["phrases"].items():
            parts = phrase.split()
            if self._tokens[self._at : self._at + len(parts)] == parts:
                self._at += len(parts)
                return self._today + timedelta(days=shift)
        return None

    def _end_of_month(self) -> date | None:
        """'The end of January', 'end of March 2027': its last day."""
        if self._ahead(0) not in self._days["end"]:
            return None
        offset = 1
        while self._ahead(offset) in self._days["of"]:
            offset += 1
        month = self._days["months"].get(self._ahead(offset))
        if month is None:
            return None
        self._at += offset + 1
        year = self._year_behind()
        return self._year.end_of(month) if year is None else _day(year, month, monthrange(year, month)[1])

    def _span(self) -> date | None:
        """'In 3 days', '2 weeks ago', 'a week from tomorrow', 'three days later'."""
        ahead = self._ahead(0) in self._days["ahead"]
        offset = 1 if ahead else 0
        unit = self._days["units"].get(self._ahead(offset + 1))
        many = self._many(self._ahead(offset))
        if unit is None or many is None:
            return None
        behind = self._ahead(offset + 2)
        if ahead:
            found: date | None = _shifted(self._today, many, unit)
        elif behind in self._days["later"]:
            found = self._year.later(many, unit)
        elif behind in self._days["from"] and (start := self._relative(self._ahead(3))) is not None:
            found, offset = _shifted(start, many, unit), 1
        elif behind in self._days["ago"]:
            counted = self._relative(self._ahead(3))  # "a week ago today"
            found = _shifted(counted or self._today, -many, unit)
            offset = 0 if counted is None else 1
        else:
            return None
        self._at += 3 + (0 if ahead else offset)
        return found

    def _beside(self) -> date | None:
        """'The day before Christmas Eve', 'two days after the 14th'."""
        many = 1 if self._ahead(0) in self._days["of"] else self._many(self._ahead(0))
        unit, word = self._days["units"].get(self._ahead(1)), self._ahead(2)
        if many is None or unit is None or word not in self._days["beside"]:
            return None
        start = self._named_behind(3)
        if start is None:
            return None
        return _shifted(start, many if word in self._days["behind"] else -many, unit)

    def _named_behind(self, offset: int) -> date | None:
        """The day that is named so many words ahead, where the reading goes on behind it; None, and nothing is read."""
        start = self._at
        self._at += offset
        while self._ahead(0) in self._days["of"]:
            self._at += 1
        named = self._at < len(self._tokens) and self._relative(self._ahead(0)) is None
        if named and (found := self._one(counted=True)) is not None:
            return found
        self._at = start
        return None

    def _nth(self) -> date | None:
        """'The last Saturday of January', 'first Monday after Easter' where that is a day that is known."""
        word, start = self._ahead(0), self._at
        nth = -1 if word in self._days["last"] else self._days["ordinal_words"].get(word, 0)
        offset = 1
        if not nth and word.isdecimal() and self._ahead(1) in self._days["ordinals"]:
            nth, offset = int(word), 2
        weekday = self._days["weekdays"].get(self._ahead(offset))
        if weekday is None or not -1 <= nth <= 5 or nth == 0:
            return None
        behind = self._ahead(offset + 1)
        if behind in (*self._days["of"], *self._days["ahead"]):
            month = self._days["months"].get(self._ahead(offset + 2))
            if month is None:
                return None
            self._at += offset + 3
            return self._year.of_nth(nth, weekday, month, self._year_behind())
        ahead = nth == 1 and behind in self._days["behind"]
        back = nth == -1 and behind in self._days["beside"] and behind not in self._days["behind"]
        if not (ahead or back) or (day := self._named_behind(offset + 2)) is None:
            self._at = start
            return None
        away = (weekday - day.weekday() - 1) % 7 + 1 if ahead else -((day.weekday() - weekday - 1) % 7 + 1)
        return _shifted(day, away, "day")

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
                return self._year.of(day, month) if year is None else _day(year, month, day)
        return None

    def _year_behind(self) -> int | None:
        """The year that stands here: "Christmas 2027"."""
        word = self._ahead(0)
        if len(word) != 4 or not word.isdecimal() or not int(word):
            return None
        self._at += 1
        return int(word)

    def _many(self, word: str) -> int | None:
        if word.isdecimal():
            if len(word) > 4 or int(word) > _FARTHEST:
                raise Unread("no_such_date")
            return int(word)
        if word in self._days["a"]:
            return 1
        value = self._numbers.get(word)
        return int(value) if value is not None else None

    def _weekday(self) -> date | None:
        word = self._ahead(0)
        following, past = word in self._days["next"], word in self._days["last"]
        offset = 1 if following or past else 0
        wanted = self._days["weekdays"].get(self._ahead(offset))
        if wanted is None:
            return None
        self._at += offset + 1
        if self._is_counted_from_another(last=past):
            raise Unread("unclear_day")
        if past:
            return self._today - timedelta(days=(self._today.weekday() - wanted - 1) % 7 + 1)
        if self._is_next_week():  # "Saturday next week"
            following, self._at = True, self._at + 2
        if following:
            return self._of_next_week(wanted)
        while self._ahead(0) in self._days["of"]:
            self._at += 1
        if self._ahead(0) in self._days["months"] or self._ahead(0).isdecimal():
            return None  # "Friday, March 13", "Friday the 13th": the day says it
        if self._days["units"].get(self._ahead(0)) == "week":  # "Monday week" is the one after Monday
            self._at += 1
            return self._year.of_week(wanted) + timedelta(days=7)
        if self._ahead(0) in self._days["behind"] and self._ahead(1) in self._days["next"]:
            return self._after_next(wanted)
        return self._in_weeks(wanted) or self._year.of_week(wanted)

    def _after_next(self, weekday: int) -> date:
        """'The Saturday after next': a week after the next one, which may be that of this week or of the next."""
        self._at += 2
        early, late = (
            _shifted(d, 1, "week") for d in (self._year.of_week(weekday), self._of_next_week(weekday))
        )
        if early != late:
            raise _either(early, late)
        return early

    def _is_next_week(self) -> bool:
        return self._ahead(0) in self._days["next"] and self._days["units"].get(self._ahead(1)) == "week"

    def _of_next_week(self, weekday: int) -> date:
        return self._today + timedelta(days=7 - self._today.weekday() + weekday)

    def _in_weeks(self, wanted: int) -> date | None:
        """'Friday in two weeks': of that week and so long after the next Friday, where both are one day."""
        many = self._many(self._ahead(1)) if self._ahead(0) in self._days["ahead"] else None
        if many is None or self._days["units"].get(self._ahead(2)) != "week":
            return None
        self._at += 3
        found = self._year.of_week(wanted) + timedelta(weeks=many)
        if found != self._today + timedelta(weeks=many, days=wanted - self._today.weekday()):
            raise Unread("unclear_day")
        return found

    def _is_counted_from_another(self, *, last: bool) -> bool:
        """It is one of a month, or before something: "Saturday of January", "the last Saturday before Christmas"."""
        if self._ahead(0) in self._days["of"]:
            return self._ahead(1) in self._days["months"]
        word = self._ahead(1)
        return last and self._ahead(0) in self._days["beside"] and word.isalpha()

    def _month(self) -> date | None:
        """'March 15th', '15 March 2026', 'the 15th of March'."""
        start = self._at
        month, day = self._days["months"].get(self._ahead(0)), None
        if month is not None:
            self._at += 1
            day = self._ordinal() or self._ordinal_word()
        elif (day := self._ordinal() or self._ordinal_word()) is not None:
            while self._ahead(0) in self._days["of"]:
                self._at += 1
            month = self._days["months"].get(self._ahead(0))
            self._at += 1
        if month is None or day is None:
            self._at = start
            return None
        year = self._year_behind() or self._spoken_year()
        return self._year.of(day, month) if year is None else _day(year, month, day)

    def _spoken_year(self) -> int | None:
        """The year that stands here in words: "nineteen eighty eight", "twenty twelve"."""
        century, tens = self._numbers.get(self._ahead(0)), self._numbers.get(self._ahead(1), 0)
        if century not in (19, 20) or tens < 10:
            return None
        more = self._numbers.get(self._ahead(2), 0) if tens >= 20 else 0
        more = more if 0 < more < 10 else 0
        self._at += 3 if more else 2
        return int(century * 100 + tens + more)

    def _ordinal_alone(self) -> date | None:
        """'The 14th': the next day of that number, unless it counts something else, as in 'the 2nd week'."""
        start, day = self._at, self._ordinal()
        counts = self._ahead(0) in self._days["units"] or self._ahead(0) in self._days["weekdays"]
        if day is None or self._ahead(-1) not in self._days["ordinals"] or counts:
            self._at = start
            return None
        return self._year.of_month(day)

    def _ordinal_word(self) -> int | None:
        """'First', 'twenty-first': only beside a month, for "the second" may count anything."""
        words = self._days["ordinal_words"]
        day, tens = words.get(self._ahead(0)), self._numbers.get(self._ahead(0))
        if day is None and tens in (20, 30) and 0 < (unit := words.get(self._ahead(1), 0)) < 10:
            self._at += 2
            return int(tens) + int(unit)
        if day is not None:
            self._at += 1
            return int(day)
        return None

    def _ordinal(self) -> int | None:
        word = self._ahead(0)
        if not word.isdecimal() or not 1 <= len(word) <= 2:
            return None
        if not 1 <= int(word) <= 31:
            return None
        self._at += 1
        if self._ahead(0) in self._days["ordinals"]:
            self._at += 1
        return int(word)
