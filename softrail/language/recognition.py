"""Which language a message is written in, by its letters and little words.

A naive Bayes reading over words and sequences of letters, learned from a page of ordinary sentences in each language. It
knows the languages of that page and no others; what it is not sure of it takes for English, which is what is read here.
"""

import math
import re
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from importlib.resources import files
from typing import Final

ENGLISH: Final = "en"
_KEPT: Final = 2048  #: words of which it is kept how well they fit; most are common ones
_READ: Final = 400  #: characters; a language shows itself sooner
_WORDS: Final = re.compile(r"(?<!\w)[^\W\d_]+(?!\w)")  #: letters beside a number are none: “Q3”, “q4_revenue”
_LENGTHS: Final = (1, 2, 3, 4)  #: of the sequences of letters
_SMOOTHING: Final = 0.2
_SURE: Final = 0.45  #: by how much a word on the average must fit better than into English
_ENOUGH: Final = 1.6  #: and all of them together,
_ALONE: Final = 0.9  #: or one that is the whole message,
_LONG: Final = 4  #: and has this many letters


class Recognition:
    """Tells the languages of some texts apart."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        """Learn from one text in each language, by its code; English must be among them."""
        seen = {
            code: Counter(f for word in _words(text) for f in _features(word)) for code, text in texts.items()
        }
        kinds = set().union(*seen.values())
        self.codes: Final = tuple(seen)
        self._of = [_logarithms(counts, len(kinds)) for counts in seen.values()]
        self._fits = lru_cache(_KEPT)(self._fit)

    def other(self, message: str) -> str:
        """The code of the language that is surely not English; "" for English and where nobody could say."""
        words = _words(message[:_READ])
        if not words or (len(words) == 1 and len(words[0]) < _LONG):
            return ""
        each = [self._fits(word) for word in words]
        fits = {code: sum(fit[at] for fit in each) for at, code in enumerate(self.codes)}
        best = max(sorted(fits), key=lambda code: fits[code])
        lead = fits[best] - fits[ENGLISH]
        enough = _ALONE if len(words) == 1 else max(_ENOUGH, _SURE * len(words))
        return best if best != ENGLISH and lead >= enough else ""

    def _fit(self, word: str) -> Sequence[float]:
        """How well a word fits into each language: the mean over its parts, so that long words do not outvote others."""
        parts = list(_features(word))
        return [sum(of.get(part, least) for part in parts) / len(parts) for of, least in self._of]


@cache
def recognition() -> Recognition:
    """The bundled languages."""
    page = tomllib.loads((files("softrail.language") / "languages.toml").read_text(encoding="utf-8"))
    return Recognition({code: language["text"] for code, language in page.items()})


def _logarithms(counts: Counter[str], kinds: int) -> tuple[Mapping[str, float], float]:
    """How likely each part of a word is in a language, and one that was never seen in it."""
    rest = counts.total() + _SMOOTHING * kinds
    seen = {part: math.log((count + _SMOOTHING) / rest) for part, count in counts.items()}
    return seen, math.log(_SMOOTHING / rest)


def _words(text: str) -> list[str]:
    return _WORDS.findall(text.casefold())


def _features(word: str) -> Iterator[str]:
    """The word itself, and the sequences of letters in it; a space marks where it begins and ends."""
    yield f"={word}"
    padded = f" {word} "
    for length in _LENGTHS:
        for at in range(len(padded) - length + 1):
            if (piece := padded[at : at + length]) != " ":
                yield piece
