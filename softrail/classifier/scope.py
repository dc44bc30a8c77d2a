"""How close a text is to anything known: three views of it, and the chance of being in scope that follows."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from softrail.classifier.linear import Labels, Logistic, Rows, Weights

_SHRINK_WITHIN = (
    0.5  #: of the covariance towards a ball; a few exemplars an intent say little about directions
)
_SHRINK_TOTAL = 0.3
_LEAST = 1e-3  #: keeps the covariance of a handful of texts invertible


@dataclass(frozen=True, slots=True)
class Known:
    """What the exemplars span: their centres, and how they spread around them and altogether."""

    directions: Rows  #: of the exemplars, of length one
    centres: Rows
    middle: Rows
    within: Rows  #: inverse covariance around the centres
    total: Rows  #: inverse covariance around the middle

    @classmethod
    def of(cls, rows: Rows, labels: Labels, count: int) -> "Known":
        """The span of these rows; labels without a row have a centre at nought, close to nothing."""
        sizes = np.maximum(np.bincount(labels, minlength=count), 1)[:, None]
        means = (summed(rows, labels, count) / sizes).astype(np.float32)
        middle = rows.mean(axis=0)
        return cls(
            directions=unit(rows),
            centres=means[np.unique(labels)],
            middle=middle,
            within=_inverse(rows - means[labels], _SHRINK_WITHIN),
            total=_inverse(rows - middle, _SHRINK_TOTAL),
        )

    def likeness(self, rows: Rows) -> Rows:
        """The cosine of each row to every exemplar."""
        return np.asarray(rows @ self.directions.T, dtype=np.float32)

    def closeness(self, rows: Rows, likeness: Rows) -> Weights:
        """Three columns: cosine to the nearest centre, to the nearest exemplar, relative Mahalanobis distance.

        The last is how much better the nearest centre explains a text than the cloud of all texts does (Ren et al.
        2021): a text that is far from everything in every direction alike is a stranger, a merely unusual one is not.
        """
        to_centre = (rows @ unit(self.centres).T).max(axis=1)
        to_exemplar = likeness.max(axis=1)
        own = np.einsum("ij,ij->i", rows @ self.within, rows)
        cross = rows @ self.within @ self.centres.T
        spread = np.einsum("ij,ij->i", self.centres @ self.within, self.centres)
        nearest = (own[:, None] - 2 * cross + spread).min(axis=1)
        away = rows - self.middle
        overall = np.einsum("ij,ij->i", away @ self.total, away)
        return np.stack([to_centre, to_exemplar, overall - nearest], axis=1).astype(np.float64)


@dataclass(frozen=True, slots=True)
class Scope:
    """The chance of being in scope, from how close a text is."""

    weights: tuple[float, float, float]
    logistic: Logistic

    def __call__(self, closeness: Weights) -> Weights:
        """One chance for each row."""
        return self.logistic(closeness @ np.array(self.weights))


def even_weights(closeness: Weights) -> tuple[float, float, float]:
    """Weights under which the three views vary alike over these rows, so that their sum hears each of them."""
    one, two, three = 1.0 / (closeness.std(axis=0) + 1e-9)
    return float(one), float(two), float(three)


def summed(rows: Rows, labels: Labels, count: int) -> Rows:
    """The sum of the rows of each label."""
    total = np.zeros((count, rows.shape[1]), dtype=np.float32)
    np.add.at(total, labels, rows)
    return total


def unit(rows: Rows) -> Rows:
    """Rows of length one; a row of noughts stays one."""
    return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True).clip(min=1e-9), dtype=np.float32)


def _inverse(around: Rows, shrink: float) -> Rows:
    width = around.shape[1]
    covariance: NDArray[np.float64] = (around.T @ around / len(around)).astype(np.float64)
    ball = max(float(np.trace(covariance)) / width, _LEAST / width)
    mixed = (1 - shrink) * covariance + shrink * ball * np.eye(width)
    return np.asarray(np.linalg.inv(mixed), dtype=np.float32)
