"""What a column is, decided from all of its cells; and each of its cells as it is kept from then on."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal
from typing import Final, Literal

from softrail.plans.child.faults import quoted, unreadable
from softrail.plans.child.reading.dates import read_date
from softrail.plans.child.reading.evidence import FALSE, MISSING, TRUE, Evidence, Seen
from softrail.plans.child.reading.numbers import PLAIN, of_float, read_number, unit_of
from softrail.plans.child.reading.sheets import Cell, is_blank, some

Kind = Literal["number", "text", "date", "time", "boolean"]

MOST_PLACES: Final = 10  #: decimal places that are kept exactly; measurements with more are not money
_MOSTLY: Final = 0.8  #: of the cells: the others are likely to be mistakes
_FEW: Final = 5  #: cells of which nobody can say what is likely


@dataclass(kw_only=True)
class ReadColumn:
    """A column, and how its cells are read."""

    title: str
    kind: Kind = "text"
    comma: bool = False
    day_first: bool = True
    unit: str = ""
    places: int = 0
    digits: int = 1
    exact: bool = True
    repairs: list[str] = field(default_factory=list)

    @property
    def type(self) -> str:
        """Its type in the database."""
        match self.kind:
            case "number" if not self.exact:
                return "DOUBLE"
            case "number" if not self.places and self.digits <= 18:
                return "BIGINT"
            case "number":
                return f"DECIMAL({18 if self.digits + self.places <= 18 else 38},{self.places})"
            case "date":
                return "DATE"
            case "time":
                return "TIMESTAMP"
            case "boolean":
                return "BOOLEAN"
        return "VARCHAR"

    def value(self, cell: Cell, row: int) -> Decimal | str | None:
        """A cell as it is kept: a number as one, all else as its text; None where nothing stands."""
        if is_blank(cell):
            return None
        if self.kind == "text":
            return _plain(cell)
        if self.kind == "number" and not self.comma and isinstance(cell, str) and PLAIN.fullmatch(cell):
            return cell
        if isinstance(cell, str) and cell.strip().casefold() in MISSING:
            return None
        found = self._number(cell) if self.kind == "number" else self._other(cell)
        if found is None and not (isinstance(cell, float) and cell != cell):
            raise unreadable(
                f"{quoted(cell)} in row {row}, column {quoted(self.title)}, is no {self.kind}, and the others there are. "
                "Mend or empty that cell.",
                row=row,
                column=self.title,
            )
        return found

    def _number(self, cell: Cell) -> Decimal | None:
        match cell:
            case bool():
                return None
            case float():
                number = of_float(cell)
                return number if number.is_finite() else None
            case int() | Decimal():
                return Decimal(cell)
            case str():
                read = read_number(cell)
                return None if read is None else read.comma if self.comma else read.point
        return None

    def _other(self, cell: Cell) -> str | None:
        if self.kind == "boolean":
            lower = str(cell).strip().casefold()
            return "true" if lower in TRUE else "false" if lower in FALSE else None
        if isinstance(cell, str):
            day = read_date(cell)
            cell = None if day is None else day.day_first if self.day_first else day.month_first
        if isinstance(cell, datetime):
            return cell.isoformat(" ") if self.kind == "time" else cell.date().isoformat()
        return cell.isoformat() if isinstance(cell, date) else None


def decided(titles: Sequence[str], evidence: Sequence[Evidence], comma: bool | None) -> list[ReadColumn]:
    """What the columns of a table are; `comma`: what the file itself tells of its decimal sign. Raises Refused."""
    if comma is None:
        said = [one for one in evidence if one.numbers and not one.other_numbers]
        commas, points = any(one.comma for one in said), any(one.point for one in said)
        comma = commas if commas != points else None
    return [_decide(title, one, comma) for title, one in zip(titles, evidence, strict=True)]


def _decide(title: str, seen: Evidence, comma: bool | None) -> ReadColumn:
    column = ReadColumn(title=title)
    known = seen.cells - seen.missing
    if not known:
        return column
    if not seen.other_dates:
        _as_dates(column, seen, comma)
    elif not seen.other_numbers and not seen.code:
        _as_numbers(column, seen, comma)
    elif seen.truths == known:
        column.kind = "boolean"
    else:
        _as_text(column, seen, known)
    if column.kind != "text" and seen.missing:
        column.repairs.append(f"{some(seen.missing, 'cell')} of “{title}” without a value count as empty.")
    return column


def _as_text(column: ReadColumn, seen: Evidence, known: int) -> None:
    """Words. Where nearly all are quantities or dates, the rest are mistakes, and one place is named."""
    strange, kind = (seen.not_number, "number") if seen.numbers >= seen.dates else (seen.not_date, "date")
    fitting = max(seen.numbers, seen.dates)
    quantity = seen.dates > seen.numbers or bool(seen.point or seen.comma or seen.either or seen.units)
    if strange is None or seen.code or known < _FEW or fitting < known * _MOSTLY:
        return
    row, text = strange
    if quantity:
        raise unreadable(
            f"{quoted(text)} in row {row}, column {quoted(column.title)}, is no {kind}, and nearly all others there are. "
            "Mend or empty that cell.",
            row=row,
            column=column.title,
        )
    column.repairs.append(f"“{column.title}” is read as text, because row {row} has {quoted(text)}.")


def _as_numbers(column: ReadColumn, seen: Evidence, comma: bool | None) -> None:
    if seen.point and seen.comma:
        _at_odds(
            column.title, seen.point, seen.comma, "is written with a decimal point", "with a decimal comma"
        )
    if seen.comma or seen.point:
        column.comma = bool(seen.comma)
    elif seen.either:
        text = seen.either[1]
        column.comma = bool(comma)
        sign = "comma" if column.comma else "point"
        if comma is None:
            column.repairs.append(
                f"Nothing tells whether {quoted(text)} in “{column.title}” has thousands or decimals; it is read with a decimal {sign}."
            )
    if len(seen.units) > 1:
        (one, (row, text)), (other, (there, that)) = list(seen.units.items())[:2]
        raise unreadable(
            f"Column {quoted(column.title)} has {one} in row {row} ({quoted(text)}) and {other} in row {there} ({quoted(that)}). "
            "Give each unit a column of its own.",
            row=there,
            column=column.title,
        )
    column.kind = "number"
    column.unit = next(iter(seen.units), "") or unit_of(column.title)
    column.places, column.digits = seen.places[column.comma], seen.digits[column.comma]
    column.exact = column.places <= MOST_PLACES and column.digits + column.places <= 38
    _tell_numbers(column, seen)


def _tell_numbers(column: ReadColumn, seen: Evidence) -> None:
    if column.comma and (seen.comma or seen.either):
        column.repairs.append(f"“{column.title}” is read with a decimal comma.")
    if seen.units:
        text = next(iter(seen.units.values()))[1]
        also = f", and {some(seen.bare, 'number')} there without one as the same" if seen.bare else ""
        column.repairs.append(
            f"{quoted(text)} in “{column.title}” is read as a number in {column.unit}{also}."
        )
    if not column.exact:
        column.repairs.append(
            f"“{column.title}” has more than {MOST_PLACES} decimal places, so it is not exact."
        )


def _as_dates(column: ReadColumn, seen: Evidence, comma: bool | None) -> None:
    if seen.day_first and seen.month_first:
        _at_odds(column.title, seen.day_first, seen.month_first, "has the day first", "the month first")
    column.kind = "time" if seen.timed else "date"
    column.day_first = not seen.month_first
    told = seen.day_first or seen.any_order
    if seen.any_order and not (seen.day_first or seen.month_first):
        column.repairs.append(
            f"Nothing tells whether {quoted(seen.any_order[1])} in “{column.title}” has the day or the month first; it is read "
            "with the day first."
        )
    elif seen.month_first:
        column.repairs.append(
            f"{quoted(seen.month_first[1])} in “{column.title}” is read with the month first."
        )
    elif told:
        column.repairs.append(f"{quoted(told[1])} in “{column.title}” is read with the day first.")
    if seen.month_only:
        column.repairs.append(
            f"{quoted(seen.month_only[1])} in “{column.title}” is read as the first day of that month."
        )


def _at_odds(title: str, one: Seen, other: Seen, first: str, second: str) -> None:
    row = max(one[0], other[0])
    raise unreadable(
        f"In column {quoted(title)}, {quoted(one[1])} in row {one[0]} {first}, and {quoted(other[1])} in row {other[0]} {second}. "
        "Write them in one way.",
        row=row,
        column=title,
    )


def _plain(cell: Cell) -> str | None:
    """A cell as text: without what no text has."""
    match cell:
        case str():
            text = cell.strip()
            return text.replace("\0", "").replace("\r\n", "\n").replace("\r", "\n") or None
        case bool():
            return "true" if cell else "false"
        case float():
            return format(of_float(cell), "f") if cell == cell else None
        case Decimal():
            return format(cell, "f")
        case datetime():
            return cell.isoformat(" ")
        case date():
            return cell.isoformat()
    return str(cell)
