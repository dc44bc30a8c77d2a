"""Where a sheet's table is: its header, its rows without what is none, and years that stand as columns."""

import re
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Final

from softrail.plans.child.faults import quoted, unreadable
from softrail.plans.child.reading.dates import read_date
from softrail.plans.child.reading.numbers import read_number
from softrail.plans.child.reading.sheets import Cell, Row, Sheet, filled, has_any, is_blank, letter, some

_LOOKED_AT: Final = 50  #: rows in which the header is looked for
_TAIL: Final = 20  #: rows at the end that may be sums and notes
_YEAR: Final = re.compile(r"(?:FY\s?)?((?:19|20)\d\d)", re.IGNORECASE)
#: What stands in front of a sum, in the words of spreadsheets.
_SUM: Final = frozenset(
    {
        "total",
        "totals",
        "grand total",
        "subtotal",
        "sub-total",
        "sum",
        "sums",
        "overall",
        "gesamt",
        "gesamtsumme",
        "summe",
    }
    | {"zwischensumme", "insgesamt", "somme", "total général", "totale", "suma", "totaal"}
)


@dataclass(kw_only=True)
class Shape:
    """The table of a sheet."""

    sheet: Sheet
    titles: list[str]
    at: list[int]  #: the place of each column in a row
    first: int = 0  #: the number of the row that the header is in; rows after it are data
    kept: list[str] = field(default_factory=list)  #: columns that stay, where years are turned into rows
    years: list[tuple[int, str]] = field(default_factory=list)  #: the place and the year of the others
    left_out: set[int] = field(default_factory=set)  #: numbers of rows that are none of the table
    repairs: list[str] = field(default_factory=list)

    def rows(self) -> Iterator[Row]:
        """Its rows, each with one cell for every column."""
        for number, cells in self.sheet.rows():
            if number <= self.first or number in self.left_out or not has_any(cells):
                continue
            here = self._cells(cells)
            if not self.years:
                yield number, here
                continue
            fixed = here[: len(self.kept)]
            for place, year in self.years:
                value = cells[place] if place < len(cells) else None
                yield number, [*fixed, int(year), value]

    def _cells(self, cells: list[Cell]) -> list[Cell]:
        count = len(cells)
        if count and count == len(self.at) == self.at[-1] + 1:
            return cells  # as nearly every row of nearly every file
        return [cells[i] if i < count else None for i in self.at]


def shaped(sheet: Sheet) -> Shape | None:
    """The table of a sheet; None where nothing stands on it. Raises Refused."""
    shape = _headed(sheet)
    if shape is None:
        return None
    _look_through(shape)
    _turn_years(shape)
    return shape


