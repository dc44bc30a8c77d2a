"""What speaks for what a column is, gathered cell by cell, so that no file has to be held as a whole."""

from datetime import date, datetime, time
from decimal import Decimal
from typing import Final

from softrail.plans.child.reading.dates import read_date
from softrail.plans.child.reading.numbers import PLAIN, of_float, read_number
from softrail.plans.child.reading.sheets import Cell

Seen = tuple[int, str]  #: a row and what stands there

#: What people write where they have no value. It is none only in a column of something else than words.
MISSING: Final = frozenset(
    {"-", "–", "—", "n/a", "na", "#n/a", "n.a.", "null", "none", "nan", "?", "k.a.", "."}
)
TRUE: Final = frozenset({"true", "yes", "ja", "oui"})
FALSE: Final = frozenset({"false", "no", "nein", "non"})


class Evidence:
    """One column, while its rows go by."""

    def __init__(self) -> None:
        self.cells = self.numbers = self.dates = self.truths = self.missing = 0
        self.not_number: Seen | None = None
        self.not_date: Seen | None = None
        self.other_numbers = self.other_dates = 0  #: cells that are none
        self.point: Seen | None = None  #: reads with a decimal point alone
        self.comma: Seen | None = None
        self.either: Seen | None = None  #: 1,234 or 1.234
        self.day_first: Seen | None = None
        self.month_first: Seen | None = None
        self.any_order: Seen | None = None
        self.code: Seen | None = None
        self.units: dict[str, Seen] = {}
        self.bare = 0  #: numbers without a unit
        self.timed = self.inexact = False
        self.month_only: Seen | None = None
        self.places = {True: 0, False: 0}  #: decimal places at most: with a comma, with a point
        self.digits = {True: 0, False: 0}  #: before them

    def add(self, cell: Cell, row: int) -> None:
        """Look at a cell in which something stands."""
        self.cells += 1
        match cell:
            case bool():
                self.truths += 1
                self._no_number(row, str(cell))
                self._no_date(row, str(cell))
            case int() | float() | Decimal():
                self._typed_number(cell, row)
                self._no_date(row, str(cell))
            case datetime():
                self.dates += 1
                self.timed = self.timed or cell.time() != time()
                self._no_number(row, str(cell))
            case date():
                self.dates += 1
                self._no_number(row, str(cell))
            case _:
                self._text(str(cell).strip(), row)

    def _text(self, text: str, row: int) -> None:
        plain = PLAIN.fullmatch(text)
        if plain is not None:
            self._plain(text, plain[1], plain[2] or "", row)
            return
        lower = text.casefold()
        if lower in MISSING:
            self.missing += 1
            return
        if lower in TRUE or lower in FALSE:
            self.truths += 1
        if not self._number(text, row):
            self._no_number(row, text)
        if not self._date(text, row):
            self._no_date(row, text)

    def _plain(self, text: str, whole: str, places: str, row: int) -> None:
        """A number that reads in one way, and is no date: the way of most of them, and a quick one."""
        self.numbers += 1
        self.bare += 1
        self._no_date(row, text)
        if places:
            self.point = self.point or (row, text)
        else:
            self.digits[True] = max(self.digits[True], len(whole))
            if whole[0] == "0" and len(whole) > 1:
                self.code = self.code or (row, text)
        self.digits[False] = max(self.digits[False], len(whole))
        self.places[False] = max(self.places[False], len(places))

    def _number(self, text: str, row: int) -> bool:
        number = read_number(text)
        if number is None:
            return False
        self.numbers += 1
        if number.comma is None:
            self.point = self.point or (row, text)
        elif number.point is None:
            self.comma = self.comma or (row, text)
        elif number.comma != number.point:
            self.either = self.either or (row, text)
        if number.code:
            self.code = self.code or (row, text)
        if number.unit:
            self.units.setdefault(number.unit, (row, text))
        else:
            self.bare += 1
        for comma, value in ((True, number.comma), (False, number.point)):
            if value is not None:
                self._measure(value, comma)
        return True

    def _typed_number(self, value: float | Decimal, row: int) -> None:
        number = of_float(value) if isinstance(value, float) else Decimal(value)
        if not number.is_finite():
            self.missing += 1
            return
        self.numbers += 1
        self.bare += 1
        self._measure(number, True)
        self._measure(number, False)

    def _measure(self, value: Decimal, comma: bool) -> None:
        exponent = value.as_tuple().exponent
        places = max(0, -exponent) if isinstance(exponent, int) else 0
        self.places[comma] = max(self.places[comma], places)
        self.digits[comma] = max(self.digits[comma], value.adjusted() + 1 if value else 1)

    def _date(self, text: str, row: int) -> bool:
        day = read_date(text)
        if day is None:
            return False
        self.dates += 1
        self.timed = self.timed or day.timed
        if day.month_only:
            self.month_only = self.month_only or (row, text)
        if day.month_first is None:
            self.day_first = self.day_first or (row, text)
        elif day.day_first is None:
            self.month_first = self.month_first or (row, text)
        elif day.day_first != day.month_first:
            self.any_order = self.any_order or (row, text)
        return True

    def _no_number(self, row: int, text: str) -> None:
        self.other_numbers += 1
        self.not_number = self.not_number or (row, text)

    def _no_date(self, row: int, text: str) -> None:
        self.other_dates += 1
        self.not_date = self.not_date or (row, text)
