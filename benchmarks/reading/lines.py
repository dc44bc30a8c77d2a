"""The labelled lines in one form: the tape of real ones and our own."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path
from typing import Any

DATA = Path(__file__).parents[1] / "data"
TAPE = DATA / "interruption"
OWN = DATA / "reader"
ORDINARY = DATA / "ordinary"
STRANGERS = DATA / "strangers"
CLOSED = DATA / "closed"
#: Files of closed questions that are shown by themselves.
PLACES = {"every_conversation": "of every conversation", "in_products": "in what products do"}

CONFIRM = "confirm"
OFFER = "offer"
ANSWERS = frozenset({"answer", "answer_extra", "answer_request", "answer_correction"})
#: Types whose words are kept as they are: whatever is said fits.
FREE = frozenset({"text", "day", "time"})

#: How our own lines call a kind, and how it is called here.
KINDS = {"number": "int"}


@dataclass(frozen=True, slots=True)
class Slot:
    """One question of a flow."""

    name: str
    question: str
    kind: str  #: text, day, time, clock, digits, int, decimal, bool, choice, list, date
    value: Any = None  #: the answer it has before the line is said
    options: tuple[str, ...] = ()
    optional: bool = False
    description: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Line:
    """One line, the place it is said in, and what is meant by it."""

    id: str
    slots: tuple[Slot, ...]
    open: str  #: the slot asked for, CONFIRM or OFFER
    question: str
    message: str
    label: str
    #: For each slot every value that is right. Of the tape: what the value must contain.
    wants: dict[str, list[Any]] = field(default_factory=dict)
    may: dict[str, list[Any]] = field(default_factory=dict)  #: slots that may be filled with one of these
    means: Any = None  #: the tape's yes, no, number or option
    about: str | None = None  #: the slot a correction is about that names no new value
    own: bool = False
    source: str = ""
    tags: frozenset[str] = frozenset()
    today: date | None = None  #: the day it is said; None: it does not matter
    otherwise: tuple["Line", ...] = ()  #: what else may be meant by it

    @property
    def kind(self) -> str:
        """The kind of the open question."""
        slot = self.slot(self.open)
        return slot.kind if slot else self.open

    def slot(self, name: str) -> Slot | None:
        """The slot of that name."""
        return next((s for s in self.slots if s.name == name), None)


def tape() -> list[Line]:
    """The real lines."""
    return [_of_tape(row) for file in sorted(TAPE.rglob("*.jsonl")) for row in rows(file)]


def own() -> list[Line]:
    """Our own lines; the source is the name of the file."""
    return [_of_own(row, file.stem) for file in sorted(OWN.rglob("*.jsonl")) for row in rows(file)]


def ordinary() -> list[Line]:
    """Corrections, refusals and remarks of ordinary people."""
    return [
        _of_own(row, "ordinary", times="time")
        for file in sorted(ORDINARY.rglob("*.jsonl"))
        for row in rows(file)
    ]


def strangers() -> list[Line]:
    """What people say who know nothing of the reader; the source is the list."""
    return [_of_own(row, file.stem) for file in sorted(STRANGERS.rglob("*.jsonl")) for row in rows(file)]


def closed() -> list[Line]:
    """What people say to a choice, to a question for yes or no, and to those that every conversation has."""
    return [_of_closed(row, file.stem) for file in sorted(CLOSED.rglob("*.jsonl")) for row in rows(file)]


def alone(row: Mapping[str, Any], asked: Slot, *, source: str, label: str = "answer", **more: Any) -> Line:
    """An answer to one question, in a process of that and one more, which may be left out."""
    remark = Slot("remark", "Is there anything else we should know?", "text", optional=True)
    return Line(
        id=row["id"],
        slots=(asked, remark),
        open=asked.name,
        question=asked.question,
        message=row["message"],
        label=label,
        own=True,
        source=source,
        **more,
    )


def rows(file: Path) -> Iterator[dict[str, Any]]:
    """The JSON objects of a file, one a line."""
    for text in file.read_text(encoding="utf-8").split("\n"):
        if text:
            yield json.loads(text)


def _of_tape(row: dict[str, Any]) -> Line:
    wants = {name: [value] for name, value in row["gold"]} if row["label"] in ANSWERS else {}
    wants |= {name: values.split("|") for name, values in row["corrects"]}
    return Line(
        id=row["id"],
        slots=tuple(_slot(one) for one in row["flow"]),
        open=row["open"],
        question=row["question"],
        message=row["line"],
        label=row["label"],
        wants=wants,
        means=row.get("means"),
        source=row["source"],
    )


def _slot(one: dict[str, Any]) -> Slot:
    kind, value = one["type"], one["value"]
    options = tuple(kind) if isinstance(kind, list) else ()
    kind = "choice" if options else kind
    if value in ("True", "False"):
        kind, value = "bool", value == "True"
    elif kind == "bool" and value is not None:
        value = value == "yes"
    elif kind == "int" and value is not None:
        value = int(value)
    return Slot(one["name"], one["question"], kind, value, options, optional=one["name"] == "note")


def _of_closed(row: dict[str, Any], file: str) -> Line:
    options, meant = tuple(row["options"]), row["meant"]
    kind = PLACES.get(file, "choice" if options else "yes or no")
    wants = {} if meant is None else {"answer": [meant if options else meant == "yes"]}
    asked = Slot("answer", row["question"], "choice" if options else "bool", options=options)
    return alone(row, asked, source=kind, label=row["label"], wants=wants, may={"remark": []})


def _of_own(row: dict[str, Any], source: str, *, times: str = "clock") -> Line:
    slots = tuple(
        Slot(
            one["name"],
            one["question"],
            times if one["kind"] == "time" else KINDS.get(one["kind"], one["kind"]),
            one["value"],
            tuple(one.get("options", ())),
            one.get("optional", False),
            one["description"],
        )
        for one in row["fields"]
    )
    line = Line(
        id=row["id"],
        slots=slots,
        open=row["open"],
        question=row["question"],
        message=row["message"],
        label=row["label"],
        wants=row["values"],
        may=row.get("may", {}),
        about=row.get("about"),
        own=True,
        source=source,
        tags=frozenset(row.get("tags", ())),
        today=date.fromisoformat(row["today"]) if "today" in row else None,
    )
    otherwise = (replace(line, label=one["label"], wants=one["values"]) for one in row.get("or", ()))
    return replace(line, otherwise=tuple(otherwise))
