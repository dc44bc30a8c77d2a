"""SQLite: each table of it. Nothing that it defines is run: no views, no triggers, no functions."""

import sqlite3
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any, Final

from softrail.plans.child.faults import quoted, unreadable
from softrail.plans.child.reading.sheets import Row, Sheet

_MOST_TABLES: Final = 50
_READING: Final = frozenset({sqlite3.SQLITE_READ, sqlite3.SQLITE_SELECT, sqlite3.SQLITE_PRAGMA})


def sheets(path: Path, title: str) -> list[Sheet]:
    """The tables that have columns. Raises Refused."""
    try:
        connection = _opened(path)
        try:
            found = connection.execute("SELECT name, type, sql FROM sqlite_schema ORDER BY name")
            names = [str(name) for name, kind, sql in found if _is_table(str(name), kind, str(sql))]
            headers = {name: _header(connection, name) for name in names[:_MOST_TABLES]}
        finally:
            connection.close()
    except (sqlite3.Error, UnicodeError) as error:
        raise unreadable("This SQLite file is damaged, or is none.") from error
    if not names:
        raise unreadable("There is no table in this SQLite file.")
    if len(names) > _MOST_TABLES:
        raise unreadable(f"This SQLite file has {len(names)} tables; at most {_MOST_TABLES} are read.")
    one = len(names) == 1
    return [
        Sheet(title=title if one else name, rows=partial(_rows, path, name), header=headers[name])
        for name in names
    ]


def _is_table(name: str, kind: str, sql: str) -> bool:
    """A plain table: a virtual one would be computed by code."""
    virtual = sql.upper().lstrip().startswith("CREATE VIRTUAL")
    return kind == "table" and not virtual and not name.lower().startswith("sqlite_")


def _opened(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro&immutable=1", uri=True)
    connection.execute("PRAGMA trusted_schema = OFF")
    connection.execute("PRAGMA cell_size_check = ON")
    connection.set_authorizer(
        lambda action, *_: sqlite3.SQLITE_OK if action in _READING else sqlite3.SQLITE_DENY
    )
    return connection


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _header(connection: sqlite3.Connection, name: str) -> list[str]:
    return [str(row[1]) for row in connection.execute(f"PRAGMA table_info({_quoted(name)})")]


def _rows(path: Path, name: str) -> Iterator[Row]:
    connection = _opened(path)
    try:
        rows = connection.execute(f"SELECT * FROM {_quoted(name)}")  # noqa: S608 - quoted, and only reading is allowed
        for number, cells in enumerate(rows, start=1):
            yield number, [_cell(cell, number, name) for cell in cells]
    except (sqlite3.Error, UnicodeError) as error:
        raise unreadable(f"The table {quoted(name)} cannot be read: the file is damaged.") from error
    finally:
        connection.close()


def _cell(value: Any, row: int, name: str) -> Any:
    if isinstance(value, bytes):
        raise unreadable(f"Row {row} of {quoted(name)} has bytes in it, which are no value.", row=row)
    return value
