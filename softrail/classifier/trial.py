"""Heads fitted on parts of the exemplars and asked about the rest: how good will the whole one be?"""

from collections.abc import Sequence

import numpy as np

from softrail.classifier.linear import (
    Labels,
    Rows,
    Weights,
    fit_logistic,
    fit_logits,
    fit_shares,
    logits_of,
    softmax,
    temperature,
)
from softrail.classifier.scope import Known, Scope, even_weights, summed, unit

CALIBRATED_ON = 2_500  #: exemplars; more say nothing new about how sure to be
_FOLDS = 5
_UNWRITTEN = 0.5  #: of the talk that other exemplars make known: what nobody wrote is known less often than what its writer did
_DOUBT = 20  #: of so few exemplars of talk only half of that is believed
_COSINE = 10.0  #: cosines times this are as large as logits
#: Of the regressions, the nearest exemplar and the intent's name, where exemplars say nothing else; chosen on the
#: validation parts of three public sets.
_USUAL, _USUAL_LEXICAL = (0.75, 0.20, 0.30, 0.30), (0.90, 0.30, 0.30)


class Trial:
    """Five folds of the exemplars of a head to be; the names of its intents, the last rows, are in every one of them.

    `seen` are the texts by meaning (or by their words alone), `read` what each regression is fitted on.
    """

    def __init__(
        self,
        seen: Rows,
        read: Sequence[Rows],
        labels: Labels,
        wholes: Labels,
        *,
        prior: Rows | None = None,
        talk: int | None = None,
    ) -> None:
        """Make one.

        Args:
            seen: The texts by meaning, or by their words alone.
            read: What each regression is fitted on.
            labels: The intent of each text.
            wholes: The primary of each intent: what is decided is the primary.
            prior: What each intent has before anything is heard.
            talk: The primary of talk, where there is one.
        """
        count = len(wholes)
        said = len(labels) - count
        every = max(1, -(-said // CALIBRATED_ON))
        kept = np.concatenate([np.arange(0, said, every), np.arange(said, len(labels))])
        self.seen = seen[kept]
        self.read = [rows[kept] for rows in read]
        self.labels = labels[kept]
        self.count = count
        self.wholes = wholes
        self.prior = np.zeros(count, dtype=np.float32) if prior is None else prior
        self.talk = talk
        self.known_talk = 0.0  #: the share of talk that other talk makes known
        self.said = len(kept) - count
        self.fold = self._folds()
        self.held: Weights = np.zeros((self.said, 3))

    def shares(self) -> Rows:
        """How much each regression's logits, the nearest exemplar's cosine and the name's cosine are to count."""
        heard = np.zeros((self.said, self.count, len(self.read) + 2), dtype=np.float32)
        for part in range(_FOLDS):
            asked = np.flatnonzero(self.fold == part)
            if len(asked):
                heard[asked] = self._heard(asked, np.setdiff1d(np.arange(len(self.labels)), asked))
        truth = self.labels[: self.said]
        scales = [temperature(heard[:, :, i], truth) for i in range(len(self.read))]
        scale = np.array([*scales, _COSINE, _COSINE], dtype=np.float32)
        usual = _USUAL if len(self.read) > 1 else _USUAL_LEXICAL
        shares = fit_shares(heard * scale, truth, usual, wholes=self.wholes, prior=self.prior) * scale
        self.known_talk = self._talk_known(softmax(heard @ shares + self.prior), self.wholes[truth])
        return shares

    def _talk_known(self, chances: Rows, truth: Labels) -> float:
        """How many of the strangers are read as talk, judged by the talk held out: so many are none to the gate."""
        if self.talk is None or not (mine := truth == self.talk).any():
            return 0.0
        primaries = np.unique(self.wholes)
        heard = np.stack([chances[mine][:, self.wholes == one].sum(axis=1) for one in primaries], axis=1)
        known = (primaries[heard.argmax(axis=1)] == self.talk).sum()
        return _UNWRITTEN * float(known / (mine.sum() + _DOUBT))

    def scope(self, strangers: float) -> Scope:
        """How in-scope follows from closeness; `shares` comes first, it notes what of held-out exemplars is needed."""
        strangers *= 1.0 - self.known_talk
        group = neighbourhoods(centres(self.seen, self.labels, self.count), _FOLDS)
        outside: Weights = np.zeros((self.said, 3))
        for part in range(_FOLDS):
            left_out = group[self.labels] == part
            asked = np.flatnonzero(left_out[: self.said])
            known, rows = self._known(np.flatnonzero(~left_out)), self.seen[asked]
            outside[asked] = known.closeness(rows, known.likeness(rows))
        weights = even_weights(self.held)
        x = np.concatenate([self.held, outside]) @ np.array(weights)
        inside = np.concatenate([np.ones(self.said), np.zeros(self.said)])
        return Scope(weights, fit_logistic(x, inside, np.where(inside > 0, 1.0 - strangers, strangers)))

    def _folds(self) -> Labels:
        order = np.random.default_rng(0)
        fold = np.zeros(self.said, dtype=np.int64)
        for intent in range(self.count):
            mine = np.flatnonzero(self.labels[: self.said] == intent)
            fold[mine] = (order.permutation(len(mine)) + order.integers(_FOLDS)) % _FOLDS
        return fold

    def _heard(self, asked: Labels, learned: Labels) -> Rows:
        """What each voice says about the texts asked, having learned from the others."""
        known, rows = self._known(learned), self.seen[asked]
        likeness = known.likeness(rows)
        self.held[asked] = known.closeness(rows, likeness)
        regressions = [logits_of(space[asked], self._regression(space, learned)) for space in self.read]
        names = rows @ unit(self.seen[self.said :]).T
        return np.stack([*regressions, known.nearest(likeness), names], axis=-1)

    def _regression(self, space: Rows, learned: Labels) -> Rows:
        return fit_logits(space[learned], self.labels[learned], self.count)

    def _known(self, learned: Labels) -> Known:
        return Known.of(self.seen[learned], self.labels[learned], self.count)


def neighbourhoods(middles: Rows, count: int) -> Labels:
    """The intents in `count` groups of equal size, alike ones together."""
    size, most = len(middles), -(-len(middles) // count)
    chosen = [0]
    while len(chosen) < count:
        chosen.append(int((middles @ middles[chosen].T).max(axis=1).argmin()))
    homes = middles[chosen]
    group = np.zeros(size, dtype=np.int64)
    for _ in range(10):
        like = middles @ homes.T
        group[:] = -1
        left = np.full(count, most)
        for flat in np.argsort(-like, axis=None, kind="stable"):
            one, home = divmod(int(flat), count)
            if group[one] < 0 and left[home]:
                group[one] = home
                left[home] -= 1
        homes = centres(middles, group, count)
    return group


def centres(rows: Rows, labels: Labels, count: int) -> Rows:
    """The mean direction of each label; zero where it has no row."""
    return unit(summed(unit(rows), labels, count))
