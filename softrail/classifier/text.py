"""The forms of a message that are compared: words, folded form, and that form without politeness."""

import re
import unicodedata
from collections.abc import Sequence

#: The classifier reads this much of a message; what a person wants stands in its first sentences.
READ = 2000

_WORD = re.compile(r"[^\W_]+(?:['’.\-][^\W_]+)*")
_LEADING = (
    "could you please", "can you please", "would you please", "could you", "can you", "would you", "will you",
    "i would like you to", "i would like to", "i'd like you to", "i'd like to", "i want you to", "please", "ok",
    "okay", "so", "hey", "hi", "hello", "well", "now", "just", "thanks", "then", "and", "also", "oh", "alright",
)  # fmt: skip
_TRAILING = (
    "please", "thanks", "thank you", "now", "then", "for me", "ok", "okay", "would you", "will you", "could you",
    "if you can", "if you could", "thank you very much", "thanks a lot",
)  # fmt: skip
_HEAD = tuple(sorted((tuple(p.split()) for p in _LEADING), key=len, reverse=True))
_TAIL = tuple(sorted((tuple(p.split()) for p in _TRAILING), key=len, reverse=True))


def words(text: str) -> tuple[str, ...]:
    """The words of a text, case folded, compatibility forms and curly quotes made plain; "3.14" is one word."""
    folded = unicodedata.normalize("NFKC", text[:READ]).casefold().replace("’", "'")
    return tuple(_WORD.findall(folded))


def form(text: str) -> str:
    """The words of a text with single spaces: equal for messages that differ in case and punctuation only."""
    return " ".join(words(text))


def bare(text: str) -> str:
    """`form` without polite padding at either end; as it is when nothing else would be left."""
    kept = words(text)
    while (cut := _starts(kept, _HEAD)) and cut < len(kept):
        kept = kept[cut:]
    while (cut := _ends(kept, _TAIL)) and cut < len(kept):
        kept = kept[: len(kept) - cut]
    return " ".join(kept)


def _starts(said: Sequence[str], phrases: Sequence[tuple[str, ...]]) -> int:
    return next((len(p) for p in phrases if tuple(said[: len(p)]) == p), 0)


def _ends(said: Sequence[str], phrases: Sequence[tuple[str, ...]]) -> int:
    return next((len(p) for p in phrases if tuple(said[-len(p) :]) == p), 0)
