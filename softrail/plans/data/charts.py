"""Describes a chart in Vega-Lite: from the rows of a fact, and from nothing that anybody else has written."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal

from softrail.plans.data.faults import LimitReached, QueryRefused

Kind = Literal["bar", "line", "area", "point"]

MOST_ROWS: Final = 5_000
_FEW: Final = 30  #: numbers that are names rather than measures, such as years
_WIDTH: Final = 640
_HEIGHT: Final = 360
_SCHEMA: Final = "https://vega.github.io/schema/vega-lite/v5.json"


class Table:
    """The rows of a fact with their columns. Raises QueryRefused for what is none."""

    def __init__(self, value: Any) -> None:
        if not isinstance(value, Mapping) or not value.keys() >= {"columns", "rows"}:
            raise QueryRefused(
                "This needs a table: a fact that a query with several rows or columns has made."
            )
        self.columns: Sequence[Mapping[str, str]] = value["columns"]
        self.rows: Sequence[Sequence[Any]] = value["rows"]
        if not self.rows:
            raise QueryRefused("There are no rows in this table.")

    def place(self, name: str) -> int:
        """Where a column stands. Raises QueryRefused."""
        names = [one["name"] for one in self.columns]
        if name not in names:
            raise QueryRefused(f"The table has no column “{name}”. It has: {', '.join(names)}.")
        return names.index(name)

    def numbers(self, name: str) -> int:
        """Where a column of numbers stands. Raises QueryRefused."""
        place = self.place(name)
        if self.columns[place].get("kind") != "number":
            raise QueryRefused(f"The column “{name}” has no numbers.")
        return place


def specification(table: Table, kind: Kind, x: str, y: str, title: str, series: str = "") -> dict[str, Any]:
    """The chart of two columns, one line or colour for each value of `series`. Raises QueryRefused, LimitReached."""
    if len(table.rows) > MOST_ROWS:
        raise LimitReached(f"A chart has at most {MOST_ROWS} rows. Group them first.")
    across, up = table.place(x), table.numbers(y)
    # Names of columns would be read as paths by Vega: they are titles, and the fields have names of ours.
    encoding: dict[str, Any] = {
        "x": {"field": "x", "title": _titled(table.columns[across]), **_scale(table, across, kind)},
        "y": {"field": "y", "title": _titled(table.columns[up]), "type": "quantitative"},
    }
    values = [{"x": _drawn(table, row, across), "y": _drawn(table, row, up)} for row in table.rows]
    if series:
        apart = table.place(series)
        encoding["color"] = {"field": "s", "title": _titled(table.columns[apart]), "type": "nominal"}
        values = [{**one, "s": str(row[apart])} for one, row in zip(values, table.rows, strict=True)]
    return {
        "$schema": _SCHEMA,
        "title": {"text": title},
        "width": _WIDTH,
        "height": _HEIGHT,
        "background": "white",
        "data": {"values": values},
        "mark": {"type": kind, "point": kind == "line"} if kind in ("line", "area") else {"type": kind},
        "encoding": encoding,
    }


def _scale(table: Table, place: int, kind: Kind) -> dict[str, Any]:
    column = table.columns[place].get("kind", "text")
    if column in ("date", "time"):
        return {"type": "temporal", "scale": {"type": "utc"}}
    few = len({row[place] for row in table.rows}) <= _FEW
    if column == "number" and (kind == "point" or (kind != "bar" and not few)):
        return {"type": "quantitative", "scale": {"zero": False}, "axis": {"format": "~f"}}
    return {"type": "ordinal", "sort": None}


def _drawn(table: Table, row: Sequence[Any], place: int) -> Any:
    """A value as a picture needs it: a number need not be exact there."""
    value, kind = row[place], table.columns[place].get("kind")
    return float(value) if kind == "number" and value is not None else value


def _titled(column: Mapping[str, str]) -> str:
    name, unit = column["name"].replace("_", " "), column.get("unit", "")
    return f"{name} ({unit})" if unit else name
