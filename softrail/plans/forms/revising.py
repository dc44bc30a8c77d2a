"""What a later word changes in a form: a filter, a grouping, a time, a measure. The rest stays as it was."""

import re
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any, Final

from softrail.plans.data.profile import Source
from softrail.plans.forms.binder import bind
from softrail.plans.forms.comparing import beside
from softrail.plans.forms.completing import WHOLE
from softrail.plans.forms.form import ROOM, Aggregate, Filter, Form, Measure, Question, Read
from softrail.plans.forms.leading import LONGEST, NO, lead_of
from softrail.plans.forms.periods import Period, whole
from softrail.plans.forms.quotients import divide
from softrail.plans.forms.reads import EACH, each_of_several, reads_of
from softrail.plans.forms.scanning import Item, scan
from softrail.plans.forms.slots import Slots, columns
from softrail.plans.forms.state import State
from softrail.plans.forms.tokens import tokens
from softrail.plans.forms.vocabulary import Vocabulary, is_amount, is_date, is_year, measured, vocabulary

_NOT_SPLIT: Final = frozenset({"against", "verify", "what_if"})  #: nothing comes of a grouping
ASIDE: Final = re.compile(
    rf"^(?:(?:{NO}|wait|nah|nope|yes|yeah|fine|actually|ok|okay|right|hm+|sorry|so|now|then|well|please|and|but|what about|how about|(?:do )?(?:the )?same"
    r"|(?:break|split|group|cut|slice) (?:it|that|this|these|them)(?: down| up)?)\b[,.!:]?\s+)+",
    re.IGNORECASE,
)


def revise(
    form: Form,
    message: str,
    sources: Sequence[Source],
    *,
    today: date,
    chosen: Mapping[str, str] | None = None,
) -> Form | Question | None:
    """The form with what a bare filter, grouping, period or measure changes. None: it is no such change."""
    if len(message) > LONGEST:
        return None
    known = next(
        (
            vocabulary(source, table)
            for source in sources
            if source.name == form.source
            for table in source.tables
            if table.name == form.table
        ),
        None,
    )
    words, before = ASIDE.sub("", message.strip()), len(form.where)
    lead = lead_of(words)
    if known is None or lead.is_strong or lead.name in ("which", "who"):
        return None
    form, items = _let_go(form, scan(tokens(words), known, today, _time_of(form)))
    does = len(form.where) < before
    dates = {c.name for c in known.table.columns if c.kind in ("date", "time")}
    date_column = next((g.column for g in form.by if g.column in dates), None)
    picked = ({"?date": date_column} if date_column else {}) | dict(chosen or {})
    slots = bind(State(known, picked), items)
    if slots.over is not None and not slots.measures and form.kind not in WHOLE:  # “per unit, please”
        slots.measures, slots.reads = list(form.measures), [*form.reads, *slots.reads]
        if len(slots.measures) != 1 or not divide(slots, *slots.over, known):
            return None
    if slots.numbers and form.kind in ("top", "predict") and not slots.unbound:
        slots.numbers, number = slots.numbers[1:], slots.numbers[0][0]
        form = form.model_copy(update={"n": max(1, min(int(number), 1000))})
        slots.bound += 1
    does = does or bool(slots.aggregate or slots.drawn) or "unfiltered" in slots.does
    if slots.unbound or slots.numbers or not slots.bound + len(slots.questions) + does:
        return None
    if slots.questions:
        return slots.questions[0].model_copy(update={"bound": slots.bound})
    if "also" in slots.does and not (
        slots.by or slots.measures
    ):  # where all is in nothing more can be taken in
        slots.where = [
            one for one in slots.where if one.column in {f.column for f in (*form.where, *form.sides)}
        ]
    if not (slots.by or slots.where or slots.measures or does) and form.n is None:
        return None
    if slots.aggregate and not slots.measures:  # “the average instead”
        slots.measures = [m for how in slots.hows for m in _summed_up(form, how, known)]
    if form.kind == "top" and slots.by and not slots.by[0].grain:
        if slots.each:  # “in each region”
            return None
        columns_ = {one.name: one for one in known.table.columns}
        if is_amount(column := columns_[slots.by[0].column]):  # “by units”
            slots.by, slots.measures = slots.by[1:], [measured(column), *slots.measures]
    mark = beside(items)
    sides = mark.sides(slots.where, known)
    if sides or mark.alone or (form.sides and any(one.column == form.sides[0].column for one in slots.where)):
        return _compared(form, slots, sides, alone=mark.alone)
    if slots.by and form.kind in _NOT_SPLIT:
        return None
    changed = _changed(form, slots)
    return changed if _has_room(changed, known) else None


def _time_of(form: Form) -> Period | None:
    """The one time that a form is about: “the year before” is counted from it."""
    spans = [span for one in form.where if not one.excluded for span in one.spans]
    if len(spans) != 1 or not (spans[0].low and spans[0].high):
        return None
    return whole(date.fromisoformat(spans[0].low), date.fromisoformat(spans[0].high))


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
    new = sides or slots.where[0].apart if slots.where else ()
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


def _let_go(form: Form, items: list[Item]) -> tuple[Form, list[Item]]:
    """“All regions”: what was said of regions holds no more; and the words that say something else."""
    kept, said, everything = list(form.where), list[Item](), False
    for item in items:
        gone = [one for one in kept if one.column in columns(item)] if everything else []
        kept = [one for one in kept if one not in gone]
        everything = item.words == ("all",) or (everything and item.is_filler)
        if not gone and item.words != ("all",):
            said.append(item)
    told = _told([one for one in form.where if one not in kept])
    reads = tuple(one for one in form.reads if one.means not in told)
    return form.model_copy(update={"where": tuple(kept), "reads": reads}), said


def _summed_up(form: Form, how: Aggregate, known: Vocabulary) -> list[Measure]:
    """The measures of a form, summed up otherwise."""
    columns = {one.name: one for one in known.table.columns}
    return [measured(columns.get(one.column), how) if not one.over else one for one in form.measures]


def _changed(form: Form, slots: Slots) -> Form:
    changes: dict[str, Any] = {"reads": _reads(form, slots)}
    if slots.drawn and slots.drawn != "any":
        changes["drawn"] = slots.drawn
    also = "also" in slots.does
    if "unfiltered" in slots.does:
        form = form.model_copy(update={"where": ()})
        changes["where"] = ()
    if slots.where:
        changes["where"] = _narrowed(form.where, slots.where, also=also)
    if slots.by and form.kind == "top" and slots.by[0].grain and not also:  # in time all of it is looked at
        changes |= {"kind": "analyze", "n": None, "least": False}
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


def _told(where: Sequence[Filter]) -> set[str]:
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
        gone |= _told(form.where)
    kept = [one for one in form.reads if one.means not in gone]
    return tuple(dict.fromkeys((*kept, *slots.reads)))
