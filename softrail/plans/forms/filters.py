"""Which rows count, by the values of a column: “only online”, “without decaf”, “Q1 to Q3”, “the spring term”."""

import re
from collections.abc import Sequence
from decimal import Decimal
from typing import Final

from softrail.plans.data.profile import Column
from softrail.plans.forms.form import Choice, Filter, Question
from softrail.plans.forms.placing import within
from softrail.plans.forms.scanning import Item
from softrail.plans.forms.slots import columns
from softrail.plans.forms.state import State
from softrail.plans.forms.vocabulary import PART, Meaning, as_word, is_amount, is_year

_IS: Final = frozenset({"is", "are", "was", "were", "isn't", "aren't", "wasn't", "weren't", "not"})


def valued(state: State, said: str, meaning: Meaning) -> None:
    """Rows with one value; of a yes or no, those with a yes."""
    if meaning.column is None:
        return
    title, value = meaning.column.title, meaning.value if meaning.value is not None else "true"
    excluded = state.mode == "not"
    filtered(state, said, Filter(column=meaning.column.name, title=title, values=(value,), excluded=excluded))


def lacks(state: State, item: Item) -> bool:
    """“Not yet shipped”, “without a refund”: rows that have nothing in a column, or a nought; asked where both may be.

    “With a refund” is the other rows.
    """
    named = {m.column.name: m.column for m in item.meanings if m.column is not None and m.rank <= PART}
    if (
        state.mode not in ("not", "have")
        or len(named) != 1
        or any(m.value is not None for m in item.meanings)
    ):
        return False
    [column] = named.values()
    nought = is_amount(column) and Decimal(column.least or 1) <= 0 <= Decimal(column.most or 0)
    nothing = Filter(column=column.name, title=column.title, empty=True, excluded=state.mode == "have")
    ways = {"empty": nothing} if column.empty and column.kind != "boolean" else {}
    if nought:
        ways["0"] = nothing.model_copy(update={"empty": False, "values": ("0",)})
    if len(ways) == 2:
        ways["either"] = nothing.model_copy(update={"values": ("0",)})
    found = ways.get(state.chosen.get(as_word(item.said), "")) or next(iter(ways.values()), None)
    if found is None:
        return False
    if len(ways) > 1 and as_word(item.said) not in state.chosen:
        choices = tuple(Choice(label=one.told().replace("`", ""), key=key) for key, one in ways.items())
        state.waits = ""
        state.ask(
            Question(about=as_word(item.said), said=item.said, why="several", what="filter", choices=choices)
        )
        return True
    _at_all(state, item.said, found)
    return True


def has(state: State, said: str, column: Column) -> None:
    """“Closed tickets”, where some have no day on which they were closed: those that have one."""
    state.chosen = {"?date": column.name, **state.chosen}
    if column.empty:
        _at_all(state, said, Filter(column=column.name, title=column.title, empty=True, excluded=True))


def _at_all(state: State, said: str, new: Filter) -> None:
    if state.once:
        state.mode, state.once = "free", False
    alternative(state, new)
    state.filter_read(said, new)
    state.last, state.joined = "filter", False
    state.slots.bound += 1
    if new not in state.slots.where:
        state.slots.where.append(new)


def filtered(state: State, said: str, new: Filter) -> None:
    """Add a filter; another value of the same column is one more that counts, a time within one is all that does."""
    alternative(state, new)
    where = state.slots.where
    if new.excluded and state.mode == "not" and not (state.waits or state.joined or state.apart):
        before = where[-1]
        if before.excluded and before.column != new.column:
            state.open(said)  # “without online espresso” is less than without both
    state.filter_read(said, new)
    if new.spans and not new.excluded:  # “closed in March”: those are closed
        where[:] = [one for one in where if not (one.column == new.column and one.empty and one.excluded)]
    like = (new.column, new.excluded, new.part)
    same = [n for n, one in enumerate(where) if (one.column, one.excluded, one.part) == like]
    if not same or new.limits:
        where.append(new)
        return
    one = where[same[0]]
    values = tuple(dict.fromkeys((*one.values, *_up_to(state, one, new), *new.values)))
    apart = tuple(dict.fromkeys((*one.spans, *new.spans)))
    spans = apart if state.joined else within(one.spans, new.spans) or apart
    where[same[0]] = one.model_copy(update={"values": values, "spans": spans})


