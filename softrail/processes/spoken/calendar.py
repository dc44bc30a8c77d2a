"""Which day is meant where not all of it is said, and the days so long before and after another."""

from calendar import monthrange
from collections.abc import Callable
from datetime import MAXYEAR, date, timedelta
from typing import Final

from softrail.core.questions import Option
from softrail.processes.unread import Unread

_AHEAD: Final = 20  #: years; "88" is one that has been
_LONG_AGO: Final = 180  #: days; a day that is to come is not put right so long after
_OTHER_YEAR: Final = 15  #: years by which somebody may be wrong about one
_DAYS: Final = {"day": 1, "week": 7, "fortnight": 14}


def day_in_words(day: date) -> str:
    """A day as a person reads it."""
    return f"{day:%A}, {day.day} {day:%B} {day.year}"


def day_option(day: date) -> Option:
    """A day on a button."""
    return Option(label=day_in_words(day), value=day.isoformat())


def day_of(year: int, month: int, day: int) -> date:
    """That day; raises Unread where the calendar has none such."""
    try:
        return date(year, month, day)
    except ValueError:
        raise Unread("no_such_date") from None


def either_day(*days: date) -> Unread:
    """Day and month may be either way round: both days that it may be."""
    first, second = map(day_option, days)
    return Unread("either_date", either=(first, second), first=first.label, second=second.label)


