"""Numbers: whether what is stored is what people mean who tell a number by what it is made of, or with others beside it."""

from collections.abc import Sequence
from decimal import Decimal

from benchmarks.reading.lines import DATA, Line, Slot, rows
from benchmarks.reading.play import play_all
from benchmarks.reading.tables import Judged, judged

NUMBERS = DATA / "numbers"
FILES = ("answers",)  #: in the order in which they were frozen
_ASKED = "many"
_UNKNOWN = "?"
_NAMES = {
    "made": "told by its parts",
    "one": "one, with other numbers beside it or none",
    "?": "not to be had without asking",
}


def answers(file: str) -> list[Line]:
    """Each answer of a file in its place."""
    return [_of(row) for row in rows(NUMBERS / f"{file}.jsonl")]


def counted(lines: Sequence[Line]) -> list[tuple[Judged, str]]:
    """Every answer, played, with its verdict; of what cannot be told without asking it is right that nothing is stored."""
    return [(one, _verdict(one)) for one in judged(play_all(lines))]


def show(found: Sequence[tuple[Judged, str]]) -> None:
    """Print what became of the numbers."""
    for kind, name in (*_NAMES.items(), ("", "all of them")):
        verdicts = [verdict for one, verdict in found if kind in ("", *one.line.tags)]
        each = [
            f"{verdict} {sum(one == verdict for one in verdicts) / len(verdicts):6.1%}"
            for verdict in ("right", "asked", "ignored", "stored")
        ]
        print(f"{name:42} {len(verdicts):4}  {'   '.join(each)}")


def _verdict(one: Judged) -> str:
    if _UNKNOWN in one.line.tags:
        return "stored" if _ASKED in one.seen.changed else "right"
    return "stored" if one.verdict == "left" else one.verdict


def _of(row: dict[str, str]) -> Line:
    known = row["total"] != _UNKNOWN
    return Line(
        id=row["id"],
        slots=(
            Slot(_ASKED, row["question"], "decimal"),
            Slot("remark", "Is there anything else we should know?", "text", optional=True),
        ),
        open=_ASKED,
        question=row["question"],
        message=row["message"],
        label="answer",
        wants={_ASKED: [Decimal(row["total"])]} if known else {},
        own=True,
        source="numbers",
        tags=frozenset({row["kind"]}),
    )
