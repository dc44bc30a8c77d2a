"""The actions that read data: what is in a source, what a query gives, whether a claim holds."""

from datetime import timedelta
from decimal import Decimal
from typing import Annotated, Any, Final

from pydantic import Field

from softrail import Attempt, action
from softrail.plans.data.asking import Data, used
from softrail.plans.data.faults import QueryRefused
from softrail.plans.data.found import Evidence, Finding

Sql = Annotated[str, Field(min_length=1, max_length=12_000)]
Units = Annotated[str | dict[str, str], Field(description="Of the value; of the columns, by their names.")]

LONGEST: Final = timedelta(days=1)  #: the limit of a step is the operator's, and shorter
NO_VALUE: Final = "no value: nothing fits"
_SHOWN: Final = 500  #: characters of a claim


@action(repeatable=True, limit=LONGEST)
async def read(
    source: Annotated[str, Field(min_length=1, max_length=200)],
    data: Data,
    attempt: Attempt,
    version: Annotated[str, Field(max_length=64)] = "",
) -> Finding:
    """Look at a source: which tables it has, with how many rows, and what was mended."""
    found = await data.source(attempt, source)
    if version and not found.sha256.startswith(version):
        raise QueryRefused(
            f"“{found.name}” was attached again since this plan was made. Make the plan again."
        )
    tables = [
        {"name": t.name, "title": t.title, "rows": t.rows, "columns": [c.name for c in t.columns]}
        for t in found.tables
    ]
    repairs = tuple(dict.fromkeys(repair for table in found.tables for repair in table.repairs))
    return Finding(
        value={"source": found.name, "version": found.sha256, "tables": tables},
        evidence=Evidence(sources=(used(found, found.tables),), repairs=repairs),
    )


@action(repeatable=True, limit=LONGEST)
async def query(sql: Sql, data: Data, attempt: Attempt, facts: dict[str, Any], unit: Units = "") -> Finding:
    """Ask the attached sources by one SELECT: one value, or a table of rows."""
    answer, evidence, known = await data.ask(attempt, "query", sql, facts)
    columns, rows = answer["columns"], answer["rows"]
    if len(columns) == 1 and len(rows) <= 1:
        told = unit if isinstance(unit, str) else unit.get(columns[0]["name"], "")
        value = rows[0][0] if rows else None
        return Finding(value=_value(value, columns[0]["kind"]), unit=told, evidence=evidence)
    shown = [{**one, "unit": _unit(one, unit, known)} for one in columns]
    return Finding(value={"columns": shown, "rows": rows}, evidence=evidence)


@action(repeatable=True, limit=LONGEST)
async def check(
    sql: Sql,
    claim: Annotated[str, Field(min_length=1, max_length=_SHOWN)],
    data: Data,
    attempt: Attempt,
    facts: dict[str, Any],
) -> Finding:
    """Check a claim: a SELECT with one row for each case, whose column `holds` is true, false, or empty where nobody knows."""
    answer, evidence, known = await data.ask(attempt, "check", sql, facts)
    columns = [{**one, "unit": known.get(one["name"], "")} for one in answer["columns"]]
    value = {
        "claim": claim,
        "verdict": answer["verdict"],
        "cases": answer["cases"],
        "against": answer["against"],
        "unknown": answer["unknown"],
        "columns": columns,
        "rows": answer["rows"],
    }
    return Finding(value=value, evidence=evidence)


def _value(value: Any, kind: str) -> Decimal | str | bool:
    """One value as a fact: a number as one."""
    if value is None:
        return NO_VALUE
    if kind == "number":
        return Decimal(str(value))
    return value if isinstance(value, bool) else str(value)


def _unit(column: dict[str, str], unit: str | dict[str, str], known: Any) -> str:
    """What the plan says it is, else what the source says of a column of that name."""
    if column["kind"] != "number":
        return ""
    said = unit.get(column["name"], "") if isinstance(unit, dict) else unit
    return known.get(column["name"], said) if isinstance(unit, str) else said or known.get(column["name"], "")
