"""A table as it is kept: every cell of the type of its column, in one Parquet file, with what is known of it."""

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any, Final

import duckdb

from softrail.plans.child.reading.columns import ReadColumn
from softrail.plans.child.reading.sheets import Row

MOST_VALUES: Final = 200
_FEWEST: Final = 5  #: rows that numbers in their order number
_MANY: Final = 30  #: rows that such numbers number in whatever order


def written(rows: Iterable[Row], columns: Sequence[ReadColumn], place: Path) -> Mapping[str, Any]:
    """Write a table; what is known of it. Raises Refused at the first cell that is not what its column is."""
    plain, file = place.with_name(f"{place.name}.csv"), place.with_name(f"{place.name}.parquet")
    count = _spool(rows, columns, plain)
    names = _names([column.title for column in columns])
    with duckdb.connect(":memory:", config={"threads": 1}) as connection:
        kinds = {name: column.type for name, column in zip(names, columns, strict=True)}
        connection.execute(
            "CREATE TABLE made AS SELECT * FROM read_csv(?, columns = ?, header = false, auto_detect = false, delim = ',', "
            "quote = '\"', escape = '\"', nullstr = '', allow_quoted_nulls = false, max_line_size = 100000000)",
            [str(plain), kinds],
        )
        plain.unlink()
        connection.execute(f"COPY made TO '{file.name}' (FORMAT parquet, COMPRESSION zstd)")
        found = [_known(connection, name, column) for name, column in zip(names, columns, strict=True)]
    return {
        "rows": count,
        "columns": found,
        "file": file.name,
        "repairs": [t for c in columns for t in c.repairs],
    }


def _spool(rows: Iterable[Row], columns: Sequence[ReadColumn], plain: Path) -> int:
    count = 0
    with plain.open("w", encoding="utf-8", errors="replace", newline="") as out:
        for number, cells in rows:
            values = [column.value(cell, number) for column, cell in zip(columns, cells, strict=True)]
            out.write(",".join("" if one is None else _field(one) for one in values) + "\n")
            count += 1
    return count


def _field(value: Decimal | str) -> str:
    text = value if isinstance(value, str) else format(value, "f")
    return '"' + text.replace('"', '""') + '"'


def _known(connection: duckdb.DuckDBPyConnection, name: str, column: ReadColumn) -> Mapping[str, Any]:
    quoted = f'"{name}"'
    told: dict[str, Any] = {
        "title": column.title,
        "name": name,
        "kind": column.kind,
        "whole": column.kind == "number" and column.type in ("BIGINT", f"DECIMAL(38,{0})"),
        "unit": column.unit if column.kind == "number" else "",
    }
    empty = connection.execute(f"SELECT count(*) - count({quoted}) FROM made").fetchone()  # noqa: S608 - our own names
    told["empty"] = int(empty[0]) if empty is not None else 0
    if column.kind == "text":
        different = connection.execute(
            f"SELECT DISTINCT {quoted} FROM made WHERE {quoted} IS NOT NULL LIMIT {MOST_VALUES + 1}"  # noqa: S608
        ).fetchall()
        told["values"] = sorted(str(one[0]) for one in different) if len(different) <= MOST_VALUES else []
    elif column.kind != "boolean":
        both = f"min({quoted})::VARCHAR, max({quoted})::VARCHAR"
        ends = connection.execute(f"SELECT {both} FROM made").fetchone()  # noqa: S608
        told["least"], told["most"] = ends if ends is not None else (None, None)
    if told["whole"] and not told["empty"]:
        told["numbering"] = _numbers_rows(connection, quoted)
    return told


def _numbers_rows(connection: duckdb.DuckDBPyConnection, quoted: str) -> bool:
    """Whole numbers of which each row has another, hardly one left out: they count the rows, and nothing else."""
    found = connection.execute(
        f"SELECT count(*), count(DISTINCT {quoted}), max({quoted}) - min({quoted}) + 1 FROM made"  # noqa: S608
    ).fetchone()
    rows, different, length = found if found is not None else (0, 0, None)
    if length is None or rows != different or length >= 2 * rows or rows < _FEWEST:
        return False
    return rows >= _MANY or _rises(connection, quoted)


def _rises(connection: duckdb.DuckDBPyConnection, quoted: str) -> bool:
    """Each row has a larger one than the row before."""
    found = connection.execute(
        f"SELECT bool_and(n > before) FROM (SELECT {quoted} AS n, lag({quoted}) OVER (ORDER BY rowid) AS before FROM made)"  # noqa: S608
    ).fetchone()
    return found is not None and bool(found[0])


def _names(titles: list[str]) -> list[str]:
    """Names as queries have them, none of them twice."""
    names: list[str] = []
    for n, title in enumerate(titles, start=1):
        name = named(title) or f"column_{n}"
        called, more = name, 2
        while called in names:
            called, more = f"{name}_{more}", more + 1
        names.append(called)
    return names


def named(title: str) -> str:
    """A title as a name: "Revenue (EUR)" is revenue_eur; no word of the language of queries is one."""
    plain = unicodedata.normalize("NFKD", title.replace("ß", "ss")).casefold()
    plain = "".join(c for c in plain if not unicodedata.combining(c))
    name = re.sub(r"\W+", "_", plain.replace("%", " percent ")).strip("_")[:60].strip("_")
    if name[:1].isdigit():
        name = f"c_{name}"
    return f"{name}_" if name in _reserved() else name


@cache
def _reserved() -> frozenset[str]:
    with duckdb.connect(":memory:", config={"threads": 1}) as connection:
        words = connection.execute(
            "SELECT keyword_name FROM duckdb_keywords() WHERE keyword_category IN ('reserved', 'type_function')"
        ).fetchall()
    return frozenset(str(row[0]) for row in words)
