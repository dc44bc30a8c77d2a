"""The fitted part: which intent a text is, how likely, and how likely it is none of these.

Two numbers, each calibrated on the exemplars alone. The *intent probability* says how sure the head is among its
intents. Four voices are added up in it: a regression on the meaning of the exemplars, one on their words, the nearest
exemplar, the intent's own name; how loud each is, and so how sure they are together, comes from folds of exemplars held
out. *In scope* says how likely the text is any of them at all; it is learned by leaving out whole neighbourhoods of
intents, whose exemplars then stand in for strangers. Their product is the confidence that decides.
"""

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache

import numpy as np

from softrail.classifier.encoder import Encoder
from softrail.classifier.lexical import Lexical
from softrail.classifier.linear import Logistic, Rows, fit_logits, logits_of, narrowed, softmax
from softrail.classifier.scope import Known, Scope, unit
from softrail.classifier.trial import Trial
from softrail.core.intents import GENERAL

MOST = 20_000  #: exemplars a head is fitted on; of more, every intent gives an even share
STRANGERS = 0.10  #: the share of messages expected to be none of the intents
_COMPARED = 4_000  #: exemplars that a message is compared with one by one
_ILLUSTRATED = 16  #: intents, the likeliest, whose nearest exemplar is told
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
    nearest: Mapping[str, str] = field(repr=False)  #: the nearest exemplar of each of the likeliest intents


@dataclass(frozen=True, slots=True)
class Head:
    """A fitted head; `fit` makes one, `scores` asks it."""

    intents: tuple[str, ...]
    exemplars: tuple[Exemplar, ...]
    encoder: Encoder | None
    lexical: Lexical
    weights: tuple[Rows, ...]  #: of the regression on meaning (when there is an encoder), then on words
    nearness: float  #: what the cosine to the nearest exemplar of an intent adds to its logit
    known: Known
    scope: Scope

    def scores(self, texts: Sequence[str]) -> list[Scores]:
        """One `Scores` for each text."""
        seen = _see(texts, self.encoder, self.lexical)
        likeness = self.known.likeness(seen[0])
        logits = np.float32(self.nearness) * self.known.nearest(likeness)
        for rows, weights in zip(seen, self.weights, strict=True):
            logits += logits_of(rows, weights)
        chances = softmax(logits + _prior(self.intents))
        scope = self.scope(self.known.closeness(seen[0], likeness))
        return [
            Scores(self.intents, chances[i], float(scope[i]), self._nearest(chances[i], likeness[i]))
            for i in range(len(texts))
        ]

    def _nearest(self, chances: Rows, likeness: Rows) -> Mapping[str, str]:
        """The nearest exemplar of each of the likeliest intents."""
        ends = np.append(self.known.starts[1:], len(likeness)) - 1  # the last of an intent's is its name
        found = {}
        for intent in np.argsort(-chances, kind="stable")[:_ILLUSTRATED]:
            first = self.known.starts[intent]
            at = self.known.order[first + int(likeness[first : ends[intent]].argmax())]
            found[self.intents[intent]] = self.exemplars[at].text
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
    lexical, spelled = Lexical.learn(texts, forgiving=encoder is not None)
    seen = [spelled] if encoder is None else [(reader or encoder).encode(texts), spelled]
    primaries = [name.partition(".")[0] for name in intents]
    wholes = np.array([primaries.index(name) for name in primaries], dtype=np.int64)
    trial = Trial(
        seen[0],
        [narrowed(rows) for rows in seen],
        labels,
        wholes,
        prior=_prior(intents),
        talk=primaries.index(GENERAL) if GENERAL in primaries else None,
    )
    *parts, nearness, naming = trial.shares()
    weights = [fit_logits(rows, labels, len(intents)) * part for rows, part in zip(seen, parts, strict=True)]
    weights[0][:-1] += naming * unit(seen[0][len(kept) :]).T
    compared = [*_even([e.intent for e in kept], _COMPARED), *range(len(kept), len(texts))]
    usual = _USUAL if encoder is not None else _USUAL_LEXICAL
    return Head(
        intents=intents,
        exemplars=tuple(kept),
        encoder=encoder,
        lexical=lexical,
        weights=tuple(weights),
        nearness=float(nearness),
        known=Known.of(seen[0], labels, len(intents), np.array(compared, dtype=np.int64)),
        scope=trial.scope(strangers) if len(intents) >= _TOO_FEW else usual,
    )


@cache
def _prior(intents: tuple[str, ...]) -> Rows:
    """What the sub-intents of one primary give up, so that a primary of many is not likelier by their number alone.

    A quarter of it, in logits: a primary of many sub-intents is meant more often than one of none.
    """
    primaries = [name.partition(".")[0] for name in intents]
    sizes = Counter(primaries)
    return np.array([-0.25 * np.log(sizes[name]) for name in primaries], dtype=np.float32)


def spoken(name: str) -> str:
    """An intent's name as words."""
    return " ".join(name.replace("_", " ").replace(".", " ").replace("-", " ").split()).casefold()


def share(exemplars: Sequence[Exemplar]) -> list[Exemplar]:
    """All exemplars, or an even share of each intent's when there are more than `MOST`."""
    return [exemplars[i] for i in _even([e.intent for e in exemplars], MOST)]


def _even(intents: Sequence[Hashable], most: int) -> list[int]:
    """The places of all of them, or of an even share of each where there are more than `most`."""
    if len(intents) <= most:
        return list(range(len(intents)))
    places: dict[Hashable, list[int]] = {}
    for place, intent in enumerate(intents):
        places.setdefault(intent, []).append(place)
    each = max(1, most // len(places))
    return [place for mine in places.values() for place in mine[:: -(-len(mine) // each)]]


def _see(texts: Sequence[str], encoder: Encoder | None, lexical: Lexical) -> list[Rows]:
    """The texts in each space. Beside an encoder, words only vote; alone, they must also tell what is strange."""
    if encoder is None:
        return [lexical.encode(texts)]
    return [encoder.encode(texts), lexical.encode(texts, forgiving=True)]
