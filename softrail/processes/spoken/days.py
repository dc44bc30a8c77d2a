"""A day, as the person's calendar has it: "tomorrow", "next Friday", "March 15th", "a week on Tuesday"."""

import re
from collections.abc import Iterator, Sequence
from datetime import date
from functools import lru_cache
from typing import Final

from softrail.processes.spoken.bounds import bounded, meant
from softrail.processes.spoken.calendar import Year, day_option
from softrail.processes.spoken.counted import COUNTED
from softrail.processes.spoken.grammar import grammar
from softrail.processes.spoken.months import MONTHS
from softrail.processes.spoken.said import Said, said
from softrail.processes.spoken.walk import Days, Rules, many_days
from softrail.processes.spoken.weeks import WEEKS
from softrail.processes.spoken.whole_weeks import WHOLE_WEEKS
from softrail.processes.unread import Unread

_KEPT: Final = 1024  #: questions of which it is known still what they ask for
_RULES: Final[Rules] = {**WHOLE_WEEKS, **COUNTED, **MONTHS, **WEEKS}  #: the first that finds a day is taken


def read_day(
    message: str,
    today: date,
    locale: str,
    *,
    past: bool = False,
    after: date | None = None,
    month: date | None = None,
    week: date | None = None,
    lasts: bool = False,
    question: str = "",
) -> date:
    """The one day a message names; raises Unread when there is none, or more than one.

    A day without a year is the next one to come, of what has been the last one (`past`), and not before `after`. The
    number of a day alone is of that month, where one is given, and a weekday alone of the week of `week`.
    "Friday" is the next one after today, "next Friday" the one of the week after this. Where it `lasts` since `after`,
    "three nights" is the day on which it is over.
    """
    text = said(message, locale)
    signs = text.without(sure_times(text))
    return day_in(
        text, signs, today, past=past, after=after, month=month, week=week, lasts=lasts, question=question
    )


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
    week: date | None = None,
    lasts: bool = False,
    question: str = "",
) -> date:
    """The one day that is told by these signs of a message."""
    asked = question.lower().rstrip("?").split()
    born, since = (not frozenset(text.known.asking[kind]).isdisjoint(asked) for kind in ("birth", "since"))
    year = Year(
        today,
        past=past,
        after=after,
        month=month,
        week=week,
        born=born,
        since=since,
        lasts=lasts,
        weekly=asks_for_a_week(question, text.known.locale),
    )
    read = Days(text, signs, year, _RULES).all()
    if not read:
        if (same := _in_another_year(text, year)) is not None:
            return same
        raise Unread("no_date")
    if (ends := _ends(text, read)) is not None:
        raise many_days(ends, ends)
    read = [one for one in read if not _only_tells_the_weekday(one, read, text)]
    found, sense = meant(text, read, "day", question)
    if len(found) > 1:
        raise many_days(sorted(found))
    if sense != "exact":
        raise bounded(day_option((found or [read[0][0]])[0]), sense)
    return found[0]


def _in_another_year(text: Said, year: Year) -> date | None:
    """The day that is put right in the year that alone is told: "it was 2024, not 2025"."""
    told = text.scan("four", "apostrophe_year")
    return year.of_that_year(*(year.told(re.sub(r"\D", "", text.texts[match.start()])) for match in told))


@lru_cache(_KEPT)
def asks_for_a_week(question: str, locale: str) -> bool:
    """Any day of the week that is meant answers: "Which week?", a field `delivery_week`."""
    asking, asked = grammar(locale).asking, " ".join(re.findall(r"[a-z?]+", question.lower()))
    named = asked.rpartition(" ")[2] in asking["week_name"]
    return named or any(f" {words} " in f" {asked.replace('?', ' ')} " for words in asking["week"])


def _only_tells_the_weekday(
    one: tuple[date, int, int], read: Sequence[tuple[date, int, int]], text: Said
) -> bool:
    """It is a weekday alone, of another day that is told: "the 4th of April, Sunday"."""
    day, begin, end = one
    if not text.is_a(end - 1, "weekday") or not all(text.is_a(at, "on") for at in range(begin, end - 1)):
        return False
    apart = text.known.pattern("(?:comma|stop)*")
    return any(
        other.weekday() == day.weekday() and behind <= begin and apart.fullmatch(text.signs, behind, begin)
        for other, _, behind in read
    )


def _ends(text: Said, read: list[tuple[date, int, int]]) -> tuple[date, date] | None:
    """From one day to another: "Friday to Monday"."""
    if len(read) != 2 or read[0][0] > read[1][0]:
        return None
    joined = text.known.pattern("(?:to|dash) (?:on|of)*").fullmatch(text.signs, read[0][2], read[1][1])
    return (read[0][0], read[1][0]) if joined is not None else None


def spans(text: Said, today: date, *, past: bool = False) -> Iterator[tuple[int, int]]:
    """Where days are told in a message, by its tokens, without the words that only lead to them: "on the"."""
    days = Days(text, text.without(sure_times(text)), Year(today, past=past), _RULES)
    for begin, end in days.places():
        while begin < end - 1 and any(text.is_a(begin, kind) for kind in ("of", "on")):
            begin += 1
        yield begin, end
