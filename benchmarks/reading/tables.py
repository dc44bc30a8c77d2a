"""The figures of a run: each with its number of lines and its 95 % Wilson interval."""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.reading.judge import Seen, Verdict, judge
from benchmarks.reading.lines import ANSWERS, FREE, PLACES, Line
from softrail.core.shares import share_of

#: What the rules made of the same lines before messages were read by anything that learns.
BEFORE = Path(__file__).parent / "before.json"
VERDICTS: tuple[Verdict, ...] = ("right", "asked", "ignored", "stored", "left")
WORDS = {
    "right": "right",
    "asked": "asked back",
    "ignored": "ignored",
    "stored": "stored",
    "left": "taken for leaving",
}
GIVES = frozenset({"answer", "answer_ask", "several"})
WISHES = frozenset({"leave", "pause"})
CORRECTS = frozenset({"correct", "correction"})
NO_ANSWER = frozenset({"open", "hold", "ask", "repeat", "request", "human", "social"}) | WISHES


@dataclass(frozen=True, kw_only=True, slots=True)
class Judged:
    """One line and what became of it."""

    line: Line
    seen: Seen
    verdict: Verdict


def judged(played: Iterable[tuple[Line, Seen]]) -> list[Judged]:
    """Every line with its verdict."""
    return [Judged(line=line, seen=seen, verdict=judge(line, seen)) for line, seen in played]


@dataclass(frozen=True, slots=True)
class Row:
    """One figure: which lines it is about, and which verdicts count."""

    name: str
    about: Callable[[Line], bool]
    counts: frozenset[Verdict]
    goal: str = ""


def _row(name: str, about: Callable[[Line], bool], *counts: Verdict, goal: str = "") -> Row:
    return Row(name, about, frozenset(counts), goal)


def _said_to(kind: str, answers: bool, line: Line) -> bool:
    return line.source == kind and (line.label == "answer") is answers


def _consents(line: Line) -> bool:
    return line.means in ("yes", "no") or line.label in ("yes", "no")


def _labelled(*labels: str) -> Callable[[Line], bool]:
    return lambda line: line.label in labels


def _answers(line: Line) -> bool:
    return line.label in ANSWERS


def _corrections(line: Line) -> bool:
    return line.label in CORRECTS and bool(line.wants)


TAPE_ROWS = (
    _row("answers handled right", _answers, "right", goal=">= 95"),
    _row("answers taken for leaving", _answers, "left", goal="<= 0.5"),
    _row("clear answers that are doubted", _answers, "asked", goal="<= 8"),
    _row(
        "no answer, stored as one, free slots",
        lambda line: not _answers(line) and line.kind in FREE,
        "stored",
        goal="<= 8",
    ),
    _row("everything else handled right", lambda line: not _answers(line), "right", goal=">= 75"),
    _row("  or asked about", lambda line: not _answers(line), "right", "asked"),
    _row("yes and no understood or asked about", _consents, "right", "asked", goal=">= 92"),
    _row("yes and no taken wrongly", _consents, "stored", goal="<= 0.5"),
    _row(
        "choices in a sentence", lambda line: _answers(line) and line.kind == "choice", "right", goal=">= 90"
    ),
    _row("corrections carried out as meant", _corrections, "right", goal=">= 70"),
    _row("corrections asked about", _corrections, "asked", goal="most of the rest"),
    _row("corrections that spoil a value", _corrections, "stored", goal="<= 0.5"),
    _row("questions", _labelled("question"), "right"),
    _row("a person wanted, leaving, refusing", _labelled("human", "leave", "refuse", "postpone"), "right"),
)
OWN_ROWS = (
    _row("stored as meant, exactly", lambda line: line.label in GIVES, "right", goal=">= 85"),
    _row("  of answers alone", _labelled("answer"), "right"),
    _row("  with words of leaving", lambda line: "words of leaving" in line.tags, "right"),
    _row("  answers with a question", _labelled("answer_ask"), "right"),
    _row("  several values", _labelled("several"), "right"),
    _row("answers taken for leaving", lambda line: line.label in GIVES, "left", goal="<= 1"),
    _row("clear answers that are doubted", lambda line: line.label in GIVES, "asked", goal="<= 8"),
    _row("no answer, stored as one", lambda line: line.label in NO_ANSWER, "stored", goal="<= 2"),
    _row("no answer, handled right", lambda line: line.label in NO_ANSWER, "right"),
    _row(
        "wishes to leave obeyed or asked about",
        lambda line: line.label in WISHES,
        "right",
        "asked",
        goal=">= 92",
    ),
    _row("yes and no understood or asked about", _consents, "right", "asked", goal=">= 92"),
    _row("yes and no taken wrongly", _consents, "stored", goal="<= 0.5"),
    _row("none: taken as none", _labelled("none"), "right"),
    _row("corrections carried out as meant", _corrections, "right", goal=">= 70"),
    _row("corrections asked about", _corrections, "asked"),
    _row("corrections that spoil a value", _corrections, "stored", goal="<= 0.5"),
)
#: Of lines whose kinds are too few each to have a figure.
ORDINARY_ROWS = (
    _row("handled right", lambda line: True, "right"),
    _row("  or asked about", lambda line: True, "right", "asked"),
    _row("something else stored, changed or agreed to", lambda line: True, "stored"),
    _row("taken for leaving", lambda line: True, "left"),
)
#: Of what is said to a choice, or to a question for yes or no.
CLOSED_ROWS = tuple(
    _row(f"{kind}: {name}", partial(_said_to, kind, answers), *counts)
    for kind in ("choice", "yes or no", *PLACES.values())
    for name, answers, counts in (
        ("stored as meant", True, ("right",)),
        ("  or asked about", True, ("right", "asked")),
        ("  something else stored", True, ("stored",)),
        ("no answer, stored as one", False, ("stored",)),
    )
)
#: Of lines of every kind, as they come.
STRANGERS_ROWS = (
    *ORDINARY_ROWS,
    _row("answers stored as meant, exactly", lambda line: line.label in GIVES, "right"),
    _row("  or answers asked about", lambda line: line.label in GIVES, "right", "asked"),
    _row("no answer, stored as one", lambda line: line.label in NO_ANSWER, "stored"),
    _row("corrections carried out as meant", _labelled("correct"), "right"),
    _row("  or changes asked about", _labelled("correct"), "right", "asked"),
)


