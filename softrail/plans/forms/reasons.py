"""“Why is March so low?”: what is told of just that, and what splits it further. Why a number is as it is, no number says."""

import re
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Final, NamedTuple

from softrail.plans.data.profile import Source
from softrail.plans.forms.binder import bind
from softrail.plans.forms.conclusions import told_of
from softrail.plans.forms.form import Form
from softrail.plans.forms.revising import in_its_year, revise, time_of, vocabulary_of
from softrail.plans.forms.scanning import scan
from softrail.plans.forms.sql import base
from softrail.plans.forms.state import State
from softrail.plans.forms.tokens import tokens
from softrail.plans.plan import Plan
from softrail.plans.values import Fact

_WHY: Final = re.compile(
    r"\W*(?:(?:and|but|so|ok|okay|hm+|well|then|oh)\W+)*(?:why(?! (?:not|don't|didn't|do|did|should|would|can|can't) (?:you|we|i)\b)"
    r"|how come|how is it that|what(?:'s| is| was)? (?:behind|causing|driving|drove|caused|explains?|made|the (?:reason|cause)))\b",
    re.IGNORECASE,
)
_POINTS: Final = re.compile(r"\b(?:it|that|this|those|these|so|such|too)\b", re.IGNORECASE)
_MOST_PIECES: Final = 24
_OFFERED: Final = 2


class Reasons(NamedTuple):
    """What is there instead of a reason."""

    told: Sequence[str]  #: the rows that are asked about, as they were found
    further: Sequence[str]  #: requests that split them


def asks_why(message: str) -> bool:
    """It asks for a reason, and not for a deed."""
    return _WHY.match(message.replace("’", "'")) is not None


def reasons(
    message: str, plan: Plan, facts: Mapping[str, Fact], sources: Sequence[Source], today: date
) -> Reasons | None:
    """What is known of the thing whose reason is asked for. None: it is nothing of this plan."""
    form = plan.form
    known = vocabulary_of(form, sources) if form is not None else None
    if form is None or known is None:
        return None
    items = in_its_year(scan(tokens(message), known, today, time_of(form)), time_of(form))
    named = [one for one in items if one.meanings or one.period]
    bare = _WHY.sub("", message.replace("’", "'")).strip(" ?!.") == ""
    if not (named or bare or _POINTS.search(message)):
        return None
    slots = bind(State(known, {}, surely=True), named)
    of = {one.told() for one in slots.where}
    only = " and ".join(dict.fromkeys(one.said for one in slots.reads if one.means in of))
    taken = {one.column for one in form.by} | {one.column for one in (*form.where, *form.sides, *slots.where)}
    splits = [
        one for one in known.table.columns if 1 < len(one.values) <= _MOST_PIECES and one.name not in taken
    ]
    wishes = [f"{f'only {only}, ' if only else ''}by {base(one.title).lower()}" for one in splits]
    fit = [one for one in wishes if isinstance(revise(form, one, sources, today=today), Form)]
    return Reasons(told_of(plan, facts, slots.where), fit[:_OFFERED])