def alternative(state: State, new: Filter, *, limited: bool = False) -> None:
    """“In the north or above 10”: rows that count for one of two reasons are not found by any form."""
    where = state.slots.where
    if state.either and where and (limited or where[-1].column != new.column):
        state.open("or")
    state.either = False


def excluded(state: State, said: str) -> None:
    """“Returns left out”: the last thing that was named, where it is one."""
    where = state.slots.where
    last = where[-1] if where and state.last == "filter" else None
    state.waits = ""
    if last is None or last.excluded or len(last.values) + len(last.spans) != 1:
        state.unbound(said, "filter")
        return
    where[-1] = last.model_copy(update={"excluded": True})
    state.read(f"{state.slots.reads.pop().said} {said}", where[-1].told())


def pair(state: State, item: Item, after: Sequence[Item]) -> int:
    """“The spring term”, “doctor Abel”, “year 2024”: a value beside the name of its column; how many items."""
    at = next((n for n, one in enumerate(after) if not one.is_filler), None)
    if at is None or state.mode == "by" or state.group_first or not item.meanings:
        return 0
    other = after[at]
    years = [
        m.column for m in item.meanings if m.column is not None and m.value is None and is_year(m.column)
    ]
    if years and other.period is not None and other.period.unit == "year":
        state.slots.bound += 1
        valued(state, other.said, Meaning(0, years[0], other.words[0]))
        return at + 2
    found = _values_of(other, item) or _values_of(item, other)
    if len(found) != 1:
        return _is_so(state, item, after)
    valued(state, f"{item.said} {other.said}", found[0])
    state.slots.bound += 2
    return at + 2


def _is_so(state: State, item: Item, after: Sequence[Item]) -> int:
    """“Where product is decaf”, “products that aren't cocoa”, “units is empty”: what a column is, or is not; how many items."""
    at = next((n for n, one in enumerate(after) if not (one.is_filler or one.words[-1] in _IS)), None)
    if not at or not columns(item) or not any(one.words[-1] in _IS for one in after[:at]):
        return 0
    other, denied = after[at], any(one.sense("roles") == "not" for one in after[:at])
    found, before, said = _values_of(other, item), state.mode, " ".join(one.said for one in after[: at + 1])
    nothing = other.sense("roles") == "nothing"
    if len(found) != 1 and not nothing:
        return 0
    state.mode, state.waits = ("not", said) if denied else ("only", "")
    if found:
        state.slots.bound += 2
        valued(state, f"{item.said} {said}", found[0])
    else:
        named = [one.column for one in item.meanings if one.value is None and one.column is not None]
        new = Filter(column=named[0].name, title=named[0].title, empty=True, excluded=denied)
        _at_all(state, f"{item.said} {said}", new)
    state.mode, state.last = before, "filter"
    return at + 2


def _values_of(item: Item, named: Item) -> list[Meaning]:
    """The values that an item may mean of a column that another may name."""
    there = columns(named)
    return [m for m in item.meanings if m.value is not None and m.column and m.column.name in there]


def _up_to(state: State, first: Filter, last: Filter) -> Sequence[str]:
    """“Q1 to Q3”: what is between two values that are counted."""
    column = state.column(first.column)
    ends = [_numbered(one) for one in (*first.values[-1:], *last.values)]
    if column is None or not (state.to and len(ends) == 2) or state.several:
        return ()
    if not ends[0][0] == ends[1][0] != ("", ""):
        state.open("to")  # “7a to 8b”
    between = range(ends[0][1] + 1, ends[1][1])
    counted = [(one, *_numbered(one)) for one in column.values]
    return [one for one, around, number in counted if around == ends[0][0] and number in between]


def _numbered(value: str) -> tuple[tuple[str, str], int]:
    """What stands around the number in “Q3”, and the number."""
    found = re.fullmatch(r"(\D*)(\d{1,9})(\D*)", value)
    return ((found[1], found[3]), int(found[2])) if found else (("", ""), 0)
