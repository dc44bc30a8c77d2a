"""What a later word changes in a form: a filter, a grouping, a time, a measure. The rest stays as it was."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Final

from softrail.plans.data.profile import Source
from softrail.plans.forms.behind import behind
from softrail.plans.forms.binder import bind
from softrail.plans.forms.changing import Known, counted, is_of_one, made, per, ranked, summed_up_as, told_of
from softrail.plans.forms.comparing import wanted_of
from softrail.plans.forms.denying import denied
from softrail.plans.forms.form import (
    Choice,
    Filter,
    Form,
    Question,
)
from softrail.plans.forms.leading import LONGEST, lead_of
from softrail.plans.forms.lexicon import lexicon
from softrail.plans.forms.listing import lists_them, rows_of
from softrail.plans.forms.periods import Period, whole
from softrail.plans.forms.placing import ALL, about
from softrail.plans.forms.scanning import Item, scan
from softrail.plans.forms.slots import Slots, columns
from softrail.plans.forms.sql import label
from softrail.plans.forms.state import State
from softrail.plans.forms.tokens import Token, tokens
from softrail.plans.forms.vocabulary import Vocabulary, is_date, vocabulary

_RANKS: Final = ("top", "bottom", "rank")
_JUST: Final = re.compile(
    r"^(?:just|only|give me|show me|show)\s+(?=(?:the\s+)?(?:top|bottom|best|worst|\w+ (?:best|worst))\b)",
    re.IGNORECASE,
)
_SEVERAL: Final = re.compile(r"(?:the )?(?:comparison|difference|delta|gap)\b", re.IGNORECASE)
_OR: Final = re.compile(r"or\b", re.IGNORECASE)
_EITHER: Final = "?or"  #: whether what is said behind “or” counts instead, or too


def revise(
    form: Form,
    message: str,
    sources: Sequence[Source],
    *,
    today: date,
    chosen: Mapping[str, str] | None = None,
    waits: bool = False,
) -> Form | Question | None:
    """The form with what a bare filter, grouping, period or measure changes. None: it is no such change.

    Where its plan `waits` for a yes, words that nothing fits are asked about, if what stands before them says that
    something is to change.
    """
    known = vocabulary_of(form, sources)
    if len(message) > LONGEST or known is None:
        return None
    if lists_them(message) and form.kind != "rows":
        return rows_of(form)
    words, surely = behind(message)
    surely = surely and waits
    lead = lead_of(_JUST.sub("", words))
    ranks = lead.name in _RANKS and is_of_one(form)
    lead = lead if ranks else lead_of(words)
    asks = lead.name in ("plain", "which") and any(_compares(one) for one in lead.words)
    beside = lead.name == "compare" and not _SEVERAL.match(words)
    if (lead.is_strong and not (ranks or beside)) or (lead.name in ("which", "who") and not asks):
        return None
    said = time_of(form)
    kept, found = _let_go(form, scan(lead.words if ranks or asks else tokens(words), known, today, said))
    without = denied(kept, found)
    items = in_its_year(without.items, said)
    picked = _dates_of(form, known) | dict(chosen or {})
    anytime = any(one.period is not None and picked.get(about(one.period)) == ALL for one in items)
    if anytime:
        kept = _without(kept, [one for one in kept.where if one.spans or one.part])
    surely = surely or bool(without)
    slots = bind(State(known, picked, surely=surely), items)
    if without:
        without.beside(kept, slots)
        if (left := without.of(kept, replaced=bool(slots.measures), split=bool(slots.by))) is None:
            return None
        kept = left
    if beside and (slots.measures or slots.by or not slots.where):
        return None  # a comparison of its own
    changed = counted(per(kept, slots, known), slots)
    if changed is not None and (ranks or slots.order[0]):
        changed = ranked(changed, lead, slots)
    other = bool(slots.rest) and bool(slots.questions or slots.by or slots.measures)  # “the rest of my day”
    if changed is None or (slots.unbound and not (surely and slots.questions)) or slots.numbers or other:
        return None
    wanted = {*wanted_of(items)}
    does = (
        ranks
        or anytime
        or bool(wanted)
        or bool(without)
        or len(kept.where) < len(form.where)
        or _does_something(slots)
    )
    if not (slots.bound or slots.questions or does):
        return None
    if _OR.match(words) and (either := _instead_or_too(changed, slots, picked)):
        slots.questions.append(either)
    if slots.questions:
        if slots.questions[0].why == "no_use" and not (slots.bound or does or surely):
            return None  # “neither of those”
        return slots.questions[0].model_copy(update={"bound": slots.bound})
    if "also" in slots.does and not (slots.by or slots.measures):  # where all is in nothing more can be
        there = {one.column for one in (*changed.where, *changed.sides)}
        slots.where = [one for one in slots.where if one.column in there]
    if not (slots.by or slots.where or slots.measures or does) and changed.n is None:
        return None
    if slots.aggregate and not slots.measures:  # “the average instead”
        slots.measures = [m for how in slots.hows for m in summed_up_as(changed, how, known)]
    return made(changed, slots, items, wanted, Known(known, picked))


def _dates_of(form: Form, known: Vocabulary) -> dict[str, str]:
    """The column of dates that a form is told by: another time is one of these."""
    dates = {one.name for one in known.table.columns if is_date(one)}
    used = [*(one.column for one in form.by), *(one.column for one in (*form.where, *form.sides))]
    name = next((one for one in used if one in dates), None)
    return {"?date": name} if name is not None else {}


def _does_something(slots: Slots) -> bool:
    """Something was said that changes a form without a part of it."""
    whole = slots.along[0] or slots.order[0] or slots.rest or "unfiltered" in slots.does
    return bool(slots.aggregate or slots.drawn or whole)


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


def _let_go(form: Form, items: list[Item]) -> tuple[Form, list[Item]]:
    """“All regions”: what was said of regions holds no more; and the words that say something else."""
    kept, said, everything = list(form.where), list[Item](), False
    for item in items:
        gone = [one for one in kept if one.column in columns(item)] if everything else []
        kept = [one for one in kept if one not in gone]
        everything = item.words == ("all",) or (everything and item.is_filler)
        if not gone and item.words != ("all",):
            said.append(item)
    return _without(form, [one for one in form.where if one not in kept]), said


def _without(form: Form, gone: Sequence[Filter]) -> Form:
    """The form without those filters, and without what was read as them."""
    told = told_of(gone)
    reads = tuple(one for one in form.reads if one.means not in told)
    return form.model_copy(
        update={"where": tuple(one for one in form.where if one not in gone), "reads": reads}
    )
