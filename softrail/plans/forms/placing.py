"""The rows of a time in a column of dates: which year is meant, and where the time begins and ends."""

from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from typing import Final, Literal

from softrail.plans.data.profile import Column
from softrail.plans.forms.form import Choice, Filter, Question, Span
from softrail.plans.forms.periods import Period
from softrail.plans.forms.vocabulary import as_word

EVERY: Final = "every"  #: key of a choice: that part of every year
ALL: Final = "all"  #: the same: the time does not count


def about(period: Period) -> str:
    """What a question about a time is about."""
    return f"period {as_word(period.said)}"


def placed(
    period: Period, column: Column, *, mode: str, chosen: Mapping[str, str]
) -> Filter | Question | None:
    """The rows of a time; a question where its year is not said and there are several, or there are no rows of it.

    None: all rows count, as the person has chosen.
    """
    key, base = (
        chosen.get(about(period)),
        Filter(column=column.name, title=column.title, excluded=mode == "not"),
    )
    least, most = _day(column.least), _day(column.most)
    if key == ALL:
        return None
    if key == EVERY:
        part = "quarter" if period.unit == "quarter" else "month"
        return base.model_copy(update={"part": part, "values": _each_year(period)})
    said = period
    if period.is_open and key is not None and key.isdecimal():
        period = period.in_year(int(key))
    if period.is_open:
        years = range(least.year, most.year + 1) if least and most else range(0)
        there = [year for year in years if _overlaps(period.in_year(year).days(), least, most)]
        if len(there) != 1 or (period.unit == "season" and key is None):
            return _which_year(period, there)
        period = period.in_year(there[0])
    span = _ended(*period.days(), mode)
    if not _overlaps((_day(span.low) or date.min, _day(span.high) or date.max), least, most):
        choices = (Choice(label="All of it", key=ALL),)
        return Question(about=about(said), said=said.said, why="outside", what="period", choices=choices)
    return base.model_copy(update={"spans": (span,)})


def _which_year(period: Period, there: Sequence[int]) -> Question:
    choices = [Choice(label=_in_that_year(period, year), key=str(year)) for year in there[-6:]]
    if not there:
        choices = [Choice(label="All of it", key=ALL)]
    elif period.unit in ("quarter", "month") or (period.unit == "season" and len(there) > 1):
        choices.append(Choice(label=f"{period.said} of every year", key=EVERY))
    why: Literal["which_year", "outside"] = "which_year" if there else "outside"
    return Question(about=about(period), said=period.said, why=why, what="period", choices=tuple(choices))


def _in_that_year(period: Period, year: int) -> str:
    """“March 2024”; of a season, which begins otherwise elsewhere, its months: “spring 2024 (March to May)”."""
    if period.unit != "season":
        return f"{period.said} {year}"
    low, high = period.in_year(year).days()
    since = f"{low:%B} {low.year}" if low.year != high.year else f"{low:%B}"
    return f"{period.said} {year} ({since} to {high:%B}{f' {high.year}' * (low.year != high.year)})"


def _each_year(period: Period) -> tuple[str, ...]:
    """The numbers of its months or of its quarter, in whatever year."""
    if period.unit != "season":
        return (str(period.n),)
    return tuple(str((3 * period.n - 1 + n) % 12 + 1) for n in range(3))


def _ended(low: date, high: date, mode: str) -> Span:
    match mode:
        case "since":
            return Span(low=low.isoformat())
        case "after":
            return Span(low=(high + timedelta(days=1)).isoformat())
        case "until":
            return Span(high=high.isoformat())
        case "before":
            return Span(high=(low - timedelta(days=1)).isoformat())
    return Span(low=low.isoformat(), high=high.isoformat())


def _day(text: str | None) -> date | None:
    try:
        return date.fromisoformat((text or "")[:10])
    except ValueError:
        return None


def _overlaps(days: tuple[date, date], least: date | None, most: date | None) -> bool:
    return least is None or most is None or (days[0] <= most and days[1] >= least)


def within(some: Sequence[Span], others: Sequence[Span]) -> tuple[Span, ...]:
    """The days that are in both: “in the last quarter, in 2024”, “after March before June”."""
    found = [
        Span(
            low=max(filter(None, (a.low, b.low)), default=None),
            high=min(filter(None, (a.high, b.high)), default=None),
        )
        for a in some
        for b in others
    ]
    return tuple(one for one in found if not (one.low and one.high and one.low > one.high))
