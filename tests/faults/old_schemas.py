"""Databases in an old schema: brought to any revision, filled with rows, and compared by what they are and hold."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, TypeVar

from alembic import command
from alembic.script import ScriptDirectory
from sqlalchemy import Column, Connection, Integer, LargeBinary, MetaData, text
from sqlalchemy.types import BigInteger

from softrail.bootstrap import plugin_tables
from softrail.store import schema
from softrail.store.postgres import postgres_engine
from softrail.store.sqlite import sqlite_engine

T = TypeVar("T")
PLUGINS: Final = plugin_tables(discover=False)
_PARTS: Final = {part.name: part for part in schema._parts(PLUGINS)}

#: Tables that say how the database stands or who works on it; what people have is in the others.
STANDING: Final = frozenset(("facts", "workers", *(part.version_table for part in _PARTS.values())))

#: Tables that grow with every turn, or with everybody and everything that is noted.
HOT: Final = frozenset(
    (
        *("persons", "sessions", "turns", "decisions", "effects", "instances", "transitions", "records"),
        *("companion_projects", "companion_notes"),
    )
)

#: What the n-th row has in a column, where it may not be anything.
_VALUES: Final = {
    "person_id": "'person-' || n",
    "persons.id": "'person-' || n",
    "persons.email": "'p' || n || '@example.org'",
    "persons.timezone": "'UTC'",
    "persons.locale": "'en'",
    "session_id": "'session-' || n",
    "sessions.id": "'session-' || n",
    "sessions.next_seq": "3",
    "sessions.holder": "NULL",
    "sessions.waiting": "0",
    "sessions.pending": "NULL",
    "sessions.memo": "'{}'",
    "turns.seq": "1",
    "turns.turn_id": "'turn-' || n",
    "turns.request": """'{"message": "I like tea ' || n || '", "turn_id": "turn-' || n || '"}'""",
    "turns.reply": """'{"companion_message": "You like tea ' || n || '"}'""",
    "turns.origin": "'person'",
    "turns.status": "'committed'",
    "turns.project_id": "NULL",
    "instances.state": "CASE n % 2 WHEN 0 THEN 'suspended' ELSE 'completed' END",
    "instances.process": "'standup'",
    "instances.holds": "0",
    "instances.covers": "NULL",
    "instances.data": "'{}'",
    "instances.question": "NULL",
    "instances.due_at": "NULL",
    "instances.due_kind": "NULL",
    "instances.memo": "NULL",
    "instances.asked": "NULL",
    "transitions.trigger": "'complete'",
    "transitions.source": "'active'",
    "transitions.dest": "'completed'",
    "effects.status": "CASE n % 2 WHEN 0 THEN 'waiting' ELSE 'applied' END",
    "effects.tries": "0",
    "attachments.size": "n",
    "project_id": "'project-' || n",
    "companion_projects.id": "'project-' || n",
    "companion_notes.text": "'a note about tea ' || n || ' and ' || (n % 97)",
}


def revisions(of: str = "") -> list[str]:
    """Every revision of the store's tables, or of a plugin's, the oldest first."""
    scripts = ScriptDirectory.from_config(schema._config(_PARTS[of])).walk_revisions()
    return [script.revision for script in scripts][::-1]


async def within(url: str, fn: Callable[[Connection], T]) -> T:
    """What a function gives in one transaction of a database of either kind, which may have any schema or none."""
    if url.startswith("sqlite"):
        engine = sqlite_engine(Path(url.removeprefix("sqlite:///")), durability="normal", busy_timeout=30.0)
        try:
            with engine.connect() as conn, conn.begin():
                conn.exec_driver_sql("BEGIN IMMEDIATE")
                return fn(conn)
        finally:
            engine.dispose()
    others = postgres_engine(url, pool_size=1)
    try:
        async with others.begin() as there:
            return await there.run_sync(fn)
    finally:
        await others.dispose()


def bring(conn: Connection, revision: str, *, of: str = "") -> None:
    """Bring the store's tables, or a plugin's, up to a revision."""
    _over(conn, command.upgrade, revision, of)


def bring_back(conn: Connection, revision: str, *, of: str = "") -> None:
    """Bring them down to one."""
    _over(conn, command.downgrade, revision, of)


def _over(conn: Connection, way: Callable[[Any, str], None], revision: str, of: str) -> None:
    config = schema._config(_PARTS[of])
    config.attributes["connection"] = conn
    way(config, revision)


def fill(conn: Connection, rows: int, *, few: int | None = None, but: Collection[str] = ()) -> None:
    """That many rows in each table there is, except for some: the n-th of each belongs to the n-th of the others.

    With `few`, only the hot tables have so many, and the others have that many.
    """
    found = MetaData()
    found.reflect(conn)
    for table in found.sorted_tables:
        if table.name in STANDING or table.name in but:
            continue
        names = ", ".join(f'"{column.name}"' for column in table.columns)
        values = ", ".join(_value(column, conn) for column in table.columns)
        conn.execute(
            text(
                f'INSERT INTO "{table.name}" ({names}) WITH RECURSIVE numbers(n) AS '  # noqa: S608 - names of ours
                f"(SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < :rows) SELECT {values} FROM numbers"
            ),
            {"rows": rows if few is None or table.name in HOT else few},
        )


def _value(column: Column[Any], conn: Connection) -> str:
    named = _VALUES.get(f"{column.table.name}.{column.name}") or _VALUES.get(column.name)
    if named is not None:
        return named
    for key in column.foreign_keys:
        return _value(key.column, conn)
    if isinstance(column.type, Integer | BigInteger):
        value = "n"
    elif isinstance(column.type, LargeBinary):
        value = f"CAST('{column.name}-' || n AS {column.type.compile(conn.dialect)})"
    else:
        value = f"'{column.name}-' || n"
    return f"CASE n % 3 WHEN 0 THEN NULL ELSE {value} END" if column.nullable else value


@dataclass(frozen=True)
class Held:
    """What a database is and what it holds."""

    shape: Sequence[Any]  #: columns, indexes, constraints
    columns: Mapping[str, Sequence[str]]
    rows: Mapping[str, str]  #: a digest of each table


def held(conn: Connection, *, as_in: Held | None = None, without: Collection[str] = ()) -> Held:
    """What this database is and holds: of the tables and columns of another one, or of all it has."""
    shape = sorted(
        str(tuple(row)) for query in _SHAPE[conn.dialect.name] for row in conn.execute(text(query))
    )
    columns = _columns(conn) if as_in is None else as_in.columns
    chosen = {table: names for table, names in columns.items() if table not in without}
    digest = _digest if conn.dialect.name == "sqlite" else _digest_there
    return Held(shape, chosen, {table: digest(conn, table, names) for table, names in chosen.items()})


def _columns(conn: Connection) -> Mapping[str, Sequence[str]]:
    found: dict[str, list[str]] = {}
    for row in conn.execute(text(_SHAPE[conn.dialect.name][0])):
        found.setdefault(row[0], []).append(row[1])
    return {table: sorted(names) for table, names in sorted(found.items())}


def _digest(conn: Connection, table: str, columns: Sequence[str]) -> str:
    digest = sha256()
    quoted = ", ".join(f'"{name}"' for name in columns)
    for row in conn.exec_driver_sql(f'SELECT {quoted} FROM "{table}" ORDER BY {quoted}'):  # noqa: S608 - ours
        digest.update(repr(tuple(row)).encode())
    return digest.hexdigest()


def _digest_there(conn: Connection, table: str, columns: Sequence[str]) -> str:
    """The same where the rows are, which takes a tenth of the time."""
    quoted = ", ".join(f'"{name}"' for name in columns)
    lines = f'SELECT md5(CAST(ROW({quoted}) AS TEXT)) AS line FROM "{table}"'  # noqa: S608 - ours
    return str(conn.scalar(text(f"SELECT md5(string_agg(line, '' ORDER BY line)) FROM ({lines}) AS lines")))  # noqa: S608


_SHAPE: Final = {
    "sqlite": (
        'SELECT m.name, p.name, p.type, p."notnull", p.dflt_value, p.pk FROM sqlite_master m '
        "JOIN pragma_table_info(m.name) p WHERE m.type = 'table' AND m.name <> 'sqlite_sequence'",
        "SELECT name, tbl_name, sql FROM sqlite_master WHERE type = 'index'",
        'SELECT m.name, f."table", f."from", f."to", f.on_delete FROM sqlite_master m '
        "JOIN pragma_foreign_key_list(m.name) f WHERE m.type = 'table'",
    ),
    "postgresql": (
        "SELECT table_name, column_name, data_type, is_nullable, column_default "
        "FROM information_schema.columns WHERE table_schema = 'public'",
        "SELECT tablename, indexname, indexdef FROM pg_indexes WHERE schemaname = 'public'",
        "SELECT CAST(CAST(conrelid AS regclass) AS TEXT), conname, pg_get_constraintdef(oid) FROM pg_constraint "
        "WHERE connamespace = CAST('public' AS regnamespace)",
    ),
}
