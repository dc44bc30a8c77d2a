"""Slips of the fingers: a word that nobody knows and that is one slip away from a word of the examples is read as that.

Only for reading: what is kept of a message is what was said.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable
from functools import lru_cache

from softrail.language.slips import slips

_WORD = re.compile(r"[^\W\d_]+")
_SHORTEST = (
    4  #: letters of a word with a letter too few, too many or wrong; shorter ones only have two exchanged
)
_LONG = 8  #: a word of that many letters may have two slips
_MOST = 20  #: words of a message that are looked at; a long text is read as it is
_KEPT = 4096  #: words of which it is kept whether they are known
_CLEARLY = 3  #: times as frequent as the other word that is as near


class Spelling:
    """Knows the words of the examples, and asks `knows` which others there are."""

    def __init__(self, forms: Iterable[str], knows: Callable[[str], bool]) -> None:
        """`forms` are the examples, their words in normal form with single spaces."""
        self._counts = Counter(word for text in forms for word in text.split() if word.isalpha())
        self._knows = lru_cache(_KEPT)(knows)  # a message is looked at whole, and in its parts
        self._by_letter: dict[str, list[str]] = {}
        for word in self._counts:
            self._by_letter.setdefault(word[0], []).append(word)

    def mended(self, text: str) -> str:
        """The text with its slips mended; names, which begin with a capital inside a sentence, are left alone."""
        if len(_WORD.findall(text)) > _MOST:
            return text
        loud = text.isupper()

        def mend(found: re.Match[str]) -> str:
            word = found[0]
            small = word.lower()
            name = not loud and word != small and found.start() > 0
            return word if name or self._is_word(small) else self._meant(small) or word

        return _WORD.sub(mend, text)

    def _is_word(self, word: str) -> bool:
        return len(word) < _SHORTEST - 1 or not word.isascii() or word in self._counts or self._knows(word)

    def _meant(self, word: str) -> str | None:
        """The word of the examples that it is a slip of; None where none is near, or two are alike."""
        most = 2 if len(word) >= _LONG else 1
        near = [
            (distance, -self._counts[other], other)
            for other in self._by_letter.get(word[0], ())
            if abs(len(other) - len(word)) <= most
            and (len(word) >= _SHORTEST or sorted(other) == sorted(word))
            and (distance := slips(word, other, most)) <= most
        ]
        if not near:
            return None
        best, *others = sorted(near)
        alike = [other for other in others if other[0] == best[0]]
        return None if alike and best[1] > _CLEARLY * alike[0][1] else best[2]
