"""Which language a message is written in, by its letters and little words.

A naive Bayes reading over words and sequences of letters, learned from a page of ordinary sentences in each language. It
knows the languages of that page and no others; what it is not sure of it takes for English, which is what is read here.
"""

import math
import re
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Final

ENGLISH: Final = "en"
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
        self._seen = seen
        self._least = {
            code: math.log(_SMOOTHING / (counts.total() + _SMOOTHING * len(kinds)))
            for code, counts in seen.items()
        }
        self._rest = {code: counts.total() + _SMOOTHING * len(kinds) for code, counts in seen.items()}

    def other(self, message: str) -> str:
        """The code of the language that is surely not English; "" for English and where nobody could say."""
        words = _words(message[:_READ])
        if not words or (len(words) == 1 and len(words[0]) < _LONG):
            return ""
        fits = {code: sum(self._fit(code, word) for word in words) for code in self._seen}
        best = max(sorted(fits), key=lambda code: fits[code])
        lead = fits[best] - fits[ENGLISH]
        enough = _ALONE if len(words) == 1 else max(_ENOUGH, _SURE * len(words))
        return best if best != ENGLISH and lead >= enough else ""

    def _fit(self, code: str, word: str) -> float:
        """How well a word fits into a language: the mean over its parts, so that long words do not outvote others."""
        counts, rest, least = self._seen[code], self._rest[code], self._least[code]
        found = [math.log((counts[f] + _SMOOTHING) / rest) if f in counts else least for f in _features(word)]
        return sum(found) / len(found)


@cache
def recognition() -> Recognition:
    """The bundled languages."""
    page = tomllib.loads((files("softrail.language") / "languages.toml").read_text(encoding="utf-8"))
    return Recognition({code: language["text"] for code, language in page.items()})


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
