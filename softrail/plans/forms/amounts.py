"""What is summed up, how, and per what: “the average and the largest”, “cost per unit”, “revenue per sale”."""

from collections.abc import Sequence
from typing import Final

from softrail.plans.data.profile import Column
from softrail.plans.forms import filters
from softrail.plans.forms.choices import AS_SAID, average_of_what, choice_of
from softrail.plans.forms.form import Aggregate, Choice, Measure, Question
from softrail.plans.forms.meant import fits
from softrail.plans.forms.quotients import EACH_ROW, divide, divisor
from softrail.plans.forms.scanning import Item
from softrail.plans.forms.slots import columns
from softrail.plans.forms.state import State
from softrail.plans.forms.vocabulary import (
    MONEY,
    PART,
    SYNONYM,
    TABLE,
    Meaning,
    as_word,
    is_amount,
    is_date,
    is_key,
    may_be_a_scale,
    measured,
    usual,
)

_SCALED: Final = "?how "  #: before a column: how it is summed up
_DATES = frozenset({"date", "dates", "day", "days"})


def measure(state: State, said: str, meaning: Meaning) -> None:
    """A number that is looked at."""
    column, slots = meaning.column, state.slots
    if _may_be_rows(state, said, meaning):
        choices = tuple(choice_of(one, state.known) for one in (Meaning(TABLE), meaning))
        state.ask(Question(about=as_word(said), said=said, why="several", what="measure", choices=choices))
        return
    if column is not None and is_date(column):
        filters.has(state, said, column)
        column = None
    if column is not None and not state.instead_of and _may_be_a_scale(state, said, column):
        return
    chosen = state.chosen.get(f"{_SCALED}{column.name}") if column is not None else None
    hows = (chosen,) if chosen in ("mean", "sum") else state.hows or (slots.aggregate,)
    made = [measured(column, how) for how in hows]  # type: ignore[arg-type] # one of them
    state.hows = []
    # “How many different prices” are no sum of them.
    if column is not None and (state.distinct or chosen == "count"):
        made = [Measure(column=column.name, title=column.title)]
    if state.instead_of:  # “instead of revenue”
        return
    if made[0] not in slots.measures:
        if slots.measures and not (state.several or state.joined):
            state.unbound(said, "measure")
            return
        slots.measures += dict.fromkeys(made)
    for one in made:
        state.read(said, one.told())
    if slots.over is not None:  # “per unit cost”
        (per, by), slots.over = slots.over, None
        _divide(state, per, by)


def _may_be_a_scale(state: State, said: str, column: Column) -> bool:
    """“Priority”, 1 to 3: whether it is added up, averaged or counted is asked where it is not said."""
    about, how = f"{_SCALED}{column.name}", state.slots.aggregate
    if how not in (None, "count") or about in state.chosen or not may_be_a_scale(column, state.known.table):
        return False
    ways = {"mean": "Average", "sum": "Sum", "count": "Number of different"}
    choices = tuple(Choice(label=f"{way} {column.title}", key=key) for key, way in ways.items())
    state.slots.bound += 1
    state.ask(Question(about=about, said=said, why="several", what="measure", choices=choices))
    return True


def _may_be_rows(state: State, said: str, meaning: Meaning) -> bool:
    """“How many sales”, where there is a column of revenue: rows are counted, and amounts are not."""
    column = meaning.column
    counted = state.slots.aggregate == "count" and meaning.rank in (SYNONYM, MONEY)
    money = column is not None and is_amount(column) and not column.whole
    return counted and money and as_word(said) not in state.chosen


def summed_up(state: State, how: Aggregate, item: Item) -> None:
    """How what comes next is summed up; of two that are not joined only a total may stand beside the other."""
    several = bool(state.hows) and (state.joined or item.mark == ",")
    both = {how, *state.hows[-1:]}
    if len(both) > 1 and not several and state.hows[-1] != "sum" and both != {"sum", "count"}:
        state.open(item.said)
    state.hows = [*state.hows, how] if several and how not in state.hows else [how]
    state.slots.aggregate = how
    state.mean = item.said if how == "mean" else state.mean


def hows_are_used(state: State) -> None:
    """“The average and the total” without a number that is both; “average daily revenue”, where each day has a total."""
    slots = state.slots
    left = [how for how in state.hows if any(one.aggregate != how for one in slots.measures)]
    if left:
        state.unbound(left[0], "measure")
    sums = {one.name for one in state.columns if usual(one) == "sum"}
    adds_up = any(one.aggregate == "mean" and one.column in sums for one in slots.measures)
    if state.mean and state.often and adds_up and state.chosen.get(as_word(state.mean)) != AS_SAID:
        state.ask(average_of_what(state.mean, *state.often))
    slots.hows = tuple(state.hows)


def per_something(state: State, item: Item) -> bool:
    """“Per”, and what follows is no piece that is split by."""
    return state.per and state.mode == "by" and (_of_a_row(state, item) or _divided(state, item))


def _of_a_row(state: State, item: Item) -> bool:
    """“Revenue per sale”, where a row is a sale: an average."""
    measures = state.slots.measures
    chosen = state.chosen.get(as_word(item.said))
    same = columns(item) == {one.column for one in measures}  # “revenue per sale”
    rows = chosen == EACH_ROW.key or same or any(one.column is None for one in item.meanings)
    named = [m for m in item.meanings if fits(state, m, "group")]
    if _may_be_each(state, item, named):
        return True
    others = [m for m in named if m.rank < PART or (m.column is not None and not is_date(m.column))]
    if (others and not (same or chosen == EACH_ROW.key)) or len(measures) != 1:
        return False
    if not rows:
        if named and not set(item.words) & _DATES:  # “per visit” is not by the date of it
            state.unbound(item.said, "group")
            return True
        return False
    [before] = measures
    column = state.column(before.column)
    if column is None or not is_amount(column) or before.over:
        return False
    mean = measured(column, "mean")
    state.slots.measures = [mean]
    state.slots.reads = [one for one in state.slots.reads if one.means != before.told()]
    state.read(f"{before.title} per {item.said}", mean.told())
    state.slots.bound += 1
    state.mode, state.per, state.each, state.after_per = "free", False, "", True
    return before.aggregate in ("sum", "mean")


def _may_be_each(state: State, item: Item, named: Sequence[Meaning]) -> bool:
    """“Cost per ticket”, where each row is another ticket: the average, or each by itself; that is asked."""
    keys = [one.column for one in named if one.column is not None and is_key(one.column, state.known.table)]
    if not keys or as_word(item.said) in state.chosen or len(state.slots.measures) != 1:
        return False
    choices = (EACH_ROW, *(Choice(label=f"Each {one.title} by itself", key=one.name) for one in keys))
    state.ask(
        Question(about=as_word(item.said), said=item.said, why="several", what="group", choices=choices)
    )
    return True


def _divided(state: State, item: Item) -> bool:
    """Whether a word after “per” is an amount, and no name of pieces."""
    found = divisor(item, state.known, state.chosen.get(as_word(item.said)))
    if found is None:
        return False
    state.per = state.joined = False
    if isinstance(found, Question):
        state.ask(found)
        return True
    state.slots.bound += 1
    state.mode, state.once, state.after_per = "free", False, True
    if state.slots.measures:
        _divide(state, item.said, found)
    else:
        state.slots.over = (item.said, found)
    return True


def _divide(state: State, said: str, by: Column) -> None:
    if state.slots.measures[-1].over or not divide(state.slots, said, by, state.known):
        state.unbound(said, "group")  # what is divided already is not divided once more
