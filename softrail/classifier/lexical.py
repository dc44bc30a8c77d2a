"""Texts as weighted words and letter sequences (TF-IDF), turned into a few hundred dense numbers each."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from itertools import chain, pairwise, repeat

import numpy as np
from numpy.typing import NDArray

from softrail.classifier.linear import Rows
from softrail.classifier.text import words

Sparse = tuple[NDArray[np.int64], Rows]  #: the places of the pieces there are in a text, and their weights
Half = NDArray[np.float16]  #: tens of thousands of words by 300: half the memory, the same answers

RANK = 300  #: directions kept; more changed no validation figure by more than 0.2 points
MOST = 2_000  #: texts the space is built from; the eigenvectors of more cost many seconds
_SHORTEST, _LONGEST = 2, 5
_BLOCK = 2048  #: columns that are multiplied at once
_ENTRIES = 8192  #: entries of columns that are multiplied at once
_FEW = 8  #: entries of a column whose products are added one by one
_LEAST = 1e-4  #: of an eigenvalue; what is smaller is the noise of single precision


def _letters(word: str) -> tuple[str, ...]:
    """The letter sequences inside a word."""
    padded = f" {word} "
    return tuple(
        f"c{padded[at : at + size]}"
        for size in range(_SHORTEST, min(_LONGEST, len(padded)) + 1)
        for at in range(len(padded) - size + 1)
    )


def pieces(
    text: str, letters: Callable[[str], Iterable[str]] = _letters
) -> tuple[Counter[str], Counter[str]]:
    """The words and pairs of words of a text, and the letter sequences inside its words."""
    said = words(text)
    whole = Counter([f"w {word}" for word in said])
    whole.update([f"b {one} {two}" for one, two in pairwise(said)])
    return whole, Counter(chain.from_iterable(map(letters, said)))


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
        letters = cache(_letters)  # thousands of texts are of the same few thousand words
        parts = [pieces(text, letters) for text in chosen]
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
        letters = cache(_letters)
        return self._dense([self._sparse(pieces(text, letters), forgiving=forgiving) for text in texts])

    def _dense(self, sparse: Sequence[Sparse]) -> Rows:
        rows = np.zeros((len(sparse), self.directions.shape[1]), dtype=np.float32)
        for row, (at, value) in enumerate(sparse):
            rows[row] = value @ self.directions[at].astype(np.float32)
        return rows

    def _sparse(self, parts: Iterable[Counter[str]], *, forgiving: bool = False) -> Sparse:
        at: list[NDArray[np.int64]] = []
        values: list[Rows] = []
        for part in parts:
            places = np.array(list(map(self.vocabulary.get, part, repeat(-1))), dtype=np.int64)
            counts = np.array(list(part.values()), dtype=np.float64)
            index = places[places >= 0]
            value = (1 + np.log(counts[places >= 0])).astype(np.float32) * self.rarity[index]
            # What was never seen makes a text longer, and so less like anything that was.
            unseen = 0.0 if forgiving else (len(places) - len(index)) * self._unseen**2
            at.append(index)
            values.append(
                value * np.float32(np.sqrt(0.5) / max(float(np.sqrt(value @ value + unseen)), 1e-9))
            )
        return np.concatenate(at), np.concatenate(values)

    def _directions(self, rows: Sequence[Sparse]) -> Half:
        """The map from words to the dense space: X'U/sqrt(s) of the Gram matrix XX' = UsU'."""
        columns = _Columns(rows, len(self.vocabulary))
        values, vectors = np.linalg.eigh(columns.gram())
        kept = np.argsort(values)[::-1][:RANK]
        kept = kept[values[kept] > _LEAST]
        return columns.times(vectors[:, kept] / np.sqrt(values[kept]))


class _Columns:
    """A TF-IDF matrix by its columns. Most are of one or two texts: nothing is spent on the others' noughts."""

    def __init__(self, rows: Sequence[Sparse], width: int) -> None:
        columns = np.concatenate([at for at, _ in rows])
        order = np.argsort(columns, kind="stable")
        self._count = len(rows)
        self._texts = np.repeat(np.arange(len(rows)), [len(at) for at, _ in rows])[order]
        self._values = np.concatenate([value for _, value in rows])[order]
        self._sizes = np.bincount(columns, minlength=width)  # none is empty: they are of these texts
        self._starts = np.cumsum(self._sizes) - self._sizes

    def gram(self) -> Rows:
        """The dot products of all rows."""
        found = np.zeros((self._count, self._count), dtype=np.float32)
        for size in range(1, _FEW + 1):  # of columns as short, all pairs of their entries
            places = self._starts[self._sizes == size][:, None] + np.arange(size)
            texts, values = self._texts[places], self._values[places]
            pairs = texts[:, :, None] * self._count + texts[:, None, :]
            np.add.at(found.reshape(-1), pairs.ravel(), (values[:, :, None] * values[:, None, :]).ravel())
        often = np.flatnonzero(self._sizes > _FEW)
        for low in range(0, len(often), _BLOCK):
            block = self._dense(often[low : low + _BLOCK])
            found += block @ block.T
        return found

    def times(self, dual: Rows) -> Half:
        """The transposed matrix times this one; a block at a time, for the whole of it would not fit for large sets."""
        found = np.zeros((len(self._sizes), dual.shape[1]), dtype=np.float16)
        ends = self._starts + self._sizes
        low = 0
        while low < len(found):
            first = self._starts[low]
            high = max(low + 1, int(np.searchsorted(ends, first + _ENTRIES, side="right")))
            part = slice(first, ends[high - 1])
            products = self._values[part, None] * dual[self._texts[part]]
            found[low:high] = np.add.reduceat(products, self._starts[low:high] - first, axis=0)
            low = high
        return found

    def _dense(self, columns: NDArray[np.int64]) -> Rows:
        """These columns, side by side."""
        sizes = self._sizes[columns]
        block = np.zeros((self._count, len(columns)), dtype=np.float32)
        inside = np.arange(sizes.sum()) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        places = np.repeat(self._starts[columns], sizes) + inside
        block[self._texts[places], np.repeat(np.arange(len(columns)), sizes)] = self._values[places]
        return block
