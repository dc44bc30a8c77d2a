"""What the items of a request come to: measures, groups, filters, what is left to ask; and what one item may mean."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Literal, NamedTuple

from softrail.plans.data.profile import Column
from softrail.plans.forms.form import (
    Aggregate,
    Along,
    Filter,
    Grain,
    Group,
    Measure,
    Question,
    Read,
    Relation,
)
from softrail.plans.forms.scanning import Item
from softrail.plans.forms.vocabulary import as_word, is_amount


@dataclass
class Slots:
    """What was bound, and what was not."""

    measures: list[Measure] = field(default_factory=list)
    by: list[Group] = field(default_factory=list)
    where: list[Filter] = field(default_factory=list)
    numbers: list[tuple[Decimal, bool]] = field(default_factory=list)
    extreme: str = ""
    aggregate: Aggregate | None = None
    ahead: tuple[int, Grain] | None = None  #: “for the next 6 months”
    over: tuple[str, Column] | None = None  #: “per unit”, before there is what is divided
    unbound: list[str] = field(default_factory=list)
    questions: list[Question] = field(default_factory=list)
    reads: list[Read] = field(default_factory=list)
    drawn: str = ""  #: how it is to be drawn; “any” where only that it is
    bound: int = 0
    hows: tuple[Aggregate, ...] = ()  #: how something is to be summed up that is not said
    each: Group | None = None  #: “in each region”: the best of each, where something is best
    does: set[str] = field(default_factory=set)  #: also, use, instead, against

    along: tuple[Along, str] = ("", "")  #: “running total”, “month over month”, and how it was said
    order: tuple[str, str] = ("", "")  #: “smallest first”: the most or the least comes first
    rest: str = ""  #: “the rest”, “all others”
    growth: str = ""  #: “growth”, “change”

    def no_use(self, said: str) -> None:
        """Ask what is meant by a word that nothing comes of here."""
        self.unbound.append(said)
        about = as_word(said)
        self.questions.append(Question(about=about, said=said, why="no_use", what="filter", choices=()))

    def fits_nothing(self, said: str, what: Literal["measure", "filter"] = "measure") -> None:
        """Ask about a word that there is no place for."""
        self.unbound.append(said)
        self.questions.append(Question(about=said, said=said, why="no_fit", what=what, choices=()))

    def just(self, said: str) -> None:
        """Ask for one of several things before all else."""
        self.questions.insert(0, Question(about="?one", said=said, why="one_of", what="filter", choices=()))


class Range(NamedTuple):
    """Two numbers between which something is, and how many items say so."""

    low: Item
    high: Item
    length: int


def range_in(row: Sequence[Item]) -> Range | None:
    """“Between 10 and 20”, “from 10 to 20”, “of 10 to 20”, “10 – 20” at the beginning of some items."""
    opened = bool(row) and (row[0].sense("roles") in ("between", "neutral")) and not row[0].meanings
    rest = row[opened:]
    joined = ("and", "to") if opened and row[0].sense("roles") == "between" else ("to",)
    if len(rest) > 1 and rest[0].number is not None and rest[1].number is not None:
        dashed = rest[1].mark in ("-", "–", "—")
        return Range(rest[0], rest[1], opened + 2) if dashed else None
    if len(rest) < 3 or rest[0].number is None or rest[2].number is None:
        return None
    said = len(rest[1].words) == 1 and rest[1].words[0] in joined
    return Range(rest[0], rest[2], opened + 3) if said else None


def columns(item: Item) -> set[str]:
    """The names of the columns that an item may mean."""
    return {m.column.name for m in item.meanings if m.column is not None and m.value is None}


def amount(item: Item) -> Column | None:
    """The one column of numbers that an item may mean."""
    found = {m.column.name: m.column for m in item.meanings if m.column and not m.value}
    amounts = [one for one in found.values() if is_amount(one)]
    return amounts[0] if len(amounts) == 1 else None


def compares(item: Item) -> Relation:
    """How an item compares."""
    return item.sense("relations")  # type: ignore[return-value] # one of them


def spoken(item: Item, after: Sequence[Item], length: int) -> int:
    """How many of the first items are more than filler."""
    return sum(not one.is_filler for one in (item, *after)[:length])


def length_of(item: Item, after: Sequence[Item], count: int) -> int:
    """How many items it takes to so many that are more than filler."""
    return next((n for n in range(1, len(after) + 2) if spoken(item, after, n) == count), 0)
