"""Samples, rows of the table, and how both are printed."""

import statistics
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from time import perf_counter


@dataclass
class Samples:
    """Times of single turns, in seconds."""

    seconds: list[float] = field(default_factory=list)

    @contextmanager
    def timed(self) -> Iterator[None]:
        """Measure the block."""
        began = perf_counter()
        yield
        self.seconds.append(perf_counter() - began)

    @property
    def p50(self) -> float:
        """The median."""
        return statistics.median(self.seconds)

    @property
    def p99(self) -> float:
        """Ninety-nine of a hundred took no longer."""
        ordered = sorted(self.seconds)
        return ordered[min(len(ordered) - 1, int(0.99 * len(ordered)))]

    @property
    def rate(self) -> float:
        """Turns a second, one after the other."""
        return len(self.seconds) / sum(self.seconds)

    def __str__(self) -> str:
        return f"p50 {ms(self.p50)}, p99 {ms(self.p99)}, {self.rate:,.0f}/s"


def ms(seconds: float) -> str:
    """Seconds as milliseconds."""
    return f"{1000 * seconds:.2f} ms"


@dataclass(frozen=True, kw_only=True)
class Row:
    """One line of the table; `ratio` is ours over the floor's, of what `goal` bounds."""

    name: str
    ours: str
    floor: str
    ratio: float
    spread: tuple[float, float] | None = None  #: the middle half of the ratios of single rounds
    at_most: float | None = None
    at_least: float | None = None
    unit: str = "x"

    @property
    def goal(self) -> str:
        """The goal in words; "" for a row that is there to be read beside another."""
        if self.at_most is not None:
            return f"<= {self.at_most:g}{self.unit}"
        return f">= {self.at_least:g}{self.unit}" if self.at_least is not None else ""

    @property
    def met(self) -> bool | None:
        """Whether the goal is met; None without one."""
        if self.at_most is not None:
            return self.ratio <= self.at_most
        return self.ratio >= self.at_least if self.at_least is not None else None


def middle(ratios: Iterable[float]) -> tuple[float, float] | None:
    """The first and the third quartile; None for fewer than four."""
    found = sorted(ratios)
    if len(found) < 4:
        return None
    first, _, third = statistics.quantiles(found, n=4)
    return first, third


def table(rows: Sequence[Row]) -> str:
    """The rows as text."""
    lines = [("", "Softrail", "floor", "ratio", "middle half", "goal", "")]
    for row in rows:
        spread = f"{row.spread[0]:.2f} to {row.spread[1]:.2f}" if row.spread else ""
        verdict = {True: "met", False: "MISSED", None: ""}[row.met]
        lines.append((row.name, row.ours, row.floor, f"{row.ratio:.2f}{row.unit}", spread, row.goal, verdict))
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
        for line in lines
    )
