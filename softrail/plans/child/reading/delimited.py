"""Text with separators: how it is encoded and separated is found out, and said where it is not the usual."""

import codecs
import csv
from collections import Counter
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Final

from softrail.plans.child.faults import unreadable
from softrail.plans.child.reading.sheets import Row, Sheet

_SEPARATORS: Final = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars"}
_LOOKED_AT: Final = 200  #: lines from which the separator is found out
LARGEST_CELL: Final = 1_000_000
_LONGEST_CELL: Final = 200  #: lines in one cell: more is a quotation mark that was forgotten


def sheets(path: Path, title: str) -> list[Sheet]:
    """The one table of a file. Raises Refused."""
    csv.field_size_limit(LARGEST_CELL)
    encoding, repairs = _encoding(path)
    separator, skipped = _separator(path, encoding)
    strict, found = _quotes(path, encoding, separator)
    repairs += found
    if separator not in ",\t":
        repairs.append(f"The cells are separated by {_SEPARATORS[separator]}.")
    rows = partial(_rows, path, encoding, separator, strict, skipped)
    comma = True if separator == ";" and _has_commas(rows) else None
    return [Sheet(title=title, rows=rows, comma=comma, repairs=repairs)]


def _encoding(path: Path) -> tuple[str, list[str]]:
    with path.open("rb") as file:
        start = file.read(4)
    for mark, name in (
        (codecs.BOM_UTF8, "utf-8-sig"),
        (codecs.BOM_UTF16_LE, "utf-16"),
        (codecs.BOM_UTF16_BE, "utf-16"),
    ):
        if start.startswith(mark):
            _check(path, name)
            return name, [] if name == "utf-8-sig" else ["The text is encoded in UTF-16."]
    try:
        _check(path, "utf-8")
    except UnicodeDecodeError:
        return "cp1252", ["The text is no UTF-8; it is read as Windows-1252."]
    return "utf-8", []


def _check(path: Path, encoding: str) -> None:
    """Read all of it once: what is no text is refused, what is another encoding raises UnicodeDecodeError."""
    line = 0
    try:
        with path.open(encoding=encoding, newline="") as file:
            while piece := file.read(1 << 20):
                if "\0" in piece:
                    row = line + piece[: piece.index("\0")].count("\n") + 1
                    raise unreadable("This is no text that has a table in it.", row=row)
                line += piece.count("\n")
    except UnicodeError as error:
        if encoding == "utf-8" and isinstance(error, UnicodeDecodeError):
            with path.open("rb") as raw:
                if b"\0" in raw.read(1 << 20):
                    raise unreadable(
                        "This is no file with a table. Send CSV, JSON, Parquet, XLSX or SQLite."
                    ) from error
            raise
        raise unreadable("The text is damaged: it is not in the encoding that it says.") from error


def _separator(path: Path, encoding: str) -> tuple[str, int]:
    """The separator by which most lines have the same number of cells, and how many lines only name it."""
    with path.open(encoding=encoding, errors="replace", newline="") as file:
        lines = [line for line, _ in zip(file, range(_LOOKED_AT), strict=False)]
    named = lines[0].strip().casefold() if lines else ""
    if named.startswith("sep=") and len(named) == 5 and named[4] in _SEPARATORS:
        return named[4], 1
    best, most = ",", 0.0
    for separator in _SEPARATORS:
        rows = [row for row in csv.reader(lines, delimiter=separator) if any(cell.strip() for cell in row)]
        widths = Counter(len(row) for row in rows if len(row) > 1)
        if widths:
            width, count = widths.most_common(1)[0]
            score = count / len(rows) + width / 1000
            if score > most:
                best, most = separator, score
    return best, 0


def _quotes(path: Path, encoding: str, separator: str) -> tuple[bool, list[str]]:
    """Whether quotation marks are where they belong."""
    with path.open(encoding=encoding, errors="replace", newline="") as file:
        reader = csv.reader(file, delimiter=separator, strict=True)
        began, number = 0, 0
        try:
            for number, _ in enumerate(reader, start=1):
                if reader.line_num - began > _LONGEST_CELL:
                    raise _never_closed(number, began + 1)
                began = reader.line_num
        except csv.Error as error:
            if "end of data" in str(error):
                raise _never_closed(number + 1, began + 1) from error
            if "field larger" in str(error):
                raise unreadable(
                    f"Row {number + 1} has a cell of more than {LARGEST_CELL} characters.", row=number + 1
                ) from error
            told = f"A quotation mark stands inside a cell in row {number + 1}; it is read as it stands."
            return False, [told]
    return True, []


def _never_closed(row: int, line: int) -> Exception:
    return unreadable(
        f"A quotation mark is opened in row {row}, line {line}, and never closed. Close it or take it away.",
        row=row,
    )


def _rows(path: Path, encoding: str, separator: str, strict: bool, skipped: int) -> Iterator[Row]:
    with path.open(encoding=encoding, errors="replace", newline="") as file:
        reader = csv.reader(file, delimiter=separator, strict=strict)
        for number, cells in enumerate(reader, start=1):
            if number > skipped:
                yield number, cells  # type: ignore[misc] # a list of texts is one of cells


def _has_commas(rows: partial[Iterator[Row]]) -> bool:
    """Whether a number with a comma and no point is among the first rows."""
    for _, (_, cells) in zip(range(_LOOKED_AT), rows(), strict=False):
        for cell in cells:
            text = str(cell).strip()
            if (
                "," in text
                and "." not in text.partition(",")[2]
                and text.replace(",", "").replace(".", "").isdigit()
            ):
                return True
    return False
