"""Words of a message or of a title, in the form in which they are compared."""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final, NamedTuple

_WORD: Final = re.compile(
    r"\d{4}-\d{2}-\d{2}(?!\d)"  # a day
    r"|[-+]?\d{1,3}(?:,\d{3})+(?:\.\d+)?%?"  # 1,200
    r"|\d+\.\d+%?"
    r"|[<>]=?|%"
    r"|[^\W_]+(?:[-'’&][^\W_]+)*[+%]?"
)
_ENDINGS: Final = (("sses", "ss"), ("ies", "y"), ("ches", "ch"), ("shes", "sh"), ("xes", "x"), ("zes", "z"))
_VOWEL: Final = re.compile("[aeiouy]")


class Token(NamedTuple):
    """One word: as it is compared, as it stands, and where."""

    word: str
    text: str
    start: int
    end: int
    mark: str = ""  #: what stands between it and the word before: “tablet / desktop”

    @property
    def stem(self) -> str:
        """The word without its ending."""
        return stem(self.word)


def tokens(text: str) -> list[Token]:
    """The words of a text, in order."""
    return list(_tokens(text))


def _tokens(text: str) -> Iterator[Token]:
    end = 0
    for found in _WORD.finditer(text):
        word = found[0].casefold().replace("’", "'")
        word = word.removesuffix("'s")
        yield Token(word, found[0], found.start(), found.end(), text[end : found.start()].strip())
        end = found.end()


def is_several(word: str) -> bool:
    """“Products” names several, “class” and “status” one."""
    return word.endswith("s") and stem(word) != word


@lru_cache(maxsize=4096)
def stem(word: str) -> str:
    """An English word without its ending, enough to find “salaries” in “Salary”.

    It is not a linguist's stem: it is compared with stems that were made in the same way, and nothing else.
    """
    if len(word) < 4 or not word.isalpha():
        return word
    for ending, instead in _ENDINGS:
        if word.endswith(ending):
            word = word.removesuffix(ending) + instead
            break
    else:
        if word.endswith("s") and not word.endswith(("ss", "us", "is")):
            word = word[:-1]
    for ending in ("ing", "ed"):
        short = word.removesuffix(ending)
        if short != word and len(short) >= 3 and _VOWEL.search(short):
            word = short[:-1] if short[-1] == short[-2] and short[-1] not in "lsz" else short
            break
    word = word.removesuffix("e") if len(word) > 3 else word
    return f"{word[:-1]}er" if word.endswith("tr") and len(word) > 4 else word  # centre, center
