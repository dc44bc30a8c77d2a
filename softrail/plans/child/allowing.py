"""Whether a query may be run: one SELECT, over tables that are known, with functions that only compute.

DuckDB's own parser says what a query is made of. What is not known here is refused; what a function does is asked of
DuckDB's own list of functions, so that a newer version brings nothing in unseen.
"""

import json
from collections.abc import Iterator
from typing import Any, Final

import duckdb

from softrail.plans.child.faults import Refused, one_line, quoted

LONGEST: Final = 12_000  #: characters of a query
TABLE_FUNCTIONS: Final = frozenset({"range", "unnest"})
#: Names that are functions without brackets wherever no column has them.
_BARE: Final = frozenset(
    {
        "current_catalog",
        "current_date",
        "current_localtime",
        "current_localtimestamp",
        "current_role",
        "current_schema",
        "current_time",
        "current_timestamp",
        "current_user",
        "localtime",
        "localtimestamp",
        "session_user",
        "user",
    }
)
_SAME_EACH_TIME: Final = "It has to give the same each time from the same data."


class Own:
    """What a database has of its own, whatever lies in it: names that it keeps, and functions that are refused."""

    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        self.names = _names(connection, "SELECT view_name FROM duckdb_views() WHERE internal")
        self.refused = _refused_functions(connection)


class Allowed:
    """What queries over these tables may be made of."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, own: Own, columns: dict[str, set[str]]) -> None:
        self._connection = connection
        self._own = own
        self._tables = set(columns)
        self._columns = {name for one in columns.values() for name in one}

    def statement(self, sql: str) -> str:
        """The one statement of a query, looked at and found to be allowed. Raises Refused."""
        if len(sql) > LONGEST:
            raise _no(f"It has {len(sql)} characters; at most {LONGEST} are read.")
        if "\0" in sql:
            raise _no("There is a character in it that no query has.")
        try:
            statements = self._connection.extract_statements(sql)
        except duckdb.Error as error:
            raise _no(one_line(error)) from error
        if len(statements) != 1:
            raise _no(f"It has {len(statements)} statements, and a query is one SELECT.")
        if statements[0].type != duckdb.StatementType.SELECT:
            raise _no("Only SELECT is run; nothing else is.")
        text = str(statements[0].query).strip().rstrip(";").rstrip()
        self._look_through(self._tree(text))
        return text

    def _tree(self, text: str) -> Any:
        found = self._connection.execute("SELECT json_serialize_sql(?)", [text]).fetchone()
        tree = json.loads(found[0]) if found is not None else {"error": True}
        if tree.get("error"):
            raise _no("Only SELECT is run; nothing else is.")
        return tree["statements"]

    def _look_through(self, tree: Any) -> None:
        named = {str(name).lower() for node in _nodes(tree) for name in _ctes(node)}
        for name in sorted(named & self._own.names):
            raise _no(f"{quoted(name)} is a name that the database keeps for itself. Use another one.")
        for node in _nodes(tree):
            self._look_at(node, named)

    def _look_at(self, node: dict[str, Any], named: set[str]) -> None:
        kind = node.get("type")
        if node.get("sample") is not None:
            raise _no(f"A sample is drawn anew each time. {_SAME_EACH_TIME}")
        if kind == "BASE_TABLE":
            name = str(node.get("table_name"))
            elsewhere = node.get("schema_name") or node.get("catalog_name") or node.get("at_clause")
            if elsewhere or name.lower() not in self._tables | named:
                known = ", ".join(sorted(self._tables)) or "none"
                raise _no(f"There is no table {quoted(name)} here. There are: {known}.")
        elif kind == "TABLE_FUNCTION":
            name = str(node["function"].get("function_name")).lower()
            if name not in TABLE_FUNCTIONS:
                raise _no(f"{quoted(name)} may not stand after FROM; only tables, range and unnest may.")
        elif kind == "SHOW_REF":
            raise _no("Only SELECT is run; nothing else is.")
        elif node.get("class") in ("FUNCTION", "WINDOW"):
            self._look_at_function(node)
        elif kind == "COLUMN_REF":
            names = [str(one).lower() for one in node.get("column_names", ())]
            if len(names) == 1 and names[0] in _BARE - self._columns:
                raise _no(f"{quoted(names[0])} may not be used. {_SAME_EACH_TIME}")
        elif node.get("class") == "PARAMETER":
            raise _no("It has a place for a value that is not given. Write the value there.")

    def _look_at_function(self, node: dict[str, Any]) -> None:
        name = str(node.get("function_name")).lower()
        if node.get("schema") or node.get("catalog") or name in self._own.refused:
            raise _no(f"The function {quoted(name)} may not be used. {_SAME_EACH_TIME}")


def _refused_functions(connection: duckdb.DuckDBPyConnection) -> set[str]:
    """Functions that give something else each time, tell of the database itself, or change something."""
    found, macros = set[str](), list[tuple[str, str, str]]()
    for name, kind, schema, body in connection.execute(
        "SELECT function_name, function_type, schema_name, macro_definition FROM duckdb_functions() "
        "WHERE function_type LIKE '%macro' OR (function_type IN ('scalar', 'aggregate', 'window') "
        "AND stability IS DISTINCT FROM 'CONSISTENT')"
    ).fetchall():
        if str(kind).endswith("macro"):
            macros.append((str(name), str(schema), str(body)))
        else:
            found.add(str(name).lower())
    for name, schema, body in macros:
        words = set("".join(c if c.isalnum() or c == "_" else " " for c in body.lower()).split())
        if schema != "main" or words & (found | _BARE) or name.lower() in _BARE or name.startswith("get_"):
            found.add(name.lower())
    return found


def _nodes(tree: Any) -> Iterator[dict[str, Any]]:
    left = [tree]
    while left:
        one = left.pop()
        if isinstance(one, dict):
            yield one
            left.extend(one.values())
        elif isinstance(one, list):
            left.extend(one)


def _ctes(node: dict[str, Any]) -> Iterator[str]:
    listed = node.get("cte_map")
    for one in listed.get("map", ()) if isinstance(listed, dict) else ():
        yield one["key"]
    if node.get("cte_name"):
        yield node["cte_name"]


def _names(connection: duckdb.DuckDBPyConnection, sql: str) -> set[str]:
    return {str(row[0]).lower() for row in connection.execute(sql).fetchall()}


def _no(why: str) -> Refused:
    return Refused("query_refused", f"This query is not run. {why}")
