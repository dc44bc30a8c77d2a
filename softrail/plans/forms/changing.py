"""What a form becomes by what was bound of a change: the rest of it stays as it was."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from softrail.plans.forms.comparing import beside, latest_first, rest_of
from softrail.plans.forms.completing import WHOLE, adds_up, is_in_time
from softrail.plans.forms.form import (
    ROOM,
    Aggregate,
    Along,
    Filter,
    Form,
    Group,
    Measure,
    Question,
    Read,
)
from softrail.plans.forms.leading import Lead
from softrail.plans.forms.periods import grain_of
from softrail.plans.forms.quotients import divide
from softrail.plans.forms.reads import EACH, each_of_several, reads_of
from softrail.plans.forms.scanning import Item
from softrail.plans.forms.slots import Slots
from softrail.plans.forms.state import State
from softrail.plans.forms.times import date_column
from softrail.plans.forms.vocabulary import Vocabulary, is_amount, is_date, is_year, measured

_NOT_SPLIT: Final = frozenset({"against", "verify", "what_if"})  #: nothing comes of a grouping


class Known(NamedTuple):
    """What there is, and what was chosen of it."""

    here: Vocabulary
    picked: Mapping[str, str]


def per(form: Form, slots: Slots, known: Vocabulary) -> Form | None:
    """“Per unit, please”: of the number that is told."""
    if slots.over is not None and not slots.measures and form.kind not in WHOLE:
        slots.measures, slots.reads = list(form.measures), [*form.reads, *slots.reads]
        if len(slots.measures) != 1 or not divide(slots, *slots.over, known):
            return None
    return form


def counted(form: Form | None, slots: Slots) -> Form | None:
    """“The first five”, “the next 3 months”: another number of what is told."""
    if form is None or not slots.numbers or form.kind not in ("top", "predict") or slots.unbound:
        return form
    number, slots.numbers = slots.numbers[0][0], slots.numbers[1:]
    slots.bound += 1
    return form.model_copy(update={"n": max(1, min(int(number), 1000)), "place": 1})


def ranked(form: Form, lead: Lead, slots: Slots) -> Form | None:
    """“Just the top 2”, “ranked”, “smallest first”: what one number is of each piece, in order."""
    top = lead.name in ("top", "bottom")
    if not is_of_one(form) or (top and (slots.by or slots.measures)):
        return None
    n = int(slots.numbers.pop(0)[0]) if slots.numbers else form.n if top and form.kind == "top" else None
    least = lead.name == "bottom" or slots.order[0] == "least"
    n = 1 if n is None and lead.place > 1 else n
    changes = {"kind": "top", "n": n, "least": least, "drawn": "", "rest": False, "place": lead.place}
    return form.model_copy(update=changes)


def made(
    form: Form, slots: Slots, items: Sequence[Item], wanted: set[str], known: Known
) -> Form | Question | None:
    """The form with all that was bound of a change."""
    if form.kind == "top" and slots.by and not slots.by[0].grain:
        if slots.each:  # “in each region”
            return None
        columns_ = {one.name: one for one in known.here.table.columns}
        if is_amount(column := columns_[slots.by[0].column]):  # “by units”
            slots.by, slots.measures = slots.by[1:], [measured(column), *slots.measures]
    if form.kind == "rows" and (slots.by or slots.measures or slots.along[0]):
        form = form.model_copy(update={"kind": "analyze"})  # “by team”: how many there are
    mark, along = beside(items), slots.along[0]
    sides = mark.sides(slots.where, known.here)
    alone = mark.alone or bool(wanted & {"difference", "growth"} and slots.where and not along)
    if slots.rest:
        if form.kind == "top" and form.n and not slots.where:
            return _changed(form.model_copy(update={"rest": True}), slots)
        sides = rest_of(slots.where or form.where)
        return _compared(form, slots, sides, alone=False) if sides else None
    if "share" in wanted and is_of_one(form):
        form = form.model_copy(update={"kind": "share"})
    elif "share" in wanted and not sides and (shared := _share_of_all(form, slots)) is not None:
        return shared
    elif wanted and not (alone or sides or along):
        return _followed(form, "change", known) if "growth" in wanted else None
    if sides or alone or (form.sides and any(one.column == form.sides[0].column for one in slots.where)):
        compared = _compared(form, slots, sides, alone=alone)
        if compared is not None and "growth" in wanted:
            compared = compared.model_copy(update={"sides": latest_first(compared.sides, known.here)})
        return compared
    if slots.by and form.kind in _NOT_SPLIT:
        return None
    if form.along and not any(is_in_time(one, known.here) for one in slots.by):
        slots.by = [*form.by[:1], *slots.by] if slots.by else []
    changed: Form | None = _changed(form, slots)
    follows = along or (form.along if any(is_in_time(g, known.here) for g in slots.by or form.by) else "")
    if changed is not None and follows:
        changed = _followed(changed, follows, known)
    elif changed is not None and changed.along:
        changed = changed.model_copy(update={"along": ""})
    return changed if changed is not None and _has_room(changed, known.here) else None


def _share_of_all(form: Form, slots: Slots) -> Form | None:
    """“What percentage is that?”, of what is told of one value: its share among those of all."""
    parts = [one for one in form.where if len(one.values) == 1 and not one.excluded]
    nothing = not (slots.where or slots.by or slots.measures)
    if not (nothing and parts and form.kind in ("analyze", "rows") and len(form.measures) == 1) or form.by:
        return None
    part = parts[-1]
    if not adds_up(form.measures[0]) and form.measures[0].aggregate != "count":
        return None
    by = (Group(column=part.column, title=part.title),)
    where = tuple(one for one in form.where if one != part)
    reads = tuple(one for one in form.reads if one.means not in told_of([part]))
    changed = form.model_copy(update={"kind": "share", "by": by, "where": where})
    return changed.model_copy(update={"reads": reads_of(changed, reads)})


def is_of_one(form: Form) -> bool:
    """One number, split by one thing: what is ranked, or told in percent."""
    return form.kind in ("analyze", "top", "share") and len(form.measures) == len(form.by) == 1


def _followed(form: Form, along: Along, known: Known) -> Form | None:
    """“Cumulative, please”, “month over month”: each piece of time as it follows the one before."""
    adds = along == "change" or all(adds_up(one) for one in form.measures)
    if form.kind not in ("analyze", "trend") or len(form.measures) != 1 or not adds:
        return None
    times = [one for one in form.by if is_in_time(one, known.here)][:1]
    if not times:
        column = date_column(State(known.here, known.picked))
        if column is None:
            return None
        grain = grain_of(column.least, column.most)
        times = [Group(column=column.name, title=column.title, grain=grain)]
    by = (*times, *(one for one in form.by if one not in times))
    changed = form.model_copy(update={"kind": "analyze", "along": along, "by": by})
    return changed.model_copy(update={"reads": reads_of(changed, form.reads)})


def _has_room(form: Form, known: Vocabulary) -> bool:
    """Whether a form tells all that is in it."""
    measures, groups = ROOM.get(form.kind, (len(form.measures), len(form.by)))
    times = {one.name for one in known.table.columns if is_date(one) or is_year(one)}
    in_time = form.kind != "predict" or all(one.column in times for one in form.by)
    return len(form.measures) <= measures and len(form.by) <= groups and in_time


def _compared(form: Form, slots: Slots, sides: tuple[Filter, ...], *, alone: bool) -> Form | None:
    """“And compared to the south?”: what is told is set beside that; “also the west” is one more side."""
    if form.kind not in ("analyze", "compare"):
        return None
    new = sides or (slots.where[0].apart if slots.where else ())
    if not new:
        return None
    column, also = new[0].column, alone or "also" in slots.does
    before = form.sides or next(
        (one.apart for one in form.where if one.column == column and not one.excluded), ()
    )
    if also and not sides:
        if not before or before[0].column != column:
            return None
        sides = tuple(dict.fromkeys((*before, *new)))
    rest = [one for one in slots.where if one.column != column]
    gone = {one.told() for one in before}
    kept = form.model_copy(
        update={
            "kind": "compare" if sides else "analyze",
            "sides": sides,
            "where": tuple(one for one in form.where if one.column != column),
            "by": tuple(one for one in form.by if one.grain or one.column != column),
            "reads": tuple(
                one for one in form.reads if one.means not in gone and not one.means.endswith(EACH)
            ),
        }
    )
    slots.where = rest if sides else [*rest, *slots.where]
    return _changed(kept, slots)


def summed_up_as(form: Form, how: Aggregate, known: Vocabulary) -> list[Measure]:
    """The measures of a form, summed up otherwise."""
    columns = {one.name: one for one in known.table.columns}
    return [measured(columns.get(one.column), how) if not one.over else one for one in form.measures]


def _changed(form: Form, slots: Slots) -> Form:
    changes: dict[str, Any] = {"reads": _reads(form, slots)}
    if slots.drawn:
        again = "" if form.drawn == "none" else form.drawn
        changes["drawn"] = again if slots.drawn == "any" else slots.drawn
    also = "also" in slots.does
    if "unfiltered" in slots.does:
        form = form.model_copy(update={"where": ()})
        changes["where"] = ()
    if slots.where:
        changes["where"] = _narrowed(form.where, slots.where, also=also)
    if slots.by and form.kind == "top" and slots.by[0].grain and not also:  # in time all of it is looked at
        changes |= {"kind": "analyze", "n": None, "least": False, "rest": False, "place": 1}
    if slots.by:
        changes["by"] = tuple(dict.fromkeys((*form.by, *slots.by))) if also else tuple(slots.by)
    if slots.measures:
        changes["measures"] = (
            tuple(dict.fromkeys((*form.measures, *slots.measures))) if also else tuple(slots.measures)
        )
    reads = changes.pop("reads")
    changed = form.model_copy(update=changes)
    if also and changed.kind == "analyze" and not changed.by:
        changed = changed.model_copy(update={"by": each_of_several(changed.where)})
    return changed.model_copy(update={"reads": reads_of(changed, reads)})


def _narrowed(before: Sequence[Filter], new: Sequence[Filter], *, also: bool) -> tuple[Filter, ...]:
    """What is said of a column takes the place of what was said of it; “also” adds to it."""
    kept = list(before)
    for one in new:
        same = next((f for f in kept if f.column == one.column and f.excluded == one.excluded), None)
        if also and same is not None:
            values = tuple(dict.fromkeys((*same.values, *one.values)))
            spans = tuple(dict.fromkeys((*same.spans, *one.spans)))
            one = same.model_copy(update={"values": values, "spans": spans})
        kept = [f for f in kept if f.column != one.column]
        kept.append(one)
    return tuple(kept)


def told_of(where: Sequence[Filter]) -> set[str]:
    """How filters were told, together and each value for itself."""
    parts = [part for one in where for part in one.apart]
    return {one.told() for one in (*where, *parts)}


def _reads(form: Form, slots: Slots) -> tuple[Read, ...]:
    """How words were read: what is new comes after what still holds."""
    gone = {one.told() for one in form.by} if slots.by and "also" not in slots.does else set()
    gone |= {one.told() for one in form.measures} if slots.measures and "also" not in slots.does else set()
    for one in slots.where:
        gone |= {f.told() for f in form.where if f.column == one.column}
    if "unfiltered" in slots.does:
        gone |= told_of(form.where)
    kept = [one for one in form.reads if one.means not in gone]
    return tuple(dict.fromkeys((*kept, *slots.reads)))
