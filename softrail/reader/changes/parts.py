"""A part of an answer that is changed, the rest of which stays: "it's Adeyemi not Adeyemy" keeps the first name."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from softrail.language import Language, normal
from softrail.processes.words import words

_RUN: Final = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*|\d+")  #: "KY19" is two: the letters and the number


@dataclass(frozen=True, slots=True)
class Run:
    """Letters or figures that stand together in a text, and where."""

    key: str
    start: int
    end: int


def runs(text: str) -> list[Run]:
    """All runs of letters and of figures."""
    return [Run(normal(m.group()), m.start(), m.end()) for m in _RUN.finditer(text)]


def keys(text: str) -> list[str]:
    """Their words alone, in order."""
    return [run.key for run in runs(text)]


def tells(run: Run, language: Language) -> bool:
    """It is no word that stands around anything: "the", "it's"."""
    return not language.is_choosing_word(run.key)


def tells_something(text: str, language: Language) -> bool:
    """One of its words does."""
    return any(tells(run, language) for run in runs(text))


def only_points(text: str, language: Language) -> bool:
    """Its words are of what is told beside it, and say nothing themselves: "it", "both of them"."""
    said = [key for key in keys(text) if language.points(key) or not language.is_choosing_word(key)]
    return any(map(language.points, said)) and all(language.points(k) or language.negates(k) for k in said)


def with_part(old: str, denied: str, new: str, language: Language) -> str | None:
    """The old text with its denied part replaced by the new words; None where those stand for all of it."""
    was, said, gone = runs(old), runs(new), keys(denied)
    now = said[next((at for at, run in enumerate(said) if tells(run, language)), len(said)) :]
    places = [at for at in range(len(was)) if gone and [run.key for run in was[at : at + len(gone)]] == gone]
    if not now or len(places) != 1:
        return None
    first, last = _repeated(was, now, places[0], places[0] + len(gone))
    kept = [run.key for run in (*was[:first], *was[last:]) if tells(run, language)]
    told = [run.key for run in now if tells(run, language)]
    if not kept or len(told) >= sum(tells(run, language) for run in was):
        return None
    if set(kept) & set(told):
        return None  # it says more than that part anew
    begin, end = was[first].start, was[last - 1].end
    at = len(said) - len(now)
    if at and not tells(was[first], language):
        at -= 1  # "the bank" becomes "the landlord"
    return f"{old[:begin]}{new[said[at].start : now[-1].end]}{old[end:]}"


def denies_the_old(old: str, new: str, language: Language) -> bool:
    """The new words are the old ones with more around them that denies them."""
    was, now = f" {normal(old)} ", f" {normal(new)} "
    return was in now and any(language.negates(word) for word in now.replace(was, " ").split())


def before_the_old(old: str, new: str, language: Language) -> str:
    """What stands before the old words and one that denies them, where they are the last: of "Nora no Ines" Nora; else ""."""
    was, now = runs(old), runs(new)
    at = len(now) - len(was)
    if at < 2 or [run.key for run in now[at:]] != [run.key for run in was]:
        return ""
    return new[: now[at - 2].end] if language.negates(now[at - 1].key) else ""


def _repeated(was: Sequence[Run], now: Sequence[Run], first: int, last: int) -> tuple[int, int]:
    """The part with what the new words repeat around it: "RV09, not 08" is the letters as well."""
    keys, said = [run.key for run in was], [run.key for run in now]
    before = max(
        (n for n in range(1, len(said)) if n <= first and keys[first - n : first] == said[:n]), default=0
    )
    after = max((n for n in range(1, len(said) - before) if keys[last : last + n] == said[-n:]), default=0)
    return first - before, last + after


def halves_of_the_day(language: Language) -> frozenset[str]:
    """What is said behind an hour for either half: "am", "pm"."""
    return frozenset(words(language.code)["values"]["half_day"].values())


def is_shaped_like(new: str, old: str) -> bool:
    """Both have figures, and figures and letters in the same places: another number of a telephone, another plate."""
    if not any(map(str.isdecimal, new)):
        return False
    one, other = (re.sub(r"[^\W\d_]", "a", re.sub(r"\d", "0", text)) for text in (new, old))
    return one == other
