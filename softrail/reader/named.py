"""The yes or no, or that there is none, of a clause that calls another answer by its name."""

from collections.abc import Sequence
from typing import Final

from softrail.core.reading import Command, Field, Value, log_odds
from softrail.language import Language
from softrail.reader.changes.spoken_of import likeness
from softrail.reader.clauses import clauses
from softrail.reader.fields import Span, asked_kind, is_named
from softrail.reader.learned import Marker, Told, query

_SURE: Final = 0.9  #: how likely a yes or no must be that its clause alone gives
_SPOKEN: Final = (
    0.3  #: how likely the joint reading must be to find it told, for one that its clause says less surely
)
_SHY: Final = (
    -4.0
)  #: log odds: a yes without a word of yes may look so much like a no, "the police took a report"
_NOTHING: Final = 0.85  #: how likely it must be that there is none: "no blockers"
_ASKS: Final = 0.5  #: from here on a clause asks


def told_by_clause(
    field: Field, told: Told, message: str, fields: Sequence[Field], marker: Marker, language: Language
) -> tuple[Command, Span] | None:
    """The yes or no, or that there is none, of a clause that speaks of the field, read by itself, and where that stands.

    "… and no medicines", "…, the barn is dry".
    """
    if field.given or not (field.wanted == "bool" or not field.required):
        return None
    for start, end in _speaking(field, message, fields, language):
        clause = message[start:end]
        denies = language.says_not(clause)
        [marks] = marker.mark(clause, [query(asked_kind(field.wanted), field.question)])
        if marks.acts.get("ask", 0.0) >= _ASKS:
            continue
        if field.wanted == "bool":
            yes, no = marks.acts.get("affirm", 0.0), marks.acts.get("negate", 0.0)
            ahead = log_odds(no) - log_odds(yes) if denies else log_odds(yes) - log_odds(no)
            called = ahead >= 0 and max(yes, no) >= _SURE and is_named(field, clause)
            if called or (told.given >= _SPOKEN and ahead >= (0 if denies else _SHY)):
                return _told(field, "no" if denies else "yes", max(yes, no, told.given)), (start, end)
        elif denies and (none := marks.acts.get("none", 0.0)) >= _NOTHING > marks.acts.get("inform", 0.0):
            return _told(field, "", none), (start, end)
    return None


def _speaking(field: Field, message: str, fields: Sequence[Field], language: Language) -> Sequence[Span]:
    """The clauses that call the field, or have words of what it is asked with; what speaks most of it comes first."""
    if field.wanted != "bool":
        return [(start, end) for start, end in clauses(message) if is_named(field, message[start:end])]
    like = {(a, b): likeness(message[a:b], fields, language)[field.name] for a, b in clauses(message)}
    return sorted((clause for clause in like if like[clause]), key=lambda clause: -like[clause])


def _told(field: Field, text: str, likely: float) -> Command:
    value = Value(field=field.name, text=text, confidence=likely, placed=1.0)
    return Command(act="inform", confidence=likely, layer="learned", target="other", values=(value,))
