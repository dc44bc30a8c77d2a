"""A copied table of a database: its columns have types already, which are kept; nothing in it is guessed or mended."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any, Final

from softrail.plans.child.faults import unreadable
from softrail.plans.child.reading.columns import MOST_PLACES, ReadColumn
from softrail.plans.child.reading.sheets import Cell, Row
from softrail.plans.child.reading.writing import named, written

MARK: Final = b'{"copied": '  #: what such a file begins with
_DIGITS: Final = 38  #: of an exact number


@dataclass(kw_only=True)
class Copied(ReadColumn):
    """A column whose kind is known: what stands there is what it is, and an empty text is no missing one."""

    def value(self, cell: Cell, row: int) -> Decimal | str | None:
        """A cell as it is kept."""
        if cell is None or self.kind != "number":
            return None if cell is None else _plain(str(cell))
        return Decimal(str(cell))


def read_copy(path: Path) -> tuple[str, Sequence[Mapping[str, Any]]]:
    """The format and the one table of a file that a server has copied. Raises Refused."""
    try:
        with path.open("rb") as file:
            told = json.loads(file.readline())["copied"]
        columns = [Copied(title=str(one["title"]), kind=one["kind"]) for one in told["columns"]]
        _measure(path, columns)
        made = written(_rows(path), columns, path.with_name(f"{path.name}-0"))
    except (ValueError, KeyError, TypeError, ArithmeticError) as error:
        raise unreadable("This copy of a table is damaged.") from error
    title = str(told["title"])
    table = {**made, "title": title, "name": named(title)}
    return "postgresql", [{**table, "repairs": [*told["repairs"], *made["repairs"]]}]


def _rows(path: Path) -> Iterator[Row]:
    with path.open("rb") as file:
        file.readline()
        for number, line in enumerate(file, start=1):
            yield number, json.loads(line)


def _measure(path: Path, columns: Sequence[Copied]) -> None:
    """How many digits the numbers of each column have: exact where they can be."""
    numbers = [(n, column) for n, column in enumerate(columns) if column.kind == "number"]
    for _, cells in _rows(path):
        for n, column in numbers:
            if cells[n] is None:
                continue
            number = Decimal(_short(str(cells[n])))
            exponent = number.as_tuple().exponent
            column.places = max(column.places, -exponent if isinstance(exponent, int) else 0)
            column.digits = max(column.digits, number.adjusted() + 1 if number else 1)
    for _, column in numbers:
        column.exact = column.places <= MOST_PLACES and column.digits + column.places <= _DIGITS
        if not column.exact:
            column.repairs.append(
                f"“{column.title}” has more than {MOST_PLACES} decimal places, or {_DIGITS} digits, so it is not exact."
            )


def _short(text: str) -> str:
    """A number without zeros that say nothing: 1.500 has one decimal place."""
    return text.rstrip("0").rstrip(".") if "." in text and "e" not in text else text


def _plain(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")
