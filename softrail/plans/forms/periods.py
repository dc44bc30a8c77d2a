"""Times in a request: years, quarters, months, days, what is said from today on, and from one to another."""

import calendar
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Final, Literal

from softrail.plans.forms.form import Grain, Span
from softrail.plans.forms.lexicon import lexicon
from softrail.plans.forms.tokens import Token

_YEAR: Final = re.compile(r"(19|20)\d\d")
_QUARTER: Final = re.compile(r"q([1-4])")
_HALF: Final = re.compile(r"h([12])")
_DAY: Final = re.compile(r"\d{4}-\d{2}-\d{2}")
#: What says where a time lies beside another.
_STEPS: Final = {
    **dict.fromkeys(("before", "earlier", "previous", "preceding", "prior"), -1),
    **dict.fromkeys(("after", "later", "following"), 1),
}
_TO: Final = frozenset({"to", "until", "till", "through"})


@dataclass(frozen=True, slots=True)
class Period:
    """A time as it was said; a quarter or month without a year is one of several."""

    said: str
    unit: Literal["year", "half", "quarter", "month", "season", "days"]
    year: int | None = None
    n: int = 0  #: of the half, quarter, month or season
    low: date | None = None  #: of days
    high: date | None = None
    ends: "tuple[Period, Period] | None" = None  #: of a range: where it begins, where it ends

    @property
    def is_open(self) -> bool:
        """The year is not said."""
        return self.year is None and self.low is None

    def in_year(self, year: int) -> "Period":
        """The same in that year."""
        if self.ends is not None:
            first, last = (one.in_year(year) if one.is_open else one for one in self.ends)
            return replace(self, low=first.days()[0], high=last.days()[1], ends=(first, last))
        return replace(self, year=year, said=f"{self.said} {year}")

    def span(self) -> Span:
        """Its first and its last day."""
        low, high = self.days()
        return Span(low=low.isoformat(), high=high.isoformat())

    def days(self) -> tuple[date, date]:
        """The same as dates. An open one has none."""
        if self.low is not None and self.high is not None:
            return self.low, self.high
        year = self.year or 0
        if self.unit == "year":
            return date(year, 1, 1), date(year, 12, 31)
        if self.unit == "season":
            begin = shifted(date(year, 1, 1), "month", 3 * self.n - 1 - 12 * (self.n == 4))
            return begin, shifted(begin, "month", 3) - timedelta(days=1)
        months = {"half": 6, "quarter": 3}.get(self.unit, 1)
        first, last = months * (self.n - 1) + 1, months * self.n
        return date(year, first, 1), date(year, last, calendar.monthrange(year, last)[1])


def period_at(
    words: Sequence[Token], start: int, today: date, said: Period | None = None
) -> tuple[int, Period | None]:
    """The time that begins at a word, and how many words it takes; `said`: the one that was said before."""
    length, period = _beside(words, start, said) if said is not None else (0, None)
    if length and period is None:
        return 0, None
    if period is None:
        length, period = _one_at(words, start, today)
    if period is None:
        return 0, None
    before = words[start - 1].word if start else ""
    there = start + length
    joined = _TO if before != "between" else frozenset({"and"})
    if before in ("from", "between") and there < len(words) and words[there].word in joined:
        more, other = _one_at(words, there + 1, today)
        if other is not None:
            return length + 1 + more, _ranged(period, other)
    return length, period


def _ranged(first: Period, last: Period) -> Period:
    if first.is_open and last.year is not None and not last.is_open:
        first = first.in_year(last.year)
    said, ends = f"{first.said} to {last.said}", (first, last)
    if first.is_open or last.is_open:
        return Period(said, "days", ends=ends)
    return Period(said, "days", low=first.days()[0], high=last.days()[1], ends=ends)


def _one_at(words: Sequence[Token], start: int, today: date) -> tuple[int, Period | None]:
    if start >= len(words):
        return 0, None
    word = words[start].word
    if _DAY.fullmatch(word):
        return _day(word)
    if _YEAR.fullmatch(word):
        n = _quarter(words, start + 1)
        return (2, Period(_said(words, start, 2), "quarter", int(word), n)) if n else (1, _year(word))
    for found in (
        _to_date(words, start, today),
        _part_of(words, start, today),
        _relative(words, start, today),
    ):
        if found[1] is not None:
            return found
    return _named(words, start)


def step_at(words: Sequence[Token], start: int) -> tuple[int, str]:
    """“The month before”, “the previous quarter”, of no time that is said: beside each piece of time the one before."""
    at = start + (_word(words, start) in ("the", "a", "an", "one"))
    pair = _word(words, at), _word(words, at + 1)
    for step, unit in (pair, pair[::-1]):
        grain = lexicon().senses.get((unit,), {}).get("grains", ("",))[0]
        if _STEPS.get(step) == -1 and grain not in ("", "default") and at > start:
            return at + 2 - start, grain
    return 0, ""


