"""Answers to questions for a list, written by hand, with every item in square brackets.

`told/` holds them, one answer a line: the question, a tab, the answer. `python -m training.items.lists FILE` reads one and
says what is wrong with it, by line.
"""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from training.scenes import Unreadable, checked

FOLDER = Path(__file__).parent / "told"
_MARKED = re.compile(r"(?:[^\[\]]*\[[^\[\]]+\])+[^\[\]]*")


class Listed(NamedTuple):
    """A question and an answer to it, with its items in brackets."""

    asks: str
    words: str

    @property
    def plain(self) -> str:
        """The answer as it was said."""
        return re.sub(r"[\[\]]", "", self.words)


def read(path: Path) -> Iterator[Listed]:
    """The answers of a file; `Unreadable` names the line."""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        asks, _, words = line.partition("\t")
        if not asks or not _MARKED.fullmatch(words):
            raise Unreadable(
                f"{path.name}:{number}: a line is a question, a tab, and an answer with [items]\n  {line}"
            )
        yield Listed(asks, words)


@cache
def lists() -> tuple[Listed, ...]:
    """All that were written to learn from."""
    return tuple(one for path in sorted(FOLDER.glob("*.tsv")) for one in read(path))


if __name__ == "__main__":
    checked(lambda path: [f"{path}: {len(list(read(path)))} answers"])
