"""A number told by how far it is from the one before: "add 300 to it", "ten percent less", "twice that"."""

from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from typing import Final

from softrail.processes.spoken.grammar import grammar
from softrail.processes.spoken.said import Said, said

_NEAR: Final = "(?:(?!comma|stop|n|to|bound).){0,6}"  #: words between what happens to it and by how much
_UNIT: Final = "(?:(?!comma|stop|n|and|or|bound|more_of|less_of).)?"  #: what is counted: "three tickets more"
_SHARES: Final = (f"(?:rises|falls|takes_off|adds) {_NEAR} p=n percent", "p=n percent (?:more_of|less_of)")
_SURE_MORE: Final = f"adds (?:another)? n (?!percent)|rises {_NEAR} by_much n (?!percent)"
_SURE_LESS: Final = (
    f"takes_off (?:another)? n (?!percent) {_UNIT} (?:less_of|from)|falls {_NEAR} by_much n (?!percent)"
)
_A_UNIT: Final = "a (?:length|span)"  #: "an hour longer"
_MAYBE_MORE: Final = f"(?:added|another) n|(?:n {_UNIT}|{_A_UNIT}) more_of|rises {_NEAR} n"
_MAYBE_LESS: Final = f"minus n|(?:n {_UNIT}|{_A_UNIT}) less_of|falls {_NEAR} n"
#: "Double the amount", "twice that", "make it double"; "a double room" and "twice a week" are something else.
_FACTORS: Final = (
    "(?<!a) factor (?!a) (?:of|that|it|pointed|whose|stop|comma|$)",
    "half of? (?:that|it|pointed)",
    "half of (?!n|a|length|span|weekday|month)",
    "n times (?:of|that|it|pointed|more_of)",
)
_TELLS: Final = "adds|takes_off|rises|falls|factor"  #: what begins such a sentence,
_WHEREVER: Final = (
    "(?:rises|falls) by_much n|(?:factor|half off?) (?:that|it|pointed)"  #: or stands anywhere in it
)
_FIRST: Final = 4  #: words among which it stands
_SHORT: Final = 14  #: words of one


@dataclass(frozen=True, slots=True)
class Moved:
    """How a new number comes of the old one."""

    by: int = 0  #: 1: what is said is added to it, -1: it is taken off
    times: Decimal = Decimal(1)  #: what it is multiplied with
    sure: bool = True  #: False: what is said may as well be the new number itself


def moved(message: str, start: int, end: int, locale: str, *, question: str = "") -> Moved | None:
    """How the words at that place move the number that there was; None where they are a number of their own.

    A message that has no number there, `end` being 0, may say by how many times.
    """
    text = said(message, locale)
    here = [at for at in range(len(text)) if text.starts[at] < end and start < text.ends[at]]
    for match in (one for share in _SHARES for one in text.scan(share)):
        if not end or match.start("p") in here:
            less = text.known.pattern("falls|takes_off|less_of").search(text.signs, *match.span())
            part = _number(text, match.start("p")) / 100
            return Moved(times=1 - part if less else 1 + part)
    for match in text.scan(*_FACTORS):
        if not any(text.is_a(at, "n") for at in here) or _within(here, match.span()):
            return Moved(times=_times(text, match.start()))
    if not here or _asks_by_how_much(question, locale):
        return None
    for told, by, sure in (
        (_SURE_MORE, 1, True),
        (_SURE_LESS, -1, True),
        (_MAYBE_MORE, 1, False),
        (_MAYBE_LESS, -1, False),
    ):
        if any(_within(here, match.span()) for match in text.scan(told)):
            return Moved(by=by, sure=sure)
    return None


def is_told_to_move(message: str, locale: str) -> bool:
    """It is all of one short sentence that tells us by how much something is to change: "please add 300 to the amount"."""
    text = said(message, locale)
    tells = text.known.pattern(_TELLS).search(text.signs[:_FIRST]) is not None
    tells = tells or text.known.pattern(_WHEREVER).search(text.signs) is not None
    short = len(text) <= _SHORT and text.known.pattern("(?:comma|stop) (?!$)").search(text.signs) is None
    sure = (*_SHARES, *_FACTORS, _SURE_MORE, _SURE_LESS)
    return tells and short and any(text.known.pattern(one).search(text.signs) for one in sure)


def times_in(message: str, locale: str) -> Decimal | None:
    """How many times a number that is said beside it is meant: "80 last time, this time double"; None where nothing says so."""
    text = said(message, locale)
    match = next(text.scan(_FACTORS[0]), None)
    return _times(text, match.start()) if match is not None else None


def _times(text: Said, at: int) -> Decimal:
    factor = text.value(at, "factor")
    if factor is not None:
        return Decimal(str(factor))
    return Decimal("0.5") if text.is_a(at, "half") else _number(text, at)


def _number(text: Said, at: int) -> Decimal:
    return Decimal(text.texts[at].replace(",", "."))


def _within(here: list[int], span: tuple[int, int]) -> bool:
    return any(span[0] <= at < span[1] for at in here)


@lru_cache(1024)
def _asks_by_how_much(question: str, locale: str) -> bool:
    """The question asks for what is to be added itself: "How many more do you need?"."""
    known = grammar(locale)
    return known.pattern("more_of|less_of|another|added").search(said(question, locale).signs) is not None