def _beside(words: Sequence[Token], start: int, said: Period) -> tuple[int, Period | None]:
    """“2024 and the year before”, “the previous quarter”, “the same month a year earlier”; without a time: it cannot be told."""
    at = start + (_word(words, start) in ("the", "a", "an", "one"))
    same = _word(words, at) == "same"
    if same:
        at += 2 + (_word(words, at + 2) in ("the", "a", "an", "one", "of", "in"))
        at += _word(words, at) == "the"
    first, second = _word(words, at), _word(words, at + 1)
    step = _STEPS.get(first) or (-1 if same and first == "last" else 0)
    unit = second if step else first
    step = step or _STEPS.get(second, 0)
    unit = lexicon().senses.get((unit,), {}).get("grains", ("",))[0]
    if not step or unit in ("", "default"):
        return 0, None
    length = at + 2 - start
    if said.is_open or said.unit == "days" or (unit != "year" if same else unit != said.unit):
        return length, None
    if same or unit == "year":
        return length, replace(said, said=_said(words, start, length), year=(said.year or 0) + step)
    day = shifted(said.days()[0], unit, step)  # type: ignore[arg-type] # a grain
    n = (day.month + 2) // 3 if unit == "quarter" else day.month
    return length, replace(said, said=_said(words, start, length), year=day.year, n=n)


def _part_of(words: Sequence[Token], start: int, today: date) -> tuple[int, Period | None]:
    """“the last quarter of 2024”, “the first two months of Q3 2024”, “the second half of 2023”."""
    at = start + (words[start].word == "the")
    which, n = _word(words, at), 1
    if which not in ("last", *lexicon().ordinals):
        return 0, None
    said = _word(words, at + 1)
    count = int(said) if said.isdecimal() else lexicon().numbers.get(said, 0)
    at += 1 + bool(count)
    half = _word(words, at) in ("half", "halves")
    unit = "month" if half else lexicon().senses.get((_word(words, at),), {}).get("grains", ("",))[0]
    if unit not in ("day", "week", "month", "quarter", "year") or count > 366:
        return 0, None
    there = at + 2 + (_word(words, at + 2) == "the")
    if _word(words, at + 1) not in ("of", "in"):
        return 0, None
    length, outer = _one_at(words, there, today)
    if outer is None or outer.is_open or (half and outer.unit != "year"):
        return 0, None
    n, pieces = max(count, 1) * (6 if half else 1), lexicon().ordinals.get(which, 0)
    low, high = outer.days()
    if which == "last":
        begin = shifted(floor(high, unit), unit, 1 - n)  # type: ignore[arg-type] # a grain
        low = max(low, begin)
    else:
        begin = shifted(floor(low, unit), unit, (pieces - 1) * n)  # type: ignore[arg-type] # a grain
        end = shifted(begin, unit, n) - timedelta(days=1)  # type: ignore[arg-type] # a grain
        low, high = max(low, begin), min(high, end)
    if low > high:
        return 0, None
    return there + length - start, Period(
        _said(words, start, there + length - start), "days", low=low, high=high
    )


