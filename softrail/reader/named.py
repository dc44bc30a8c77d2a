"""The yes or no, or that there is none, of a clause that calls another answer by its name."""

from typing import Final

from softrail.core.reading import Command, Field, Value
from softrail.language import Language, normal
from softrail.reader.clauses import clauses
from softrail.reader.fields import asked_kind, is_named
from softrail.reader.learned import Marker, query

_SURE: Final = 0.9  #: how likely a yes or no must be that its clause alone gives
_NOTHING: Final = 0.85  #: how likely it must be that there is none: "no blockers"
_ASKS: Final = 0.5  #: from here on a clause asks


def told_by_clause(field: Field, message: str, marker: Marker, language: Language) -> list[Command]:
    """The yes or no, or that there is none, of a clause that calls the field, read by itself: "… and no medicines"."""
    if field.given or not (field.wanted == "bool" or not field.required):
        return []
    for start, end in clauses(message):
        clause = message[start:end]
        if not is_named(field, clause):
            continue
        denies = any(language.negates(normal(word)) for word in clause.split())
        [marks] = marker.mark(clause, [query(asked_kind(field.wanted), field.question)])
        if marks.acts.get("ask", 0.0) >= _ASKS:
            continue
        if field.wanted == "bool":
            yes, no = marks.acts.get("affirm", 0.0), marks.acts.get("negate", 0.0)
            if denies == (no > yes) and max(yes, no) >= _SURE:
                return [_told(field, "no" if denies else "yes", max(yes, no))]
        elif denies and (none := marks.acts.get("none", 0.0)) >= _NOTHING > marks.acts.get("inform", 0.0):
            return [_told(field, "", none)]
    return []


def _told(field: Field, text: str, likely: float) -> Command:
    value = Value(field=field.name, text=text, confidence=likely, placed=1.0)
    return Command(act="inform", confidence=likely, layer="learned", target="other", values=(value,))
