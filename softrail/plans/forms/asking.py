"""What there is to ask of a request first, and whether it is asked at all: of what is no request, nothing is."""

from collections.abc import Sequence
from typing import Final

from softrail.plans.forms.choices import leave_out
from softrail.plans.forms.form import Choice, Kind, Question
from softrail.plans.forms.leading import QUESTIONS
from softrail.plans.forms.limits import LIMITED
from softrail.plans.forms.request import Request
from softrail.plans.forms.slots import Slots
from softrail.plans.forms.vocabulary import as_word

#: Leads that speak of data and of nothing else: a word after them that fits nothing is asked about.
_OF_DATA: Final = frozenset({"analyze", "trend", "distribution", "predict", "dashboard"})
_CHANGES: Final = frozenset({"also", "use", "instead"})
_ASKING: Final = frozenset({"what", "what's", "how", "tell", "see", "look"})


def is_enough(request: Request, slots: Slots, kind: Kind) -> bool:
    """Words without a lead are a request only where they say more than the name of a column."""
    lead = request.lead
    if request.surely or lead.is_strong or request.picks:
        return True
    per = any(one.over for one in slots.measures)
    more = bool(slots.by or slots.where or slots.aggregate or per or kind in ("against", "compare"))
    return more or (lead.name == "plain" and lead.first not in _ASKING)


def first_question(request: Request, slots: Slots) -> Question | None:
    """The first question, where it is about data that it is asked."""
    question, bound, unbound = slots.questions[0], slots.bound, len(slots.unbound)
    if not _is_asked(request, slots, question):
        return None
    choices = (*question.choices, *_without(request, slots))
    whole = bool(slots.measures and (slots.by or slots.where)) and not slots.does & _CHANGES
    return question.model_copy(
        update={"bound": bound, "unbound": unbound, "choices": choices, "whole": whole}
    )


def _is_asked(request: Request, slots: Slots, question: Question) -> bool:
    lead, bound = request.lead, slots.bound
    split = bool(slots.by or request.sides)
    if request.surely:
        return bool(bound)
    if lead.is_strong:
        numbered = lead.name == "what_if" and all(one.about != "?number" for one in slots.questions)
        return bool(bound or numbered or (lead.name in _OF_DATA and lead.first != "how"))
    if slots.unbound:
        by = slots.by and any(one.sense("roles") == "by" for one in request.items)
        named = by and len(slots.unbound) == 1 and question.what == "measure" and not slots.where
        return bool(named) or _is_mostly_data(request, slots)
    if slots.measures and (question.about == LIMITED or question.why == "one_of" or request.beside.alone):
        return True  # “how many orders above 500”: of what is all that is open
    if question.why == "missing":
        return split
    return bool(split or slots.where or len(slots.questions) > 1 or question.what != "measure")


def _without(request: Request, slots: Slots) -> Sequence[Choice]:
    """The choice to leave out the words that nothing fits, where that is what is asked first."""
    there = {as_word(one.said) for one in request.items if not one.meanings}
    unfit = [(one.said, one.about) for one in slots.questions if one.why in ("no_fit", "no_use")]
    unfit = [(said, about) for said, about in unfit if about in there]
    asked = slots.questions[0].about
    return [leave_out(unfit)] if request.surely and asked in {about for _, about in unfit} else []


def _is_mostly_data(request: Request, slots: Slots) -> bool:
    """A question of which more is bound than not: what is left is asked about, and not left to free talk."""
    bound = slots.bound + (slots.aggregate is not None)
    there = bool(slots.measures or [one for one in slots.by if not one.grain]) and bound > 1
    return there and request.lead.first in QUESTIONS and len(slots.unbound) <= bound
