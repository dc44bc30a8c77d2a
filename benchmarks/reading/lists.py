"""Lists: whether what is stored are the items that were told, and whether a list that is changed has those that were meant."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from benchmarks.reading.lines import CONFIRM, DATA, Line, Slot, alone, rows
from benchmarks.reading.play import play_all
from benchmarks.reading.tables import show_verdicts

LISTS = DATA / "lists"
ANSWERS = ("answers", "answers-second")  #: the files, in the order in which they were frozen
CHANGES = ("changes", "changes-second")
_ASKED = "things"
_KINDS = {"number": "int", "time": "clock"}
_ARTICLE = re.compile(r"^(?:a|an|the)\s+")


@dataclass(frozen=True, slots=True)
class Listed:
    """What became of one answer."""

    message: str
    items: Sequence[str]  #: as they were told
    stored: Sequence[str]

    @property
    def right(self) -> bool:
        """Every item as it was told, but for an article at its head."""
        return [*map(_bare, self.stored)] == [*map(_bare, self.items)]


def answers(file: str) -> list[tuple[Line, Sequence[str]]]:
    """Each answer of a file in its place, with its items."""
    return [
        (alone(row, Slot(_ASKED, row["question"], "list"), source="lists"), row["items"])
        for row in rows(LISTS / f"{file}.jsonl")
    ]


def listed(said: Sequence[tuple[Line, Sequence[str]]]) -> list[Listed]:
    """Every answer, played."""
    items = {line.id: told for line, told in said}
    played = play_all(line for line, _ in said)
    return [Listed(line.message, items[line.id], seen.after.get(_ASKED) or []) for line, seen in played]


@dataclass(frozen=True, slots=True)
class Changed:
    """What became of a list that was told before."""

    message: str
    there: Sequence[str]
    meant: Sequence[str]  #: the items it should have then
    stored: Sequence[str]
    asked: bool  #: it was asked what was meant

    @property
    def kind(self) -> str:
        """What should become of it."""
        gone, come = {*self.there} - {*self.meant}, {*self.meant} - {*self.there}
        if gone and come:
            return "an item goes, another comes"
        return "an item goes" if gone else "an item comes" if come else "it stays as it is"

    @property
    def verdict(self) -> str:
        """Right, asked about, passed over, or something else stored."""
        stored, there, meant = (sorted(map(_bare, some)) for some in (self.stored, self.there, self.meant))
        same = stored == there
        if same and self.asked:
            return "asked"
        if stored == meant:
            return "right"
        return "ignored" if same else "stored"


def changes(file: str) -> list[tuple[Line, Sequence[str]]]:
    """Each message of a file in its place, with the items of the list afterwards."""
    return [(_beside(row), row["after"]) for row in rows(LISTS / f"{file}.jsonl")]


def changed(said: Sequence[tuple[Line, Sequence[str]]]) -> list[Changed]:
    """Every change, played."""
    meant = {line.id: after for line, after in said}
    return [
        Changed(
            line.message,
            line.slots[0].value,
            meant[line.id],
            seen.after.get(_ASKED) or [],
            seen.asks == "doubt",
        )
        for line, seen in play_all(line for line, _ in said)
    ]


def show_changed(title: str, found: Sequence[Changed]) -> None:
    """Print what became of the lists."""
    table = {
        kind or "all of them": Counter(one.verdict for one in found if kind in ("", one.kind))
        for kind in (*sorted({one.kind for one in found}), "")
    }
    show_verdicts(title, table)


def show(found: Sequence[Listed]) -> None:
    """Print how many lists are what was told, of those of several items and those of one."""
    for name, some in (
        ("lists of several items", [one for one in found if len(one.items) > 1]),
        ("lists of one item", [one for one in found if len(one.items) == 1]),
        ("all of them", found),
    ):
        n = len(some)
        right = sum(one.right for one in some)
        many = sum(len(one.stored) == len(one.items) for one in some)
        none = sum(not one.stored for one in some)
        print(
            f"{name:24} {n:4}  every item {right:4} {right / n:6.1%}   as many items {many:4} {many / n:6.1%}   none stored {none:3}"
        )


def _beside(row: dict[str, Any]) -> Line:
    """The list has its items, and something else is asked."""
    there = Slot(_ASKED, row["question"], "list", value=row["items"])
    other = Slot("other", row["asked"], _KINDS.get(row["kind"], row["kind"]))
    if row["kind"] == CONFIRM:
        other = Slot("other", "Who is it for?", "text", value="Ada Novak")
    return Line(
        id=row["id"],
        slots=(there, other),
        open=CONFIRM if row["kind"] == CONFIRM else "other",
        question=row["asked"],
        message=row["message"],
        label="correct",
        own=True,
        source="lists",
    )


def _bare(item: str) -> str:
    words = re.sub(r"[^\w ]+", " ", item.lower())
    return _ARTICLE.sub("", " ".join(words.split()))
