"""No number without a fact: whether a text of a model says only what lines of findings say, digit for digit.

A sentence has to say the number of a line that has no other one, with its unit, beside a name that only that line has. Every other word of it
has to stand in that line, in what the plan calls itself, or among a few that mean nothing alone. So a changed or rounded number, one
in words or in percent, a date, a swapped name and a negation are all refused alike: nobody has to foresee them.
"""

import re
import unicodedata
from collections.abc import Sequence
from typing import Final

from softrail.plans.thinking.amounts import limits

#: A number as it is shown: its sign, digits and points, then what belongs to it without a blank.
_NUMBER: Final = re.compile(r"[-+−]?\d[\d.,'’]*(?<![.,'’])")
_OPENS: Final = frozenset(' \t\n("“‘')  #: what may stand right before a number
_TURNS: Final = frozenset("-+−.,_'’")  #: what makes another number of it, with a blank between them too
_WORD: Final = re.compile(r"[^\W\d_]+")
_SENTENCE: Final = re.compile(r"(?<=[.!?;])\s+|\n+")
_PLAIN: Final = re.compile(r"[\w\s.,:;!?'’“”\"()\-+_`]*")
_TOKEN: Final = re.compile(rf"{_NUMBER.pattern}|[^\W\d_]+|[^\w\s.,:;!?'’“”\"()‘…]")
#: Words that say nothing of a number by themselves.
_NEUTRAL: Final = frozenset(
    [
        "a",
        "an",
        "and",
        "are",
        "at",
        "be",
        "came",
        "comes",
        "data",
        "did",
        "for",
        "found",
        "from",
        "gave",
        "gives",
        "had",
        "has",
        "have",
        "here",
        "i",
        "in",
        "is",
        "it",
        "its",
        "made",
        "makes",
        "of",
        "on",
        "our",
        "result",
        "results",
        "shows",
        "stands",
        "that",
        "the",
        "there",
        "these",
        "this",
        "to",
        "was",
        "we",
        "were",
        "what",
        "which",
        "with",
        "you",
        "your",
    ]
)


def holds(text: str, findings: Sequence[str], plan: str) -> bool:
    """Whether everything that a text says is what a line of the findings says.

    Args:
        text: As a model wrote it.
        findings: What was found, one line each, as it is shown.
        plan: What the plan calls itself and its steps.
    """
    folded = unicodedata.normalize("NFKC", text).strip()
    if (
        not folded
        or not _PLAIN.fullmatch(folded)
        or any(one.isnumeric() and not one.isascii() for one in text)
    ):
        return False
    lines = [_Line(line, set(_words(plan))) for line in findings if _NUMBER.search(line)]
    own = [line.names - set[str]().union(*(o.names for o in lines if o is not line)) for line in lines]
    sentences = [one for one in _SENTENCE.split(folded) if _WORD.search(one) or _NUMBER.search(one)]
    return all(
        any(line.says(said, names) for line, names in zip(lines, own, strict=True)) for said in sentences
    )


def repeats(text: str, passage: str) -> bool:
    """Whether each sentence of a text is a part of one sentence of a passage, but for words that mean nothing alone.

    So nothing is changed, added, swapped or left out in between, and no number stands beside another unit. What turns or
    limits the sentence of the passage, such as “not” or “unless”, must not be left out at its ends either.
    """
    folded = unicodedata.normalize("NFKC", text).strip()
    if not folded or not _PLAIN.fullmatch(folded):
        return False
    there = [_telling(one) for one in _SENTENCE.split(unicodedata.normalize("NFKC", passage))]
    said = [_telling(one) for one in _SENTENCE.split(folded)]
    return all(tokens and any(_is_part(tokens, whole) for whole in there) for tokens in said)


def _is_part(tokens: Sequence[str], whole: Sequence[str]) -> bool:
    length = len(tokens)
    stands = any(whole[at : at + length] == tokens for at in range(len(whole) - length + 1))
    return stands and limits().intersection(whole) <= set(tokens)


def _telling(sentence: str) -> list[str]:
    """Words and numbers in their order, without those that say nothing by themselves."""
    found = [one.group().casefold() for one in _TOKEN.finditer(sentence)]
    return [one for one in found if one not in _NEUTRAL]


class _Line:
    """A line of findings."""

    def __init__(self, line: str, plan: set[str]) -> None:
        self._line = line
        found = list(_NUMBER.finditer(line))
        self._numbers = {match.group(): _unit(line, match.end()) for match in found}
        self._has_one = len(found) == 1  #: of several, nobody can tell which one a sentence means
        self.names = set(_words(line)) - set(self._numbers.values()) - _NEUTRAL
        self._allowed = _NEUTRAL | plan | set(_words(line))

    def says(self, said: str, own: set[str]) -> bool:
        """The sentence says one number of this line, and speaks of what only this line is about."""
        numbers = list(_NUMBER.finditer(said))
        words = set(_words(said))
        if not self._has_one or len(numbers) != 1 or not words <= self._allowed or not words & own:
            return False
        number = numbers[0]
        before = said[: number.start()]
        if (before and before[-1] not in _OPENS) or before.rstrip()[-1:] in _TURNS:
            return False  # ".5" and "- 5" are other numbers than "5"
        return self._numbers.get(number.group(), None) == _unit(said, number.end()) and not said[
            number.end() : number.end() + 1
        ].strip(" .,;:!?)")


def _unit(text: str, at: int) -> str:
    """The word right behind a number."""
    found = re.match(r"\s([^\W\d_]+)", text[at:])
    return found.group(1).casefold() if found is not None else ""


def _words(text: str) -> list[str]:
    return [word.casefold() for word in _WORD.findall(unicodedata.normalize("NFKC", text))]
