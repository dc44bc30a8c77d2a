"""How close a text is to anything known: three views of it, and the chance of being in scope that follows."""

from dataclasses import dataclass

import numpy as np

from softrail.classifier.linear import Labels, Logistic, Rows, Weights

_SHRINK_WITHIN = (
    0.5  #: of the covariance towards a ball; a few exemplars an intent say little about directions
)
_SHRINK_TOTAL = 0.3
_SMALL = 64  #: rows of a matrix that is inverted as a whole
_LEAST = 1e-3  #: keeps the covariance of a handful of texts invertible


@dataclass(frozen=True, slots=True)
class Known:
    """What the exemplars span: each of them, their centres, and how they spread around those and altogether."""

    order: Labels  #: which text a direction is of; those of one label stand together
    starts: Labels  #: where those of each label begin
    directions: Rows  #: of the exemplars, of length one
    centres: Rows  #: directions of the centres
    pull: Rows  #: by the spread within, towards each centre
    spread: Rows  #: of each centre, by the same measure
    bend: Rows  #: how the squared distance from the middle outgrows that from a centre: quadratic,
    lean: Rows  #: linear,
    level: float  #: and constant in the text

    @classmethod
    def of(cls, rows: Rows, labels: Labels, count: int, some: Labels | None = None) -> "Known":
        """The span of these rows; labels without a row are left out.

        `some` are the rows that are compared with one by one, sorted; None: all of them.
        """
        sizes = np.maximum(np.bincount(labels, minlength=count), 1)[:, None]
        means = (summed(rows, labels, count) / sizes).astype(np.float32)
        middle = rows.mean(axis=0)
        within = _inverse(rows - means[labels], _SHRINK_WITHIN)
        total = _inverse(rows - middle, _SHRINK_TOTAL)
        centres = means[np.unique(labels)].astype(np.float64)
        some = np.arange(len(labels)) if some is None else some
        order = some[np.argsort(labels[some], kind="stable")]
        _, starts = np.unique(labels[order], return_index=True)
        pull = within @ centres.T
        lean = total @ middle
        return cls(
            order=order,
            starts=starts,
            directions=unit(rows[order]),
            centres=unit(centres),
            pull=_single(pull),
            spread=_single(np.einsum("ij,ji->i", centres, pull)),
            bend=_single(total - within),
            lean=_single(lean),
            level=float(middle @ lean),
        )

    def likeness(self, rows: Rows) -> Rows:
        """The cosine of each row to every exemplar, in the order of `directions`."""
        return np.asarray(rows @ self.directions.T, dtype=np.float32)

    def of_label(self, place: int) -> Rows:
        """The directions of the exemplars of the label at that place."""
        ends = np.append(self.starts[1:], len(self.directions))
        return self.directions[self.starts[place] : ends[place]]

    def nearest(self, likeness: Rows) -> Rows:
        """The cosine of each row to the nearest exemplar of each label."""
        return np.maximum.reduceat(likeness, self.starts, axis=1)

    def closeness(self, rows: Rows, likeness: Rows) -> Weights:
        """Three columns: cosine to the nearest centre, to the nearest exemplar, relative Mahalanobis distance.

        The last is how much better the nearest centre explains a text than the cloud of all texts does (Ren et al.
        2021): a text that is far from everything in every direction alike is a stranger, a merely unusual one is not.
        """
        to_centre = (rows @ self.centres.T).max(axis=1)
        to_exemplar = likeness.max(axis=1)
        beyond = np.einsum("ij,ij->i", rows @ self.bend, rows) - 2 * (rows @ self.lean) + self.level
        nearest = (self.spread - 2 * (rows @ self.pull)).min(axis=1)
        return np.stack([to_centre, to_exemplar, beyond - nearest], axis=1).astype(np.float64)


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
    return np.asarray((np.arange(count)[:, None] == labels).astype(np.float32) @ rows, dtype=np.float32)


def unit(rows: Rows | Weights) -> Rows:
    """Rows of length one; a row of noughts stays one."""
    return _single(rows / np.linalg.norm(rows, axis=1, keepdims=True).clip(min=1e-9))


def _single(values: Rows | Weights) -> Rows:
    return np.asarray(values, dtype=np.float32)


def _inverse(around: Rows, shrink: float) -> Rows:
    """The inverse of the covariance of these rows, shrunk towards a ball; solved on its smaller side."""
    rows = _single(around)
    count, width = rows.shape
    ball = np.float32(shrink * max(float((rows**2).sum()) / count, _LEAST) / width)
    share = np.float32((1 - shrink) / count)
    if count >= width:
        return _inverse_of(share * (rows.T @ rows) + ball * np.eye(width, dtype=np.float32))
    inner = _inverse_of((ball / share) * np.eye(count, dtype=np.float32) + rows @ rows.T) @ rows
    return _single((np.eye(width, dtype=np.float32) - rows.T @ inner) / ball)


def _inverse_of(matrix: Rows) -> Rows:
    """The inverse of a symmetric positive definite matrix, by its quarters: products take a fifth of the time."""
    size = len(matrix)
    if size <= _SMALL:
        return _single(np.linalg.inv(matrix))
    half = size // 2
    one = _inverse_of(matrix[:half, :half])
    across = one @ matrix[:half, half:]
    other = _inverse_of(matrix[half:, half:] - matrix[half:, :half] @ across)
    beside = across @ other
    return np.block([[one + beside @ across.T, -beside], [-beside.T, other]])
