"""JSON: lists of objects, whatever they lie in; objects within objects become columns, lists of them tables."""

import json
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any, Final

from softrail.plans.child.faults import unreadable
from softrail.plans.child.reading.sheets import Cell, Row, Sheet, some

DEEPEST: Final = 20
_MOST_TABLES: Final = 20


def sheets(path: Path, title: str) -> list[Sheet]:
    """The tables of a document: its list of objects, and those within. Raises Refused."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise unreadable("The text is no UTF-8, as JSON has to be.") from error
    found = list(_tables(_parsed(text), title))
    if not found:
        raise unreadable("There is no list of objects in this JSON, and a table is one.")
    return found[:_MOST_TABLES]


def _parsed(text: str) -> Any:
    try:
        return json.loads(text, parse_float=Decimal, parse_constant=lambda _: None)
    except RecursionError as error:
        raise unreadable("This JSON is nested too deep.") from error
    except ValueError as error:
        lines = [line for line in text.splitlines() if line.strip()]
        if len(lines) < 2 or not lines[0].lstrip().startswith("{") or not lines[1].lstrip().startswith("{"):
            at = error if isinstance(error, json.JSONDecodeError) else None
            where = f" in line {at.lineno}, column {at.colno}" if at else ""
            raise unreadable(f"This is no JSON{where}.", row=at.lineno if at else None) from error
    return [_line(n, line) for n, line in enumerate(text.splitlines(), start=1) if line.strip()]


def _line(number: int, line: str) -> Any:
    try:
        return json.loads(line, parse_float=Decimal, parse_constant=lambda _: None)
    except (ValueError, RecursionError) as error:
        raise unreadable(f"Line {number} is no JSON.", row=number) from error


def _tables(value: Any, title: str, depth: int = 0) -> Iterator[Sheet]:
    if depth > DEEPEST:
        return
    if isinstance(value, list) and any(isinstance(one, dict) for one in value):
        yield from _listed(value, title, depth)
    elif isinstance(value, list) and value and all(isinstance(one, list) for one in value):
        rows = [(n, [_cell(cell) for cell in one]) for n, one in enumerate(value, start=1)]
        yield Sheet(title=title, rows=lambda: iter(rows))
    elif isinstance(value, dict):
        yield from _of_object(value, title, depth)


def _of_object(value: Mapping[str, Any], title: str, depth: int) -> Iterator[Sheet]:
    lists = {name: one for name, one in value.items() if isinstance(one, list) and one}
    plain = [one for one in lists.values() if not any(isinstance(cell, dict | list) for cell in one)]
    if len(plain) > 1 and len(plain) == len(value) and len({len(one) for one in plain}) == 1:
        rows = [(n, [_cell(c) for c in cells]) for n, cells in enumerate(zip(*plain, strict=True), start=1)]
        yield Sheet(title=title, rows=lambda: iter(rows), header=[str(name) for name in value])
        return
    if len(value) > 1 and all(isinstance(one, dict) for one in value.values()):
        keyed = [{"key": key, **one} for key, one in value.items()]
        yield from _listed(keyed, title, depth)
        return
    inner = [(name, one) for name, one in value.items() if isinstance(one, dict | list)]
    for name, one in inner:
        yield from _tables(one, title if len(inner) == 1 else f"{title} {name}", depth + 1)
    if not inner and value and depth == 0:
        yield from _listed([value], title, depth)


def _listed(values: Sequence[Any], title: str, depth: int) -> Iterator[Sheet]:
    """One row an object. A list of objects within becomes a table that names the row it belongs to."""
    flat, within = list[dict[str, Cell]](), dict[str, list[dict[str, Any]]]()
    others = 0
    for n, one in enumerate(values, start=1):
        if not isinstance(one, dict):
            others += 1
            continue
        row: dict[str, Cell] = {}
        _flatten(one, "", row, within, n, depth)
        flat.append(row)
    header = list(dict.fromkeys(name for row in flat for name in row))
    repairs = []
    if others:
        repairs.append(f"{some(others, 'entry', 'entries')} of “{title}” that are no objects are left out.")
    if any("." in name for name in header):
        repairs.append("What is nested is a column each, with a point in its name.")
    if within:
        number = "row" if "row" not in header else "row number"
        header.insert(0, number)
        for n, row in enumerate(flat, start=1):
            row[number] = n
    rows: list[Row] = [(n, [row.get(name) for name in header]) for n, row in enumerate(flat, start=1)]
    yield Sheet(title=title, rows=lambda: iter(rows), header=header, repairs=repairs)
    for name, inner in within.items():
        told = f"“{name}” is a table of its own; its column “row of it” tells which row of “{title}” it belongs to."
        for sheet in _listed(inner, f"{title} {name}", depth + 1):
            sheet.repairs.insert(0, told)
            yield sheet


def _flatten(
    one: Mapping[str, Any],
    before: str,
    row: dict[str, Cell],
    within: dict[str, list[dict[str, Any]]],
    number: int,
    depth: int,
) -> None:
    if before.count(".") > DEEPEST or depth > DEEPEST:
        raise unreadable("This JSON is nested too deep.", row=number)
    for key, value in one.items():
        name = f"{before}{key}"
        if isinstance(value, dict):
            _flatten(value, f"{name}.", row, within, number, depth)
        elif isinstance(value, list) and any(isinstance(cell, dict) for cell in value):
            kept = within.setdefault(name, [])
            kept.extend({"row of it": number, **cell} for cell in value if isinstance(cell, dict))
        else:
            row[name] = _cell(value)


def _cell(value: Any) -> Cell:
    if isinstance(value, list):
        return ", ".join("" if one is None else str(one) for one in value)
    if isinstance(value, dict):
        return json.dumps(value, ensure_ascii=False, default=str)
    return value if value is None or isinstance(value, str | bool | int | Decimal) else str(value)
