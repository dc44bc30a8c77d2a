"""The actions that show what was found: a chart, a table, a forecast."""

import asyncio
import csv
import io
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Final

from pydantic import Field

from softrail import Attempt, action
from softrail.plans.data.actions import LONGEST
from softrail.plans.data.asking import Data
from softrail.plans.data.charts import Kind, Table, specification
from softrail.plans.data.forecasts import Method
from softrail.plans.data.forecasts import forecast as continued
from softrail.plans.data.found import Evidence, Finding

Rows = Annotated[dict[str, Any], Field(description="A table: the fact of a query.")]
Name = Annotated[str, Field(min_length=1, max_length=200)]

#: How a spreadsheet knows a formula; a cell of words that begins so is kept as words by a mark before it.
_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")


@action(repeatable=True, limit=LONGEST)
async def chart(
    rows: Rows,
    kind: Kind,
    x: Name,
    y: Name,
    title: Name,
    data: Data,
    attempt: Attempt,
    series: Annotated[str, Field(max_length=200)] = "",
) -> Finding:
    """Draw a chart of two columns of a table."""
    described = specification(Table(rows), kind, x, y, title, series)
    svg, png = await data.drawn(attempt, described, title)
    value = {"chart": kind, "title": title, "x": x, "y": y, "svg": svg, "png": png}
    return Finding(value=value, ref=svg)


@action(repeatable=True)
async def table(
    rows: Rows,
    title: Name,
    data: Data,
    attempt: Attempt,
    columns: Annotated[list[str], Field(max_length=100)] = [],  # noqa: B006 - Pydantic copies it
) -> Finding:
    """Keep a table as a file for spreadsheets, with the columns that are wanted."""
    found = Table(rows)
    places = [found.place(one) for one in columns] or list(range(len(found.columns)))
    shown = [found.columns[i] for i in places]
    cells = [[row[i] for i in places] for row in found.rows]
    content = await asyncio.to_thread(written, shown, cells)
    ref = await data.kept(attempt, title, "csv", content)
    return Finding(value={"title": title, "columns": [dict(one) for one in shown], "rows": cells}, ref=ref)


@action(repeatable=True)
async def forecast(
    rows: Rows,
    x: Name,
    y: Name,
    periods: Annotated[int, Field(ge=1, le=100)] = 1,
    method: Method = "trend",
) -> Finding:
    """Continue a column of numbers along another, evenly spaced one, by a plain method that is named."""
    value, told = continued(Table(rows), x, y, periods, method)
    return Finding(value=value, evidence=Evidence(method=told))


def written(columns: Sequence[Mapping[str, str]], rows: Sequence[Sequence[Any]]) -> bytes:
    """A table as a file for spreadsheets, in which no words are a formula."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow([_words(_title(one)) for one in columns])
    kinds = [one.get("kind") for one in columns]
    for row in rows:
        writer.writerow([v if k == "number" else _words(v) for k, v in zip(kinds, row, strict=True)])
    return out.getvalue().encode("utf-8-sig")


def _title(column: Mapping[str, str]) -> str:
    unit = column.get("unit", "")
    return f"{column['name']} ({unit})" if unit else column["name"]


def _words(value: Any) -> str:
    text = "" if value is None else str(value)
    return f"'{text}" if text.startswith(_FORMULA) else text
