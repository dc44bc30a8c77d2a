"""The word lists of this room, read once from `words.yaml`."""

import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import yaml

_STOP = r"(?=\s*(?:[,.;:!?–—…]|-\s|$))"


@dataclass(frozen=True, slots=True)
class Cues:
    """Words that are known before meaning is looked at."""

    abbreviations: frozenset[str]
    before_numbers: frozenset[str]
    joins: re.Pattern[str]
    corrections: re.Pattern[str]
    restarts: re.Pattern[str]
    touches: re.Pattern[str]
    renamings: re.Pattern[str]
    copulas: re.Pattern[str]
    calendar: re.Pattern[str]
    hollow: re.Pattern[str]
    denials: re.Pattern[str]
    doubts: re.Pattern[str]
    requests: re.Pattern[str]
    asides: re.Pattern[str]
    framings: tuple[re.Pattern[str], ...]
    keeping: re.Pattern[str]
    objects: re.Pattern[str]
    tasks: re.Pattern[str]
    changes: re.Pattern[str]


@cache
def cues() -> Cues:
    """The lists, compiled."""
    raw = yaml.safe_load((files("softrail.classifier") / "words.yaml").read_text(encoding="utf-8"))
    heads = rf"(?:(?:{raw['before_corrections']})\b[\s,]*){{0,4}}"
    polite = rf"\s*(?:(?:{raw['before_wishes']})\b[\s,.!:]*){{0,6}}"
    restarts = _any(raw["restarts"], after=_STOP).pattern
    return Cues(
        abbreviations=frozenset(raw["abbreviations"]),
        before_numbers=frozenset(raw["before_numbers"]),
        joins=_any(raw["joins"], before=r"(?:,\s*|(?<=\s))", after=r"(?=[\s,])"),
        corrections=_any(raw["corrections"], before=heads),
        restarts=re.compile(
            rf"{heads}(?:{restarts}|{_any(raw['rephrases'], after='').pattern})", re.IGNORECASE
        ),
        touches=_any(raw["touches"], after=_STOP),
        renamings=_any([raw["renamings"]]),
        copulas=_any([raw["copulas"]], before=r"\b"),
        calendar=_any([raw["calendar"]]),
        hollow=_any([raw["hollow"]]),
        denials=_any(raw["denials"], before=polite),
        doubts=_any(raw["doubts"], before=polite),
        requests=_any(raw["requests"], before=polite),
        asides=re.compile(rf"(?:{_any(raw['asides']).pattern}\s*)+", re.IGNORECASE),
        framings=tuple(_any([phrase]) for phrase in raw["framings"]),
        keeping=_any([raw["keeping"]], before=r"\s*(?:you\s+)?"),
        objects=_any(raw["objects"], before=r"\b"),
        tasks=_any([raw["tasks"]], before=r"\b"),
        changes=_any([raw["changes"]], before=r"\b"),
    )


def _any(phrases: list[str], *, before: str = "", after: str = r"(?![^\W_])") -> re.Pattern[str]:
    """One of these phrases, the longest first, with any blanks and either apostrophe."""
    longest = sorted(phrases, key=len, reverse=True)
    choices = "|".join(p.replace("'", "['’]").replace(" ", r"\s+") for p in longest)
    return re.compile(f"{before}(?:{choices}){after}", re.IGNORECASE)
