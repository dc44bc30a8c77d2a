"""Numbers: whether what is stored is what people mean who tell a number by what it is made of, or with others beside it."""

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal

from benchmarks.reading.lines import DATA, Line, Slot, alone, rows
from benchmarks.reading.play import play_all
from benchmarks.reading.tables import Judged, judged, show_verdicts, verdicts

NUMBERS = DATA / "numbers"
FILES = ("answers",)  #: in the order in which they were frozen
_ASKED = "many"
_UNKNOWN = "?"
_NAMES = {
    "made": "told by its parts",
    "one": "one, with other numbers beside it or none",
    _UNKNOWN: "not to be had without asking",
}


def counted(file: str) -> list[Judged]:
    """Every answer of a file, played; of what cannot be told without asking it is right that nothing is stored."""
    return [_judged(one) for one in judged(play_all(_of(row) for row in rows(NUMBERS / f"{file}.jsonl")))]


def show(title: str, found: Sequence[Judged]) -> None:
    """Print what became of the numbers."""
    kinds = verdicts(found, lambda line: next(name for tag, name in _NAMES.items() if tag in line.tags))
    show_verdicts(title, {**kinds, **verdicts(found, lambda _: "all of them")})


def _judged(one: Judged) -> Judged:
    if _UNKNOWN not in one.line.tags:
        return one
    return replace(one, verdict="stored" if _ASKED in one.seen.changed else "right")


def _of(row: dict[str, str]) -> Line:
    known = row["total"] != _UNKNOWN
    return alone(
        row,
        Slot(_ASKED, row["question"], "decimal"),
        source="numbers",
        wants={_ASKED: [Decimal(row["total"])]} if known else {},
        tags=frozenset({row["kind"]}),
    )
