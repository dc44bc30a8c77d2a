"""“North against South”: what a request sets beside each other, each for itself, and what is wanted of the two."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from softrail.plans.forms.form import Filter
from softrail.plans.forms.scanning import Item
from softrail.plans.forms.vocabulary import Vocabulary, is_year

TIMES: Final = "?time"  #: what all times are of, in whatever column they are


@dataclass(frozen=True, slots=True)
class Beside:
    """Two things or more that are set beside each other."""

    of: frozenset[str] = frozenset()  #: the columns that they may be of; none: there are no two of one column
    surely: bool = False  #: by words that say nothing else, and not by “or”
    alone: bool = False  #: by such words, and the other thing is not said

    def __bool__(self) -> bool:
        return bool(self.of)

    def sides(self, where: Sequence[Filter], known: Vocabulary) -> tuple[Filter, ...]:
        """Of what was bound, each of the things by itself."""
        years = {one.name for one in known.table.columns if is_year(one)}
        for one in where:
            timed = TIMES in self.of and (bool(one.spans) or one.column in years)
            if len(one.apart) > 1 and (one.column in self.of or timed):
                return one.apart
        return ()


def beside(items: Sequence[Item]) -> Beside:
    """What the items of a request set beside each other; of a “than” only where something is more or less."""
    related = any(is_bare(n, items) for n, _ in enumerate(items))
    found = Beside()
    for n, item in enumerate(items):
        if item.mark == "/" and n and (both := _of(items[n - 1]) & _of(item)):
            return Beside(both, surely=True)
        if item.words == ("or",):
            both = _of(_next(items[n - 1 :: -1] if n else ())) & _of(_next(items[n + 1 :]))
            found = Beside(both) if both and not found else found
        elif item.does("roles", "beside") or is_bare(n, items) or (related and item.words == ("than",)):
            if both := _around(n, items):
                return Beside(both, surely=True)
            if item.does("roles", "beside") and any(_of(one) for one in items[n + 1 :]):
                found = found or Beside(alone=True)
    return found


def _around(n: int, items: Sequence[Item]) -> frozenset[str]:
    """What the first thing behind has in common with another one; of nothing behind, what two before it have."""
    behind = [one for one in items[n + 1 :] if _of(one)]
    before = [one for one in items[n::-1] if _of(one)]
    ordered = [*behind[:1], *before, *behind[1:]] if behind else before
    return next((both for one in ordered[1:] if (both := _of(ordered[0]) & _of(one))), frozenset())


def _of(item: Item | None) -> frozenset[str]:
    """The columns that it may be a value of; of a time, `TIMES`."""
    if item is None:
        return frozenset()
    values = {one.column.name for one in item.meanings if one.column is not None and one.value is not None}
    return frozenset(values or ({TIMES} if item.period is not None else ()))


def _next(items: Sequence[Item]) -> Item | None:
    """The first that is more than a small word."""
    return next((one for one in items if not (one.is_filler or one.sense("roles") == "neutral")), None)


def is_bare(n: int, items: Sequence[Item]) -> bool:
    """“More”, “less”, “beats”: and no number that something is more than."""
    item = items[n]
    if item.meanings or not item.sense("relations"):
        return False
    return not any(one.number is not None and one.period is None for one in items)


def without_relations(items: Sequence[Item]) -> list[Item]:
    """The items but for what says that one of two is more: that is told of both anyway."""
    return [one for n, one in enumerate(items) if not is_bare(n, items)]


def wanted_of(items: Sequence[Item]) -> Iterator[str]:
    """What is wanted of the two: “ratio”, “difference”."""
    for one in items:
        if not one.meanings and one.sense("comparing"):
            yield one.sense("comparing")


def latest_first(sides: Sequence[Filter], known: Vocabulary) -> tuple[Filter, ...]:
    """Two times, the later before the earlier: by how much it is more is what has grown. Other things as they are."""
    years = {one.name for one in known.table.columns if is_year(one)}
    if not all(one.spans or one.column in years for one in sides):
        return tuple(sides)
    return tuple(sorted(sides, key=lambda one: one.told(), reverse=True))


def rest_of(where: Sequence[Filter]) -> tuple[Filter, ...]:
    """“North and the rest”: the one thing that is named, and all that is not it; () where there are several, or none."""
    named = [one for one in where if len(one.values) + len(one.spans) == 1 and not (one.excluded or one.part)]
    return (named[0], named[0].model_copy(update={"excluded": True})) if len(named) == 1 else ()
