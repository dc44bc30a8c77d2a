"""Copies one table of an operator's PostgreSQL into a file, reading only, and never holding it as a whole.

What connects is here and nowhere else: neither the address nor what the database says of itself leaves this module.
"""

import asyncio
import json
import logging
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Final

from softrail.plans.data.databases import Named
from softrail.plans.data.faults import NotCopied
from softrail.plans.forms import sql
from softrail.plans.settings import Database
from softrail.plugin import now

log = logging.getLogger(__name__)

MARK: Final = "copied"  #: what such a file begins with: `{"copied": `
MOST_COLUMNS: Final = 1000
_CONNECTING: Final = 10.0  #: seconds
_PIECE: Final = 4_000_000  #: bytes of rows that are held at once
_MOST_AT_ONCE: Final = 2000
_MEGABYTE: Final = 1_000_000

#: What the types of PostgreSQL are in a copy. All others are left out, and that is said.
KINDS: Final[Mapping[str, str]] = {
    **dict.fromkeys(("int2", "int4", "int8", "numeric", "float4", "float8", "money"), "number"),
    **dict.fromkeys(("text", "varchar", "bpchar", "char", "name", "citext", "uuid", "inet", "cidr"), "text"),
    **dict.fromkeys(("time", "timetz", "interval"), "text"),
    **dict.fromkeys(("timestamp", "timestamptz"), "time"),
    "date": "date",
    "bool": "boolean",
}

#: Before anything is read; a table that is read in another order each time would be another file each time.
_BEFORE: Final = (
    "SET LOCAL DateStyle = 'ISO, YMD'",
    "SET LOCAL IntervalStyle = 'iso_8601'",
    "SET LOCAL TimeZone = 'UTC'",
    "SET LOCAL extra_float_digits = 1",
    "SET LOCAL synchronize_seqscans = off",
)

#: Its columns with the types beneath domains, and whether we may read them.
_COLUMNS: Final = """
SELECT a.attname AS title, coalesce(b.typname, t.typname)::text AS type, coalesce(b.typtype, t.typtype)::text AS sort,
       has_column_privilege(c.oid, a.attnum, 'SELECT') AS ours
FROM pg_catalog.pg_class c
JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
JOIN pg_catalog.pg_type t ON t.oid = a.atttypid
LEFT JOIN pg_catalog.pg_type b ON t.typtype = 'd' AND b.oid = t.typbasetype
WHERE n.nspname = $1 AND c.relname = $2 AND c.relkind IN ('r', 'p', 'v', 'm', 'f')
ORDER BY a.attnum
"""


@dataclass(frozen=True, slots=True)
class _Column:
    title: str
    kind: str
    type: str

    @property
    def quoted(self) -> str:
        return sql.named(self.title)

    @property
    def known(self) -> str:
        """Whether a cell is a value that a copy can have, as a condition."""
        if self.kind in ("date", "time"):
            return f"({self.quoted} >= '0001-01-01' AND {self.quoted} < '10000-01-01')"
        if self.type in ("numeric", "float4", "float8"):
            return f"({self.quoted}::text NOT IN ('NaN', 'Infinity', '-Infinity'))"
        return "true"

    @property
    def text(self) -> str:
        """A cell as text that says all of it; NULL where nothing stands, or nothing that can be copied."""
        cast = "::numeric::text" if self.type == "money" else "::text"
        plain = f"({self.quoted} AT TIME ZONE 'UTC')" if self.type == "timestamptz" else self.quoted
        return f"CASE WHEN {self.known} THEN {plain}{cast} END"


