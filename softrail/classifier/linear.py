"""Linear models fitted with numpy alone: multinomial logistic regression, a temperature, a small logistic."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Rows = NDArray[np.float32]
Labels = NDArray[np.int64]
Weights = NDArray[np.float64]

STRENGTH = 30.0  #: inverse of the L2 penalty, measured on the validation parts of three public sets
_STEPS = 100
_MEMORY = 10
_ENOUGH = 3e-4  #: of the slope at the start, where a fit ends; a third of it takes longer and reads no better
_WIDEST = 512  #: directions a regression is tried in; in all others texts differ by less than a hundredth
_SMALLEST = 1e-9
_HOLD = 0.03  #: the pull of the usual shares


def softmax(logits: Rows) -> Rows:
    """Rows that sum to one."""
    raised = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray(raised / raised.sum(axis=1, keepdims=True), dtype=np.float32)


def fit_logits(rows: Rows, labels: Labels, count: int, *, strength: float = STRENGTH) -> Rows:
    """Weights of a multinomial logistic regression, the last row being the bias; every label weighs the same."""
    n, width = rows.shape
    sizes = np.bincount(labels, minlength=count)
    weight = (1.0 / (sizes[labels] * max(int((sizes > 0).sum()), 1))).astype(np.float32)
    penalty = 1.0 / (strength * n)
    at = np.arange(n)

    def loss(flat: Rows) -> tuple[float, Rows]:
        matrix = flat.reshape(width + 1, count)
        logits = rows @ matrix[:width] + matrix[width]
        logits -= logits.max(axis=1, keepdims=True)
        raised = np.exp(logits)
        total = raised.sum(axis=1)
        value = float((weight * (np.log(total) - logits[at, labels])).sum())
        value += 0.5 * penalty * float((matrix[:width] ** 2).sum())
        wrong = raised / total[:, None]
        wrong[at, labels] -= 1.0
        wrong *= weight[:, None]
        slope = np.empty_like(matrix)
        slope[:width] = rows.T @ wrong + penalty * matrix[:width]
        slope[width] = wrong.sum(axis=0)
        return value, slope.ravel()

    start = np.zeros((width + 1) * count, dtype=np.float32)
    return minimise(loss, start).reshape(width + 1, count)


def narrowed(rows: Rows) -> Rows:
    """The same rows in the directions in which they hold nearly all that they are."""
    if min(rows.shape) <= _WIDEST:
        return rows
    return np.asarray(rows @ np.linalg.eigh(rows.T @ rows)[1][:, -_WIDEST:], dtype=np.float32)


def logits_of(rows: Rows, weights: Rows) -> Rows:
    """What a fitted regression says of each row."""
    return np.asarray(rows @ weights[:-1] + weights[-1], dtype=np.float32)


def minimise(loss: Callable[[Rows], tuple[float, Rows]], start: Rows) -> Rows:
    """Where a smooth convex function is lowest, by L-BFGS with backtracking."""
    here = start
    value, slope = loss(here)
    first = max(1.0, float(np.linalg.norm(slope)))
    past: list[tuple[Rows, Rows, float]] = []
    for _ in range(_STEPS):
        way = -_inverse_times(slope, past)
        descent = float(slope @ way)
        if descent >= 0:
            past, way, descent = [], -slope, -float(slope @ slope)
        length = 1.0
        for _ in range(20):
            there = here + np.float32(length) * way
            new_value, new_slope = loss(there)
            if new_value <= value + 1e-4 * length * descent:
                break
            length *= 0.5
        else:
            break  # nothing lower is found: the rest is the noise of single precision
        moved, turned = there - here, new_slope - slope
        if (curve := float(moved @ turned)) > _SMALLEST * 0.1:
            past = [*past[-_MEMORY + 1 :], (moved, turned, 1.0 / curve)]
        here, value, slope = there, new_value, new_slope
        if float(np.linalg.norm(slope)) < _ENOUGH * first:
            break
    return here


def _inverse_times(slope: Rows, past: list[tuple[Rows, Rows, float]]) -> Rows:
    """The two-loop recursion: the estimated inverse Hessian times `slope`."""
    found = slope.copy()
    kept = []
    for moved, turned, inverse in reversed(past):
        kept.append(inverse * float(moved @ found))
        found -= np.float32(kept[-1]) * turned
    if past:
        moved, turned, inverse = past[-1]
        found /= np.float32(inverse * float(turned @ turned))
    else:
        found /= np.float32(max(1.0, float(np.linalg.norm(slope))))
    for (moved, turned, inverse), factor in zip(past, reversed(kept), strict=True):
        found += np.float32(factor - inverse * float(turned @ found)) * moved
    return found


def temperature(logits: Rows, labels: Labels) -> float:
    """The factor that makes the softmax of `logits` most likely; above 1 they were too timid."""
    at = np.arange(len(labels))

    def surprise(factor: float) -> float:
        scaled = logits.astype(np.float64) * factor
        scaled -= scaled.max(axis=1, keepdims=True)
        return float((np.log(np.exp(scaled).sum(axis=1)) - scaled[at, labels]).mean())

    if not len(labels):
        return 1.0
    return float(min(np.exp(np.linspace(-1.5, 1.5, 61)), key=surprise))


def fit_shares(
    voices: Rows,
    labels: Labels,
    usual: Sequence[float],
    *,
    wholes: Labels | None = None,
    prior: Rows | None = None,
) -> Rows:
    """How loud each voice is to be (texts x labels x voices) so that their sum makes the labels most likely.

    Little evidence leaves the shares at the usual ones. With `wholes`, what each label is a part of, the whole is made
    likely, whichever of its parts is read; `prior` is what every label has before anything is heard.
    """
    usually = np.array(usual, dtype=np.float32)
    wholes = np.arange(voices.shape[1]) if wholes is None else wholes
    same = wholes[labels][:, None] == wholes
    flat = np.ascontiguousarray(voices.reshape(-1, voices.shape[2]))

    def loss(shares: Rows) -> tuple[float, Rows]:
        heard = np.asarray((flat @ shares).reshape(same.shape), dtype=np.float32)
        chances = softmax(heard if prior is None else heard + prior)
        own = np.where(same, chances, 0.0)
        right = np.maximum(own.sum(axis=1), _SMALLEST)
        off = shares - usually
        value = float(-np.log(right).mean()) + 0.5 * _HOLD * float(off @ off)
        wrong = chances - own / right[:, None]
        slope = wrong.ravel() @ flat / len(labels) + _HOLD * off
        return value, np.asarray(slope, dtype=np.float32)

    return minimise(loss, usually) if len(labels) else usually


@dataclass(frozen=True, slots=True)
class Logistic:
    """The chance of an event, from one number: 1 / (1 + exp(-(slope * x + offset)))."""

    slope: float
    offset: float

    def __call__(self, x: Weights | Rows) -> Weights:
        """The chance for each number."""
        raised = np.clip(self.slope * np.asarray(x, dtype=np.float64) + self.offset, -30.0, 30.0)
        return np.asarray(1.0 / (1.0 + np.exp(-raised)), dtype=np.float64)


def fit_logistic(x: Weights, happened: Weights, weight: Weights, *, penalty: float = 1e-3) -> Logistic:
    """The logistic that fits weighted observations best, by Newton's method."""
    mean = float(np.average(x, weights=weight))
    spread = float(np.sqrt(np.average((x - mean) ** 2, weights=weight))) + _SMALLEST
    design = np.stack([(x - mean) / spread, np.ones_like(x)], axis=1)
    share = weight / weight.sum()
    ridge = np.diag([penalty, _SMALLEST])
    found = np.zeros(2)
    for _ in range(60):
        chance = 1.0 / (1.0 + np.exp(-np.clip(design @ found, -30.0, 30.0)))
        slope = design.T @ (share * (chance - happened)) + ridge @ found
        curve = (design * (share * chance * (1 - chance))[:, None]).T @ design + ridge
        step = np.linalg.solve(curve, slope)
        found = found - np.clip(step, -3.0, 3.0)
        if float(np.abs(step).max()) < 1e-7:
            break
    return Logistic(slope=float(found[0] / spread), offset=float(found[1] - found[0] * mean / spread))
