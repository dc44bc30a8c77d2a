"""Binds the items of a request to one table, from left to right: what each word does, and which room it belongs to."""

from collections.abc import Sequence
from typing import Final

from softrail.plans.forms import amounts, filters, limits, times
from softrail.plans.forms.choices import AS_SAID, left_out
from softrail.plans.forms.form import Question
from softrail.plans.forms.lexicon import lexicon
from softrail.plans.forms.meant import again, is_done_then, meant
from softrail.plans.forms.quotients import PER
from softrail.plans.forms.scanning import UNDONE, Item
from softrail.plans.forms.slots import Slots, amount, columns
from softrail.plans.forms.state import State
from softrail.plans.forms.vocabulary import PART, as_word, is_key

_EACH: Final = ("each", "every")  #: before what the data is split by
_APART: Final = frozenset(",:;–—-")  #: marks behind which something else may begin
_MODES: Final = ("have", "by", "only", "not", "since", "after", "until", "before", "between", "neutral")
_DOES: Final = ("also", "use", "instead", "against", "beside", "unfiltered")


def bind(state: State, items: Sequence[Item]) -> Slots:
    """Go through the items once. What fits nothing, or two things, becomes a question; nothing is left out."""
    named = [m.column for one in items for m in one.meanings if m.rank <= PART and m.value is None]
    state.named = frozenset(one.name for one in named if one is not None)
    without, at = left_out(state.chosen), 0
    while at < len(items):
        if as_word(items[at].said) in without:
            state.read(items[at].said, "left out")
            at += 1
        else:
            at += _take(state, items[at], items[at + 1 :])
    state.came_of_it()
    amounts.hows_are_used(state)
    return state.slots


def _take(state: State, item: Item, after: Sequence[Item]) -> int:
    """Take an item, and those that belong to it; how many."""
    if (more := filters.pair(state, item, after)) or (more := limits.limit(state, item, after)):
        return more
    if item.meanings or state.chosen.get(as_word(item.said), AS_SAID) != AS_SAID:
        if state.mode == "by" and state.joined and _is_measured_again(state, item, after):
            state.mode = "free"
        if not times.grain_of_column(state, item):
            _word(state, item)
        return 1
    if item.period is not None:
        return times.period(state, item.period, after)
    if item.number is not None:
        state.slots.numbers.append((item.number, item.percent))
        return 1
    if item.sense("relative") == "next":
        return times.ahead(state, after)
    if item.sense("grains"):
        return times.pieces(state, item, after)
    if item.senses:
        _sense(state, item)
    elif not (state.surely and set(item.words) <= lexicon().grammar):
        state.unbound(item.said)
    return 1


def _is_measured_again(state: State, item: Item, after: Sequence[Item]) -> bool:
    """“Revenue by region and units by region”: another number, which is split once more."""
    again_ = bool(state.slots.measures) and amount(item) is not None
    return again_ and any(one.sense("roles") == "by" for one in after)


# -- words that forms are made with


def _sense(state: State, item: Item) -> None:
    slots = state.slots
    if _of_the_whole(state, item):
        return
    if "aggregates" in item.senses or "extremes" in item.senses:
        _how_much(state, item)
        return
    if "drawing" in item.senses:
        slots.drawn = item.sense("drawing")
        return
    roles = item.senses.get("roles", ())
    slots.does |= {one for one in _DOES if one in roles}
    if "excluded" in roles:
        filters.excluded(state, item.said)
        return
    if "instead" in roles and item.words[-1] in ("of", "than"):
        state.instead_of = True
    state.either = state.either or item.words == ("or",)
    state.to = item.words in (("to",), ("through",), ("until",))
    if item.does("moves", "up", "down") and (slots.measures or slots.by or slots.where):
        state.unbound(item.said)  # “visits drop from …”, where “drop the shop” leaves something out
        return
    if {"and", "with", "beside"} & set(roles) or item.words == (",",):
        state.joined = True
    mode = next((one for one in _MODES if one in roles), None)
    if mode is None and item.words[-1] in _EACH:
        mode, state.once = "by", True
    state.once = state.once or item.words == UNDONE
    if mode is not None:
        _turn(state, item, mode, roles)
    elif not roles and "filler" not in item.senses and "comparing" not in item.senses:
        state.unbound(item.said)


