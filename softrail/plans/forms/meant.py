"""What an item means where it stands: one meaning in one role, a question where that is two things, or nothing."""

from collections.abc import Collection, Sequence

from softrail.plans.forms.choices import Role, by_key, choice_of
from softrail.plans.forms.form import Question
from softrail.plans.forms.scanning import Item
from softrail.plans.forms.state import State
from softrail.plans.forms.vocabulary import PART, Meaning, as_word, is_amount, is_date, is_year, parts_of


def meant(state: State, item: Item, roles: Sequence[Role]) -> tuple[Role, Meaning] | Question | None:
    """What it means in one of these roles; a question where that is two things."""
    key = state.chosen.get(as_word(item.said))
    if key is not None:
        meaning = by_key(state.known, key)
        role = next((one for one in roles if meaning and fits(state, meaning, one)), None)
        return (role, meaning) if role is not None and meaning is not None else None
    fitting = [(role, m) for m in item.meanings for role in roles if fits(state, m, role)]
    if not fitting:
        return None
    best = min(_order(one) for one in fitting)
    first = {m.key: (role, m) for role, m in fitting if _order((role, m)) == best}
    role, only = next(iter(first.values()))
    if len(first) == 1:
        return role, only
    found = [meaning for _, meaning in first.values()]
    one_of = again(state, found) or _of(found, state.named)
    if role == "measure" and one_of is not None:  # “how many units did we sell”
        return role, one_of
    choices = tuple(choice_of(one, state.known) for one in found)
    return Question(about=as_word(item.said), said=item.said, why="several", what=role, choices=choices)


def again(state: State, meanings: Sequence[Meaning]) -> Meaning | None:
    """What is said of a measure once more, where that is one of these alone."""
    return _of(meanings, {one.column for one in state.slots.measures})


def is_done_then(state: State, item: Item) -> bool:
    """“Units shipped to Spain”, where days are those of “Shipped on”: it says what the numbers are of."""
    columns = [one.column for one in item.meanings if one.value is None and one.rank <= PART]
    there = state.slots.measures and columns and not state.waits
    return bool(there) and all(c is not None and is_date(c) for c in columns)


def fits(state: State, meaning: Meaning, role: Role) -> bool:
    """Whether it can be that."""
    column, how = meaning.column, state.slots.aggregate
    if role == "filter":
        named = column is not None and column.kind == "boolean" and _names_it(meaning)
        return meaning.value is not None or named
    if meaning.value is not None:
        return False
    if role == "group":
        return column is not None and (column.kind != "number" or column.whole)
    if column is not None and column.kind == "boolean":  # two answers are no number of anything
        return False
    if column is None or not is_amount(column):
        return how in (None, "count") and not (column is not None and is_year(column))
    return True


def _names_it(meaning: Meaning) -> bool:
    """A yes or no is named by its whole name: “members” are not those that are new."""
    column = meaning.column
    return column is not None and (
        meaning.rank < PART or (meaning.rank == PART and len(parts_of(column)) == 1)
    )


def _of(meanings: Sequence[Meaning], named: Collection[str]) -> Meaning | None:
    """The one of these that is among the named columns."""
    found = [one for one in meanings if one.value is None and one.column and one.column.name in named]
    return found[0] if len(found) == 1 else None


def _order(one: tuple[Role, Meaning]) -> tuple[int, int]:
    role, meaning = one
    column = meaning.column
    if role != "measure" or column is None:
        return meaning.rank, 0
    return meaning.rank, 0 if is_amount(column) else 2 if is_date(column) else 1
