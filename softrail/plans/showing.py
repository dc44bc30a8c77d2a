"""Values as people read them: numbers with their unit, tables as lines, what came of a claim."""

import json
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any, Final, Literal

FactType = Literal["number", "boolean", "text", "nothing", "data"]

_PLAIN: Final = range(-12, 22)  #: powers of ten of numbers that are written out
_LONGEST: Final = 300  #: characters of a value
_LONGEST_TABLE: Final = 2_000
_ROWS: Final = 10  #: of a table
_PLACES: Final = 2  #: decimal places that stay though they are zeros: 12.50 EUR


def shown(value: Any, type: FactType, unit: str = "") -> str:
    """A value as people read it, with its unit."""
    match type:
        case "number":
            text = digits(Decimal(str(value)))
        case "boolean":
            text = "yes" if value else "no"
        case "nothing":
            text = "done"
        case "text":
            text = str(value)
        case _:
            return _data(value)
    return f"{_cut(text, _LONGEST)} {unit}".rstrip()


def is_table(value: Any) -> bool:
    """A table with every row; what came of a claim has examples alone."""
    return isinstance(value, Mapping) and value.keys() >= {"columns", "rows"} and "verdict" not in value


def digits(number: Decimal) -> str:
    """A number without zeros that say nothing: 33.750 is 33.75, and 12.50 stays so."""
    if number.adjusted() not in _PLAIN:
        return str(number)
    text = format(number, "f")
    whole, point, places = text.partition(".")
    kept = places[:_PLACES] + places[_PLACES:].rstrip("0")
    return f"{whole}{point}{kept}"


def _data(value: Any) -> str:
    if isinstance(value, Mapping) and value.keys() >= {"claim", "verdict"}:
        return _cut(_verdict(value), _LONGEST_TABLE)
    if isinstance(value, Mapping) and value.keys() >= {"columns", "rows"}:
        how = f"{value['method']}:" if value.get("method") else ""
        return _cut(how + _lines(value["columns"], value["rows"]), _LONGEST_TABLE)
    if isinstance(value, Mapping) and value.keys() >= {"chart", "png"}:
        return _cut(f"{value['chart']} chart “{value['title']}”, {value['png']}", _LONGEST)
    if isinstance(value, Mapping) and value.keys() >= {"source", "tables"}:
        tables = ", ".join(f"{one['name']} with {one['rows']} rows" for one in value["tables"])
        return _cut(f"{value['source']}: {tables}", _LONGEST)
    return _cut(json.dumps(value, ensure_ascii=False), _LONGEST)


def _verdict(value: Mapping[str, Any]) -> str:
    told = f"“{value['claim']}” {value['verdict']}"
    if value["verdict"] == "holds":
        if value["cases"] > 1:
            return f"{told}, in all {value['cases']} cases"
        return told + (f":{_lines(value['columns'], value['rows'])}" if value["rows"] else "")
    if not value["cases"]:
        return f"{told}: there is nothing to look at"
    many = value["against"] or value["unknown"]
    of = f", in {many} of {value['cases']} cases" if value["cases"] > 1 else ""
    return f"{told}{of}" + (f":{_lines(value['columns'], value['rows'])}" if value["rows"] else "")


def _lines(columns: Sequence[Mapping[str, str]], rows: Sequence[Sequence[Any]]) -> str:
    """A table, one row a line, each cell with its name."""
    if not rows:
        return "no rows"
    lines = [", ".join(_cell(c, one) for c, one in zip(columns, row, strict=True)) for row in rows[:_ROWS]]
    if len(rows) > _ROWS:
        lines.append(f"… and {len(rows) - _ROWS} more")
    return "".join(f"\n  - {line}" for line in lines)


def _cell(column: Mapping[str, str], value: Any) -> str:
    """The first words of a row need no name; a number has its own, and its unit."""
    if value is None:
        return f"{column['name']}: –"
    if column.get("kind") != "number":
        return str(value) if column.get("kind") == "text" else f"{column['name']}: {value}"
    return f"{column['name']}: {digits(Decimal(str(value)))} {column.get('unit', '')}".rstrip()


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[:most]}…"
