"""What a model says of pairs, as the reader would read it, and its calibration."""

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from softrail.core.shares import share_of
from softrail.reader.learned.loading import tokenizer
from softrail.reader.learned.marks import ACTS
from softrail.reader.learned.spans import best, trimmed
from training.model import ReaderModel
from training.pairs import Pair
from training.train import MESSAGE, Words, run

VALUE = len(ACTS)
NAME = 40


@dataclass(frozen=True, kw_only=True)
class Read:
    """Logits, and the likeliest span."""

    pair: Pair
    marks: list[float]
    start: int
    end: int
    point: float  #: log odds of the span

    @property
    def exact(self) -> bool:
        """Whether the span is one of the right ones."""
        return (self.start, self.end) in {trimmed(self.pair.message, *span) for span in self.pair.spans}

    @property
    def holds(self) -> bool:
        """Whether a right span is within it and it is not much longer than a name."""
        return self.end - self.start <= NAME and any(
            self.start <= a and b <= self.end for a, b in self.pair.spans
        )

    @property
    def close(self) -> bool:
        """Whether it holds a right span or is held by one, at least half of it."""
        for a, b in self.pair.spans:
            shared = min(self.end, b) - max(self.start, a)
            if shared > 0 and shared >= 0.5 * max(self.end - self.start, b - a):
                return True
        return False


def read(model: ReaderModel, pairs: Sequence[Pair]) -> list[Read]:
    """Reads pairs with the model that is trained."""
    words = Words()
    places, marks = run(model, [words.example(pair) for pair in pairs])
    found = []
    for pair, place, mark in zip(pairs, places, marks, strict=True):
        offsets = tokenizer().encode(pair.message, add_special_tokens=False).offsets[:MESSAGE]
        start = end = 0
        logit = -13.0
        if offsets:
            point = best(np.asarray(place))
            start, end = trimmed(pair.message, offsets[point.first][0], offsets[point.last][1])
            logit = point.logit
        found.append(Read(pair=pair, marks=[float(x) for x in mark], start=start, end=end, point=logit))
    return found


@dataclass(frozen=True, kw_only=True)
class Calibration:
    """For each output the slope and the shift of its log odds."""

    marks: list[list[float]]
    span: list[float]
    span_temperature: float = 1.0

    def probability(self, reading: Read, at: int) -> float:
        """Of an act, or of a value."""
        a, b = self.marks[at]
        return sigmoid(a * reading.marks[at] + b)

    def act(self, reading: Read, act: str) -> float:
        """Of an act by name."""
        return self.probability(reading, ACTS.index(act))

    def sure(self, reading: Read) -> float:
        """Of the span."""
        return sigmoid(self.span[0] * reading.point + self.span[1])


def sigmoid(x: float) -> float:
    """A probability from log odds."""
    return 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, x))))


def calibrate(readings: Sequence[Read]) -> Calibration:
    """Fits every output on readings of lines that were not trained on."""
    marks = []
    for at in range(VALUE + 1):
        known = [(r.marks[at], y) for r in readings if (y := label(r.pair, at)) is not None]
        marks.append(platt(known))
    spans = [(r.point, int(r.exact)) for r in readings if r.pair.spans and not r.pair.keyword]
    return Calibration(marks=marks, span=platt(spans))


def label(pair: Pair, at: int) -> int | None:
    """Whether the act, or a value, is there; None where that is not known."""
    return pair.value if at == VALUE else pair.acts.get(ACTS[at])


def platt(known: Sequence[tuple[float, int]]) -> list[float]:
    """Slope and shift by Newton's steps, drawn a little towards one and nothing."""
    if len({y for _, y in known}) < 2:
        return [1.0, 0.0]
    x = np.array([k[0] for k in known])
    y = np.array([k[1] for k in known], dtype=float)
    features = np.stack([x, np.ones_like(x)], axis=1)
    start = np.array([1.0, 0.0])
    weights = start.copy()
    for _ in range(40):
        p = 1 / (1 + np.exp(-np.clip(features @ weights, -30, 30)))
        slope = features.T @ (p - y) + 1.0 * (weights - start)
        bend = (features * (p * (1 - p))[:, None]).T @ features + np.eye(2)
        step = np.linalg.solve(bend, slope)
        weights -= np.clip(step, -1, 1)
    return [round(float(weights[0]), 4), round(float(weights[1]), 4)]


def share(right: int, n: int) -> str:
    """A share in percent with its 95 % interval."""
    if n == 0:
        return "–"
    found = share_of(right, n)
    return f"{100 * found.share:.1f} ({100 * found.low:.1f}–{100 * found.high:.1f})"


def sample(pairs: Sequence[Pair], count: int, seed: int = 0) -> list[Pair]:
    """Some of the pairs."""
    return random.Random(seed).sample(list(pairs), min(count, len(pairs)))