async def copy(named: Named, database: Database, path: Path, *, largest: int) -> None:
    """Write a table into a file, as it is at one moment. At most so many bytes.

    Raises:
        NotCopied: It is not there, too large or too slow, or cannot be read; with what to do.
    """
    try:
        async with asyncio.timeout(database.seconds), _reading(named, database) as conn:
            columns, left_out = await _columns(conn, named)
            table = f"{sql.named(named.schema)}.{sql.named(named.table)}"
            rows, widest, lost = await _measured(conn, table, columns, named, database, largest)
            told = [_when(named, rows), *left_out, *lost]
            header = {
                "title": named.name,
                "columns": [{"title": one.title, "kind": one.kind} for one in columns],
                "repairs": told,
            }
            at_once = max(1, min(_MOST_AT_ONCE, _PIECE // max(1, widest)))
            # The names are quoted, and the operator's and the database's own.
            cursor = await conn.cursor(f"SELECT {', '.join(one.text for one in columns)} FROM {table}")  # noqa: S608
            with path.open("wb") as file:
                size = file.write(json.dumps({MARK: header}, ensure_ascii=False).encode() + b"\n")
                while some := await cursor.fetch(at_once):
                    # Off the loop: other turns go on while rows become text.
                    size += await asyncio.to_thread(_write, file, some)
                    rows -= len(some)
                    if size > largest:
                        raise _too_large(named, largest)
                    if rows < 0:
                        break
            if rows:
                raise NotCopied(f"“{named.name}” gives other rows each time it is read, so it is not copied.")
    except TimeoutError as error:
        _note(named, error)
        raise NotCopied(
            f"Copying “{named.name}” takes longer than the {database.seconds:g} seconds that it may. Nothing was attached."
        ) from None


@asynccontextmanager
async def _reading(named: Named, database: Database) -> AsyncIterator[Any]:
    """Within the block, a connection in a transaction that reads at one moment and can change nothing."""
    import asyncpg as driver  # only where a table is copied: most servers never do

    # Everything that goes wrong is told in our own words: the driver's may have the address, the user or a row in them.
    try:
        conn = await driver.connect(
            database.url.get_secret_value(), timeout=_CONNECTING, statement_cache_size=0
        )
    except (OSError, TimeoutError, ValueError, driver.PostgresError, driver.InterfaceError) as error:
        _note(named, error)
        raise NotCopied(
            f"The database “{named.database}” cannot be reached just now. Nothing was changed; ask for “{named.name}” "
            "again in a while."
        ) from None
    try:
        # Begun by hand: the driver would send a ROLLBACK to a server that may not answer any more.
        await conn.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
        await conn.execute(f"SET LOCAL statement_timeout = {max(1, round(database.seconds * 1000))}")
        for statement in _BEFORE:
            await conn.execute(statement)
        yield conn
    except (driver.QueryCanceledError, driver.LockNotAvailableError) as error:
        _note(named, error)
        raise NotCopied(
            f"“{named.name}” was not to be read within {database.seconds:g} seconds. Nothing was attached."
        ) from None
    except driver.ReadOnlySQLTransactionError as error:
        _note(named, error)
        raise NotCopied(
            f"Reading “{named.name}” would change something in its database, so it is not done."
        ) from None
    except driver.InsufficientPrivilegeError as error:
        _note(named, error)
        raise NotCopied(
            f"This server may not read “{named.name}”. Its operator knows what is missing."
        ) from None
    except (OSError, UnicodeError, driver.PostgresError, driver.InterfaceError) as error:
        _note(named, error)
        raise NotCopied(
            f"“{named.name}” could not be read to its end. Nothing was attached; ask for it again in a while."
        ) from None
    finally:
        conn.terminate()  # nothing was written that would have to be ended in order


async def _columns(conn: Any, named: Named) -> tuple[Sequence[_Column], Sequence[str]]:
    """The columns that are copied, and a sentence for each that is not."""
    found = await conn.fetch(_COLUMNS, named.schema, named.table)
    if not found:
        raise NotCopied(f"There is no table “{named.name}” in its database any more. Nothing was attached.")
    columns, left_out = list[_Column](), list[str]()
    for title, type_, sort, ours in found:
        kind = "text" if sort == "e" else KINDS.get(type_) if sort == "b" else None
        if not ours:
            left_out.append(f"“{title}” is left out: this server may not read it.")
        elif kind is None:
            left_out.append(f"“{title}” is left out: values of the type {type_} cannot be copied.")
        else:
            columns.append(_Column(title=title, kind=kind, type=type_))
    if not columns:
        raise NotCopied(
            f"“{named.name}” has no column that could be copied. {' '.join(left_out[:3])}".strip()
        )
    if len(columns) > MOST_COLUMNS:
        raise NotCopied(f"“{named.name}” has {len(columns)} columns; at most {MOST_COLUMNS} are copied.")
    return columns, left_out


async def _measured(
    conn: Any, table: str, columns: Sequence[_Column], named: Named, database: Database, largest: int
) -> tuple[int, int, Sequence[str]]:
    """How many rows there are, how wide the widest is, and what of them is lost. Raises NotCopied for too much."""
    rows = int(await conn.fetchval(f"SELECT count(*) FROM {table}"))  # noqa: S608 - quoted
    if rows > database.rows:
        raise NotCopied(
            f"“{named.name}” has {rows:,} rows, and at most {database.rows:,} are copied. Nothing was attached; its "
            "operator may offer a view of it with fewer."
        )
    wide = [one for one in columns if one.kind == "text" or one.type == "numeric"]
    width = " + ".join(["0::bigint", *(f"coalesce(octet_length({one.quoted}::text), 0)" for one in wide)])
    strange = [one for one in columns if one.known != "true"]
    counts = "".join(f", count(*) FILTER (WHERE NOT {one.known})" for one in strange)
    asked = (
        f"SELECT coalesce(max({width}), 0)::bigint, coalesce(sum({width}), 0)::bigint{counts} FROM {table}"  # noqa: S608
    )
    widest, whole, *lost = await conn.fetchrow(asked)
    if whole > largest:
        raise _too_large(named, largest)
    told = [
        f"{count} {'value' if count == 1 else 'values'} of “{one.title}” that no {one.kind} has here "
        f"{'counts' if count == 1 else 'count'} as empty."
        for one, count in zip(strange, lost, strict=True)
        if count
    ]
    told += [f"“{one.title}” is in UTC." for one in columns if one.type == "timestamptz"]
    return rows, int(widest) + 30 * len(columns), told


def _write(file: BinaryIO, rows: Sequence[Any]) -> int:
    """Write rows, each on a line; how many bytes."""
    return file.write(b"".join(json.dumps(list(row), ensure_ascii=False).encode() + b"\n" for row in rows))


def _when(named: Named, rows: int) -> str:
    count = f"{rows} row" if rows == 1 else f"{rows} rows"
    return f"Copied from “{named.schema}.{named.table}” in “{named.database}” at {now():%Y-%m-%d %H:%M:%S} UTC: {count}."


def _too_large(named: Named, largest: int) -> NotCopied:
    return NotCopied(
        f"“{named.name}” has more than the {largest // _MEGABYTE} MB that a source may have. Nothing was attached."
    )


def _note(named: Named, error: BaseException) -> None:
    """For the operator: which kind of error, and PostgreSQL's code. Its words may have an address or a row in them."""
    code = getattr(error, "sqlstate", None)
    log.warning(
        "A table of the database %r was not copied: %s%s.",
        *(named.database, type(error).__name__, f" ({code})" if code else ""),
    )
