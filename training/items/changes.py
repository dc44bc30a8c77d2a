"""Lists that a message changes, written by hand: as they were, what is said while something else is asked, as they are then.

`changed/` holds them, one change a line, five columns with a tab between them: the question of the list, its items, the
question that is asked, the message, the items afterwards. Items are joined by ` ; `; those that stay come first, as they
were, then those that are new, as they stand in the message; `-` is an empty list. `python -m training.items.changes FILE`
reads one and says what is wrong with it, by line.
"""

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from training.scenes import Unreadable, checked

FOLDER = Path(__file__).parent / "changed"
_COLUMNS = 5


class Changed(NamedTuple):
    """A list, and what a message makes of it."""

    asks: str
    there: tuple[str, ...]
    question: str
    message: str
    after: tuple[str, ...]

    @property
    def new(self) -> tuple[str, ...]:
        """The items that come to it."""
        return tuple(item for item in self.after if item not in self.there)


def read(path: Path) -> Iterator[Changed]:
    """The changes of a file; `Unreadable` names the line."""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        columns = line.split("\t")
        if len(columns) != _COLUMNS:
            raise Unreadable(f"{path.name}:{number}: {len(columns)} columns instead of {_COLUMNS}\n  {line}")
        asks, there, question, message, after = columns
        one = Changed(asks, _items(there), question, message, _items(after))
        kept = tuple(item for item in one.there if item in one.after)
        if not one.there or one.after != (*kept, *one.new):
            raise Unreadable(f"{path.name}:{number}: items that stay come first, in their order\n  {line}")
        if away := [item for item in one.new if item not in message]:
            raise Unreadable(f"{path.name}:{number}: {away[0]!r} is not in the message\n  {line}")
        yield one


def _items(column: str) -> tuple[str, ...]:
    return () if column == "-" else tuple(item.strip() for item in column.split(" ; "))


@cache
def changes() -> tuple[Changed, ...]:
    """All that were written to learn from."""
    return tuple(one for path in sorted(FOLDER.glob("*.tsv")) for one in read(path))


if __name__ == "__main__":
    checked(lambda path: [f"{path}: {len(list(read(path)))} changes"])
