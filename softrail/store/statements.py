"""Statements compiled once per database and run without SQLAlchemy's work at every execution."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import itemgetter
from typing import Any

from sqlalchemy import Connection, CursorResult
from sqlalchemy.engine import Dialect
from sqlalchemy.sql import ClauseElement

Values = Mapping[str, Any]
_Compiled = tuple[str, Callable[[Values], tuple[Any, ...]]]


class Statement:
    """A Core statement as driver SQL: the text and the order of its parameters are worked out once.

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

    def run(self, conn: Connection, values: Values) -> CursorResult[Any]:
        """Run it once."""
        text, pick = self._for(conn.dialect)
        return conn.exec_driver_sql(text, pick(values))

    def rows(self, conn: Connection, values: Values) -> Sequence[Any]:
        """All rows."""
        return self.run(conn, values).all()

    def first(self, conn: Connection, values: Values) -> Any | None:
        """The first row."""
        return self.run(conn, values).first()

    def each(self, conn: Connection, many: Sequence[Values]) -> None:
        """Run it once for every item of `many`: one call of the driver, none for an empty list."""
        if many:
            text, pick = self._for(conn.dialect)
            if len(many) == 1:
                conn.exec_driver_sql(text, pick(many[0]))
            else:
                conn.exec_driver_sql(text, [pick(values) for values in many])


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
