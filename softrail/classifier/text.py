"""The forms of a message that are compared: its words, and its words without politeness around them."""

import re
import unicodedata
from collections import Counter
from functools import lru_cache

from softrail.language import language, normal

#: The classifier reads this much of a message; what a person wants stands in its first sentences.
READ = 2000

_WORD = re.compile(r"[^\W_]+(?:['.\-][^\W_]+)*")


def whole(text: str) -> str:
    """The text with a replacement character for every half of a surrogate pair, which has no bytes."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def words(text: str) -> tuple[str, ...]:
    """The words of a text in their normal form; "3.14" and "don't" are one word each."""
    return tuple(_WORD.findall(normal(text[:READ])))


def form(text: str) -> str:
    """The words of a text with single spaces: equal for messages that differ in case and punctuation only."""
    return " ".join(words(text))


def bare(text: str) -> str:
    """`form` without polite words at either end; as it is when nothing else would be left."""
    return " ".join(words(language().unpadded(text))) or form(text)


LATIN = "LATIN"
_EAST = frozenset({"CJK", "HIRAGANA", "KATAKANA", "IDEOGRAPHIC", "BOPOMOFO"})  #: stand in one sentence


def scripts(text: str) -> Counter[str]:
    """How many letters of each script a text has; accents, digits and pictures are of none."""
    if text.isascii():
        return Counter({LATIN: sum(map(str.isalpha, text))})
    return Counter(map(_script, filter(str.isalpha, unicodedata.normalize("NFKC", text[:READ]))))


@lru_cache(4096)
def _script(letter: str) -> str:
    name = unicodedata.name(letter, "").partition(" ")[0].partition("-")[0]
    return "EAST ASIAN" if name in _EAST else name