def whole(low: date, high: date) -> Period:
    """The year, quarter or month that these days are; else just the days."""
    said = f"{low} to {high}"
    for unit, months in (("year", 12), ("half", 6), ("quarter", 3), ("month", 1)):
        one = Period(said, unit, low.year, (low.month + months - 1) // months)  # type: ignore[arg-type] # one of them
        if one.days() == (low, high):
            return one
    return Period(said, "days", low=low, high=high)


def _day(word: str) -> tuple[int, Period | None]:
    try:
        found = date.fromisoformat(word)
    except ValueError:
        return 0, None
    return 1, Period(word, "days", low=found, high=found)


def _year(word: str) -> Period:
    return Period(word, "year", int(word))


def _named(words: Sequence[Token], start: int) -> tuple[int, Period | None]:
    """A quarter or a month by its name, with its year if that is said."""
    word, unit, n, length = words[start].word, "month", 0, 1
    if (n := _quarter(words, start)) != 0:
        unit = "quarter"
    elif word in lexicon().ordinals and _word(words, start + 1) == "quarter":
        unit, n, length = "quarter", lexicon().ordinals[word], 2
    elif found := _HALF.fullmatch(word):
        unit, n = "half", int(found[1])
    elif word in lexicon().ordinals and _word(words, start + 1) == "half" and lexicon().ordinals[word] < 3:
        unit, n, length = "half", lexicon().ordinals[word], 2
        if [_word(words, start + at) for at in (2, 3, 4)] == ["of", "the", "year"]:
            length = 5
    elif word in lexicon().seasons and not (word == "fall" and not _is_month(words, start)):
        unit, n = "season", lexicon().seasons[word]
    elif word in lexicon().months and not (word in ("may", "march") and not _is_month(words, start)):
        n = lexicon().months[word]
    if not n:
        return 0, None
    there = start + length + (_word(words, start + length) in ("of", "in"))
    if _YEAR.fullmatch(_word(words, there)):
        length = there + 1 - start
        return length, Period(_said(words, start, length), unit, int(_word(words, there)), n)  # type: ignore[arg-type] # one of the two
    return length, Period(_said(words, start, length), unit, None, n)  # type: ignore[arg-type] # one of the two


def _is_month(words: Sequence[Token], start: int) -> bool:
    """“may” and “march” are words as well: they are months with a capital, a year or a word of time before them."""
    before = _word(words, start - 1) if start else ""
    timed = before in ("in", "for", "from", "to", "since", "until", "of", "during", "only", "and", "between")
    year = _YEAR.fullmatch(_word(words, start + 1)) is not None
    return timed or year or (start > 0 and words[start].text[0].isupper())


def _quarter(words: Sequence[Token], start: int) -> int:
    found = _QUARTER.fullmatch(_word(words, start))
    return int(found[1]) if found else 0


def _relative(words: Sequence[Token], start: int, today: date) -> tuple[int, Period | None]:
    """“last year”, “this month”, “the last 30 days”."""
    there = start + (words[start].word == "the")
    which = lexicon().senses.get((_word(words, there),), {}).get("relative", ("",))[0]
    if which not in ("last", "this"):
        return 0, None
    if season := lexicon().seasons.get(_word(words, there + 1)):  # which of them is told on a button
        return there + 2 - start, Period(_said(words, start, there + 2 - start), "season", None, season)
    count, length = 0, there + 1 - start
    if _word(words, there + 1).isdecimal():
        count, length = int(_word(words, there + 1)), length + 1
    unit = lexicon().senses.get((_word(words, start + length),), {}).get("grains", ("",))[0]
    if unit not in ("day", "week", "month", "quarter", "year") or count > 10_000:
        return 0, None
    length += 1
    low, high = _around(today, unit, which, count)  # type: ignore[arg-type] # a grain
    return length, Period(_said(words, start, length), "days", low=low, high=high)


def _to_date(words: Sequence[Token], start: int, today: date) -> tuple[int, Period | None]:
    """“Year to date”, “YTD”, “this month so far”: from its first day until today."""
    if [_word(words, start + n) for n in range(3)] == ["so", "far", "this"]:
        unit = lexicon().senses.get((_word(words, start + 3),), {}).get("grains", ("",))[0]
        if unit in ("", "day", "default"):
            return 0, None
        low = floor(today, unit)  # type: ignore[arg-type] # a grain
        return 4, Period(_said(words, start, 4), "days", low=low, high=today)
    there = start + (_word(words, start) in ("this", "the"))
    unit = lexicon().to_date.get(_word(words, there), "")
    length = there + 1 - start
    if not unit:
        unit = lexicon().senses.get((_word(words, there),), {}).get("grains", ("",))[0]
        behind = (_word(words, there + 1), _word(words, there + 2))
        so_far = behind == ("so", "far") and _word(words, start) == "this"
        if unit in ("", "day", "default") or not (so_far or behind == ("to", "date")):
            return 0, None
        length += 2
    low = floor(today, unit)  # type: ignore[arg-type] # a grain
    return length, Period(_said(words, start, length), "days", low=low, high=today)


def _around(today: date, unit: Grain, which: str, count: int) -> tuple[date, date]:
    begun = floor(today, unit)
    if which == "this":
        return begun, shifted(begun, unit, 1) - timedelta(days=1)
    return shifted(begun, unit, -max(count, 1)), begun - timedelta(days=1)


def floor(day: date, unit: Grain) -> date:
    """The first day of the piece of time that a day is in."""
    match unit:
        case "day":
            return day
        case "week":
            return day - timedelta(days=day.weekday())
        case "month":
            return day.replace(day=1)
        case "quarter":
            return date(day.year, 3 * ((day.month - 1) // 3) + 1, 1)
        case "year":
            return date(day.year, 1, 1)


def shifted(day: date, unit: Grain, count: int) -> date:
    """The first day of a piece of time so many pieces later."""
    if unit in ("day", "week"):
        return day + timedelta(days=count * (7 if unit == "week" else 1))
    months = {"month": 1, "quarter": 3, "year": 12}[unit] * count + day.month - 1 + 12 * day.year
    return date(max(months // 12, 1), months % 12 + 1, 1)


def pieces_from(first: date, last: date, unit: Grain) -> int:
    """How many pieces of time there are from the first to the last, each given by the day it begins with."""
    if unit in ("day", "week"):
        return (last - first).days // (7 if unit == "week" else 1) + 1
    months = 12 * (last.year - first.year) + last.month - first.month
    return months // {"month": 1, "quarter": 3, "year": 12}[unit] + 1


def grain_of(least: str | None, most: str | None) -> Grain:
    """The pieces that a time from `least` to `most` is looked at in where nothing else is said."""
    try:
        days = (date.fromisoformat((most or "")[:10]) - date.fromisoformat((least or "")[:10])).days
    except ValueError:
        return "month"
    if days <= 62:
        return "day"
    if days <= 190:
        return "week"
    return "month" if days <= 366 * 6 else "year"


def _word(words: Sequence[Token], at: int) -> str:
    return words[at].word if 0 <= at < len(words) else ""


def _said(words: Sequence[Token], start: int, length: int) -> str:
    return " ".join(one.text for one in words[start : start + length])
