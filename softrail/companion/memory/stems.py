"""Words by what they have in common: one form for “Price”, “prices” and “pricing”, so that one finds the other."""

import re
import unicodedata
from functools import lru_cache
from importlib.resources import files
from typing import Final

_FEW: Final = 1_000  #: characters: what is longer is not worth the room it takes to remember it
LONGEST: Final = 40  #: characters of a term; what is longer is cut, and still found by its beginning

_WORD: Final = re.compile(r"[^\W_]+")
#: Letters of scripts that put no space between words: their pairs stand for words.
_UNSPACED: Final = re.compile(
    "([\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]+)"
)
_VOWEL: Final = re.compile("[aeiouy]")

#: Words that say nothing about what a text is about.
COMMON: Final = frozenset(files("softrail.companion").joinpath("common.txt").read_text("utf-8").split())


def terms(text: str, most: int) -> tuple[str, ...]:
    """The different words of a text that say what it is about, each in its common form, in order; at most `most`."""
    return _terms_of_few(text, most) if len(text) <= _FEW else _terms(text, most)


@lru_cache(maxsize=1024)  # a turn compares its message with the same notes as the turn before
def _terms_of_few(text: str, most: int) -> tuple[str, ...]:
    return _terms(text, most)


def _terms(text: str, most: int) -> tuple[str, ...]:
    found: dict[str, None] = {}
    for word in _WORD.findall(folded(text)):
        for piece in _UNSPACED.split(word):
            for term in _terms_of(piece):
                found[term[:LONGEST]] = None
        if len(found) >= most:
            break
    return tuple(found)[:most]


def folded(text: str) -> str:
    """The text in one case and one form, without marks on its letters."""
    if text.isascii():
        return text.casefold()
    bare = "".join(c for c in unicodedata.normalize("NFKD", text) if unicodedata.category(c) != "Mn")
    return unicodedata.normalize("NFKC", bare.casefold())


def stem(word: str) -> str:
    """The form that an English word in small letters shares with its other endings, as far as simple rules go."""
    if not word.isascii() or not word.isalpha():
        return word
    word = _singular(word)
    if len(word) > 4 and word.endswith("ied"):
        return f"{word[:-3]}y"
    for ending in ("ing", "ed"):
        head = word.removesuffix(ending)
        if head != word and len(head) >= 3 and _VOWEL.search(head):
            doubled = head[-1] == head[-2] and head[-1] not in "lsz"
            word = head[:-1] if doubled else head
            break
    return word[:-1] if len(word) > 3 and word.endswith("e") else word


def _terms_of(piece: str) -> list[str]:
    if _UNSPACED.fullmatch(piece):
        return [piece[at : at + 2] for at in range(len(piece) - 1)] or [piece]
    if piece in COMMON or (len(piece) < 2 and not piece.isdigit()):
        return []
    return [stem(piece)]


def _singular(word: str) -> str:
    if len(word) > 4 and word.endswith("ies"):
        return f"{word[:-3]}y"
    if len(word) > 4 and word.endswith("es") and word[-3] in "sxz":
        return word[:-2]
    return (
        word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")) else word
    )
