"""A message whose clauses call the answers that they give: "yesterday I met the landlord, today I call the bank"."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from softrail.core.reading import Bars, Command, Field, Value
from softrail.language import Language
from softrail.reader.fields import BEHIND, WORD, Span, is_named, names_of, question_query, readable, spaced
from softrail.reader.hearing import Hearing
from softrail.reader.learned import Marker, Marks

#: A point ends one where it ends a word: not in "12.07", "p.m.", "Birkenstr. 40" and "no. 7".
_END: Final = r"(?<!str)(?<!\b[Nn][or])\.(?=[\s.!?]|$)|\.(?=\s+[^\d\s])"
_BETWEEN: Final = re.compile(
    rf"(?:{_END}|[!?;\n])+\s*|,\s*(?:(?:and|but|then)\s+)*|\s+(?:and|but|&)\s+(?:then\s+)?"
)
_CALLS: Final = 3  #: words at the beginning of a clause among which a name calls its field
_MOST: Final = 8  #: clauses
_FAINT: Final = 0.3  #: a clause that gives a value so hardly is another's, if one is sure of it
_SURE: Final = 0.9
_LABELLED: Final = 0.99  #: how sure what stands behind a label is
_TOLD: Final = frozenset({"text", "list"})  #: what clauses can be; anything else is found where it stands
_OPEN: Final = _TOLD | {"number", "date", "time", "choice"}  #: what may be asked for beside them


@dataclass(frozen=True, kw_only=True, slots=True)
class Told:
    """What of a message is for the open question, and what its other clauses give."""

    here: str
    others: tuple[Command, ...]


def told_by_name(message: str, hearing: Hearing) -> Told | None:
    """The clauses by the answer that each calls by its name; None where none calls another than the open one.

    The small model reads each part by itself as the answer to its own question. Where it does not take one for that, the
    message is left whole.
    """
    place, marker, bars = hearing.place, hearing.marker, hearing.bars
    field = place.open_field()
    if field is None or field.wanted not in _OPEN or place.own:
        return None
    fields = [one for one in place.fields() if one.wanted in _TOLD and not one.options]
    parts = _parts(message, field, fields, marker)
    here = [text for one, text, _ in parts if one is field]
    if len(parts) < 2 or len(here) != 1 or not _is_answered(field, here[0], marker, bars):
        return None
    others: list[Command] = []
    for one, text, labelled in parts:
        if one is field:
            continue
        marks = _marks(one, text, marker)
        if marks.acts.get("none", 0.0) >= bars.sure > marks.acts.get("inform", 0.0):
            if not one.given and not one.required:  # "no blockers": that is not asked any more
                none = Value(field=one.name, text="", confidence=marks.acts["none"])
                others.append(Command.of_another(none, changes=False))
            continue
        if labelled and not one.given:
            marks = replace(marks, start=0, end=len(text), value=_LABELLED, span=_LABELLED)
        elif one.given or not _is_sure(marks, bars) or WORD.search(text, marks.end):
            return None  # "the treatment for my back goes on": it says more than that
        said = text[marks.start : marks.end]
        if not labelled and _calls(said, one):
            return None  # "audience figures": the name is a word of what is said
        value = Value(field=one.name, text=said, confidence=marks.value, placed=marks.span)
        others.append(Command.of_another(value, changes=False))
    return Told(here=here[0], others=tuple(others))


def _is_answered(field: Field, text: str, marker: Marker, bars: Bars) -> bool:
    """What is left for the open question answers it: nothing is cut off an answer that would not be kept."""
    return _marks(field, text, marker).acts.get("inform", 0.0) >= bars.inform


def _is_sure(marks: Marks, bars: Bars) -> bool:
    """A value is there, and it is clear where."""
    given = marks.acts.get("inform", 0.0) >= bars.other and marks.value >= bars.value
    return given and marks.span >= bars.placed and marks.end > marks.start


def _parts(
    message: str, field: Field, fields: Sequence[Field], marker: Marker
) -> list[tuple[Field, str, bool]]:
    """The message cut where a clause calls a field, the open one first; what calls none belongs to the one before it.

    With it goes whether its name stands before it as a label: "today: flyer".
    """
    said = list(clauses(message))
    called = [next((one for one in fields if _calls(message[a:b], one)), None) for a, b in said]
    if len(said) > _MOST or all(one in (None, field) for one in called):
        return []
    found: list[tuple[Field, int, int]] = []
    at = field
    for (start, end), named in zip(said, called, strict=True):
        at = named or _meant(message[start:end], at, fields, marker)
        if found and found[-1][0] is at:
            found[-1] = (at, found[-1][1], end)
        else:
            found.append((at, start, end))
    return [(one, *_without_label(message[start:end], one)) for one, start, end in found]


def _meant(clause: str, before: Field, fields: Sequence[Field], marker: Marker) -> Field:
    """Whose answer a clause without a name is: that of the one before it, unless it is surely another's alone."""
    if _marks(before, clause, marker).value >= _FAINT:
        return before
    likely = [(_marks(one, clause, marker), one) for one in fields if one is not before and not one.given]
    surely = [one for m, one in likely if min(m.value, m.acts.get("inform", 0.0)) >= _SURE]
    return surely[0] if len(surely) == 1 else before


