"""Whether a model's prose claims that something was done on this turn, sentence by sentence.

What tells is learned (`training/claims.py`, from `claims.toml`) from how sentences are built: which little words stand
where, and how the others end. So "I have salted the pretzels" is a claim, though nobody listed it, and "shall I salt
them?" is none. It leans towards finding too many: what follows from it is a true sentence, never a change of the words.
"""

import json
import re
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.resources import files
from math import exp
from typing import Final
from zlib import crc32

from softrail.companion.memory.stems import terms

BITS: Final = 13  #: of the number of a feature
BAR: Final = 0.2  #: the chance from which on a sentence counts as a claim
_SENTENCE: Final = re.compile(r"(?<=[.!?:;…])[\"”’)]*\s+|\n+")
_WORD: Final = re.compile(r"[^\W\d_]+|['’][^\W\d_]+|\d+|[?!,:]")  #: "it's" is two: what "is" does, "'s" does
_CLAUSE: Final = re.compile(r"\s*[,;–—]\s+|\s+(?:and|but)\s+")
_FEWEST: Final = 4  #: words of a clause that is judged by itself
_MOST: Final = 40  #: words of one sentence that are looked at
_MOST_TERMS: Final = 400
_LITTLE: Final = 4  #: letters of a word that is taken as it is


def unproved(text: str, done: Sequence[str]) -> bool:
    """Some sentence claims an effect that is not among those of the turn, told in their own words.

    A claim is proved when every word of it that says something stands in what was done.
    """
    known = set(terms(" ".join(done), _MOST_TERMS))
    return any(
        chance(one) >= BAR and not (done and set(terms(one, _MOST)) <= known) for one in sentences(text)
    )


def sentences(text: str) -> list[str]:
    """The sentences of a text, one by one."""
    return [part for part in (piece.strip() for piece in _SENTENCE.split(text)) if _WORD.search(part)]


def parts(sentence: str) -> list[str]:
    """A sentence as a whole, and each of its clauses: one of them may claim what the others cover."""
    clauses = [part for part in _CLAUSE.split(sentence) if len(_WORD.findall(part)) >= _FEWEST]
    return list(dict.fromkeys([sentence, *clauses]))


def chance(sentence: str) -> float:
    """How likely the sentence, or a clause of it, claims an effect, from 0 to 1."""
    totals = [sum(_weights()[feature] for feature in set(features(part))) for part in parts(sentence)]
    return 1.0 / (1.0 + exp(-max(-30.0, min(30.0, max(totals)))))


def features(sentence: str) -> Iterator[int]:
    """The numbers of what is seen in a sentence: words, their endings, pairs and triples of these, how it begins."""
    words = _words(sentence)
    shapes = ["^", *map(_shape, words), "$"]
    for at, shape in enumerate(shapes):
        yield _number("1", shape)
        yield _number("2", *shapes[at : at + 2])
        yield _number("3", *shapes[at : at + 3])
    for word in words:
        yield _number("w", word)
    yield _number("b", *shapes[1:3])
    yield _number("q", str("?" in words))


def _words(sentence: str) -> list[str]:
    return [word.replace("’", "'") for word in _WORD.findall(sentence.casefold())[:_MOST]]


def _shape(word: str) -> str:
    """A little word as it is, a number as one, of a longer word its ending."""
    if word.isdigit():
        return "0"
    return word if len(word) <= _LITTLE else f"~{word[-2:]}"


def _number(*parts: str) -> int:
    return crc32("\x00".join(parts).encode()) % (1 << BITS)


@cache
def _weights() -> Sequence[float]:
    kept = json.loads((files("softrail.companion") / "claims.json").read_text(encoding="utf-8"))
    return [float(kept.get(str(at), 0.0)) for at in range(1 << BITS)]
