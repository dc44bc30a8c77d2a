"""Texts as weighted words and letter sequences (TF-IDF), turned into a few hundred dense numbers each."""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from softrail.classifier.linear import Rows
from softrail.classifier.text import words

Sparse = tuple[NDArray[np.int64], Rows]  #: the places of the pieces there are in a text, and their weights
Half = NDArray[np.float16]  #: tens of thousands of words by 300: half the memory, the same answers

RANK = 300  #: directions kept; more changed no validation figure by more than 0.2 points
MOST = 2_000  #: texts the space is built from; the eigenvectors of more cost many seconds
_SHORTEST, _LONGEST = 2, 5
_BLOCK = 2048


def pieces(text: str) -> tuple[Counter[str], Counter[str]]:
    """The words and pairs of words of a text, and the letter sequences inside its words."""
    said = words(text)
    whole = Counter(f"w {word}" for word in said)
    whole.update(f"b {one} {two}" for one, two in pairwise(said))
    return whole, Counter(_letters(said))


def _letters(said: Iterable[str]) -> Iterable[str]:
    for word in said:
        padded = f" {word} "
        for size in range(_SHORTEST, min(_LONGEST, len(padded)) + 1):
            for at in range(len(padded) - size + 1):
                yield f"c{padded[at : at + size]}"


class Lexical:
    """A space of words learned from exemplars; a text is `RANK` numbers or fewer in it.

    Dot products of the exemplars in it are those of their TF-IDF rows, as far as `RANK` directions go.
    """

    def __init__(self, vocabulary: dict[str, int], rarity: Rows, directions: Half) -> None:
        self.vocabulary = vocabulary
        self.rarity = rarity
        self.directions = directions
        self._unseen = float(rarity.max()) if len(rarity) else 1.0

    @classmethod
    def learn(cls, texts: Sequence[str], *, forgiving: bool = False) -> tuple["Lexical", Rows]:
        """The space of these texts, with a row for each; with more than `MOST`, of every so-manieth of them."""
        chosen = texts[:: -(-len(texts) // MOST)] if len(texts) > MOST else texts
        parts = [pieces(text) for text in chosen]
        seen: Counter[str] = Counter()
        for part in parts:
            for counted in part:
                seen.update(counted.keys())
        names = sorted(seen)
        counts = np.array([seen[name] for name in names], dtype=np.float64)
        rarity = (np.log((1 + len(chosen)) / (1 + counts)) + 1).astype(np.float32)
        space = cls({name: i for i, name in enumerate(names)}, rarity, np.zeros((len(names), 0), np.float16))
        sparse = [space._sparse(part) for part in parts]
        space.directions = space._directions(sparse)
        return space, space._dense(sparse) if chosen is texts else space.encode(texts, forgiving=forgiving)

    def encode(self, texts: Sequence[str], *, forgiving: bool = False) -> Rows:
        """One dense row for each text; the shorter, the less of it was ever seen, unless `forgiving`."""
        return self._dense([self._sparse(pieces(text), forgiving=forgiving) for text in texts])

    def _dense(self, sparse: Sequence[Sparse]) -> Rows:
        rows = np.zeros((len(sparse), self.directions.shape[1]), dtype=np.float32)
        for row, (at, value) in enumerate(sparse):
            rows[row] = value @ self.directions[at].astype(np.float32)
        return rows

    def _sparse(self, parts: Iterable[Counter[str]], *, forgiving: bool = False) -> Sparse:
        at: list[NDArray[np.int64]] = []
        values: list[Rows] = []
        for part in parts:
            known = [
                (self.vocabulary[name], count) for name, count in part.items() if name in self.vocabulary
            ]
            index = np.array([i for i, _ in known], dtype=np.int64)
            value = np.array([1 + np.log(count) for _, count in known], dtype=np.float32) * self.rarity[index]
            # What was never seen makes a text longer, and so less like anything that was.
            unseen = 0.0 if forgiving else (len(part) - len(known)) * self._unseen**2
            at.append(index)
            values.append(
                value * np.float32(np.sqrt(0.5) / max(float(np.sqrt(value @ value + unseen)), 1e-9))
            )
        return np.concatenate(at), np.concatenate(values)

    def _directions(self, rows: Sequence[Sparse]) -> Half:
        """The map from words to the dense space: X'U/sqrt(s) of the Gram matrix XX' = UsU'."""
        size, n = len(self.vocabulary), len(rows)
        gram = np.zeros((n, n), dtype=np.float32)
        for low in range(0, size, _BLOCK):
            block = self._block(rows, low)
            gram += block @ block.T
        values, vectors = np.linalg.eigh(gram.astype(np.float64))
        kept = np.argsort(values)[::-1][:RANK]
        kept = kept[values[kept] > 1e-6]
        dual = (vectors[:, kept] / np.sqrt(values[kept])).astype(np.float32)
        found = np.zeros((size, len(kept)), dtype=np.float16)
        for low in range(0, size, _BLOCK):
            block = self._block(rows, low)
            found[low : low + _BLOCK] = block.T @ dual
        return found

    def _block(self, rows: Sequence[Sparse], low: int) -> Rows:
        """The columns from `low` on of the TF-IDF matrix, dense: the whole of it would not fit for large sets."""
        width = min(_BLOCK, len(self.vocabulary) - low)
        block = np.zeros((len(rows), width), dtype=np.float32)
        for row, (at, value) in enumerate(rows):
            inside = (at >= low) & (at < low + width)
            block[row, at[inside] - low] = value[inside]
        return block
