"""Times of a request: which rows count by them, and the pieces that rows are split into."""

from collections.abc import Sequence
from typing import Final

from softrail.plans.data.profile import Column
from softrail.plans.forms.filters import filtered, valued
from softrail.plans.forms.form import Choice, Grain, Group, Question
from softrail.plans.forms.periods import Period, grain_of
from softrail.plans.forms.placing import placed
from softrail.plans.forms.scanning import Item
from softrail.plans.forms.state import State
from softrail.plans.forms.vocabulary import Meaning, is_date, is_year

_ONWARDS: Final = frozenset({"onwards", "onward", "forward"})


def group(state: State, said: str, column: Column, grain: Grain | None = None) -> None:
    """Split by a column; by one of dates into pieces of a grain."""
    slots = state.slots
    if is_date(column) and grain is None:
        grain = grain_of(column.least, column.most)
    new = Group(column=column.name, title=column.title, grain=grain)
    if state.instead_of or new in slots.by:
        return
    slots.each = new if state.each else slots.each
    if state.each and is_year(column):
        state.often = f"{state.each} {said}", "year"
    slots.by.append(new)
    state.read(said, new.told())


def split(state: State, said: str, grain: str) -> None:
    """Split by pieces of time of that grain, in whatever column they are."""
    years = [one for one in state.columns if is_year(one)] if grain == "year" else []
    column = years[0] if len(years) == 1 else date_column(state, said)
    if column is not None:
        state.slots.bound += 1
        group(state, said, column, None if years else grain)  # type: ignore[arg-type] # a grain
    elif not state.asked("date"):
        state.unbound(said, "group")


def grain_of_column(state: State, item: Item) -> bool:
    """“By day” where a column of dates has that very name."""
    grain = item.sense("grains")
    column = next((m.column for m in item.meanings if m.column is not None and is_date(m.column)), None)
    if not grain or grain == "default" or column is None or state.mode not in ("by", "free"):
        return False
    _pieces(state, item, column, grain)
    return True


def pieces(state: State, item: Item, after: Sequence[Item]) -> int:
    """“By month”, “monthly”, “by week of created at”; how many items."""
    if item.words == ("time",) and state.mode != "by":  # “time on page”, “time to close”: how much of it
        state.unbound(item.said, "measure")
        return 1
    if state.hows == ["count"] and state.mode == "free" and not state.slots.measures:
        state.unbound(item.said, "measure")  # “how many days did it rain”: no row is a day
        return 1
    more = any(not one.is_filler for one in after)
    named = [m.column for one in after[:2] for m in one.meanings if m.column and is_date(m.column)]
    used = 1
    if more and after[0].words in (("of",), ("on",)) and len({c.name for c in named}) == 1:
        column: Column | None = named[0]
        used = 3
    else:
        column = date_column(state, item.said)
    if column is not None:
        _pieces(state, item, column, item.sense("grains"))
    else:
        split(state, item.said, item.sense("grains"))
    return used


def _pieces(state: State, item: Item, column: Column, grain: str) -> None:
    state.slots.bound += 1
    if grain != "default" and (state.each or state.mode != "by"):  # how often: “per day”, “daily”
        state.often = f"{state.each} {item.said}".strip(), grain
    group(state, item.said, column, None if grain == "default" else grain)  # type: ignore[arg-type] # a grain


def ahead(state: State, after: Sequence[Item]) -> int:
    """“For the next 6 months”; how many items."""
    number = after[0].number if after else None
    grain = after[1].sense("grains") if number is not None and len(after) > 1 else ""
    if number is None or grain in ("", "default") or not 1 <= number <= 120:
        state.unbound("next")
        return 1
    state.slots.ahead = (int(number), grain)  # type: ignore[assignment] # a grain
    return 3


def period(state: State, said: Period, after: Sequence[Item]) -> int:
    """Rows of a time; “from March 2024 on”: since then. How many items."""
    onwards = _is_onwards(after)
    state.mode = "since" if onwards else state.mode
    years = [column for column in state.columns if is_year(column)]
    if said.unit == "year" and len(years) == 1 and state.mode in ("free", "neutral", "only", "not", "by"):
        state.slots.bound += 1
        valued(state, said.said, Meaning(0, years[0], str(said.year)))
        return 1 + onwards
    column = date_column(state, said.said)
    if column is None:
        if not state.asked("date"):
            state.unbound(said.said, "filter")
        return 1 + onwards
    found = placed(said, column, mode=state.mode, chosen=state.chosen)
    if isinstance(found, Question):
        state.ask(found)
        return 1 + onwards
    state.slots.bound += 1
    state.last = "filter"
    if found is not None:
        filtered(state, said.said, found)
    state.joined = False
    return 1 + onwards


def _is_onwards(after: Sequence[Item]) -> bool:
    """“From March 2024 on”."""
    if not after:
        return False
    one, *more = after
    ends = not more or more[0].sense("roles") == "by" or bool(more[0].mark)
    return set(one.words) <= _ONWARDS if one.words != ("on",) else ends


def date_column(state: State, said: str = "") -> Column | None:
    """The column that times are of; a question where there are several."""
    dates = [column for column in state.columns if is_date(column)]
    names = {one.name for one in dates}
    chosen = state.chosen.get("?date") or next((g.column for g in state.slots.by if g.column in names), None)
    if chosen is not None:
        return next((column for column in dates if column.name == chosen), None)
    if len(dates) > 1 and not state.asked("date"):
        choices = tuple(Choice(label=one.title, key=one.name) for one in dates)
        state.ask(Question(about="?date", said=said, why="several", what="date", choices=choices))
    return dates[0] if len(dates) == 1 else None
