"""What is asked of a table, as a value: which columns, how they are summed up, of which rows."""

from decimal import Decimal
from typing import Final, Literal

from pydantic import BaseModel, ConfigDict

Kind = Literal[
    "analyze",
    "compare",
    "trend",
    "top",
    "share",
    "distribution",
    "against",
    "verify",
    "what_if",
    "predict",
    "dashboard",
    "rows",
]
Aggregate = Literal["sum", "mean", "median", "min", "max", "count", "each"]
Grain = Literal["day", "week", "month", "quarter", "year"]
Along = Literal["", "running", "change"]
Drawn = Literal["", "bar", "line", "area", "none"]
Relation = Literal["<", "<=", ">", ">="]

AGGREGATES: Final = {
    "sum": "sum of",
    "mean": "average of",
    "median": "median of",
    "min": "smallest",
    "max": "largest",
    "count": "number of different",
    "each": "each",
}
#: How many measures and groups a form has room for, where it does not tell any number of them.
ROOM: Final[dict[Kind, tuple[int, int]]] = {
    "top": (1, 1),
    "share": (1, 1),
    "distribution": (1, 1),
    "against": (2, 0),
    "what_if": (1, 0),
    "predict": (1, 1),
    "rows": (1, 0),
}
RELATIONS: Final = {"<": "below", "<=": "at most", ">": "above", ">=": "at least"}
OPPOSITES: Final[dict[Relation, Relation]] = {"<": ">=", "<=": ">", ">": "<=", ">=": "<"}


class _Frozen(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Measure(_Frozen):
    """A column and how it is summed up; without a column: how many rows there are."""

    column: str = ""
    title: str = "rows"
    aggregate: Aggregate = "count"
    unit: str = ""
    over: str = ""  #: the column by whose sum it is divided
    over_title: str = ""

    def told(self) -> str:
        """As the person is told: sum of `Revenue (EUR)`."""
        if not self.column:
            return "number of rows"
        told = f"{AGGREGATES[self.aggregate]} `{self.title}`"
        return f"{told} divided by {AGGREGATES[self.aggregate]} `{self.over_title}`" if self.over else told


class Group(_Frozen):
    """A column that is split by; of a date, into pieces of one grain."""

    column: str
    title: str
    grain: Grain | None = None

    def told(self) -> str:
        """As the person is told."""
        return f"`{self.title}` by {self.grain}" if self.grain else f"`{self.title}`"


class Span(_Frozen):
    """Days from and to, both included; an open end is None."""

    low: str | None = None
    high: str | None = None

    def told(self) -> str:
        """As the person is told."""
        return " ".join([f"from {self.low}"] * bool(self.low) + [f"to {self.high}"] * bool(self.high))


class Limit(_Frozen):
    """A number that something is compared with."""

    relation: Relation
    number: Decimal


class Filter(_Frozen):
    """Which rows count: those with one of these values, in one of these times, within these limits."""

    column: str
    title: str
    values: tuple[str, ...] = ()
    spans: tuple[Span, ...] = ()
    limits: tuple[Limit, ...] = ()
    part: Literal["", "quarter", "month"] = ""  #: of every year: the values are numbers of quarters or months
    excluded: bool = False
    empty: bool = False  #: where nothing stands; beside values: or one of these

    @property
    def apart(self) -> "tuple[Filter, ...]":
        """One of several values or times, as one for each."""
        if len(self.values) + len(self.spans) < 2 or self.excluded:
            return (self,)
        values = [self.model_copy(update={"values": (value,), "spans": ()}) for value in self.values]
        return (*values, *(self.model_copy(update={"spans": (span,), "values": ()}) for span in self.spans))

    def told(self) -> str:
        """As the person is told: `Region` is North."""
        of = f"{self.part} of `{self.title}`" if self.part else f"`{self.title}`"
        if self.empty:
            is_not = "is not" if self.excluded else "is"
            return f"{of} {is_not} {' or '.join(('empty', *self.values))}"
        if self.values:
            return f"{of} is {'not ' if self.excluded else ''}{', '.join(sorted(self.values))}"
        if self.spans:
            return f"{of} {'not ' if self.excluded else ''}{' or '.join(one.told() for one in self.spans)}"
        return f"{of} {' and '.join(f'{one.relation} {one.number}' for one in self.limits)}"


class Claim(_Frozen):
    """What is said to be so."""

    kind: Literal["limit", "rows", "groups", "sides", "columns", "most", "rises", "unique", "filled"]
    relation: Relation = ">"
    number: Decimal | None = None


class Read(_Frozen):
    """How words of the request were read."""

    said: str
    means: str


class Form(_Frozen):
    """One request, bound: everything a plan is made from."""

    kind: Kind
    source: str  #: the file's name
    table: str  #: as queries have it
    title: str  #: of the table
    measures: tuple[Measure, ...] = ()
    by: tuple[Group, ...] = ()
    where: tuple[Filter, ...] = ()
    sides: tuple[Filter, ...] = ()
    drawn: Drawn = ""  #: how its charts are drawn, where that was said
    ratio: bool = False  #: how many times the first of two is the second is wanted
    along: Along = (
        ""  #: what is told of times in a row: what they come to so far, or each beside the one before
    )
    n: int | None = None
    place: int = 1  #: of the best ones the first that is told
    rest: bool = False  #: all that are not among the first are told as one
    least: bool = False
    percent: Decimal | None = None
    claim: Claim | None = None
    reads: tuple[Read, ...] = ()


class Choice(_Frozen):
    """One way to understand a word: what is shown on its button, and what it stands for."""

    label: str
    key: str


class Question(_Frozen):
    """What has to be asked before there is a form; `about` is the word, or the part that is missing."""

    about: str
    said: str = ""  #: the same as the person said it
    why: Literal[
        "no_fit", "several", "missing", "which_year", "which_table", "outside", "one_of", "no_use", "of_rows"
    ]
    what: Literal["measure", "group", "filter", "period", "date", "table", "number"]
    choices: tuple[Choice, ...]
    bound: int = 0  #: words that were bound all the same
    unbound: int = 0
    whole: bool = (
        False  #: what is asked about says all that a request does: it changes nothing that was asked before
    )
