"""Shares of a number of trials, and how far they can be trusted."""

from collections.abc import Iterable
from dataclasses import dataclass
from math import sqrt
from typing import Final

_Z: Final = 1.959964  #: standard deviations to each side that hold 95 % of a normal distribution


@dataclass(frozen=True, slots=True)
class Interval:
    """A share of n with its 95 % interval (Wilson)."""

    share: float
    low: float
    high: float
    n: int

    def __str__(self) -> str:
        return f"{100 * self.share:.1f} % ({100 * self.low:.1f} to {100 * self.high:.1f}, n = {self.n})"


def share_of(hits: int, n: int) -> Interval:
    """The share of hits with its 95 % Wilson interval; of nothing, everything is possible."""
    if not n:
        return Interval(0.0, 0.0, 1.0, 0)
    p, weight = hits / n, _Z * _Z / n
    middle = (p + weight / 2) / (1 + weight)
    reach = sqrt(p * (1 - p) * weight + weight * weight / 4) / (1 + weight)
    return Interval(p, max(0.0, middle - reach), min(1.0, middle + reach), n)


def interval(hits: Iterable[bool]) -> Interval:
    """The share of true values, as `share_of` gives it."""
    values = list(hits)
    return share_of(sum(values), len(values))
