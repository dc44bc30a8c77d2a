"""A yes or no to a question that nobody asked, or that there is none: told by a clause, by the reading, or turned round."""

from collections.abc import Sequence
from typing import Final

from softrail.core.reading import Act, Command, Field, Value, log_odds
from softrail.reader.changes.spoken_of import likeness
from softrail.reader.clauses import clauses
from softrail.reader.fields import WORD, Span, asked_kind, field_query, is_named
from softrail.reader.heard import Heard, tells_other
from softrail.reader.learned import Told, query

_AGREED: Final = 0.85  #: from here on a yes or no to another question is told
_CHANGED: Final = 0.95  #: and from here on it changes one that was given, which is not called by its name
_SURE: Final = 0.9  #: how likely a yes or no must be that its clause alone gives
_SPOKEN: Final = (
    0.3  #: how likely the joint reading must be to find it told, for one that its clause says less surely
)
_SHY: Final = (
    -4.0
)  #: log odds: a yes without a word of yes may look so much like a no, "the police took a report"
_NOTHING: Final = 0.85  #: how likely it must be that there is none: "no blockers"
_ASKS: Final = 0.5  #: from here on a clause asks
_TELLING: Final = 2  #: words behind a yes or no that make it more than a courtesy: "two coffees, yes please"


def told_by_clause(field: Field, told: Told, heard: Heard) -> tuple[Command, Span] | None:
    """The yes or no, or that there is none, of a clause that speaks of the field, read by itself, and where that stands.

    "… and no medicines", "…, the barn is dry".
    """
    if field.given or not (field.wanted == "bool" or not field.required):
        return None
    if (said := _said_next(field, heard)) is not None:
        return said
    if told.given < _SPOKEN and not is_named(field, heard.message):
        return None
    for start, end in _speaking(field, heard):
        clause = heard.message[start:end]
        denies = heard.language.says_not(clause)
        [marks] = heard.marker.mark(clause, [query(asked_kind(field.wanted), field.question)])
        if marks.acts.get("ask", 0.0) >= _ASKS:
            continue
        if field.wanted == "bool":
            yes, no = marks.acts.get("affirm", 0.0), marks.acts.get("negate", 0.0)
            ahead = log_odds(no) - log_odds(yes) if denies else log_odds(yes) - log_odds(no)
            called = ahead >= 0 and max(yes, no) >= _SURE and is_named(field, clause)
            if called or (told.given >= _SPOKEN and ahead >= (0 if denies else _SHY)):
                return tells_other(field, "no" if denies else "yes", max(yes, no, told.given)), (start, end)
        elif denies and (none := marks.acts.get("none", 0.0)) >= _NOTHING > marks.acts.get("inform", 0.0):
            return tells_other(field, "", none), (start, end)
    return None


def _said_next(field: Field, heard: Heard) -> tuple[Command, Span] | None:
    """A clause behind the answer that begins with a yes or no, where such a question comes next: "22905 km, and yes I filled it up"."""
    if field.wanted != "bool" or field.name != heard.following or not heard.reading:
        return None
    begin = heard.marks.end if heard.marks.span >= heard.bars.span else 1  # of a value that is somewhere
    parts = [(_behind_and(heard, a, b), b) for a, b in clauses(heard.message)]
    for (start, end), (behind, further) in zip(parts, [*parts[1:], parts[-1]], strict=True):
        goes_on = not heard.message[end:behind].strip(" ,")
        if goes_on and heard.language.consent(heard.message[start:end]) in ("yes", "no"):
            end = further  # "and yes, he starts on Monday"
        clause = heard.message[start:end]
        said, rest = heard.language.consent_and_more(clause)
        if start < begin or said not in ("yes", "no") or len(WORD.findall(rest)) < _TELLING:
            continue
        [marks] = heard.marker.mark(clause, [query("bool", field.question)])
        likely = marks.acts.get("affirm" if said == "yes" else "negate", 0.0)
        if likely >= _SURE > marks.acts.get("ask", 0.0):
            return tells_other(field, said, likely), (start, end)
    return None


def _behind_and(heard: Heard, start: int, end: int) -> int:
    """Where the clause begins without the "and" at its head."""
    first, _, rest = heard.message[start:end].partition(" ")
    return end - len(rest) if rest and heard.language.adds(first) else start


def _speaking(field: Field, heard: Heard) -> Sequence[Span]:
    """The clauses that call the field, or have words of what it is asked with; what speaks most of it comes first."""
    message = heard.message
    if field.wanted != "bool":
        return [(start, end) for start, end in clauses(message) if is_named(field, message[start:end])]
    like = {
        (a, b): likeness(message[a:b], heard.fields, heard.language)[field.name] for a, b in clauses(message)
    }
    return sorted((clause for clause in like if like[clause]), key=lambda clause: -like[clause])


def agreed(field: Field, told: Told, heard: Heard) -> list[Command]:
    """A yes or no to another question, by the joint reading; where one was given, what turns it round."""
    yes = told.yes >= told.no
    likely = told.yes if yes else told.no
    sure = likely >= _AGREED and not (field.given and _is(field, yes))
    if field.given and not is_named(field, heard.message):
        # "All fine but the day" says yes to the summary.
        spoken = (
            heard.place.wanted != "confirm"
            or likeness(heard.message, heard.fields, heard.language)[field.name]
        )
        sure = sure and likely >= _CHANGED and bool(spoken)
    if not sure:
        return _turned_round(field, heard) if field.given else []
    act: Act = "correct" if field.given else "inform"
    value = Value(field=field.name, text="yes" if yes else "no", confidence=likely, placed=1.0)
    target = "" if field.given else "other"
    return [Command(act=act, confidence=likely, layer="learned", target=target, values=(value,))]


def _turned_round(field: Field, heard: Heard) -> list[Command]:
    """A yes that becomes a no, or a no a yes, where the message changes something and speaks of what that is about."""
    like = likeness(heard.message, heard.fields, heard.language)
    if heard.changes < heard.bars.correct or not 0 < like[field.name] == max(like.values()):
        return []
    [alone] = heard.marker.mark(heard.message, [field_query(field)])
    if alone.value < heard.bars.changed:
        return []
    value = Value(field=field.name, text="no" if field.present == "True" else "yes", confidence=alone.value)
    return [Command(act="correct", confidence=alone.value, layer="learned", values=(value,))]


def _is(field: Field, yes: bool) -> bool:
    return (field.present == "True") == yes
