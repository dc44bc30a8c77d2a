"""Expands the clauses in `words/`: {a|b|} is a choice, <name> another section or a word that is given."""

import random
import re
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any
from zlib import crc32

import yaml

WORDS = Path(__file__).parent / "words"
_CHOICE = re.compile(r"\{([^{}]*)\}")
_NAME = re.compile(r"<([A-Za-z ]+[0-9]*)>")

#: Sections of which a tenth can be kept back, for figures on clauses that were not trained on.
CLAUSES = frozenset(
    [
        "hold",
        "open",
        "ask",
        "repeat",
        "request",
        "task",
        "human",
        "pause",
        "leave",
        "social",
        "none",
        "affirm",
        "negate",
        "frame",
        "correct",
        "wrong",
    ]
)
_part = "all"


def use(part: str) -> None:
    """From now on: "all" clauses, those to "train" on, or those "held" back."""
    global _part
    _part = part


def kept(lines: Sequence[str]) -> list[str]:
    """The lines of the part in use."""
    if _part == "all":
        return list(lines)
    held = [line for line in lines if crc32(line.encode()) % 10 == 0]
    rest = [line for line in lines if line not in set(held)]
    return (held or rest) if _part == "held" else (rest or held)


def sections() -> dict[str, list[str]]:
    """All sections of all files, of the part in use."""
    return _sections(_part)


@cache
def _sections(part: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for path in sorted(WORDS.glob("*.txt")):
        lines: list[str] = []
        for line in path.read_text(encoding="utf-8").splitlines():
            if line.startswith("["):
                lines = found.setdefault(line.strip("[]"), [])
            elif line.strip() and not line.startswith("# "):
                lines.append(line)
    return {name: kept(lines) if name in CLAUSES else lines for name, lines in found.items()}


@cache
def forms() -> dict[str, dict[str, Any]]:
    """The forms: a title, and their fields by name."""
    told: dict[str, dict[str, Any]] = yaml.safe_load((WORDS / "forms.yaml").read_text(encoding="utf-8"))
    return told


def titles(form: str) -> list[str]:
    """What people call a form."""
    return list(forms()[form]["title"])


def expand(rng: random.Random, text: str, given: Mapping[str, str] | None = None) -> str:
    """One of the sentences that a clause stands for."""
    given = given or {}
    for _ in range(60):
        text, choices = _CHOICE.subn(lambda m: rng.choice(m[1].split("|")), text)
        text, names = _NAME.subn(lambda m: _named(rng, m[1], given), text)
        if not choices and not names:
            break
    return re.sub(r"\s+([,?!])", r"\1", re.sub(r"  +", " ", text)).strip()


def one(rng: random.Random, section: str, given: Mapping[str, str] | None = None) -> str:
    """A sentence from a section."""
    return expand(rng, rng.choice(sections()[section]), given)


def _named(rng: random.Random, name: str, given: Mapping[str, str]) -> str:
    if name in given:
        return given[name]
    if name.startswith("lower "):
        return expand(rng, rng.choice(sections()[name[6:]]), given).lower()
    if name in sections():
        return expand(rng, rng.choice(sections()[name]), given)
    text = expand(rng, rng.choice(sections()[name.lower()]), given)
    return " ".join(word[:1].upper() + word[1:] for word in text.split(" "))
