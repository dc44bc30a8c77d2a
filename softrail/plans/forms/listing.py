"""“Show me the open tickets”, “which orders were not paid?”, “list them”: the rows themselves are wanted, and no number."""

import re
from typing import Final

from softrail.plans.forms.form import Form, Measure
from softrail.plans.forms.reads import reads_of
from softrail.plans.forms.request import Request
from softrail.plans.forms.slots import Slots
from softrail.plans.forms.vocabulary import is_key

_SHOWS: Final = frozenset({"list", "show", "see", "give", "get", "let", "display", "print"})
#: “Show me the rows”, “list them”, “which ones are they?”, said of what is told.
_THEM: Final = re.compile(
    r"(?:(?:and|so|ok|okay|now|please|can you|could you|which ones|i want to|let me)[,]? )*"
    r"(?:(?:show|list|give|see|display|print)(?: me| us)?(?: all| all of)? (?:the |those |these )?"
    r"(?:rows|records|entries|them|ones|details)(?: in full| behind (?:it|that|this))?"
    r"|which (?:ones|rows|records|entries)(?: are (?:they|those|these|that|it))?|which are (?:they|those|these))(?: please)?",
    re.IGNORECASE,
)


def lists(asked: Request, slots: Slots) -> bool:
    """The rows are asked for: they are shown, or which of them it is is asked; and nothing is counted, split or drawn."""
    if (
        slots.aggregate is not None
        or slots.hows
        or slots.drawn
        or slots.extreme
        or slots.along[0]
        or slots.rest
    ):
        return False
    keys, counted = _keys(asked), [one.column for one in slots.measures]
    if asked.picks:
        return not counted and any(one.column in keys for one in slots.by)
    named = len(counted) == 1 and counted[0] in ("", *keys)
    return named and not slots.by and asked.lead.name == "plain" and asked.lead.first in _SHOWS


def counts_them(asked: Request, slots: Slots) -> bool:
    """Which rows it is is asked, and how many they are: split by what names each row they would be one each."""
    keys = _keys(asked)
    return slots.aggregate == "count" and bool(slots.by) and all(one.column in keys for one in slots.by)


def _keys(asked: Request) -> set[str]:
    """The columns that name each row."""
    table = asked.known.table
    return {column.name for column in table.columns if is_key(column, table)}


def lists_them(message: str) -> bool:
    """A whole message that asks for the rows of what is told."""
    said = " ".join(message.replace(",", " ").split()).strip(" .!?;…")
    return _THEM.fullmatch(said) is not None


def rows_of(form: Form) -> Form:
    """The rows that a form was made of, one by one."""
    where = (*form.where, *form.sides) if len(form.sides) == 1 else form.where
    kept = Form(
        kind="rows",
        source=form.source,
        table=form.table,
        title=form.title,
        measures=(Measure(),),
        where=where,
    )
    told = {one.told() for one in where}
    return kept.model_copy(update={"reads": reads_of(kept, [one for one in form.reads if one.means in told])})
