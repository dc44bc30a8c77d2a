"""Answers to questions for a list: whether what is stored are the items that were told."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from benchmarks.reading.lines import DATA, Line, Slot, rows
from benchmarks.reading.play import play_all

LISTS = DATA / "lists"
_ASKED = "things"
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


def answers() -> list[tuple[Line, Sequence[str]]]:
    """Each answer in its place, with its items."""
    return [(_of(row), row["items"]) for row in rows(LISTS / "answers.jsonl")]


def listed(said: Sequence[tuple[Line, Sequence[str]]]) -> list[Listed]:
    """Every answer, played."""
    items = {line.id: told for line, told in said}
    played = play_all(line for line, _ in said)
    return [Listed(line.message, items[line.id], seen.after.get(_ASKED) or []) for line, seen in played]


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


def _of(row: dict[str, str]) -> Line:
    return Line(
        id=row["id"],
        slots=(
            Slot(_ASKED, row["question"], "list"),
            Slot("remark", "Is there anything else we should know?", "text", optional=True),
        ),
        open=_ASKED,
        question=row["question"],
        message=row["message"],
        label="answer",
        own=True,
        source="lists",
    )


def _bare(item: str) -> str:
    words = re.sub(r"[^\w ]+", " ", item.lower())
    return _ARTICLE.sub("", " ".join(words.split()))
