"""The word lists of this room, read once from `words.yaml`."""

import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import yaml


@dataclass(frozen=True, slots=True)
class Cues:
    """Words that are known before meaning is looked at."""

    abbreviations: frozenset[str]
    before_numbers: frozenset[str]
    joins: re.Pattern[str]
    corrections: re.Pattern[str]
    asides: re.Pattern[str]
    framings: tuple[re.Pattern[str], ...]
    objects: re.Pattern[str]
    tasks: re.Pattern[str]
    changes: re.Pattern[str]


@cache
def cues() -> Cues:
    """The lists, compiled."""
    raw = yaml.safe_load((files("softrail.classifier") / "words.yaml").read_text(encoding="utf-8"))
    return Cues(
        abbreviations=frozenset(raw["abbreviations"]),
        before_numbers=frozenset(raw["before_numbers"]),
        joins=_any(raw["joins"], before=r"(?:,\s*|(?<=\s))", after=r"(?=[\s,])"),
        corrections=_any(raw["corrections"], before=r"(?:(?:no|oh|ah|sorry|actually|but)\b[\s,]*)?"),
        asides=re.compile(rf"(?:{_any(raw['asides']).pattern}\s*)+", re.IGNORECASE),
        framings=tuple(_any([phrase]) for phrase in raw["framings"]),
        objects=_any(raw["objects"], before=r"\b"),
        tasks=_any([raw["tasks"]], before=r"\b"),
        changes=_any([raw["changes"]], before=r"\b"),
    )


def _any(phrases: list[str], *, before: str = "", after: str = r"(?![^\W_])") -> re.Pattern[str]:
    """One of these phrases, the longest first, with any blanks and either apostrophe."""
    longest = sorted(phrases, key=len, reverse=True)
    choices = "|".join(p.replace("'", "['’]").replace(" ", r"\s+") for p in longest)
    return re.compile(f"{before}(?:{choices}){after}", re.IGNORECASE)