def _headed(sheet: Sheet) -> Shape | None:
    if sheet.header is not None:
        titles = _named(sheet.header, list(range(len(sheet.header))))
        return Shape(sheet=sheet, titles=titles, at=list(range(len(titles))), repairs=list(sheet.repairs))
    looked = [
        row for _, row in zip(range(_LOOKED_AT), (r for r in sheet.rows() if has_any(r[1])), strict=False)
    ]
    if not looked:
        return None
    widest = max(filled(cells) for _, cells in looked)
    number, cells = next(row for row in looked if filled(row[1]) > widest // 2)
    above = [row for row in looked if row[0] < number]
    shape = Shape(sheet=sheet, titles=[], at=[], first=number, repairs=list(sheet.repairs))
    if above:
        shape.repairs.append(f"{some(len(above), 'row')} above the table {_are(len(above))} left out.")
    width = _width(cells, [c for n, c in looked if n > number])
    if _is_header(cells):
        shape.at = list(range(width))
        shape.titles = _named([*cells, *[None] * (width - len(cells))][:width], shape.at)
    else:
        shape.first = number - 1
        shape.at = list(range(width))
        shape.titles = [f"Column {letter(i)}" for i in shape.at]
        shape.repairs.append("There is no row with names, so the columns are called A, B, C and so on.")
    return shape


def _width(names: list[Cell], rows: list[list[Cell]]) -> int:
    """As many columns as there are names, and those behind them in which most rows have something."""
    width = max(i + 1 for i, cell in enumerate(names) if not is_blank(cell))
    while sum(len(row) > width and not is_blank(row[width]) for row in rows) * 2 > len(rows):
        width += 1
    return width


def _is_header(cells: list[Cell]) -> bool:
    """Whether these are names: words, and years at most."""
    words = 0
    for cell in cells:
        if is_blank(cell):
            continue
        text = _text(cell)
        if _YEAR.fullmatch(text):
            continue
        if not isinstance(cell, str) or read_number(text) is not None or read_date(text) is not None:
            return False
        words += 1
    return words > 0


def _named(cells: list[Cell] | list[str], at: list[int]) -> list[str]:
    """Titles that are there once each."""
    titles: list[str] = []
    for i in at:
        title = _text(cells[i])[:200] or f"Column {letter(i)}"
        n, called = 2, title
        while called in titles:
            called, n = f"{title} ({n})", n + 1
        titles.append(called)
    return titles


def _look_through(shape: Shape) -> None:
    """Blank rows, sums, notes, and cells outside of the table, which are nobody's."""
    used, blank, short, count = set[int](), 0, 0, 0
    tail: deque[Row] = deque(maxlen=_TAIL)
    sums: list[Row] = []
    width = len(shape.at)
    for number, cells in shape.sheet.rows():
        if number <= shape.first:
            continue
        if not has_any(cells):
            blank += 1
            continue
        count += 1
        for i in range(width, len(cells)):
            if not is_blank(cells[i]):
                raise unreadable(
                    f"Row {number} has {quoted(cells[i])} in column {letter(i)}, and the table has {some(width, 'column')}. "
                    "Put quotation marks around a cell that has the separator in it, or empty that one.",
                    row=number,
                    column=letter(i),
                )
        short += len(cells) < width
        if len(used) < width:
            used.update(i for i in range(min(width, len(cells))) if not is_blank(cells[i]))
        if _is_sum(cells):
            sums.append((number, cells))
        tail.append((number, cells))
    _leave_out_sums(shape, sums)
    _leave_out_notes(shape, tail, width)
    if blank:
        shape.repairs.append(f"{some(blank, 'blank row')} {_are(blank)} left out.")
    if short and shape.sheet.header is None:
        shape.repairs.append(
            f"{some(short, 'row')} {'has' if short == 1 else 'have'} fewer cells than the first; the rest of them is empty."
        )
    gone = [
        i
        for i, title in zip(shape.at, shape.titles, strict=True)
        if i not in used and title == f"Column {letter(i)}"
    ]
    if gone:
        shape.titles = [t for i, t in zip(shape.at, shape.titles, strict=True) if i not in gone]
        shape.at = [i for i in shape.at if i not in gone]
        shape.repairs.append(f"{some(len(gone), 'empty column')} without a name {_are(len(gone))} left out.")
    if not count:
        shape.repairs.append("There is a row with names, and no row of data.")


def _is_sum(cells: list[Cell]) -> bool:
    """The first cell in which something stands calls the row a sum, and numbers follow, or nothing does."""
    first = next((i for i, cell in enumerate(cells) if not is_blank(cell)), 0)
    label = cells[first] if cells else None
    if not isinstance(label, str) or " ".join(label.split()).strip(" :").casefold() not in _SUM:
        return False
    rest = cells[first + 1 :]
    return any(_number(cell) is not None for cell in rest) or (bool(rest) and all(map(is_blank, rest)))


def _leave_out_sums(shape: Shape, found: list[Row]) -> None:
    if not found:
        return
    wanted = dict(found)
    since: dict[int, tuple[Decimal, Decimal]] = {}
    every: dict[int, tuple[Decimal, Decimal]] = {}
    last = [n for n, cells in shape.sheet.rows() if has_any(cells)][-1]
    for number, cells in shape.sheet.rows():
        if number <= shape.first:
            continue
        if number not in wanted:
            for sums in (since, every):
                for i, cell in enumerate(cells):
                    value = _number(cell)
                    if value is not None:
                        one, other = sums.get(i, (Decimal(), Decimal()))
                        sums[i] = (one + value[0], other + value[1])
            continue
        fits = any(_fits(cells, sums) for sums in (since, every))
        if fits or number == last or all(n in wanted for n in range(number, last + 1)):
            shape.left_out.add(number)
            label = quoted(next(cell for cell in cells if not is_blank(cell)))
            what = "it is the sum of rows above" if fits else "its numbers are not the sums of the rows above"
            what = what if filled(cells) > 1 else "nothing stands beside that"
            shape.repairs.append(f"Row {number} ({label}) is left out: {what}.")
        since = {}


def _fits(cells: list[Cell], sums: dict[int, tuple[Decimal, Decimal]]) -> bool:
    values = {i: value for i, cell in enumerate(cells) if (value := _number(cell)) is not None}
    return bool(values) and all(
        value[0] == sums.get(i, (None, None))[0] or value[1] == sums.get(i, (None, None))[1]
        for i, value in values.items()
    )


def _number(cell: Cell) -> tuple[Decimal, Decimal] | None:
    """A number, with a decimal point and with a decimal comma."""
    if isinstance(cell, bool) or cell is None:
        return None
    if isinstance(cell, int | float | Decimal):
        number = Decimal(format(cell, ".15g")) if isinstance(cell, float) else Decimal(cell)
        return (number, number) if number.is_finite() else None
    read = read_number(cell) if isinstance(cell, str) else None
    if read is None:
        return None
    point, comma = read.point, read.comma
    return (
        point if point is not None else comma or Decimal(),
        comma if comma is not None else point or Decimal(),
    )


def _leave_out_notes(shape: Shape, tail: deque[Row], width: int) -> None:
    """Words below a table, in its first column alone."""
    notes: list[int] = []
    for number, cells in reversed(tail):
        if number in shape.left_out:
            continue
        if width < 3 or filled(cells) != 1 or not isinstance(cells[0], str) or is_blank(cells[0]):
            break
        if len(cells[0].split()) < 3:
            break
        notes.append(number)
    if notes and len(notes) < len(tail):
        shape.left_out |= set(notes)
        shape.repairs.append(
            f"{some(len(notes), 'row')} of notes below the table {_are(len(notes))} left out."
        )


def _turn_years(shape: Shape) -> None:
    """Columns that are years become rows: what is asked later is asked of one column."""
    found = [
        (place, m[1]) for place, t in zip(shape.at, shape.titles, strict=True) if (m := _YEAR.fullmatch(t))
    ]
    if len(found) < 2 or len(found) == len(shape.at) or len({year for _, year in found}) < len(found):
        return
    years = {place for place, _ in found}
    shape.kept = [t for i, t in zip(shape.at, shape.titles, strict=True) if i not in years]
    shape.at = [i for i in shape.at if i not in years]
    shape.years = found
    shape.titles = _named([*shape.kept, "Year", "Value"], list(range(len(shape.kept) + 2)))
    shape.repairs.append(
        f"The columns {found[0][1]} to {found[-1][1]} are turned into rows: “{shape.titles[-2]}” and “{shape.titles[-1]}”."
    )


def _text(cell: Cell) -> str:
    return "" if cell is None else " ".join(str(cell).replace("\0", "").split())


def _are(count: int) -> str:
    return "is" if count == 1 else "are"
