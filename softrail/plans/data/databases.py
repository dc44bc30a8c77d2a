"""The tables of the operator's databases that people may have a copy of, each by the name that it is asked for with."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from softrail.plans.forms.tokens import tokens
from softrail.plans.settings import Database

_SHOWN: Final = 30


@dataclass(frozen=True, slots=True)
class Named:
    """A table that may be copied."""

    name: str  #: as people say it, and as its copy is called
    database: str
    schema: str
    table: str


class Catalogue:
    """All of them. A service: planning asks it what people mean, and whoever copies asks it where that is."""

    def __init__(self, databases: Mapping[str, Database]) -> None:
        self._databases = dict(databases)
        written = list(_each(databases))
        short = Counter(_said(table) for _, _, table in written)
        longer = Counter((database, _said(table)) for database, _, table in written)
        self.tables = tuple(
            Named(_shortest(one, short, longer), database=one[0], schema=one[1], table=one[2])
            for one in dict.fromkeys(written)
        )
        self._by_words = {_said(one.name): one for one in self.tables}
        for one in self.tables:  # the whole name finds it, too
            for long in (f"{one.database}.{one.schema}.{one.table}", f"{one.schema}.{one.table}"):
                self._by_words.setdefault(_said(long), one)
            if longer[one.database, _said(one.table)] == 1:
                self._by_words.setdefault(_said(f"{one.database}.{one.table}"), one)

    def find(self, said: str) -> Named | None:
        """The table that is called so, whatever its case and signs; None: there is none of that name."""
        return self._by_words.get(_said(said))

    @property
    def names(self) -> str:
        """What they are called, in a line; of very many the first."""
        more = len(self.tables) - _SHOWN
        return ", ".join(one.name for one in self.tables[:_SHOWN]) + (f" and {more} more" if more > 0 else "")

    def database(self, named: Named) -> Database | None:
        """Where a table is; None: the operator has taken it back."""
        return self._databases.get(named.database) if named in self.tables else None

    def __bool__(self) -> bool:
        return bool(self.tables)


def _each(databases: Mapping[str, Database]) -> Iterator[tuple[str, str, str]]:
    for name, database in databases.items():
        for written in database.tables:
            schema, dot, table = written.partition(".")
            yield (name, schema, table) if dot else (name, "public", schema)


def _shortest(
    one: tuple[str, str, str], short: Counter[tuple[str, ...]], longer: Counter[tuple[str, tuple[str, ...]]]
) -> str:
    """The shortest name that no other table has."""
    database, schema, table = one
    if short[_said(table)] == 1:
        return table
    return f"{database}.{table}" if longer[database, _said(table)] == 1 else f"{database}.{schema}.{table}"


def _said(name: str) -> tuple[str, ...]:
    """A name as words: "Sales 2024" and "sales_2024" are one."""
    return tuple(one.word for one in tokens(name)) or (name,)
