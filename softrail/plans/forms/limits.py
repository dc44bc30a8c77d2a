"""Which rows count, by how much they have of something: “units above 10”, “between 10 and 20 units”, “over 2,000 euros”."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Final

from softrail.plans.data.profile import Column
from softrail.plans.forms.choices import choices_for
from softrail.plans.forms.filters import alternative, filtered
from softrail.plans.forms.form import OPPOSITES, Choice, Filter, Limit, Question, Relation
from softrail.plans.forms.lexicon import lexicon
from softrail.plans.forms.scanning import Item
from softrail.plans.forms.slots import amount, compares, length_of, range_in
from softrail.plans.forms.state import State
from softrail.plans.forms.vocabulary import is_amount, is_date, is_year, takes

_IS: Final = (("of",), ("is",), ("was",), ("equals",), ("equal", "to"), ("exactly",))
_AND: Final = (("or",), ("and",))
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
    return (
        _limit_alone(state, item, after, row)
        or _exactly(state, item, after)
        or _named_within(state, item, after)
        or _within_time(state, item, after)
    )


def _exactly(state: State, item: Item, after: Sequence[Item]) -> int:
    """“With a score of 5”, “table 4”: rows with that very number in a column of whole ones; how many items."""
    at = next((n for n, one in enumerate(after) if not one.is_filler and one.words not in _IS), None)
    number = after[at].number if at is not None and not after[at].percent else None
    if at is None or number is None or number % 1 or state.mode == "by" or _is_a_time(state, after[at]):
        return 0
    found = {m.column.name: m.column for m in item.meanings if m.column is not None and m.value is None}
    [column] = found.values() if len(found) == 1 else [None]
    said = bool(at) or state.mode in ("have", "only", "not", "neutral")
    if column is None or not (column.kind == "number" and column.whole and said) or is_year(column):
        return 0
    if not Decimal(column.least or 0) <= number <= Decimal(column.most or 0):
        return 0
    values = [str(number)]
    while len(more := after[at + 1 : at + 3]) == 2 and more[0].words in _AND and more[1].number is not None:
        at, values = at + 2, [*values, str(more[1].number)]  # “with a mark of 1 or 2”
    new = Filter(column=column.name, title=column.title, values=tuple(values), excluded=state.mode == "not")
    state.last = "filter"
    filtered(state, " ".join(one.said for one in (item, *after[: at + 1])), new)
    state.slots.bound += 1
    return at + 2


def _named_within(state: State, item: Item, after: Sequence[Item]) -> int:
    """“Answered within an hour”, where a column says after how many minutes: it is of that; how many items."""
    column = amount(item)
    if column is None or takes(column) is None or not after or after[0].words != ("within",):
        return 0
    more = _within_time(state, after[0], after[1:])
    return 1 + more if more else 0


def _within_time(state: State, item: Item, after: Sequence[Item]) -> int:
    """“Within a day”, “within 24 hours”: at most so long, in the one column that says how long it takes; how many items."""
    at = next((n for n, one in enumerate(after) if not one.is_filler), None)
    if item.words != ("within",) or at is None:
        return 0
    one = after[at]
    counted = one.number is not None and not one.percent
    unit = after[at + 1 : at + 2] if counted else [one]
    seconds = lexicon().durations.get(_word(unit))
    if seconds is None or not (counted or any(part.words[-1] in ("a", "an", "one") for part in after[:at])):
        return 0
    used = at + 2 + counted
    said = " ".join(part.said for part in (item, *after[: used - 1]))
    columns = [column for column in state.columns if is_amount(column) and takes(column)]
    columns = [column for column in columns if state.chosen.get(LIMITED, column.name) == column.name]
    named = [column for column in columns if column.name in (*state.named, state.chosen.get(LIMITED))]
    own = takes(named[0]) if len(named) == 1 else None
    if own is not None:
        _limited(state, named[0], said, "<=", (one.number or Decimal(1)) * seconds / own)
    elif columns:  # “closed within a day”: the one that there is may tell of something else
        choices = tuple(Choice(label=column.title, key=column.name) for column in columns)
        state.ask(Question(about=LIMITED, said=said, why="several", what="filter", choices=choices))
    else:
        state.unbound(said, "filter")
    return used


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
