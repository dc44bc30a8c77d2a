"""What is known of an attached source without opening it again: its tables, their columns, and how it was read."""

from typing import Literal

from pydantic import BaseModel, ConfigDict

ColumnKind = Literal["number", "text", "date", "time", "boolean"]


class _Frozen(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Column(_Frozen):
    """One column: what it is called in the file and in queries, and what stands in it."""

    title: str  #: as the file has it: "Revenue (EUR)"
    name: str  #: as queries have it, unique in its table: "revenue_eur"
    kind: ColumnKind
    whole: bool = False  #: a number without decimal places in every row
    unit: str = ""  #: of its numbers, where the title or the cells tell it: "EUR", "%"
    values: tuple[str, ...] = ()  #: every different text, where there are at most 200 of them
    least: str | None = None  #: the smallest number, date or time
    most: str | None = None
    numbering: bool = False  #: whole numbers that number the rows: each has another one, with hardly a gap
    empty: int = 0  #: rows in which nothing stands


class DataTable(_Frozen):
    """One table: a whole file, a sheet of it, or a table in it."""

    title: str  #: as people know it: the file's name without its ending, or the sheet's
    name: str  #: as queries have it, unique in its session
    rows: int
    columns: tuple[Column, ...]
    repairs: tuple[str, ...] = ()  #: each thing that was read otherwise than it stands, in a sentence


class Source(_Frozen):
    """One attached file, or one copied table, as it was when it was attached. The same name attached again is another source."""

    id: str
    name: str  #: the file's name, unique in its session
    format: Literal["csv", "json", "parquet", "xlsx", "sqlite", "postgresql"]
    sha256: str
    bytes: int
    tables: tuple[DataTable, ...]
