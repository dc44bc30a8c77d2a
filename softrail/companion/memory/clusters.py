"""Sorts texts into groups of what belongs together: the same texts always give the same groups."""

import math
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from softrail.companion.memory.stems import COMMON, stem

Vector = Mapping[str, float]

MOST_GROUPS: Final = 24
_ENOUGH_WORDS: Final = 0.18  #: how alike a text and a group must be, by words (0 to 1)
_ENOUGH_MEANING: Final = 0.45  #: the same by meaning, where unrelated sentences lie around 0.1
_WORD: Final = re.compile(r"[^\W\d_]{3,}")


@dataclass(frozen=True, kw_only=True, slots=True)
class Sorted:
    """Groups of texts, as positions, the largest first; and those that belong to none."""

    groups: Sequence[Sequence[int]]
    rest: Sequence[int]


def by_words(texts: Sequence[str]) -> Sorted:
    """Groups of texts that share words."""
    told = [words_of(text) for text in texts]
    seen = Counter(word for words in told for word in words)
    vectors = [_weighted(words, seen, len(texts)) for words in told]
    centres: list[dict[str, float]] = []

    def nearest(at: int) -> tuple[int, float]:
        found = [_dot(vectors[at], centre) / _length(centre) for centre in centres]
        best = max(range(len(found)), key=lambda i: found[i])
        return best, found[best]

    def join(at: int, group: int | None) -> None:
        if group is None:
            centres.append(dict(vectors[at]))
            return
        for word, weight in vectors[at].items():
            centres[group][word] = centres[group].get(word, 0.0) + weight

    return _led(len(texts), nearest, join, enough=_ENOUGH_WORDS)


def by_meaning(rows: Any) -> Sorted:
    """Groups of texts whose unit vectors lie close together."""
    import numpy as np

    centres: list[Any] = []

    def nearest(at: int) -> tuple[int, float]:
        table = np.stack(centres)
        found = (table @ rows[at]) / np.linalg.norm(table, axis=1).clip(min=1e-9)
        best = int(found.argmax())
        return best, float(found[best])

    def join(at: int, group: int | None) -> None:
        if group is None:
            centres.append(rows[at].astype(float))
        else:
            centres[group] = centres[group] + rows[at]

    return _led(len(rows), nearest, join, enough=_ENOUGH_MEANING)


def words_of(text: str) -> Counter[str]:
    """The words of a text that say what it is about, each in the form it shares with its other endings."""
    found = (word.casefold() for word in _WORD.findall(text))
    return Counter(stem(word) for word in found if word not in COMMON)


def telling(texts: Sequence[str], others: Sequence[str], most: int = 3) -> list[str]:
    """The words that set these texts apart from the others, as they are written most often."""
    inside: Counter[str] = Counter()
    written: dict[str, Counter[str]] = {}
    for text in texts:
        inside.update(words_of(text).keys())
        for word in _WORD.findall(text):
            written.setdefault(stem(word.casefold()), Counter())[word.casefold()] += 1
    outside = Counter(word for text in others for word in words_of(text))
    score = {word: n * n / (n + outside[word]) for word, n in inside.items()}
    best = sorted(score, key=lambda word: -score[word])[:most]  # equal ones in the order they were said
    return [min(written[word].items(), key=lambda item: (-item[1], item[0]))[0] for word in best]


def _led(
    count: int,
    nearest: Callable[[int], tuple[int, float]],
    join: Callable[[int, int | None], None],
    *,
    enough: float,
) -> Sorted:
    """Each text joins the group it is most like, or leads a new one; those left alone are the rest."""
    groups: list[list[int]] = []
    for at in range(count):
        best, alike = nearest(at) if groups else (0, 0.0)
        if groups and (alike >= enough or len(groups) >= 4 * MOST_GROUPS):
            groups[best].append(at)
            join(at, best)
        else:
            groups.append([at])
            join(at, None)
    groups.sort(key=lambda group: (-len(group), group[0]))
    kept = [group for group in groups if len(group) > 1][: MOST_GROUPS - 1]
    return Sorted(groups=kept, rest=sorted(set(range(count)) - {at for group in kept for at in group}))


def _weighted(words: Counter[str], seen: Counter[str], count: int) -> dict[str, float]:
    # A word that one text alone has cannot bring it near another; left in, it would only hold it away.
    weights = {word: math.log(1 + count / seen[word]) for word in words if seen[word] > 1}
    length = math.sqrt(sum(w * w for w in weights.values())) or 1.0
    return {word: weight / length for word, weight in weights.items()}


def _dot(one: Vector, other: Vector) -> float:
    return sum(weight * other.get(word, 0.0) for word, weight in one.items())


def _length(vector: Vector) -> float:
    return math.sqrt(sum(w * w for w in vector.values())) or 1.0
