"""A part of an answer that is changed, the rest of which stays: "it's Adeyemi not Adeyemy" keeps the first name."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from softrail.language import Language, normal

_RUN: Final = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*|\d+")  #: "KY19" is two: the letters and the number
_SLIP: Final = 4  #: letters of a word that one slip of the fingers leaves what it was
_SLIPS: Final = 7  #: the same of two
_FIGURES: Final = re.compile(r"\d")


@dataclass(frozen=True, slots=True)
class Run:
    """Letters or figures that stand together in a text, and where."""

    key: str
    start: int
    end: int


def runs(text: str) -> list[Run]:
    """All runs of letters and of figures."""
    return [Run(normal(m.group()), m.start(), m.end()) for m in _RUN.finditer(text)]


def tells(run: Run, language: Language) -> bool:
    """It is no word that stands around anything: "the", "it's"."""
    return not language.is_choosing_word(run.key)


def with_part(old: str, new: str, language: Language, *, denied: str = "") -> str | None:
    """The old text with its denied part replaced by the new words; None where those stand for all of it.

    Where nothing is denied, the part is the one that the new words are nearly: the same but for a slip, or a number.
    """
    was, said_all = runs(old), runs(new)
    now = _without_lead(said_all, language)
    if not was or not now:
        return None
    place = _denied(was, runs(denied), language) if denied else _nearly(was, now, language)
    if place is None:
        return None
    first, last = _repeated(was, now, *place)
    kept = [run.key for run in (*was[:first], *was[last:]) if tells(run, language)]
    said = [run.key for run in now if tells(run, language)]
    if not kept or len(said) >= len([run for run in was if tells(run, language)]):
        return None
    if set(kept) & set(said) or _brings_figures(was[first:last], now, kept):
        return None  # it says more than that part anew
    begin, end = was[first].start, was[last - 1].end
    at = len(said_all) - len(now)
    if at and not tells(was[first], language):
        at -= 1  # "the bank" becomes "the landlord"
    return f"{old[:begin]}{new[said_all[at].start : now[-1].end]}{old[end:]}"


def _without_lead(said: Sequence[Run], language: Language) -> Sequence[Run]:
    """Without the words before the first that tells something: "it's Bron", "the oats"."""
    return said[next((at for at, run in enumerate(said) if tells(run, language)), len(said)) :]


def _denied(was: Sequence[Run], denied: Sequence[Run], language: Language) -> tuple[int, int] | None:
    """Where the denied words stand in the old ones, if once."""
    keys = [run.key for run in denied]
    return _only(was, len(keys), lambda at: [run.key for run in was[at : at + len(keys)]] == keys)


def _nearly(was: Sequence[Run], now: Sequence[Run], language: Language) -> tuple[int, int] | None:
    """Where words stand that the new ones nearly are, if once."""

    def near(at: int) -> bool:
        pairs = [(one.key, other.key) for one, other in zip(was[at : at + len(now)], now, strict=True)]
        same = sum(one == other for one, other in pairs)
        return same < len(pairs) and all(
            one == other
            or is_nearly(one, other, language)
            or (same and one.isdecimal() and other.isdecimal())
            for one, other in pairs
        )

    return _only(was, len(now), near)


def _only(was: Sequence[Run], size: int, fits: Callable[[int], bool]) -> tuple[int, int] | None:
    found = [at for at in range(len(was) - size + 1) if fits(at)] if size else []
    return (found[0], found[0] + size) if len(found) == 1 else None


def is_nearly(one: str, other: str, language: Language) -> bool:
    """Another word but for a slip of the fingers, or two in a long one."""
    short = min(len(one), len(other))
    most = 2 if short >= _SLIPS else 1 if short >= _SLIP else 0
    return one.isalpha() and other.isalpha() and 0 < language.slips(one, other, most) <= most


def _repeated(was: Sequence[Run], now: Sequence[Run], first: int, last: int) -> tuple[int, int]:
    """The part with what the new words repeat around it: "RV09, not 08" is the letters as well."""
    keys, said = [run.key for run in was], [run.key for run in now]
    before = max(
        (n for n in range(1, len(said)) if n <= first and keys[first - n : first] == said[:n]), default=0
    )
    after = max((n for n in range(1, len(said) - before) if keys[last : last + n] == said[-n:]), default=0)
    return first - before, last + after


def _brings_figures(part: Sequence[Run], now: Sequence[Run], kept: Sequence[str]) -> bool:
    """A number comes with the new words, which what they replace had not, and one is kept."""
    brings = any(run.key.isdecimal() for run in now) and not any(run.key.isdecimal() for run in part)
    return brings and any(map(_FIGURES.search, kept))
