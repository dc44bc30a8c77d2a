"""What a later word changes in a form: a filter, a grouping, a time, a measure. The rest stays as it was."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Any, Final, NamedTuple

from softrail.plans.data.profile import Source
from softrail.plans.forms.binder import bind
from softrail.plans.forms.comparing import beside, latest_first, rest_of, wanted_of
from softrail.plans.forms.completing import WHOLE, adds_up, is_in_time
from softrail.plans.forms.form import (
    ROOM,
    Aggregate,
    Along,
    Choice,
    Filter,
    Form,
    Group,
    Measure,
    Question,
    Read,
)
from softrail.plans.forms.leading import LONGEST, NO, Lead, lead_of
from softrail.plans.forms.lexicon import lexicon
from softrail.plans.forms.periods import Period, grain_of, whole
from softrail.plans.forms.quotients import divide
from softrail.plans.forms.reads import EACH, each_of_several, reads_of
from softrail.plans.forms.scanning import Item, scan
from softrail.plans.forms.slots import Slots, columns
from softrail.plans.forms.sql import label
from softrail.plans.forms.state import State
from softrail.plans.forms.times import date_column
from softrail.plans.forms.tokens import Token, tokens
from softrail.plans.forms.vocabulary import Vocabulary, is_amount, is_date, is_year, measured, vocabulary

_RANKS: Final = ("top", "bottom", "rank")
_JUST: Final = re.compile(
    r"^(?:just|only|give me|show me|show)\s+(?=(?:the\s+)?(?:top|bottom|best|worst|\w+ (?:best|worst))\b)",
    re.IGNORECASE,
)
_OR: Final = re.compile(r"or\b", re.IGNORECASE)
_EITHER: Final = "?or"  #: whether what is said behind “or” counts instead, or too
_NOT_SPLIT: Final = frozenset({"against", "verify", "what_if"})  #: nothing comes of a grouping
ASIDE: Final = re.compile(
    rf"^(?:(?:{NO}|wait|hold on|hang on|one moment|oh|nah|nope|yes|yeah|fine|actually|ok|okay|right|hm+|sorry|so|now|then|well|please|and|but|what about|how about|(?:do )?(?:the )?same"
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
    known = vocabulary_of(form, sources)
    if len(message) > LONGEST or known is None:
        return None
    words = ASIDE.sub("", message.strip())
    lead = lead_of(_JUST.sub("", words))
    ranks = lead.name in _RANKS and _is_of_one(form)
    lead = lead if ranks else lead_of(words)
    asks = lead.name in ("plain", "which") and any(_compares(one) for one in lead.words)
    if (lead.is_strong and not ranks) or (lead.name in ("which", "who") and not asks):
        return None
    said = time_of(form)
    spoken = lead.words if ranks or asks else tokens(words)
    kept, found = _let_go(form, scan(spoken, known, today, said))
    items = in_its_year(found, said)
    dates = {c.name for c in known.table.columns if is_date(c)}
    used = [*(one.column for one in form.by), *(one.column for one in (*form.where, *form.sides))]
    date_column_ = next((name for name in used if name in dates), None)
    picked = ({"?date": date_column_} if date_column_ else {}) | dict(chosen or {})
    slots = bind(State(known, picked), items)
    changed = _counted(_per(kept, slots, known), slots)
    if changed is not None and (ranks or slots.order[0]):
        changed = _ranked(changed, lead, slots)
    other = bool(slots.rest) and bool(slots.questions or slots.by or slots.measures)  # “the rest of my day”
    if changed is None or slots.unbound or slots.numbers or other:
        return None
    wanted = {*wanted_of(items)}
    does = ranks or bool(wanted or slots.aggregate or slots.drawn or slots.along[0] or slots.order[0])
    does = does or bool(slots.rest)
    does = does or "unfiltered" in slots.does or len(kept.where) < len(form.where)
    if not (slots.bound or slots.questions or does):
        return None
    if _OR.match(words) and (either := _instead_or_too(changed, slots, picked)):
        slots.questions.append(either)
    if slots.questions:
        return slots.questions[0].model_copy(update={"bound": slots.bound})
    if "also" in slots.does and not (
        slots.by or slots.measures
    ):  # where all is in nothing more can be taken in
        there = {one.column for one in (*changed.where, *changed.sides)}
        slots.where = [one for one in slots.where if one.column in there]
    if not (slots.by or slots.where or slots.measures or does) and changed.n is None:
        return None
    if slots.aggregate and not slots.measures:  # “the average instead”
        slots.measures = [m for how in slots.hows for m in _summed_up(changed, how, known)]
    return _made(changed, slots, items, wanted, _Known(known, picked))


def _instead_or_too(form: Form, slots: Slots, picked: Mapping[str, str]) -> Question | None:
    """“Or hardware?”: instead of what was said of its column, or as well; None: it was said which."""
    new = slots.where[-1] if slots.where and not slots.where[-1].excluded else None
    old = [one for one in form.where if new is not None and one.column == new.column and not one.excluded]
    if new is None or not old or _EITHER in picked:
        slots.does |= {"also"} if picked.get(_EITHER) == "also" else set()
        return None
    told, before = label(new), label(old[0])
    choices = (
        Choice(label=f"{before} and {told}", key="also"),
        Choice(label=f"{told} instead", key="instead"),
    )
    return Question(about=_EITHER, said=f"or {told}", why="several", what="filter", choices=choices)


def vocabulary_of(form: Form, sources: Sequence[Source]) -> Vocabulary | None:
    """What words mean in the table of a form; None: it is not there any more."""
    tables = [(source, table) for source in sources if source.name == form.source for table in source.tables]
    here = [vocabulary(source, table) for source, table in tables if table.name == form.table]
    return here[0] if here else None


class _Known(NamedTuple):
    """What there is, and what was chosen of it."""

    here: Vocabulary
    picked: Mapping[str, str]


def _per(form: Form, slots: Slots, known: Vocabulary) -> Form | None:
    """“Per unit, please”: of the number that is told."""
    if slots.over is not None and not slots.measures and form.kind not in WHOLE:
        slots.measures, slots.reads = list(form.measures), [*form.reads, *slots.reads]
        if len(slots.measures) != 1 or not divide(slots, *slots.over, known):
            return None
    return form


def _counted(form: Form | None, slots: Slots) -> Form | None:
    """“The first five”, “the next 3 months”: another number of what is told."""
    if form is None or not slots.numbers or form.kind not in ("top", "predict") or slots.unbound:
        return form
    number, slots.numbers = slots.numbers[0][0], slots.numbers[1:]
    slots.bound += 1
    return form.model_copy(update={"n": max(1, min(int(number), 1000)), "place": 1})


def _ranked(form: Form, lead: Lead, slots: Slots) -> Form | None:
    """“Just the top 2”, “ranked”, “smallest first”: what one number is of each piece, in order."""
    top = lead.name in ("top", "bottom")
    if not _is_of_one(form) or (top and (slots.by or slots.measures)):
        return None
    n = int(slots.numbers.pop(0)[0]) if slots.numbers else form.n if top and form.kind == "top" else None
    least = lead.name == "bottom" or slots.order[0] == "least"
    n = 1 if n is None and lead.place > 1 else n
    changes = {"kind": "top", "n": n, "least": least, "drawn": "", "rest": False, "place": lead.place}
    return form.model_copy(update=changes)


def _made(
    form: Form, slots: Slots, items: Sequence[Item], wanted: set[str], known: _Known
) -> Form | Question | None:
    """The form with all that was bound of a change."""
    if form.kind == "top" and slots.by and not slots.by[0].grain:
        if slots.each:  # “in each region”
            return None
        columns_ = {one.name: one for one in known.here.table.columns}
        if is_amount(column := columns_[slots.by[0].column]):  # “by units”
            slots.by, slots.measures = slots.by[1:], [measured(column), *slots.measures]
    mark, along = beside(items), slots.along[0]
    sides = mark.sides(slots.where, known.here)
    alone = mark.alone or bool(wanted & {"difference", "growth"} and slots.where and not along)
    if slots.rest:
        if form.kind == "top" and form.n and not slots.where:
            return _changed(form.model_copy(update={"rest": True}), slots)
        sides = rest_of(slots.where or form.where)
        return _compared(form, slots, sides, alone=False) if sides else None
    if "share" in wanted and _is_of_one(form):
        form = form.model_copy(update={"kind": "share"})
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


def _is_of_one(form: Form) -> bool:
    """One number, split by one thing: what is ranked, or told in percent."""
    return form.kind in ("analyze", "top", "share") and len(form.measures) == len(form.by) == 1


def _followed(form: Form, along: Along, known: _Known) -> Form | None:
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


def _compares(word: Token) -> bool:
    """“What's the difference to April?” is asked of what is told."""
    return bool(lexicon().senses.get((word.word,), {}).get("comparing"))


def in_its_year(items: Sequence[Item], said: Period | None) -> Sequence[Item]:
    """“Only Q4”, where 2024 is told: that of the same year."""
    if said is None or said.days()[0].year != said.days()[1].year:
        return items
    year = said.days()[0].year
    return [
        replace(one, period=one.period.in_year(year)) if one.period and one.period.is_open else one
        for one in items
    ]


def time_of(form: Form) -> Period | None:
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