Figure = tuple[int, int]  #: hits, lines


def figures(rows: Sequence[Row], found: Sequence[Judged]) -> dict[str, Figure]:
    """Hits and lines of every row."""
    table: dict[str, Figure] = {}
    for row in rows:
        hits = [j.verdict in row.counts for j in found if row.about(j.line)]
        table[row.name] = (sum(hits), len(hits))
    return table


def verdicts(found: Sequence[Judged], key: Callable[[Line], str]) -> dict[str, dict[str, int]]:
    """How many lines of each group got which verdict."""
    table: dict[str, dict[str, int]] = {}
    for one in found:
        row = table.setdefault(key(one.line), dict.fromkeys(VERDICTS, 0))
        row[one.verdict] += 1
    return dict(sorted(table.items()))


def told(figure: Figure) -> str:
    """A figure in words: `71.2 % (68-74) of 922`."""
    hits, n = figure
    if not n:
        return "none"
    found = share_of(hits, n)
    return f"{100 * hits / n:5.1f} % ({100 * found.low:.1f}-{100 * found.high:.1f}) of {n}"


def layers(found: Sequence[Judged]) -> str:
    """How many lines each layer had the last word on."""
    counts = Counter(one.seen.layer for one in found)
    return "Read by: " + ", ".join(
        f"{layer} {told((n, len(found))).strip()}" for layer, n in sorted(counts.items())
    )


def before() -> dict[str, dict[str, Figure]]:
    """The figures that were saved."""
    saved: dict[str, Any] = json.loads(BEFORE.read_text(encoding="utf-8")) if BEFORE.exists() else {}
    return {part: {name: (f[0], f[1]) for name, f in rows.items()} for part, rows in saved.items()}


def show(title: str, rows: Sequence[Row], found: Sequence[Judged], saved: dict[str, Figure]) -> None:
    """Print one table."""
    print(f"\n{title}\n{'':40}{'now':32}{'before':32}goal")
    for name, figure in figures(rows, found).items():
        goal = next(row.goal for row in rows if row.name == name)
        then = told(saved[name]) if name in saved else "-"
        print(f"{name:40}{told(figure):32}{then:32}{goal}")


def show_verdicts(title: str, table: Mapping[str, Mapping[str, int]]) -> None:
    """Print how each group went, in percent."""
    print(f"\n{title}\n{'':52}{'n':>6}" + "".join(f"{WORDS[v]:>19}" for v in VERDICTS))
    for name, counts in table.items():
        n = sum(counts.values())
        print(f"{name:52}{n:>6}" + "".join(f"{100 * counts[v] / n:>17.1f} %" for v in VERDICTS))
