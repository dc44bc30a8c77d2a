"""The database of one child: its tables are loaded, its doors are closed, and then queries are answered."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any, Final

import duckdb

from softrail.plans.child.allowing import Allowed, Own
from softrail.plans.child.faults import Refused, one_line

LARGEST: Final = 1_000_000  #: characters of a result
DIGITS: Final = 15  #: significant ones of what a division gives
EXAMPLES: Final = 20  #: rows that are shown against a claim

#: Each is set before any query, and none can be changed afterwards.
_CLOSED: Final = (
    "SET temp_directory = ''",
    "SET enable_external_access = false",
    "SET autoinstall_known_extensions = false",
    "SET autoload_known_extensions = false",
    "SET allow_community_extensions = false",
    "SET python_enable_replacements = false",
    "SET lock_configuration = true",
)


class Opened:
    """A database in memory with nothing in it."""

    def __init__(self) -> None:
        self.connection = duckdb.connect(
            ":memory:", config={"threads": 1, "allow_unsigned_extensions": "false"}
        )
        self.own = Own(self.connection)


_ready: Final[list[Opened]] = []  #: opened before anybody said what is to be asked


def make_ready() -> None:
    """Open the database of this process before its tables are known."""
    _ready.append(Opened())


class Database:
    """The tables of one session, in memory."""

    def __init__(self, tables: Sequence[Mapping[str, Any]], limits: Mapping[str, Any]) -> None:
        self._limits = limits
        opened = _ready.pop() if _ready else Opened()
        self.connection = opened.connection
        self.connection.execute(f"SET memory_limit = '{int(limits['megabytes'])}MB'")
        self.connection.execute("SET TimeZone = 'UTC'")
        columns: dict[str, set[str]] = {}
        try:
            for table in tables:
                columns[str(table["name"]).lower()] = self._load(str(table["name"]), str(table["file"]))
        except duckdb.OutOfMemoryException as error:
            raise self._too_large() from error
        for setting in _CLOSED:
            self.connection.execute(setting)
        self._allowed = Allowed(self.connection, opened.own, columns)

    def _load(self, name: str, file: str) -> set[str]:
        quoted = '"' + name.replace('"', '""') + '"'
        self.connection.execute(f"CREATE TABLE {quoted} AS FROM read_parquet(?)", [file])
        found = self.connection.execute(f"SELECT * FROM {quoted} LIMIT 0").description  # noqa: S608 - the same
        return {str(column[0]).lower() for column in found or ()}

    def answer(self, job: Mapping[str, Any]) -> Mapping[str, Any]:
        """What one query, or one claim, comes to. Raises Refused."""
        sql = self._allowed.statement(str(job["sql"]))
        try:
            if job["do"] == "look":
                return {"columns": list(self._described(sql))}
            return self._checked(sql) if job["do"] == "check" else self._rows(sql)
        except duckdb.OutOfMemoryException as error:
            raise self._too_large() from error
        except duckdb.Error as error:
            raise Refused("query_refused", f"This query is not run. {one_line(error)}") from error

    def _rows(self, sql: str) -> Mapping[str, Any]:
        most = int(self._limits["rows"])
        columns, rows = self._run(f"SELECT * FROM (\n{sql}\n) LIMIT {most + 1}")  # noqa: S608 - looked at before
        if len(rows) > most:
            raise Refused(
                "limit_reached",
                f"The query gives more than {most} rows. Group them, or take fewer with LIMIT.",
            )
        return {"columns": columns, "rows": rows}

    def _described(self, sql: str) -> dict[str, str]:
        """The columns that a query would give, with their types; it is not run."""
        described = self.connection.execute(f"SELECT * FROM (\n{sql}\n) LIMIT 0").description or ()  # noqa: S608
        return {str(one[0]): str(one[1]) for one in described}

    def _checked(self, sql: str) -> Mapping[str, Any]:
        """Whether a claim holds: each row is a case, and its column `holds` says whether it does there."""
        kinds = {name.lower(): kind for name, kind in self._described(sql).items()}
        if kinds.get("holds") != "BOOLEAN":
            raise Refused(
                "query_refused",
                "This query is not run. A claim is checked by rows with a column “holds” that is true or false.",
            )
        cases = f"FROM (\n{sql}\n)"
        counts = self.connection.execute(
            f"SELECT count(*), count(*) FILTER (WHERE holds), count(*) FILTER (WHERE NOT holds) {cases}"
        ).fetchone() or (0, 0, 0)
        every, holds, fails = (int(one) for one in counts)
        verdict = "does not hold" if fails else "holds" if every and holds == every else "cannot be told"
        against = "NOT holds" if fails else "holds" if verdict == "holds" else "holds IS NULL"
        columns, rows = (
            self._run(f"SELECT * EXCLUDE (holds) {cases} WHERE {against} LIMIT {EXAMPLES}")
            if len(kinds) > 1 and (verdict != "holds" or every == 1)
            else ([], [])
        )
        return {
            "verdict": verdict,
            "cases": every,
            "against": fails,
            "unknown": every - holds - fails,
            "columns": columns,
            "rows": rows,
        }

    def _run(self, sql: str) -> tuple[list[dict[str, str]], list[list[Any]]]:
        cursor = self.connection.execute(sql)
        described = cursor.description or ()
        columns = [{"name": str(one[0]), "kind": _kind(str(one[1]), str(one[0]))} for one in described]
        rows, size = list[list[Any]](), 0
        while some := cursor.fetchmany(1000):
            for row in some:
                rows.append([_cell(value) for value in row])
                size += sum(len(str(one)) for one in rows[-1])
            if size > LARGEST:
                raise Refused(
                    "limit_reached",
                    f"The query gives more than {LARGEST} characters. Take fewer columns or rows.",
                )
        return columns, rows

    def _too_large(self) -> Refused:
        return Refused(
            "limit_reached",
            f"This takes more than the {self._limits['megabytes']} MB that a step may use. Take less of the data.",
        )


def _kind(kind: str, name: str) -> str:
    if kind == "BOOLEAN":
        return "boolean"
    if kind == "DATE":
        return "date"
    if kind.startswith("TIMESTAMP"):
        if "TIME ZONE" in kind:
            raise Refused(
                "query_refused",
                f"This query is not run. Cast the column “{name[:60]}” to TIMESTAMP: it has a zone.",
            )
        return "time"
    whole = kind in ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT", "FLOAT", "DOUBLE")
    return "number" if whole or (kind.startswith(("DECIMAL", "U")) and kind != "UUID") else "text"


def _cell(value: Any) -> Any:
    """A value as facts hold it: a number as its digits."""
    match value:
        case None | bool() | str():
            return value
        case int():
            return str(value)
        case Decimal():
            return format(value, "f")
        case float():
            if value != value or value in (float("inf"), float("-inf")):
                return None
            return (
                format(Decimal(format(value, f".{DIGITS}g")), "f")
                if 1e-9 < abs(value) < 1e15 or value == 0
                else format(value, f".{DIGITS}g")
            )
        case datetime() | date() | time():
            return value.isoformat()
        case timedelta():
            return str(value)
    return str(value)
