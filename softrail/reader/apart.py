"""A message of several clauses of which one surely answers another question: "3 of us, economy is fine".

Each clause is read by itself, as the answer to each question that is open; the small model tells short parts apart far
better than it finds two values in one message. What belongs elsewhere is cut out, and the rest is read as if it were
all. Where a clause may belong to two, the message is left whole.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from softrail.core.reading import Bars, Command, Field, Place, Value, log_odds
from softrail.language import Language, normal
from softrail.reader.clauses import clauses
from softrail.reader.fields import (
    WORD,
    WORDED,
    Span,
    asked_kind,
    blanked,
    field_query,
    is_beside_the_point,
    is_named,
    is_of_the_words_before,
    is_typed,
    open_query,
    question_query,
    readable,
)
from softrail.reader.learned import Marker, Marks, query
from softrail.reader.ranges import Parted

_LONG: Final = 400  #: characters of a message from which on it is left whole
_MOST: Final = 6  #: clauses
_TOLD: Final = frozenset({*WORDED, "choice", "bool"})
_SURE: Final = 0.9  #: how likely a clause must be the answer of another question
_AHEAD: Final = 2.0  #: log odds by which it must be likelier there than for the open question
_AHEAD_TYPED: Final = 0.5  #: the same, where its type fits
_ANSWERED: Final = 2.0  #: log odds less, where a clause before it has answered the open question already
_APART: Final = 0.7  #: log odds by which it must be likelier than for any other answer
_NEXT: Final = 1.0  #: log odds by which the answer that is asked for next is preferred
_ELSE: Final = (
    "leave",
    "pause",
    "ask",
    "request",
    "human",
    "correct",
    "hold",
    "negate",
)  #: what a remark does not do
_NOTHING: Final = 0.85  #: how likely it must be that there is none: "no blockers"
_ASKS: Final = 0.5  #: from here on a clause asks
_BESIDE: Final = (
    3  #: words beside a number, a day or an option: with more of them the clause tells something else, too
)


@dataclass(frozen=True, kw_only=True, slots=True)
class _Found:
    """What a clause gives a field."""

    field: Field
    text: str
    likely: float
    placed: float
    named: bool
    beside: int = 0  #: words of the clause that are no part of it


def apart(message: str, place: Place, marker: Marker, bars: Bars, language: Language) -> Parted | None:
    """The message without what surely answers other questions than the open one; None where nothing does."""
    asked = place.open_field()
    if asked is None or place.own or place.offer or len(message) > _LONG or place.wanted not in _TOLD:
        return None
    parts = list(clauses(message))
    fields = [f for f in place.fields() if f is not asked and not f.given and f.wanted in _TOLD]
    if not fields or not 2 <= len(parts) <= _MOST:
        return None
    here = [_likely_here(message[a:b], place, marker) for a, b in parts]
    cut: list[tuple[Span, _Found]] = []
    for at, (start, end) in enumerate(parts):
        answered = max((here[n] for n in range(at)), default=0.0) >= bars.other
        told = {one.field.name for _, one in cut}
        left = [
            f for f in fields if f.name not in told and _may_be(f, message[start:end], here[at], answered)
        ]
        found = _belongs(message[start:end], here[at], answered, left, place, marker, bars, language)
        if found is not None and is_typed(found.field) and is_of_the_words_before(message, start, language):
            continue
        if found is not None and not (answered or found.named or is_typed(found.field)):
            continue  # people tell things in order
        if found is not None:
            cut.append(((start, end), found))
        elif cut and cut[-1][0][1] == parts[at - 1][1] and here[at] < bars.other:
            if not _adds_to(cut[-1][1], message[start:end], marker, bars, language):
                return None
            cut[-1] = _with_more(cut[-1], message, end)
    spans = [span for span, _ in cut]
    left_over = [n for n, part in enumerate(parts) if not any(a <= part[0] < b for a, b in spans)]
    rest = _rest(message, [parts[n] for n in left_over], spans)
    if not cut or rest is None or max((here[n] for n in left_over), default=0.0) < bars.other:
        return None
    return Parted(
        message=rest,
        told=tuple(_command(found) for _, found in cut),
        fields=frozenset(found.field.name for _, found in cut),
    )


def _likely_here(clause: str, place: Place, marker: Marker) -> float:
    """How likely the clause answers the open question."""
    [marks] = marker.mark(clause, [open_query(place)])
    if place.wanted == "bool":
        return max(marks.acts.get("affirm", 0.0), marks.acts.get("negate", 0.0))
    return _likely(marks)


def _may_be(field: Field, clause: str, here: float, answered: bool) -> bool:
    """It is worth a reading: it is called, or the clause is hardly for the open question; people tell things in order."""
    return is_named(field, clause) or here < _SURE or (answered and is_typed(field))


def _belongs(
    clause: str,
    here: float,
    answered: bool,
    fields: Sequence[Field],
    place: Place,
    marker: Marker,
    bars: Bars,
    language: Language,
) -> _Found | None:
    """The other answer that the clause surely is."""
    found = [one for f in fields if (one := _given(f, clause, marker, language)) is not None]
    following = next((f.name for f in fields), None)
    ranked = sorted(found, key=lambda one: -_rank(one, following))
    if not ranked:
        return None
    best = ranked[0]
    rivals = [_rank(one, following) for one in ranked[1:]]
    typed = is_typed(best.field) and best.field.wanted != place.wanted
    ahead = (_AHEAD_TYPED if typed else _AHEAD) - (_ANSWERED if answered and typed else 0.0)
    if best.beside > _BESIDE and here >= bars.doubt:
        return None
    if is_typed(best.field) and not best.named and any(language.negates(normal(w)) for w in clause.split()):
        return None  # "about 9, erm no ten"
    sure = best.likely >= (0.5 if best.named else _SURE)
    apart = best.named or _rank(best, following) - max(rivals, default=-9.0) >= _APART
    return best if sure and apart and log_odds(best.likely) - log_odds(here) >= ahead else None


def _rank(one: _Found, following: str | None) -> float:
    return (
        log_odds(one.likely) + (_NEXT if one.field.name == following else 0.0) + (2.0 if one.named else 0.0)
    )


def _given(field: Field, clause: str, marker: Marker, language: Language) -> _Found | None:
    """What the clause gives the field, if it is read as the answer to its question."""
    named = is_named(field, clause)
    if field.wanted == "bool":
        return _agreed(field, clause, marker, language) if named else None  # else a yes or no is in any words
    if is_beside_the_point(field, named):
        return None
    [first] = marker.mark(clause, [question_query(field)])
    if not named and _likely(first) < _SURE:
        return None  # what is not called by its name is so in either way
    read = [first, *marker.mark(clause, [field_query(field)])]
    none = max(marks.acts.get("none", 0.0) for marks in read)
    if named and not field.required and none >= _NOTHING > first.acts.get("inform", 0.0):
        return _Found(field=field, text="", likely=none, placed=1.0, named=True)
    likely = _likely((max if named else min)(read, key=_likely))
    marks = read[1]
    text = readable(field, clause[marks.start : marks.end], language)
    if text is None or not WORD.search(text):
        return None
    if named and not is_typed(field) and WORD.search(clause, marks.end):
        return None  # "today board looks fine": it says more than that
    beside = len(WORD.findall(blanked(clause, [(marks.start, marks.end)])))
    return _Found(
        field=field,
        text=text,
        likely=likely,
        placed=marks.span,
        named=named,
        beside=beside if is_typed(field) else 0,
    )


def _agreed(field: Field, clause: str, marker: Marker, language: Language) -> _Found | None:
    """The yes or no of a clause that calls what it is of, where the small model and the words say the same."""
    [marks] = marker.mark(clause, [query("bool", field.question)])
    yes, no = marks.acts.get("affirm", 0.0), marks.acts.get("negate", 0.0)
    denies = any(language.negates(normal(word)) for word in clause.split())
    if denies != (no > yes) or marks.acts.get("ask", 0.0) >= _ASKS:
        return None
    return _Found(field=field, text="no" if denies else "yes", likely=max(yes, no), placed=1.0, named=True)


def _likely(marks: Marks) -> float:
    return min(marks.acts.get("inform", 0.0), marks.value)


def _adds_to(found: _Found, clause: str, marker: Marker, bars: Bars, language: Language) -> bool:
    """The clause goes on with what was cut before it, and does nothing else: "3 of us, actually forget it"."""
    [marks] = marker.mark(clause, [query(asked_kind(found.field.wanted), found.field.question)])
    if max(marks.acts.get(act, 0.0) for act in _ELSE) >= bars.doubt:
        return False
    if not is_typed(found.field):
        return bool(found.named)  # what nobody called by its name is no longer than its clause
    return readable(found.field, clause, language) is None  # "or maybe 4"


def _with_more(cut: tuple[Span, _Found], message: str, end: int) -> tuple[Span, _Found]:
    """A clause that answers nothing belongs to the one before it: with it, where any words are an answer."""
    (start, _), found = cut
    if is_typed(found.field) or found.field.wanted == "bool" or not found.text:
        return (start, end), found
    at = message.index(found.text, start)
    return (start, end), replace(found, text=message[at:end])


def _rest(message: str, left: Sequence[Span], cut: Sequence[Span]) -> str | None:
    """What is left, where it is in one piece."""
    if not left:
        return None
    first, last = left[0][0], left[-1][1]
    return None if any(first < start < last for start, _ in cut) else message[first:last]


def _command(found: _Found) -> Command:
    value = Value(field=found.field.name, text=found.text, confidence=found.likely, placed=found.placed)
    return Command(act="inform", confidence=found.likely, layer="learned", target="other", values=(value,))