def easter(year: int) -> date:
    """Easter Sunday, by the reckoning of Meeus."""
    a, b, c = year % 19, year // 100, year % 100
    d = (19 * a + b - b // 4 - (b - (b + 8) // 25 + 1) // 3 + 15) % 30
    e = (32 + 2 * (b % 4) + 2 * (c // 4) - d - c % 4) % 7
    f = d + e - 7 * ((a + 11 * d + 22 * e) // 451) + 114
    return date(year, f // 31, f % 31 + 1)


def shifted(start: date, many: int, unit: str) -> date:
    """So many days, weeks or months after that day; before it where they are less than nothing."""
    try:
        if unit in _DAYS:
            return start + timedelta(days=many * _DAYS[unit])
        many *= 12 if unit == "year" else 1
        year, month = divmod(start.year * 12 + start.month - 1 + many, 12)
        return date(year, month + 1, min(start.day, monthrange(year, month + 1)[1]))
    except (ValueError, OverflowError):
        raise Unread("no_such_date") from None


def beside(day: date, weekday: int, *, behind: bool) -> date:
    """The first such weekday after that day, or the last before it."""
    away = (weekday - day.weekday() - 1) % 7 + 1 if behind else -((day.weekday() - weekday - 1) % 7 + 1)
    return shifted(day, away, "day")


class Year:
    """Which year, or which month, is meant where only the day is said."""

    def __init__(
        self,
        today: date,
        *,
        past: bool = False,
        after: date | None = None,
        month: date | None = None,
        week: date | None = None,
        born: bool = False,
        since: bool = False,
        lasts: bool = False,
        weekly: bool = False,
    ) -> None:
        self.today = today
        self.weekly = weekly  #: a week is asked for, of which any day answers
        self.past, self.born = past, born  #: it is asked what has been, and when somebody was born
        self.since = past and since  #: and since when: "for two weeks" tells that, too
        self.lasts = lasts and after is not None  #: it is asked when that is over which began on that day
        self._after = after
        self._month = month
        self._week = week  #: the day that is put right: a weekday alone is one of its week
        #: That day, where it has been for good, as who was born has been: what is not told anew of it stays.
        self._been = week if week is not None and (past or (today - week).days > _LONG_AGO) else None
        self.first = max(today, after) if after is not None else today  #: the first day that can be meant

    def told(self, figures: str) -> int:
        """The year that is written so; with two figures the last such one, of what is to come one not far away."""
        year = int(figures)
        if len(figures) > 2:
            return year
        year += self.today.year // 100 * 100
        return year - 100 if year > self.today.year + (0 if self.past else _AHEAD) else year

    def of(self, day: int, month: int) -> date:
        """That day of that month: the next one, or the last one; of a day that has been that of its year."""
        if (same := self._put_right(day, month)) is not None:
            return same
        way = range(self.today.year, self.today.year - 9, -1) if self.past else self._years()
        for year in way:  # the 29th of February may be years away
            if (
                1 <= year <= MAXYEAR
                and day <= monthrange(year, month)[1]
                and self._fits(found := date(year, month, day))
            ):
                return found
        raise Unread("no_such_date")

    def _put_right(self, day: int, month: int | None) -> date | None:
        """The day that has been, with another number and month; None where none is put right, or that was not yet."""
        been = self._been
        month = month or (been.month if been is not None else 0)
        if been is None or day > monthrange(been.year, month)[1]:
            return None
        found = been.replace(month=month, day=day)
        return found if found <= self.today else None

    def of_that_year(self, *years: int) -> date | None:
        """The day that is put right in the one of these years that it is not of; None where that is not clear."""
        day = self._week
        if day is None:
            return None
        others = {year for year in years if year != day.year}
        year = others.pop() if len(others) == 1 else day.year
        if year == day.year or abs(year - day.year) > _OTHER_YEAR or day.day > monthrange(year, day.month)[1]:
            return None
        found = day.replace(year=year)
        return found if (found <= self.today if self._been else found >= self.first) else None

    def of_years(self, day: Callable[[int], date], told: int | None) -> date:
        """That day of the year that is told, of the next one to come, or of the last one."""
        way = range(self.today.year, self.today.year - 2, -1) if self.past else self._years()
        for year in way if told is None else (told,):
            if 1 <= year <= MAXYEAR and (told is not None or self._fits(day(year))):
                return day(year)
        raise Unread("no_such_date")

    def weekend(self, away: int | None) -> list[date]:
        """The Saturday and the Sunday of the weekend that is meant; so many weeks `away` where that is told."""
        saturday = self.today + timedelta(days=5 - self.today.weekday())
        if self.past or away == -1:
            saturday -= timedelta(days=7 if saturday > self.today else 0)
            return [day for day in (saturday, saturday + timedelta(days=1)) if day <= self.today]
        weeks = (0, 7) if away == 1 else (0,)  # "next weekend" may be the one of this week
        return [saturday + timedelta(days=one + more) for more in weeks for one in (0, 1)]

    def end_of(self, month: int) -> date:
        """The last day of that month: the next one, or the last one."""
        for year in range(self.today.year, self.today.year - 2, -1) if self.past else self._years():
            if year <= MAXYEAR and self._fits(found := date(year, month, monthrange(year, month)[1])):
                return found
        raise Unread("no_such_date")

    def of_month(self, day: int) -> date:
        """The next day of that number, or the last one; of a day that has been that of its month."""
        if (same := self._put_right(day, None)) is not None:
            return same
        start = self.today if self.past else max(self.first, self._month or self.first)
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

    def of_weekday_and_number(self, weekday: int, day: int) -> date:
        """The next Friday the 13th, or the last one."""
        year, month = self.first.year, self.first.month
        for _ in range(40):
            fits = (
                year <= MAXYEAR
                and day <= monthrange(year, month)[1]
                and date(year, month, day).weekday() == weekday
            )
            if fits and self._fits(date(year, month, day)):
                return date(year, month, day)
            year, month = divmod(year * 12 + month - 1 + (-1 if self.past else 1), 12)
            month += 1
        raise Unread("no_such_date")

    def of_week(self, weekday: int) -> date:
        """The next such day of the week after the first day that can be meant, or the last one before today."""
        if self.past:
            return self.today - timedelta(days=(self.today.weekday() - weekday - 1) % 7 + 1)
        ahead = timedelta(days=(weekday - self.first.weekday() - 1) % 7 + 1)
        if date.max - self.first < ahead:
            raise Unread("no_such_date")
        return self.first + ahead

    def of_that_week(self, weekday: int) -> date | None:
        """That day of the week of the day that is put right; None where there is none such, or it cannot be meant."""
        if self._week is None:
            return None
        found = shifted(self._week, weekday - self._week.weekday(), "day")
        return found if self._fits(found) else None

    def of_nth(self, nth: int, weekday: int, month: int, told: int | None) -> date:
        """The first, second, … or last (-1) such weekday of that month: of the year that was told, the next or the last."""
        way = range(self.today.year, self.today.year - 2, -1) if self.past else self._years()
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

    def of_number(self, week: int) -> date:
        """The Monday of the week of that number: the next one, or the last one."""
        years = range(self.today.year, self.today.year - 2, -1) if self.past else self._years()
        for year in years:
            try:
                monday = date.fromisocalendar(year, week, 1)
            except ValueError:
                continue
            if self._fits(monday if self.past else monday + timedelta(days=6)):
                return monday
        raise Unread("no_such_date")

    def later(self, many: int, unit: str) -> date | None:
        """So much after the day that this one follows; None where it follows none."""
        return None if self._after is None else shifted(self._after, many, unit)

    def _years(self) -> range:
        return range(self.first.year, self.first.year + 9)

    def _fits(self, found: date) -> bool:
        return found <= self.today if self.past else found >= self.first
