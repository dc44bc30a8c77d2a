"""How likely a clause gives an answer of words that nobody asked for: everything that speaks for it, as log odds.

No reading alone knows it. The joint one is shy where it has not learned names of fields, the reading of one field takes any
remark for a value of it. Together, with the words of the question and the order of the form, they are right in nine of
ten: the weights are fitted on clauses of people, list by list, each on those of the other lists.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import exp
from typing import Final

from softrail.core.reading import Field, log_odds
from softrail.reader.changes.spoken_of import likeness
from softrail.reader.clauses import clauses
from softrail.reader.fields import WORD, Span, behind_name, blanked, field_query, question_query
from softrail.reader.heard import Heard
from softrail.reader.learned import Marker, Marks, Told

_NOTHING: Final = -1.0  #: log odds before anything is known
_JOINTLY: Final = (
    0.7  #: what the log odds of the joint reading count, where the value that it finds begins in the clause
)
_ALONE: Final = 0.3  #: those of the field, read by itself, where its value begins there
_CLAUSE: Final = 0.2  #: those of the clause, read as an answer to the question of the field
_TELLS: Final = 0.15  #: those of telling anything that was not asked for
_NEXT: Final = 1.6  #: people tell things in the order in which the form will ask
_SPOKEN: Final = (
    1.0  #: a word of the name or of the question: less than on those lists, which have few remarks with one
)
_BOUND: Final = 4.0  #: the log odds of a reading count no more than this
_LIST: Final = -1.0  #: log odds from which on a clause beside one of a list is of it, too
_KNOWN: Final = 0.5  #: as sure as that the joint reading knows where the value stands
_HOPELESS: Final = -1.4  #: log odds that are not worth a reading


@dataclass(frozen=True, kw_only=True, slots=True)
class _Weighed:
    at: int  #: which of the clauses
    span: Span
    odds: float
    marks: Marks  #: of the clause, read as an answer to the question of the field


def told_in_words(field: Field, told: Told, heard: Heard) -> Told:
    """What is told of a field of words, by all evidence of the clause that speaks most for it; of a list, of those beside it."""
    if field.given or field.options or field.wanted not in ("text", "list"):
        return told
    weighed = list(_weighed(field, told, heard))
    if not weighed:
        return told
    best = max(range(len(weighed)), key=lambda at: weighed[at].odds)
    found = _placed(told, weighed[best])
    if field.wanted == "list" and found is not told:
        items = _beside(weighed, best)
        found = replace(found, start=items[0].marks.start, end=items[-1].marks.end)
    return replace(found, given=max(told.given, 1 / (1 + exp(-weighed[best].odds))))


def _beside(weighed: Sequence["_Weighed"], best: int) -> Sequence["_Weighed"]:
    """The clauses of a list: those around the likeliest one that may be of it, too, "sweeping, mopping and the bins"."""
    first = last = best
    while first > 0 and weighed[first - 1].odds >= _LIST and weighed[first - 1].at + 1 == weighed[first].at:
        first -= 1
    while (
        last + 1 < len(weighed)
        and weighed[last + 1].odds >= _LIST
        and weighed[last + 1].at - 1 == weighed[last].at
    ):
        last += 1
    return weighed[first : last + 1]


def _weighed(field: Field, told: Told, heard: Heard) -> Iterator["_Weighed"]:
    """Each clause beside the open answer that may give it."""
    here, fields, marker = heard.here, heard.place.fields(), heard.marker
    answers = heard.reading and here.given >= heard.bars.other
    message = blanked(heard.message, [(here.start, here.end)] if answers else [])
    known = _NOTHING + _TELLS * _odds(heard.joint.acts.get("inform_other", 0.0))
    known += _NEXT if field.name == heard.following else 0.0
    for at, clause in enumerate(clauses(message)):
        words = message[slice(*clause)]
        if len(WORD.findall(words)) <= ("…" in words):
            continue  # a word beside the open answer is of it
        spoken = min(likeness(words, fields, heard.language)[field.name], 1.0)
        odds = known + _SPOKEN * spoken + _JOINTLY * _within(told.given, told.start, told.end, clause)
        if odds + (_ALONE + _CLAUSE) * _BOUND < _HOPELESS:
            continue
        [alone] = marker.mark(message, [field_query(field)])
        marks = _behind_its_name(field, words, marker)
        odds += _ALONE * _within(alone.value, alone.start, alone.end, clause) + _CLAUSE * _odds(marks.value)
        marks = replace(marks, start=marks.start + clause[0], end=marks.end + clause[0])
        yield _Weighed(at=at, span=clause, odds=odds, marks=marks)


def _behind_its_name(field: Field, words: str, marker: Marker) -> Marks:
    """The clause, read as an answer to the question of the field; what it is called by is no part of it: "the key is …"."""
    [marks] = marker.mark(words, [question_query(field)])
    name = behind_name(field, words[marks.start : marks.end])
    if name is None:
        return marks
    behind = marks.start + name
    [rest] = marker.mark(words[behind:], [question_query(field)])
    if rest.value < _KNOWN or rest.end <= rest.start:
        return marks
    return replace(marks, start=rest.start + behind, end=rest.end + behind, span=rest.span)


def _odds(likely: float) -> float:
    return max(-_BOUND, min(_BOUND, log_odds(likely)))


def _within(likely: float, start: int, end: int, clause: Span) -> float:
    """The log odds of a value that begins in the clause; those of none else."""
    return _odds(likely) if start < end and clause[0] <= start < clause[1] else -_BOUND


def _placed(told: Told, one: "_Weighed") -> Told:
    """Where it stands: the joint reading knows best, if it finds it there."""
    first, last = one.span
    found = told.start < last and first < told.end
    if found and (told.placed >= min(_KNOWN, one.marks.span) or told.end > last):
        return told
    return replace(told, placed=one.marks.span, start=one.marks.start, end=one.marks.end)
