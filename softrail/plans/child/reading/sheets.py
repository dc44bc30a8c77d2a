"""What every format is read into: sheets of rows, each row with the number it has in its file."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import date, datetime, time
from decimal import Decimal

Cell = str | bool | int | float | Decimal | datetime | date | time | None
Row = tuple[int, list[Cell]]


@dataclass(kw_only=True)
class Sheet:
    """Rows as they stand in a file; they can be gone through more than once."""

    title: str
    rows: Callable[[], Iterator[Row]]
    header: list[str] | None = None  #: where the format itself names the columns
    comma: bool | None = None  #: the file looks as if numbers had a decimal comma
    repairs: list[str] = field(default_factory=list)


def is_blank(cell: Cell) -> bool:
    """Whether nothing stands there."""
    return cell is None or (cell.__class__ is str and not cell.strip())


def has_any(cells: list[Cell]) -> bool:
    """Whether something stands in one of the cells."""
    for cell in cells:  # noqa: SIM110 - asked for each row of a file, several times
        if cell is not None and not is_blank(cell):
            return True
    return False


def filled(cells: list[Cell]) -> int:
    """In how many cells something stands."""
    return sum(not is_blank(cell) for cell in cells)


def some(count: int, one: str, many: str = "") -> str:
    """A count with its noun."""
    return f"{count} {one}" if count == 1 else f"{count} {many or one + 's'}"


def letter(index: int) -> str:
    """The letter of a column, as spreadsheets have it."""
    text = ""
    index += 1
    while index:
        index, rest = divmod(index - 1, 26)
        text = chr(65 + rest) + text
    return text
