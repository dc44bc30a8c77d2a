"""Bars from labelled data: what each would cover and how often it would be right, and the one that fits a goal."""

from collections.abc import Sequence
from dataclasses import dataclass

from softrail.classifier.evaluate import Answered
from softrail.core.shares import Interval, interval

_GRID = tuple(round(0.40 + 0.05 * i, 2) for i in range(12))
_ENOUGH = 20  #: messages of an intent before a bar of its own is suggested


@dataclass(frozen=True, slots=True)
class BarRow:
    """What a bar does on labelled messages."""

    bar: float
    coverage: float  #: the share at or above it
    precision: Interval  #: of those, right


def bar_rows(answered: Sequence[Answered], *, intent: str | None = None) -> list[BarRow]:
    """Coverage against precision over a grid of bars; for one intent, over the messages read as it."""
    rows = [a for a in answered if intent is None or a.top == intent]
    found = []
    for bar in _GRID:
        passed = [a for a in rows if a.intent.confidence >= bar]
        share = len(passed) / len(rows) if rows else 0.0
        found.append(BarRow(bar, share, interval(a.right for a in passed)))
    return found


def suggest_bars(answered: Sequence[Answered], *, precision: float = 0.95) -> dict[str, float]:
    """For each intent with enough messages, the lowest bar that is right as often as wanted.

    An intent for which no bar of the grid is, is left out: its answers are better asked about.
    """
    suggested = {}
    for intent in sorted({a.top for a in answered}):
        if sum(a.top == intent for a in answered) < _ENOUGH:
            continue
        rows = bar_rows(answered, intent=intent)
        # Every higher bar must do as well, or the lowest one only got lucky.
        good = [row.precision.n == 0 or row.precision.share >= precision for row in rows]
        lowest = next((i for i in range(len(rows)) if all(good[i:]) and rows[i].precision.n), None)
        if lowest is not None:
            suggested[intent] = rows[lowest].bar
    return suggested
