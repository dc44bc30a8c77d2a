"""A walk over a message from left to right, which reads the days that are told in it by rules that it is given."""

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from typing import Final

from softrail.processes.spoken.calendar import Year, day_option, shifted
from softrail.processes.spoken.said import Said
from softrail.processes.unread import BUTTONS, Unread

_FARTHEST: Final = 4000  #: of a unit, in "in N days"
_DEEPEST: Final = 4  #: "two days after the Monday after Easter" counts from what is counted
_DATING: Final = "(?<=dating) year"

Found = tuple[date, int]  #: a day, and the token behind it
Read = Callable[["Days", re.Match[str]], Found | None]
Rules = Mapping[str, Read]  #: what is told in kinds of words, and what makes a day of it


class Days:
    """The days of a message, and what a rule asks about the tokens around it."""

    def __init__(self, text: Said, signs: str, year: Year, rules: Rules) -> None:
        self.text, self.signs, self.year = text, signs, year
        self.known, self.today = text.known, year.today
        self.found: list[tuple[date, int, int]] = []  #: each day so far, and the tokens that say it
        self._rules, self._each = rules, tuple(rules)
        self._deep = 0
        self._reach = 0  #: the last token that anything was read of

    def all(self) -> list[tuple[date, int, int]]:
        """Each day, and the tokens that say it."""
        at = 0
        while (begin := self._next(at)) is not None:
            at = begin + 1
            if (found := self.one(begin)) is not None:
                at = max(found[1], at)
                self.found.append((found[0], begin, found[1]))
        if self.found and self._years_apart([(begin, end) for _, begin, end in self.found]):
            raise Unread("unclear_day")  # "the year was 1999, and it was June 5"
        return self.found

    def places(self) -> list[tuple[int, int]]:
        """Where a day is told, whether or not it is clear which one."""
        at, spans = 0, list[tuple[int, int]]()
        while (begin := self._next(at)) is not None:
            self._reach, end = begin, begin
            try:
                if (found := self.one(begin)) is not None:
                    end = found[1]
                    self.found.append((found[0], begin, end))
            except Unread:
                end = self._reach
                if spans and self._is_repaired(begin):  # "1991, no sorry, 1990"
                    begin, _ = spans.pop()
            at = max(end, begin + 1)
            if end > begin:
                spans.append((begin, end))
        apart = self._years_apart(spans) if spans else []
        return [(min(spans[0][0], apart[0] - 1), max(spans[-1][1], apart[-1] + 1))] if apart else spans

    def one(self, at: int) -> Found | None:
        """The day that is told at that token; None where none is."""
        first = self.known.read(self._each, self.signs, at)
        if first is None or first[1].start() > at:
            return None
        for rule in range(first[0], len(self._each)):
            told = self._each[rule]
            match = first[1] if rule == first[0] else self.known.pattern(told).match(self.signs, at)
            if match is None:
                continue
            self._reach = max(self._reach, match.end())
            if (found := self._rules[told](self, match)) is not None:
                return found
        return None

    def named(self, at: int) -> Found | None:
        """The day that is told there, to be counted from."""
        while self.is_a(at, "of"):
            at += 1
        self._deep += 1
        found = self.one(at) if at < len(self.signs) and self._deep <= _DEEPEST else None
        self._deep -= 1
        return found

    def is_a(self, at: int, *kinds: str) -> bool:
        """There is a token, and it is of one of these kinds."""
        return 0 <= at < len(self.signs) and any(self.known.is_a(self.signs[at], kind) for kind in kinds)

    def first_month(self, before: int) -> int | None:
        """Where a month stands before that token of which no day was told; None where none does."""
        bare = (
            match.start()
            for match in self.known.pattern("(?:(?<=in)|(?<=off)|(?!verb))month").finditer(
                self.signs, 0, before
            )
        )
        return next((at for at in bare if not any(a <= at < b for _, a, b in self.found)), None)

    def is_unknown(self, at: int) -> bool:
        """It is of no kind that is known."""
        return self.signs[at] == self.known.sign()

    def is_word(self, at: int) -> bool:
        """There is a token, and it is a word."""
        return at < len(self.signs) and self.text.texts[at][0].isalpha()

    def value(self, match: re.Match[str], name: str, kind: str) -> int:
        """What a word that a rule keeps stands for."""
        return int(self.text.value(match.start(name), kind))

    def number(self, match: re.Match[str], name: str) -> int:
        """The number of a day: "third", 3."""
        at = match.start(name)
        return self.text.value(at, "ord_word") or int(self.text.texts[at])

    def many(self, match: re.Match[str], name: str = "Q") -> int:
        """How many of a unit: "a" is one."""
        word = self.text.texts[match.start(name)]
        if not word[0].isdecimal():
            return 1
        if not word.isdecimal():
            raise Unread("no_date")  # "in 2.5 weeks"
        if len(word) > len(f"{_FARTHEST}") or int(word) > _FARTHEST:
            raise Unread("no_such_date")
        return int(word)

    def unit(self, match: re.Match[str]) -> str:
        """The unit of the calendar that is counted."""
        return str(self.text.value(match.start("u"), "calendar"))

    def away(self, match: re.Match[str], name: str) -> int:
        """'Next' is one away, 'last' one back."""
        at = match.start(name)
        return 1 if self.is_a(at, "next") else -1 if self.is_a(at, "last") else 0

    def of_week(self, weekday: int, away: int) -> date:
        """That day of the week that is so many weeks away."""
        return shifted(self.today, 7 * away - self.today.weekday() + weekday, "day")

    def _is_repaired(self, at: int) -> bool:
        """What stands there takes back what was said: behind "no", "sorry", "I mean"."""
        while self.is_a(at - 1, "comma", "of", "stop"):
            at -= 1
        return self.is_a(at - 1, "repair")

    def _next(self, at: int) -> int | None:
        """The next token with which something begins that may be a day."""
        found = self.known.read(self._each, self.signs, at)
        return found[1].start() if found is not None else None

    def _years_apart(self, spans: Sequence[tuple[int, int]]) -> list[int]:
        """Years that stand by themselves: of which day, nobody can tell."""
        years = [match.start() for match in self.text.scan(_DATING)]
        return [at for at in years if not any(begin <= at < end for begin, end in spans)]


def many_days(days: Sequence[date], ends: tuple[date, date] | None = None) -> Unread:
    """Several days, one of which is meant."""
    either = [day_option(day) for day in days[:BUTTONS]]
    return Unread("many_dates", either=either, ends=ends)
