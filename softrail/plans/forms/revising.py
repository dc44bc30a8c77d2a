"""What a later word changes in a form: a filter, a grouping, a time, a measure. The rest stays as it was."""

import re
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any, Final

from softrail.plans.data.profile import Source
from softrail.plans.forms.binder import Binder
from softrail.plans.forms.form import Filter, Form, Question, Read
from softrail.plans.forms.grammar import LONGEST, WHOLE, Lead, lead_of, reads_of
from softrail.plans.forms.quotients import divide
from softrail.plans.forms.scanning import scan
from softrail.plans.forms.slots import Slots
from softrail.plans.forms.tokens import tokens
from softrail.plans.forms.vocabulary import vocabulary

ASIDE: Final = re.compile(
    r"^(?:(?:wait|no|nah|nope|yes|yeah|fine|actually|ok|okay|right|hm+|sorry|so|now|then|well|please|and|but|what about|how about|(?:do )?(?:the )?same"
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
    words = ASIDE.sub("", message.strip())
    lead: Lead = lead_of(words)
    if known is None or lead.is_strong or lead.name in ("which", "who"):
        return None
    items = scan(tokens(words), known, today)
    dates = {c.name for c in known.table.columns if c.kind in ("date", "time")}
    date_column = next((g.column for g in form.by if g.column in dates), None)
    picked = ({"?date": date_column} if date_column else {}) | dict(chosen or {})
    slots = Binder(known, chosen=picked).bind(items)
    if slots.over is not None and not slots.measures and form.kind not in WHOLE:  # “per unit, please”
        slots.measures, slots.reads = list(form.measures), [*form.reads, *slots.reads]
        if len(slots.measures) != 1 or not divide(slots, *slots.over, known):
            return None
    if slots.numbers and form.kind in ("top", "predict") and not slots.unbound:
        slots.numbers, number = slots.numbers[1:], slots.numbers[0][0]
        form = form.model_copy(update={"n": max(1, min(int(number), 1000))})
        slots.bound += 1
    if slots.unbound or slots.numbers or not slots.bound + len(slots.questions):
        return None
    if slots.questions:
        return slots.questions[0].model_copy(update={"bound": slots.bound})
    if not (slots.by or slots.where or slots.measures) and form.n is None:
        return None
    return _changed(form, slots)


def _changed(form: Form, slots: Slots) -> Form:
    changes: dict[str, Any] = {"reads": _reads(form, slots)}
    also = "also" in slots.does
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


def _reads(form: Form, slots: Slots) -> tuple[Read, ...]:
    """How words were read: what is new comes after what still holds."""
    gone = {one.told() for one in form.by} if slots.by and "also" not in slots.does else set()
    gone |= {one.told() for one in form.measures} if slots.measures and "also" not in slots.does else set()
    for one in slots.where:
        gone |= {f.told() for f in form.where if f.column == one.column}
    kept = [one for one in form.reads if one.means not in gone]
    return tuple(dict.fromkeys((*kept, *slots.reads)))
