"""What is said around a value: that it is a bound, that it is not meant, that it is the last word; and what a question takes.

A value has a sense. Hedges leave it as it is ("around 40", "just after 5"); a bound is the value only where one of its
kind is asked for ("By when?" - "before noon"); what is left out is none ("anything but Friday").
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, Generic, Literal, TypeVar

from softrail.core.questions import Option
from softrail.processes.spoken.grammar import grammar
from softrail.processes.spoken.said import Said
from softrail.processes.unread import Unread

#: Of a bound: whether it is one of what may be meant ("from 5", "at least") or not ("after 5", "over").
Sense = Literal["exact", "from", "at_least", "above", "at_most", "below", "not"]
Kind = Literal["many", "time", "day"]  #: a number, an amount, a length; a time; a day

_MATTERS: Final = (
    "hence|bound|bound_at|bound_day|bounded|excluding|every|or_more|vague|plus"  #: the kinds of words of it
)
_KEPT: Final = 1024  #: questions of which it is known still what they ask for
_REACH: Final = 6  #: tokens before a value, in which what is said of it begins
_LED: Final = "(?:of|on|around|a|currency)*"
_BOUNDS: Final[Mapping[Kind, str]] = {
    "many": "bound",
    "time": "bound_at",
    "day": "bound_at|bound_day",
}
#: "Not before", "no more than", "any day but"; "just over" is about that.
_BEFORE: Final[Mapping[Kind, str]] = {
    kind: f"(?:(?<!barely|raising) (?<!barely .|raising .) (?<!raising ..) (?:N=(turning) (?:(?!comma|stop).){{0,3}})? B=({bounds})|excluding|every .{{0,2}} but) {_LED} $"
    for kind, bounds in _BOUNDS.items()
}
_ALONE: Final = "comma? bounded (?=comma|stop|tail|$)"  #: "Friday, at the latest"
_BEHIND: Final[Mapping[Kind, str]] = {
    "many": f"(?:(?!comma|stop|n|and|or|to|plus).){{0,2}} (?:dash? bounded|{_ALONE})|dash? (?:or_more|vague)|plus(?!n)",
    "time": f"dash? bounded|{_ALONE}",
    "day": f"dash? bounded|{_ALONE}",
}
_ALSO: Final = "comma? (?:or|and|nor) (?:of|on|around)*"  #: "not Monday or Tuesday"
_TURNED: Final[dict[Sense, Sense]] = {
    "from": "below",
    "at_least": "below",
    "above": "at_most",
    "at_most": "above",
    "below": "at_least",
}


V = TypeVar("V")


@dataclass(frozen=True, slots=True)
class Told(Generic[V]):
    """A value, by the tokens that say it, and the tokens that say what sense it has."""

    value: V
    sense: Sense
    begin: int
    end: int


def told(text: Said, value: V, begin: int, end: int, kind: Kind) -> Told[V]:
    """The value that stands there, with what is said around it."""
    known, signs, start = text.known, text.signs, max(0, begin - _REACH)
    until = begin + text.is_a(begin, "bound_at")  # "before noon" is one token
    if (match := known.pattern(_BEFORE[kind]).search(signs, start, until)) is not None:
        sense: Sense = _sense(text, match.start("B"), *_BOUNDS[kind].split("|")) if match["B"] else "not"
        return Told(value, _TURNED[sense] if match["N"] else sense, match.start(), end)
    if (match := known.pattern(_BEHIND[kind]).match(signs, end)) is not None:
        return Told(value, _sense(text, match.end() - 1, "bounded") or "at_least", begin, match.end())
    return Told(value, "exact", begin, end)


def _sense(text: Said, at: int, *kinds: str) -> Any:
    return next((sense for kind in kinds if (sense := text.value(at, kind))), None)


def meant(text: Said, read: Sequence[tuple[V, int, int]], kind: Kind, question: str) -> tuple[list[V], Sense]:
    """The values that may be meant, each once, in order, and the sense of it where there is one.

    The last word counts ("six or seven, call it seven"), and what is left out does not ("not Monday but Tuesday").
    """
    if text.known.pattern(_MATTERS).search(text.signs) is None:
        return list(dict.fromkeys(value for value, _, _ in read)), "exact"
    settled = [n for n, (_, begin, _) in enumerate(read) if text.is_concluded(begin)]
    each = list(_not_left_out(text, read[settled[-1] if settled else 0 :], kind))
    takes = asked_for(question, text.known.locale, kind)
    plain = list(dict.fromkeys(one.value for one in each if one.sense == "exact" or settled))
    bounds = [one for one in each if one.value not in plain]
    wanted = [one.value for one in bounds if one.sense in takes]
    if plain and not wanted:
        within = [one for value in plain if (one := _within(value, bounds)) is not None]
        return (within if len(within) == 1 else list(dict.fromkeys(one.value for one in each))), "exact"
    values = list(dict.fromkeys([*plain, *(wanted or (one.value for one in bounds))]))
    return values, "exact" if wanted else bounds[0].sense if bounds else "not"


def _within(value: Any, bounds: Sequence[Told[Any]]) -> Any:
    """The value, of a time what it may be, as far as it is within all of these: "before noon, at eleven"."""
    for one in bounds:
        over = one.sense in ("from", "at_least", "above")
        if isinstance(value, tuple) and len(one.value) == 1:
            value = tuple(at for at in value if (at >= one.value[0] if over else at <= one.value[-1]))
        if value == () or (
            not isinstance(value, tuple) and (value < one.value if over else value > one.value)
        ):
            return None
    return value


def _not_left_out(text: Said, read: Sequence[tuple[V, int, int]], kind: Kind) -> Iterator[Told[V]]:
    last: Told[V] | None = None
    for value, begin, end in read:
        one = told(text, value, begin, end, kind)
        also = last is not None and text.known.pattern(_ALSO).fullmatch(text.signs, last.end, begin)
        last = one if one.sense == "not" or also else None
        if last is None:
            yield one


def bounded(option: Option, sense: Sense) -> Unread:
    """A value of that sense was said, and none such was asked for."""
    if sense == "not":
        return Unread("left_aside", value=option.label)
    return Unread("bound", either=[option], value=option.label)


@lru_cache(_KEPT)
def asked_for(question: str, locale: str, kind: Kind) -> frozenset[Sense]:
    """The senses besides the plain value that answer a question: "By when?", "How many at most?"."""
    words, asking = frozenset(re.findall(r"[a-z]+", question.lower())), grammar(locale).asking
    many = kind == "many"

    def asks(*kinds: str) -> bool:
        return any(not words.isdisjoint(asking[one]) for one in kinds)

    takes: set[Sense] = set()
    if asks(*(("least",) if many else ("from_when", "allows"))):
        takes |= {"from", "at_least", "above"}
    elif asks("begins"):
        takes.add("from")
    if asks(*(("most", "allows") if many else ("by_when",))):
        takes |= {"at_most", "below"}
    return frozenset(takes if kind != "day" else takes - {"above", "below"})  # "after Friday" is not Friday
