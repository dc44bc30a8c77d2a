"""Continues a row of numbers by a plain method that has a name, and says what it assumes."""

import calendar
import itertools
from collections.abc import Sequence
from datetime import date, timedelta
from decimal import Decimal
from typing import Any, Final, Literal

from softrail.plans.data.charts import Table
from softrail.plans.data.faults import QueryRefused

Method = Literal["trend", "mean"]

FEWEST: Final = 3  #: points that a line can be laid through at all
_MONTHS: Final = {1: "month", 3: "quarter", 12: "year"}


def forecast(table: Table, x: str, y: str, periods: int, method: Method) -> tuple[dict[str, Any], str]:
    """The next values with the method and what it assumes. Raises QueryRefused."""
    when, place = table.place(x), table.numbers(y)
    rows = [row for row in table.rows if row[when] is not None and row[place] is not None]
    if len(rows) < FEWEST:
        raise QueryRefused(f"A forecast needs {FEWEST} points, and there are {len(rows)}.")
    rows = sorted(rows, key=lambda row: _order(row[when], table.columns[when].get("kind", "")))
    step = _Step([row[when] for row in rows], table.columns[when].get("kind", ""), x)
    known = [Decimal(str(row[place])) for row in rows]
    start, slope = _line(known) if method == "trend" else (sum(known, Decimal()) / len(known), Decimal())
    places = max(0, *(-_exponent(one) for one in known))
    made = [_rounded(start + slope * n, places) for n in range(len(known), len(known) + periods)]
    missed = sum((abs(one - start - slope * n) for n, one in enumerate(known)), Decimal()) / len(known)
    columns = [dict(table.columns[when]), dict(table.columns[place])]
    shown = [[step.after(n + 1), format(value, "f")] for n, value in enumerate(made)]
    told = _told(method, len(known), _rounded(slope, places + 1), _rounded(missed, places), step.name)
    return {"columns": columns, "rows": shown, "method": told}, told


def _told(method: Method, points: int, slope: Decimal, missed: Decimal, step: str) -> str:
    if method == "trend":
        how = f"a straight line by least squares through {points} points, {slope:+f} each {step}"
        assumes = "that it goes on changing as it has so far"
    else:
        how = f"the mean of {points} points"
        assumes = "that it stays as it was on average"
    return f"{how}; it assumes {assumes}, and knows of no seasons; it missed the known points by {missed:f} on average"


def _line(known: Sequence[Decimal]) -> tuple[Decimal, Decimal]:
    """The line with the least squares: where it begins, and how much it rises with each point."""
    count = len(known)
    middle, mean = Decimal(count - 1) / 2, sum(known, Decimal()) / count
    along = sum(((n - middle) * (one - mean) for n, one in enumerate(known)), Decimal())
    across = sum(((n - middle) ** 2 for n in range(count)), Decimal())
    return mean - along / across * middle, along / across


class _Step:
    """How far the points are apart; they have to be so evenly."""

    def __init__(self, points: Sequence[Any], kind: str, column: str) -> None:
        self._kind = kind
        self._uneven = QueryRefused(
            f"The points of “{column}” are not evenly apart, so nobody can say which comes next. Group them by month, quarter "
            "or year, one row each."
        )
        if kind == "number":
            self._of_numbers([Decimal(str(one)) for one in points])
        elif kind in ("date", "time"):
            self._of_days([date.fromisoformat(str(one)[:10]) for one in points])
        else:
            raise QueryRefused(f"The column “{column}” has neither dates nor numbers to continue.")

    def _of_numbers(self, points: Sequence[Decimal]) -> None:
        self._by, self._last, self.name = points[1] - points[0], points[-1], "step"
        if self._by <= 0 or any(b - a != self._by for a, b in itertools.pairwise(points)):
            raise self._uneven

    def _of_days(self, points: Sequence[date]) -> None:
        days = {(b - a).days for a, b in itertools.pairwise(points)}
        months = {_months(a, b) for a, b in itertools.pairwise(points)}
        self._end = points[-1]
        if len(days) == 1 and days != {0}:
            self._days, self._months = days.pop(), 0
            self.name = {1: "day", 7: "week"}.get(self._days, f"{self._days} days")
        elif len(months) == 1 and 0 not in months and _same_day(points):
            self._days, self._months = 0, months.pop()
            self.name = _MONTHS.get(self._months, f"{self._months} months")
        else:
            raise self._uneven

    def after(self, n: int) -> str:
        """The n-th point after the last one."""
        if self._kind == "number":
            return format(self._last + self._by * n, "f")
        if self._days:
            return (self._end + timedelta(days=self._days * n)).isoformat()
        month = self._end.year * 12 + self._end.month - 1 + self._months * n
        last = calendar.monthrange(month // 12, month % 12 + 1)[1]
        whole = self._end.day == calendar.monthrange(self._end.year, self._end.month)[1]
        return date(month // 12, month % 12 + 1, last if whole else min(self._end.day, last)).isoformat()


def _months(one: date, other: date) -> int:
    return (other.year - one.year) * 12 + other.month - one.month


def _same_day(points: Sequence[date]) -> bool:
    """The same day of each month, or the last of each."""
    last = all(one.day == calendar.monthrange(one.year, one.month)[1] for one in points)
    return last or len({one.day for one in points}) == 1


def _order(value: Any, kind: str) -> Any:
    return Decimal(str(value)) if kind == "number" else str(value)


def _exponent(number: Decimal) -> int:
    exponent = number.as_tuple().exponent
    return exponent if isinstance(exponent, int) else 0


def _rounded(number: Decimal, places: int) -> Decimal:
    return number.quantize(Decimal(1).scaleb(-places)) + 0
