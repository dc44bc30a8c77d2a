"""The fitted part: which intent a text is, how likely, and how likely it is none of these.

Two numbers, each calibrated on the exemplars alone. The *intent probability* says how sure the head is among its
intents; its temperature comes from folds of exemplars held out. *In scope* says how likely the text is any of them at
all; it is learned by leaving out whole neighbourhoods of intents, whose exemplars then stand in for strangers. Their
product is the confidence that decides.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from softrail.classifier.encoder import Encoder
from softrail.classifier.lexical import Lexical
from softrail.classifier.linear import (
    Labels,
    Logistic,
    Rows,
    Weights,
    fit_logistic,
    fit_logits,
    logits_of,
    softmax,
    temperature,
)
from softrail.classifier.scope import Known, Scope, even_weights, summed, unit

MOST = 20_000  #: exemplars a head is fitted on; of more, every intent gives an even share
STRANGERS = 0.10  #: the share of messages expected to be none of the intents
_CALIBRATED_ON = 2_000
_LEXICAL_SHARE = 0.25
_FOLDS = 5
_NEAR = 256
_TOO_FEW = 6  #: with fewer intents, leaving some out says nothing about strangers
#: What it comes to for twelve intents of ten exemplars, the rest of the set being strangers: the median over twelve
#: such choices from the training parts of three public sets, from the cosine to the nearest centre alone.
_USUAL = Scope((1.0, 0.0, 0.0), Logistic(slope=12.4, offset=-4.4))
_USUAL_LEXICAL = Scope((1.0, 0.0, 0.0), Logistic(slope=14.5, offset=-1.4))


@dataclass(frozen=True, slots=True)
class Exemplar:
    """Something people say, and the intent it is an example of."""

    intent: str
    text: str


@dataclass(frozen=True, slots=True)
class Scores:
    """What the head makes of one text."""

    intents: Sequence[str]
    probabilities: Rows  #: of each intent, given that it is one of them
    in_scope: float  #: the chance that it is one of them
    nearest: Mapping[str, str] = field(repr=False)  #: the nearest exemplar of each intent that has one near


@dataclass(frozen=True, slots=True)
class Space:
    """One way to see the texts: the regression fitted in it."""

    weights: Rows
    factor: float  #: the temperature


@dataclass(frozen=True, slots=True)
class Head:
    """A fitted head; `fit` makes one, `scores` asks it."""

    intents: tuple[str, ...]
    exemplars: tuple[Exemplar, ...]
    encoder: Encoder | None
    lexical: Lexical
    spaces: tuple[Space, ...]  #: meaning (when there is an encoder), then words
    known: Known
    factor: float
    scope: Scope

    def scores(self, texts: Sequence[str]) -> list[Scores]:
        """One `Scores` for each text."""
        seen = _see(texts, self.encoder, self.lexical)
        logits = [logits_of(rows, space.weights) for rows, space in zip(seen, self.spaces, strict=True)]
        chances = softmax(_mixed(logits, [space.factor for space in self.spaces]) * np.float32(self.factor))
        likeness = self.known.likeness(seen[0])
        scope = self.scope(self.known.closeness(seen[0], likeness))
        return [
            Scores(
                self.intents, chances[i], float(scope[i]), self._nearest(likeness[i, : len(self.exemplars)])
            )
            for i in range(len(texts))
        ]

    def _nearest(self, likeness: Rows) -> Mapping[str, str]:
        """One example of each intent among the nearest few hundred; to sort all of 20,000 would cost more than to read."""
        count = len(likeness)
        near = np.argpartition(-likeness, _NEAR)[:_NEAR] if count > _NEAR else np.arange(count)
        found: dict[str, str] = {}
        for i in near[np.argsort(-likeness[near], kind="stable")]:
            found.setdefault(self.exemplars[int(i)].intent, self.exemplars[int(i)].text)
        return found


def fit(
    exemplars: Sequence[Exemplar],
    encoder: Encoder | None,
    *,
    strangers: float = STRANGERS,
    reader: Encoder | None = None,
) -> Head:
    """The head of these exemplars; each intent's own name is one more exemplar of it.

    Args:
        exemplars: At least one for each intent.
        encoder: Sees the texts by meaning; None: only by their words.
        strangers: The share of messages expected to be none of the intents.
        reader: The same encoder with a memory, for the exemplars.
    """
    kept = share(exemplars)
    intents = tuple(sorted({e.intent for e in kept}))
    number = {name: i for i, name in enumerate(intents)}
    texts = [e.text for e in kept] + [spoken(name) for name in intents]
    labels = np.array([number[e.intent] for e in kept] + list(range(len(intents))), dtype=np.int64)
    lexical = Lexical.learn(texts)
    seen = _see(texts, reader or encoder, lexical)
    trial = _Trial(seen, labels, len(intents), len(kept))
    factors, factor = trial.temperatures()
    usual = _USUAL if encoder is not None else _USUAL_LEXICAL
    scope = trial.scope(strangers) if len(intents) >= _TOO_FEW else usual
    return Head(
        intents=intents,
        exemplars=tuple(kept),
        encoder=encoder,
        lexical=lexical,
        spaces=tuple(
            Space(fit_logits(rows, labels, len(intents)), one)
            for rows, one in zip(seen, factors, strict=True)
        ),
        known=Known.of(seen[0], labels, len(intents)),
        factor=factor,
        scope=scope,
    )


def spoken(name: str) -> str:
    """An intent's name as words."""
    return " ".join(name.replace("_", " ").replace(".", " ").replace("-", " ").split()).casefold()


