"""Parquet: its columns have types already; what is nested is taken apart, and floats become exact where they were."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import duckdb

from softrail.plans.child.faults import unreadable
from softrail.plans.child.reading.sheets import Cell, Row, Sheet


def sheets(path: Path, title: str) -> list[Sheet]:
    """The one table of a file. Raises Refused."""
    try:
        header = _flat(path)
    except duckdb.Error as error:
        raise unreadable("This is no Parquet file that can be read.") from error
    return [
        Sheet(
            title=title,
            rows=partial(_rows, path, [f"{one} AS c{n}" for n, one in enumerate(header.values())]),
            header=list(header),
        )
    ]


def _flat(path: Path) -> dict[str, str]:
    """The columns by their titles, each as an expression; those of structures one by one."""
    with duckdb.connect(":memory:", config={"threads": 1}) as connection:
        found = connection.execute("DESCRIBE SELECT * FROM read_parquet(?)", [str(path)]).fetchall()
        columns: dict[str, str] = {}
        for name, kind, *_ in found:
            columns |= _parts(str(name), _quoted(str(name)), str(kind), connection)
    return columns


def _parts(title: str, expression: str, kind: str, connection: duckdb.DuckDBPyConnection) -> dict[str, str]:
    if kind.startswith("STRUCT("):
        fields = duckdb.type(kind).children if not kind.endswith("]") else []
        parts: dict[str, str] = {}
        for name, inner in fields:
            parts |= _parts(f"{title}.{name}", f"{expression}.{_quoted(str(name))}", str(inner), connection)
        if parts:
            return parts
    if "TIME ZONE" in kind:
        return {title: f"CAST({expression} AS TIMESTAMP)"}
    plain = kind.split("(")[0] in _PLAIN and not kind.endswith("]")
    return {title: expression if plain else f"CAST({expression} AS VARCHAR)"}


_PLAIN = frozenset(
    [
        "BOOLEAN",
        "TINYINT",
        "SMALLINT",
        "INTEGER",
        "BIGINT",
        "HUGEINT",
        "UTINYINT",
        "USMALLINT",
        "UINTEGER",
        "UBIGINT",
        "FLOAT",
        "DOUBLE",
        "DECIMAL",
        "DATE",
        "TIMESTAMP",
        "TIMESTAMP_S",
        "TIMESTAMP_MS",
        "TIMESTAMP_NS",
        "VARCHAR",
    ]
)


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _rows(path: Path, expressions: list[str]) -> Iterator[Row]:
    with duckdb.connect(":memory:", config={"threads": 1}) as connection:
        connection.execute("SET TimeZone = 'UTC'")
        try:
            cursor = connection.execute(f"SELECT {', '.join(expressions)} FROM read_parquet(?)", [str(path)])  # noqa: S608 - quoted
            number = 0
            while some := cursor.fetchmany(1000):
                for row in some:
                    number += 1
                    yield number, [_cell(one) for one in row]
        except duckdb.Error as error:
            raise unreadable("This Parquet file is damaged.") from error


def _cell(value: Any) -> Cell:
    return value if not isinstance(value, bytes) else None