def _of_the_whole(state: State, item: Item) -> bool:
    """What is told of all pieces: how they follow each other, in which order they stand, and what is left of them."""
    slots, said = state.slots, item.said
    if "along" in item.senses:
        slots.along = ("running", said)
    elif "stepwise" in item.senses:
        slots.along = ("change", said)
        times.split(state, said, item.sense("stepwise"))
    elif "order" in item.senses:
        slots.order = (item.sense("order"), said)
    elif "rest" in item.senses:
        slots.rest = said
        slots.bound += state.surely
    elif item.sense("comparing") == "growth":
        slots.growth = said
    else:
        return False
    return True


def _how_much(state: State, item: Item) -> None:
    """How something is summed up, or that the most or the least of it is wanted."""
    ranked, how = "extremes" in item.senses, item.sense("aggregates")
    if ranked and (state.group_first or state.which or not how):
        state.slots.extreme = item.sense("extremes")
        if state.group_first or state.which:
            state.mode, state.group_first = "free", False
    elif state.mode == "not":
        state.waits = ""  # “the average, not the sum”
    elif how == "distinct":
        amounts.summed_up(state, "count", item)
        state.distinct = True
    else:
        amounts.summed_up(state, how, item)  # type: ignore[arg-type] # one of them


def _turn(state: State, item: Item, mode: str, roles: Sequence[str]) -> None:
    """What comes next is meant otherwise: “by”, “only”, “not”."""
    per = bool(PER & set(item.words))
    state.per = mode == "by" and per
    state.after_per = state.after_per and mode == "by" and "and" in roles
    if (mode == "neutral" and state.waits) or "and" in roles:
        return  # “not in the north”
    state.go_on(mode, item.said)  # type: ignore[arg-type] # one of them
    state.each = item.said if state.per else ""
    if mode == "by" and state.group_first and not state.each:  # “the best product per region” is one of each
        state.mode, state.group_first = "free", False


# -- words that mean something in the table


def _are_rows(state: State, item: Item) -> bool:
    """“The cost of damaged parcels”, where a row is a parcel: it says what the numbers are of."""
    table = state.known.table
    rows = [one.column is None or (one.value is None and is_key(one.column, table)) for one in item.meanings]
    there = bool(state.slots.measures) or state.mode == "not"
    there = there and (state.last == "filter" or state.mode == "neutral")
    return bool(rows) and all(rows) and there and state.mode != "by" and not (state.waits or state.joined)


def _word(state: State, item: Item) -> None:
    slots = state.slots
    if amounts.per_something(state, item) or filters.lacks(state, item) or _are_rows(state, item):
        return
    if state.mode in ("free", "neutral", "have") and not state.joined and is_done_then(state, item):
        filters.has(state, item.said, item.meanings[0].column)  # type: ignore[arg-type] # it is one
        return
    if not state.joined and columns(item) & {one.over for one in slots.measures if one.over}:
        return  # “per unit sold”
    if state.joined and state.after_per and columns(item) and amount(item) is None:
        state.mode = "by"  # “per click and channel”
    state.apart = bool(_APART & set(item.mark))
    roles = state.roles()
    found = meant(state, item, roles)
    if isinstance(found, Question):
        state.ask(found)
        state.joined = False
        return
    if found is None:
        if roles[0] == "group" or not (again(state, item.meanings) or is_done_then(state, item)):
            state.unbound(item.said, roles[0])
        _no_longer(state)
        return
    state.last, meaning = found
    slots.bound += 1
    if state.last == "measure":
        amounts.measure(state, item.said, meaning)
    elif state.last == "filter":
        filters.valued(state, item.said, meaning)
    elif meaning.column is not None:
        times.group(state, item.said, meaning.column)
        state.group_first = state.group_first and not state.which
    state.joined = state.either = False
    _no_longer(state)


def _no_longer(state: State) -> None:
    """What held for one word alone."""
    if state.once:
        state.mode, state.once = "free", False
