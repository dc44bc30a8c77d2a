"""Statements compiled once per database and run without SQLAlchemy's work at every execution."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import itemgetter
from typing import Any

from sqlalchemy import Connection
from sqlalchemy.engine import Dialect
from sqlalchemy.exc import DBAPIError
from sqlalchemy.sql import ClauseElement

Values = Mapping[str, Any]
_Compiled = tuple[str, Callable[[Values], tuple[Any, ...]]]


class Statement:
    """A Core statement as driver SQL: the text and the order of its parameters are worked out once.

    It is run on the driver's cursor, inside the transaction of the connection, and its rows are plain
    tuples: on the path of a turn SQLAlchemy's result objects would cost more than the database. Driver
    errors come as SQLAlchemy's all the same.

    `build` is the statement, or a function of the dialect's name where databases differ. Every parameter
    is a named bind and is always given. What is cached by dialect never changes, so no lock is needed: two
    threads that compile at once store the same.
    """

    def __init__(self, build: ClauseElement | Callable[[str], ClauseElement]) -> None:
        self._build = build
        self._compiled: dict[str, _Compiled] = {}

    def _for(self, dialect: Dialect) -> _Compiled:
        found = self._compiled.get(dialect.name)
        if found is None:
            clause = self._build if isinstance(self._build, ClauseElement) else self._build(dialect.name)
            compiled = clause.compile(dialect=dialect)
            names = list(getattr(compiled, "positiontup", None) or ())
            found = self._compiled[dialect.name] = (str(compiled), _picker(names))
        return found

    def said(self, dialect: Dialect, values: Values) -> tuple[str, tuple[Any, ...]]:
        """Its text and parameters, for who speaks to the driver itself."""
        text, pick = self._for(dialect)
        return text, pick(values)

    def run(self, conn: Connection, values: Values) -> None:
        """Run it once, for what it changes."""
        self.each(conn, (values,))

    def rows(self, conn: Connection, values: Values) -> list[Any]:
        """All rows."""
        text, pick = self._for(conn.dialect)
        cursor = conn.connection.cursor()
        try:
            cursor.execute(text, pick(values))
            return list(cursor.fetchall())
        except _driver_error(conn) as error:
            raise _as_sqlalchemy(conn, text, error) from error
        finally:
            cursor.close()

    def first(self, conn: Connection, values: Values) -> Any | None:
        """The first row."""
        return next(iter(self.rows(conn, values)), None)

    def each(self, conn: Connection, many: Sequence[Values]) -> None:
        """Run it once for every item of `many`: one call of the driver, none for an empty list."""
        if not many:
            return
        text, pick = self._for(conn.dialect)
        cursor = conn.connection.cursor()
        try:
            if len(many) == 1:
                cursor.execute(text, pick(many[0]))
            else:
                cursor.executemany(text, [pick(values) for values in many])
        except _driver_error(conn) as error:
            raise _as_sqlalchemy(conn, text, error) from error
        finally:
            cursor.close()


def _driver_error(conn: Connection) -> type[Exception]:
    return conn.dialect.loaded_dbapi.Error


def _as_sqlalchemy(conn: Connection, text: str, error: Exception) -> Exception:
    """The error as SQLAlchemy would raise it, without the values: they are what people said."""
    gone = conn.dialect.is_disconnect(error, conn.connection.dbapi_connection, None)  # type: ignore[arg-type]
    if gone:
        conn.invalidate(error)
    return DBAPIError.instance(
        text,
        None,
        error,
        _driver_error(conn),
        hide_parameters=True,
        connection_invalidated=gone,
        dialect=conn.dialect,
    )


def _picker(names: Sequence[str]) -> Callable[[Values], tuple[Any, ...]]:
    if not names:
        return lambda _: ()
    if len(names) == 1:
        only = names[0]
        return lambda values: (values[only],)
    return itemgetter(*names)


def chunks(items: Iterable[str], size: int = 500) -> Iterable[list[str]]:
    """`items` in lists of at most `size`, below every database's limit of parameters."""
    pile: list[str] = []
    for item in items:
        pile.append(item)
        if len(pile) == size:
            yield pile
            pile = []
    if pile:
        yield pile
