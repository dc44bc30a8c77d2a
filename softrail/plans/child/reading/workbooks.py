"""XLSX: each sheet with something on it is a table; formulas count as what they came to when it was saved."""

import zipfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any, Final

import openpyxl

from softrail.plans.child.faults import unreadable
from softrail.plans.child.reading.sheets import Cell, Row, Sheet, filled

LARGEST: Final = 1_000_000_000  #: bytes of the parts of a workbook, unpacked


def sheets(path: Path, title: str) -> list[Sheet]:
    """The sheets on which something stands. Raises Refused."""
    try:
        with zipfile.ZipFile(path) as parts:
            size = sum(part.file_size for part in parts.infolist())
        if size > LARGEST:
            raise unreadable(
                f"This workbook has {size // 1_000_000} MB when it is unpacked, which is too much."
            )
        with path.open("rb") as file:  # by its content: openpyxl would go by the end of its name
            book = openpyxl.load_workbook(file, read_only=True, keep_links=False)
            names = [sheet.title for sheet in book.worksheets]
            hidden = {sheet.title for sheet in book.worksheets if sheet.sheet_state != "visible"}
            book.close()
    except (zipfile.BadZipFile, KeyError, ValueError, OSError, SyntaxError) as error:
        raise unreadable("This is no workbook that can be opened. Save it again as XLSX.") from error
    found = []
    for name in names:
        rows = partial(_rows, path, name)
        if name in hidden or not any(filled(cells) for _, cells in rows()):
            continue
        found.append(Sheet(title=name if len(names) > 1 else title, rows=rows))
    if hidden and found:
        found[0].repairs.append(f"Sheets that are hidden are left out: {', '.join(sorted(hidden))}.")
    return found


def _rows(path: Path, name: str) -> Iterator[Row]:
    with path.open("rb") as file:
        book = openpyxl.load_workbook(file, read_only=True, data_only=True, keep_links=False)
        sheet = book[name]
        sheet.reset_dimensions()
        for number, cells in enumerate(sheet.iter_rows(values_only=True), start=1):
            yield number, [_cell(cell, number) for cell in cells]
        book.close()


def _cell(value: Any, row: int) -> Cell:
    if isinstance(value, str) and value.startswith("#") and value.rstrip("!?").isupper():
        raise unreadable(
            f"Row {row} has the error {value[:20]} of a formula. Mend the formula, or empty the cell.",
            row=row,
        )
    return (
        value
        if value is None or isinstance(value, str | bool | int | float) or hasattr(value, "isoformat")
        else str(value)
    )
