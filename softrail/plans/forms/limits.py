"""Which rows count, by how much they have of something: “units above 10”, “between 10 and 20 units”, “over 2,000 euros”."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Final

from softrail.plans.data.profile import Column
from softrail.plans.forms.choices import choices_for
from softrail.plans.forms.filters import alternative
from softrail.plans.forms.form import OPPOSITES, Filter, Limit, Question, Relation
from softrail.plans.forms.lexicon import lexicon
from softrail.plans.forms.scanning import Item
from softrail.plans.forms.slots import amount, compares, length_of, range_in
from softrail.plans.forms.state import State
from softrail.plans.forms.vocabulary import is_amount, is_date, takes

LIMITED: Final = "?limit"  #: which numbers are not more than so much


def limit(state: State, item: Item, after: Sequence[Item]) -> int:
    """A limit that begins with this item; how many items say it, 0 where there is none."""
    if more := _range(state, item, after):
        return more
    row = [one for one in (item, *after) if not one.is_filler][:3]
    length = length_of(item, after, len(row))
    for one, relation, number in ((0, 1, 2), (2, 0, 1)):
        if len(row) == 3 and row[relation].sense("relations") and row[number].number is not None:
            column = amount(row[one])
            if column is None or _is_a_time(state, row[number]):  # “units over 2024”
                continue
            rest = after[length - 1 :] if number == 2 else ()
            given, more = _measured_in(state, column, row[number], rest)
            _limited(state, column, " ".join(part.said for part in row), compares(row[relation]), given)
            return length + more
    return _limit_alone(state, item, after, row)


def _range(state: State, item: Item, after: Sequence[Item]) -> int:
    """“Between 10 and 20 units”, “scores from 50 to 70”."""
    row = [(n, one) for n, one in enumerate((item, *after), start=1) if not one.is_filler][:6]
    own = amount(item)
    found = range_in([one for _, one in row[own is not None :]])
    if found is None or _is_a_time(state, found.low) or _is_a_time(state, found.high):
        return 0
    length = found.length + (own is not None)
    used = row[length - 1][0]
    behind = amount(row[length][1]) if length < len(row) else None
    if own is not None and behind is not None:
        return 0  # “revenue between 10 and 20 units”
    used = row[length][0] if behind is not None else used
    column = own or behind or _limited_alone(state, found.high, after[used - 1 :])
    if column is None:
        return used
    said = " ".join(one.said for one in (item, *after)[:used])
    low, _ = _measured_in(state, column, found.low, after[used - 1 :])
    high, more = _measured_in(state, column, found.high, after[used - 1 :])
    if state.mode == "not" or low > high:
        state.open(said)
    limits = (Limit(relation=">=", number=low), Limit(relation="<=", number=high))
    _within(state, Filter(column=column.name, title=column.title, limits=limits), said)
    return used + more


def _limit_alone(state: State, item: Item, after: Sequence[Item], row: Sequence[Item]) -> int:
    """“Over 2000 euros”, “below 100”: of the one column that has such numbers, else it is asked."""
    if not item.sense("relations") or len(row) < 2 or row[1].number is None:
        return 0
    used = length_of(item, after, 2)
    rest = after[used - 1 :]
    unit = _word(rest) in lexicon().units
    if not (unit or row[1].percent) and _is_a_time(state, row[1]):
        return 0  # “over 2024”
    column = _limited_alone(state, row[1], rest)
    if column is None:
        return used + bool(unit and not row[1].percent)
    number, more = _measured_in(state, column, row[1], rest)
    used += more
    _limited(state, column, " ".join(one.said for one in (item, *after)[:used]), compares(item), number)
    return used


def _limited_alone(state: State, number: Item, rest: Sequence[Item]) -> Column | None:
    """The one column that has such numbers; a question where there are several, or none."""
    word = _word(rest)
    unit = "%" if number.percent else lexicon().units.get(word)
    fit = [one for one in state.columns if is_amount(one)]
    if unit:
        fit = [one for one in fit if one.unit == unit]
    elif word in lexicon().durations:
        fit = [one for one in fit if takes(one)]
    fit = [one for one in fit if state.chosen.get(LIMITED) in (None, one.name)]
    if len(fit) == 1:
        return fit[0]
    choices = tuple(one for one in choices_for(state.known, "measure") if one.key != "rows")
    state.ask(Question(about=LIMITED, why="missing", what="measure", choices=choices))
    return None


def _measured_in(state: State, column: Column, item: Item, rest: Sequence[Item]) -> tuple[Decimal, int]:
    """A number in the unit of a column: “2 days” of one in hours are 48; and how many words said the unit."""
    number, word = item.number or Decimal(0), _word(rest)
    if column.unit and column.unit in (lexicon().units.get(word), word):
        return number, 1
    said, own = lexicon().durations.get(word), takes(column)
    if said is None or own is None:
        return number, 0
    exact = number * said / own
    if exact * own != number * said:
        state.open(f"{item.said} {word}")
    return (exact.quantize(Decimal(1)) if exact == exact.to_integral_value() else exact), 1


def _limited(state: State, column: Column, said: str, relation: Relation, number: Decimal) -> None:
    """Add a limit; “without those above 10” are those that are not."""
    if state.mode == "not":
        relation = OPPOSITES[relation]
        if not state.waits:
            state.open(said)  # “without espresso above 10” is less than without espresso
    new = Filter(column=column.name, title=column.title, limits=(Limit(relation=relation, number=number),))
    before = [one for one in state.slots.where if one.column == column.name and one.limits]
    if any(one.limits[0].relation[0] == relation[0] for one in before):
        state.open(said)  # one for each of two things
    _within(state, new, said, again=bool(before))


def _within(state: State, new: Filter, said: str, *, again: bool = False) -> None:
    alternative(state, new, limited=again)
    state.slots.where.append(new)
    state.filter_read(said, new)
    state.slots.bound += 1


def _is_a_time(state: State, item: Item) -> bool:
    """A number that could be a year is one where the data has such times."""
    dates = [one for one in state.columns if is_date(one)] if item.period is not None else []
    return any((one.least or "")[:4] <= item.words[0] <= (one.most or "9")[:4] for one in dates)


def _word(rest: Sequence[Item]) -> str:
    """The one word that comes next, which may be a unit."""
    return rest[0].words[0] if rest and len(rest[0].words) == 1 else ""