def _marks(field: Field, text: str, marker: Marker) -> Marks:
    return marker.mark(text, [question_query(field)])[0]


def clauses(message: str) -> Iterator[tuple[int, int]]:
    """Where each clause of the message begins and ends."""
    start = 0
    for between in _BETWEEN.finditer(message):
        if message[start : between.start()].strip():
            yield start, between.start()
        start = between.end()
    if message[start:].strip():
        yield start, len(message)


def says_more(field: Field, words: str, language: Language) -> bool:
    """One clause of them is the whole value of its type, and others are beside it: "2; unfurnished"; "a hundred and five" is one."""

    def value(text: str) -> object:
        return (
            readable(field, text, language) if field.options or field.parses is None else field.parses(text)
        )

    said = [words[start:end] for start, end in clauses(words)]
    return len(said) > 1 and any(value(one) == value(words) for one in said)


def are_of_one(message: str, span: Span) -> bool:
    """A part of the message stands in one of its clauses."""
    return any(a <= span[0] and span[1] <= b for a, b in clauses(message))


def clause_of(message: str, span: Span) -> Span:
    """The clause in which a part of the message stands; that part where it is of more than one."""
    return next(((a, b) for a, b in clauses(message) if a <= span[0] and span[1] <= b), span)


def clauses_of(message: str, span: Span) -> Span:
    """All of the clauses in which a part of the message stands, from the beginning of the first to the end of the last."""
    said = [(a, b) for a, b in clauses(message) if a < span[1] and span[0] < b]
    return (min(said[0][0], span[0]), max(said[-1][1], span[1])) if said else span


def head_before(message: str, start: int, others: Sequence[Span]) -> int | None:
    """Where words that begin there end, before the first clause behind them that is another's: "parking, 18 francs"."""
    begins = [(clause_of(message, span)[0], span[0]) for span in others]
    behind = [at for at in (clause if clause > start else value for clause, value in begins) if at > start]
    mark = BEHIND.search(message[start : min(behind)]) if behind else None
    head = message[start : start + mark.start()].rstrip() if mark is not None else ""
    return start + len(head) if head.strip() else None


def _calls(clause: str, field: Field) -> bool:
    """One of its names is among the first words."""
    return is_named(field, " ".join(spaced(clause).split()[:_CALLS]))


def _without_label(text: str, field: Field) -> tuple[str, bool]:
    """What stands behind "today:", and whether that does."""
    label, colon, rest = text.partition(":")
    labelled = bool(colon and rest.strip()) and spaced(label) in names_of(field)
    return (rest if labelled else text).strip(), labelled
