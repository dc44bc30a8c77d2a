"""Words that say how many or how much, in the languages that are told apart, and which of them a text is written in.

A number of another language is looked for as well, but where its word means something else in that of the text: "once" is
eleven in Spanish alone.
"""

import re
import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files
from string import ascii_lowercase
from typing import Any, Final

from softrail.plugin import language

ENGLISH: Final = "en"
_WORD: Final = re.compile(r"[^\W\d_]+")
_ENOUGH: Final = {ENGLISH: 8}  #: one of so many words at least is a small one of the language
_ENOUGH_ELSEWHERE: Final = 5  #: which has neighbours that nobody here knows: Catalan, Swedish


class Amounts:
    """The words of one language."""

    def __init__(self, code: str, read: Mapping[str, Any]) -> None:
        self.code = code
        self.limits: frozenset[str] = frozenset(read["limits"])
        self._small = frozenset(read["small"])
        self._letters = frozenset(ascii_lowercase + read["letters"])
        self._words = frozenset(read["words"])
        self._number = re.compile(read["number"])
        self._here = re.compile(
            _either((f"{one}.*" for one in read["begins"]), (f".*{one}" for one in read["ends"]))
        )
        self._but = re.compile(_either(one.replace("*", ".*") for one in read["but"]))
        behind = (f"{_either(read['articles'])}[^\\w]+{_either(read['parts'])}",) if read["parts"] else ()
        self._parts = re.compile(rf"\b{_either(behind, read['phrases'])}\b")

    def fits(self, words: list[str]) -> bool:
        """A text of these words is written in it, as far as its letters and small words tell."""
        small = sum(one in self._small for one in words)
        # A letter alone is a sign, as in "the β of a share".
        known = all(self._letters.issuperset(one) for one in words if len(one) > 1)
        return known and _ENOUGH.get(self.code, _ENOUGH_ELSEWHERE) * small >= len(words)

    def is_one(self, word: str) -> bool:
        """The word is an amount wherever it stands."""
        return word in self._words or self._number.fullmatch(word) is not None

    def is_one_here(self, word: str) -> bool:
        """The word is an amount, or made of one, in a text of this language."""
        return self.is_one(word) or self._here.fullmatch(word) is not None

    def has_part(self, text: str) -> bool:
        """A part of something is spoken of: "a third", "the third part of"."""
        return self._parts.search(text) is not None

    def is_other(self, word: str) -> bool:
        """The word means something else in a text of this language."""
        return self._but.fullmatch(word) is not None


@cache
def amounts() -> Mapping[str, Amounts]:
    """The languages by their codes."""
    read = tomllib.loads((files(__package__) / "amounts.toml").read_text(encoding="utf-8"))
    return {code: Amounts(code, one) for code, one in read.items()}


@cache
def limits() -> frozenset[str]:
    """Words of any language without which a sentence says something else."""
    return frozenset[str]().union(*(one.limits for one in amounts().values()))


def written_in(text: str) -> str | None:
    """The code of the language of a text; None: none in which a number would be seen."""
    code = language().other(text) or ENGLISH
    known = amounts().get(code)
    return code if known is not None and known.fits(_words(text)) else None


def says_amount(text: str, code: str) -> bool:
    """Whether a text in this language says how many or how much, in words of any language that is known."""
    here, folded = amounts()[code], text.casefold()
    words = [one for one in _words(text) if not here.is_other(one)]
    return here.has_part(folded) or any(
        here.is_one_here(word) or any(other.is_one(word) for other in amounts().values()) for word in words
    )


def _words(text: str) -> list[str]:
    return [word.casefold() for word in _WORD.findall(text)]


def _either(*patterns: Iterable[str]) -> str:
    """One of these; of none, nothing."""
    return f"(?:{'|'.join(one for several in patterns for one in several) or '(?!)'})"