class _Trial:
    """Heads fitted on parts of the exemplars and asked about the rest: how good will the whole one be?"""

    def __init__(self, seen: Sequence[Rows], labels: Labels, count: int, said: int) -> None:
        every = max(1, -(-said // _CALIBRATED_ON))
        kept = np.concatenate([np.arange(0, said, every), np.arange(said, len(labels))])
        self.seen = [rows[kept] for rows in seen]
        self.labels = labels[kept]
        self.count = count
        self.said = (
            len(kept) - count
        )  # the last rows are the intents' names: always learned from, never asked about
        self.fold = self._folds()
        self.held: Weights = np.zeros((self.said, 3))

    def _folds(self) -> Labels:
        order = np.random.default_rng(0)
        fold = np.zeros(self.said, dtype=np.int64)
        for intent in range(self.count):
            mine = np.flatnonzero(self.labels[: self.said] == intent)
            fold[mine] = (order.permutation(len(mine)) + order.integers(_FOLDS)) % _FOLDS
        return fold

    def temperatures(self) -> tuple[list[float], float]:
        """The temperature of each space, and that of their mixture."""
        logits = [np.zeros((self.said, self.count), dtype=np.float32) for _ in self.seen]
        for part in range(_FOLDS):
            asked = np.flatnonzero(self.fold == part)
            learned = np.setdiff1d(np.arange(len(self.labels)), asked)
            if not len(asked):
                continue
            for rows, found in zip(self.seen, logits, strict=True):
                weights = fit_logits(rows[learned], self.labels[learned], self.count)
                found[asked] = logits_of(rows[asked], weights)
            self.held[asked] = self._closeness(asked, learned)
        truth = self.labels[: self.said]
        factors = [temperature(found, truth) for found in logits]
        return factors, temperature(_mixed(logits, factors), truth)

    def scope(self, strangers: float) -> Scope:
        """How in-scope follows from closeness; `temperatures` comes first, it notes that of held-out exemplars."""
        group = neighbourhoods(_centres(self.seen[0], self.labels, self.count), _FOLDS)
        outside: Weights = np.zeros((self.said, 3))
        for part in range(_FOLDS):
            left_out = group[self.labels] == part
            asked = np.flatnonzero(left_out[: self.said])
            outside[asked] = self._closeness(asked, np.flatnonzero(~left_out))
        weights = even_weights(self.held)
        x = np.concatenate([self.held, outside]) @ np.array(weights)
        known = np.concatenate([np.ones(self.said), np.zeros(self.said)])
        return Scope(weights, fit_logistic(x, known, np.where(known > 0, 1.0 - strangers, strangers)))

    def _closeness(self, asked: Labels, learned: Labels) -> Weights:
        known = Known.of(self.seen[0][learned], self.labels[learned], self.count)
        rows = self.seen[0][asked]
        return known.closeness(rows, known.likeness(rows))


def neighbourhoods(centres: Rows, count: int) -> Labels:
    """The intents in `count` groups of equal size, alike ones together."""
    size, most = len(centres), -(-len(centres) // count)
    chosen = [0]
    while len(chosen) < count:
        chosen.append(int((centres @ centres[chosen].T).max(axis=1).argmin()))
    middle = centres[chosen]
    group = np.zeros(size, dtype=np.int64)
    for _ in range(10):
        like = centres @ middle.T
        group[:] = -1
        left = np.full(count, most)
        for flat in np.argsort(-like, axis=None, kind="stable"):
            one, home = divmod(int(flat), count)
            if group[one] < 0 and left[home]:
                group[one] = home
                left[home] -= 1
        middle = _centres(centres, group, count)
    return group


def share(exemplars: Sequence[Exemplar]) -> list[Exemplar]:
    """All exemplars, or an even share of each intent's when there are more than `MOST`."""
    if len(exemplars) <= MOST:
        return list(exemplars)
    by_intent: dict[str, list[Exemplar]] = {}
    for exemplar in exemplars:
        by_intent.setdefault(exemplar.intent, []).append(exemplar)
    each = max(1, MOST // len(by_intent))
    return [e for mine in by_intent.values() for e in mine[:: -(-len(mine) // each)]]


def _see(texts: Sequence[str], encoder: Encoder | None, lexical: Lexical) -> list[Rows]:
    """The texts in each space. Beside an encoder, words only vote; alone, they must also tell what is strange."""
    if encoder is None:
        return [lexical.encode(texts)]
    return [encoder.encode(texts), lexical.encode(texts, forgiving=True)]


def _mixed(logits: Sequence[Rows], factors: Sequence[float]) -> Rows:
    """The spaces' calibrated logits, added up by their shares."""
    shares = [1.0] if len(logits) == 1 else [1.0 - _LEXICAL_SHARE, _LEXICAL_SHARE]
    parts = [f * np.float32(factor * s) for f, factor, s in zip(logits, factors, shares, strict=True)]
    return np.asarray(sum(parts[1:], start=parts[0]), dtype=np.float32)


def _centres(rows: Rows, labels: Labels, count: int) -> Rows:
    """The mean direction of each label; zero where it has no row."""
    return unit(summed(unit(rows), labels, count))
