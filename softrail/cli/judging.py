"""`softrail eval --reader FILE`: what would become of labelled answers in a guided process."""

import json
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

import typer
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from softrail.cli.ground import dispatcher
from softrail.cli.reading import placed
from softrail.core.instances import Instance, State
from softrail.core.ports import Reader
from softrail.core.questions import Question
from softrail.core.reading import LAYERS, Act, Bars, Layer, Reading, Wanted
from softrail.core.shares import share_of
from softrail.dialogue.claims import AnswerHolder, AskAgain, Claim, Doubt, Human, Leave, PassOn
from softrail.dialogue.decide import decide
from softrail.dialogue.view import View
from softrail.reader import LayeredReader
from softrail.reader.learned import learned

Outcome = Literal["right", "asked", "wrong"]
_LEAVING: frozenset[Act] = frozenset({"pause", "leave"})


class Line(BaseModel):
    """One labelled message: what it does, and the words that are the value, where it gives one."""

    model_config = ConfigDict(extra="forbid")

    question: Annotated[str, Field(min_length=1)]
    message: str
    label: Act
    value: str | None = None
    kind: Wanted = "text"
    options: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Judged:
    """A line, what became of it, in words, and whether that is right."""

    line: Line
    became: str
    outcome: Outcome
    layer: Layer  #: the last that was asked


def read_lines(file: Path) -> list[Line]:
    """The labelled lines of a file; a line that is none ends it with its number and what is wrong."""
    found: list[Line] = []
    for number, text in enumerate(file.read_text(encoding="utf-8").splitlines(), start=1):
        if not text.strip():
            continue
        try:
            found.append(Line.model_validate_json(text))
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(map(str, first["loc"])) or "the line"
            raise typer.BadParameter(f"{file}:{number}: {where}: {first['msg']}.") from None
    if not found:
        raise typer.BadParameter(f"{file} has no lines.")
    return found


async def judged(lines: list[Line]) -> list[Judged]:
    """Every line, read and decided as in a process that asks this question first."""
    parts = dispatcher().parts
    return await _read(lines, parts.reader, parts.bars)


async def ablated(lines: list[Line]) -> Mapping[str, list[Judged]]:
    """The same with less: by exact words alone, by the small model without its bars, and by both as they are."""
    readers = {
        "exact words": LayeredReader(furthest="exact"),
        "small model, no bars": LayeredReader(learned, furthest="learned", bars=Bars.off()),
        "small model": LayeredReader(learned, furthest="learned"),
    }
    return {name: await _read(lines, reader, reader.bars) for name, reader in readers.items()}


async def _read(lines: list[Line], reader: Reader, bars: Bars) -> list[Judged]:
    return [_judged(line, await reader.read(line.message, _place(line), locale="en"), bars) for line in lines]


def _place(line: Line) -> Any:
    return placed(line.question, "choice" if line.options else line.kind, line.options)


def _judged(line: Line, reading: Reading, bars: Bars) -> Judged:
    place = _place(line)
    holder = Instance(
        id="it",
        person_id="somebody",
        session_id="here",
        process="it",
        version=1,
        state=State.ACTIVE,
        holds=True,
        question=Question(prompt=line.question),
    )
    view = View(holder=holder, front=holder, wanted=place.wanted, bars=bars)
    claim = decide(reading, view)
    stored = _stored(claim, reading)
    return Judged(line, _told(claim, stored), _outcome(line, claim, stored), reading.furthest)


def _stored(claim: Claim, reading: Reading) -> str | None:
    """What would be kept as the answer; None for nothing."""
    if not isinstance(claim, AnswerHolder):
        return None
    agreed = claim.reading.of("affirm", "negate")
    value = claim.reading.values.get("answer")
    if value is not None:
        return value.text
    if agreed is not None:
        return "yes" if agreed.act == "affirm" else "no"
    nothing = claim.reading.of("none", "open", "correct", "back", "start_over") is not None
    return None if nothing else reading.message


def _outcome(line: Line, claim: Claim, stored: str | None) -> Outcome:
    if isinstance(claim, Doubt):
        return "asked"
    if line.label in ("affirm", "negate"):
        return "right" if stored == {"affirm": "yes", "negate": "no"}[line.label] else "wrong"
    if line.label == "inform":
        meant = line.value if line.value is not None else line.message
        return "right" if stored is not None and _plain(stored) == _plain(meant) else "wrong"
    if line.label in _LEAVING:
        return "right" if isinstance(claim, Leave) else "wrong"
    if line.label == "human":
        return "right" if isinstance(claim, Human) else "wrong"
    return "right" if stored is None and not isinstance(claim, Leave) else "wrong"


def _told(claim: Claim, stored: str | None) -> str:
    if stored is not None:
        return f"stored “{stored}”"
    return {
        Leave: "paused",
        Doubt: "asked",
        Human: "a person",
        PassOn: "passed on",
        AskAgain: "asked again",
    }.get(type(claim), "nothing stored")


def _plain(text: str) -> str:
    return " ".join(text.casefold().strip(" .,!?;:“”\"'").split())


def table(found: list[Judged]) -> str:
    """By label: lines, right, asked about, wrong, each with its share, and the 95 % interval of "right"."""
    rows: Mapping[str, Counter[Outcome]] = defaultdict(Counter)
    for one in found:
        rows[one.line.label][one.outcome] += 1
    lines = [f"{'':10}{'lines':>7}{'right':>28}{'asked':>8}{'wrong':>8}"]
    for label, counts in sorted(rows.items()):
        n = counts.total()
        share = share_of(counts["right"], n)
        right = f"{share.share:.1%} ({share.low:.1%} to {share.high:.1%})"
        lines.append(f"{label:10}{n:>7}{right:>28}{counts['asked'] / n:>8.1%}{counts['wrong'] / n:>8.1%}")
    return "\n".join(lines)


def shares(found: list[Judged]) -> str:
    """How many lines each layer had the last word on."""
    told = [f"{layer} {count / len(found):.1%}" for layer in LAYERS if (count := _of(layer, found))]
    return f"Read by: {', '.join(told)}"


def _of(layer: Layer, found: list[Judged]) -> int:
    return sum(one.layer == layer for one in found)


def ablation(runs: Mapping[str, list[Judged]]) -> str:
    """What each of the runs makes of all lines."""
    lines = [f"{'':22}{'right':>28}{'asked':>8}{'wrong':>8}"]
    for name, found in runs.items():
        counts = Counter(one.outcome for one in found)
        n = len(found)
        share = share_of(counts["right"], n)
        right = f"{share.share:.1%} ({share.low:.1%} to {share.high:.1%})"
        lines.append(f"{name:22}{right:>28}{counts['asked'] / n:>8.1%}{counts['wrong'] / n:>8.1%}")
    return "\n".join(lines)


def view(found: list[Judged]) -> list[dict[str, Any]]:
    """Every line as JSON."""
    return [
        {
            **json.loads(one.line.model_dump_json()),
            "became": one.became,
            "outcome": one.outcome,
            "layer": one.layer,
        }
        for one in found
    ]
