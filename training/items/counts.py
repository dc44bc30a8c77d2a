"""Answers to questions for a number, written by hand, with every part that is counted in square brackets.

`counted/` holds them, one answer a line, three columns with a tab between them: the question, the answer, and what it comes
to in figures, or `?` where that cannot be got by adding. A part counts the number that is said in it, else one; `[the twins=2]`
says how many otherwise, and `=?` that nobody can tell. `python -m training.items.counts FILE` reads one and says what is wrong
with it, by line.
"""

import re
from collections.abc import Iterator
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import NamedTuple

from softrail.processes.spoken import number_ahead, read_number
from softrail.processes.unread import Unread
from training.scenes import Unreadable, checked

FOLDER = Path(__file__).parent / "counted"
PART = re.compile(r"\[(?P<words>[^\[\]=]+)(?:=(?P<many>[\d.]+|\?))?\]")
_BRACKET = re.compile(r"[\[\]]")
_COLUMNS = 3
_LANGUAGE = "en"


class Counted(NamedTuple):
    """A question for a number and an answer to it, with its parts in brackets, and of each whether it counts for one."""

    asks: str
    words: str
    ones: tuple[bool, ...]

    @property
    def plain(self) -> str:
        """The answer as it was said."""
        return PART.sub(lambda part: part["words"], self.words)


def read(path: Path) -> Iterator[Counted]:
    """The answers of a file; `Unreadable` names the line."""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        columns = line.split("\t")
        if len(columns) != _COLUMNS or _BRACKET.search(PART.sub("", columns[1])):
            raise Unreadable(
                f"{path.name}:{number}: a line is a question, an answer with [parts], and what they come to\n  {line}"
            )
        asks, words, total = columns
        many = [_many(part, asks) for part in PART.finditer(words)]
        known = [part for part in many if part is not None]
        if total != "?" and (len(known) < len(many) or not many or sum(known) != Decimal(total)):
            raise Unreadable(f"{path.name}:{number}: its parts come to {[*map(str, many)]}\n  {line}")
        yield Counted(asks, words, tuple(part == 1 for part in many))


def _many(part: re.Match[str], asks: str) -> Decimal | None:
    """How many a part counts; None where nobody can tell."""
    if part["many"]:
        return None if part["many"] == "?" else Decimal(part["many"])
    try:
        return read_number(part["words"], _LANGUAGE, question=asks)
    except Unread:
        return number_ahead(part["words"], _LANGUAGE) or Decimal(1)


@cache
def counts() -> tuple[Counted, ...]:
    """All that were written to learn from."""
    return tuple(one for path in sorted(FOLDER.glob("*.tsv")) for one in read(path))


if __name__ == "__main__":
    checked(lambda path: [f"{path}: {len(list(read(path)))} answers"])
