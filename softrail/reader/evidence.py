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
from softrail.reader.fields import (
    WORD,
    Span,
    blanked,
    field_query,
    names_of,
    question_query,
    spaced,
    value_behind_name,
)
from softrail.reader.heard import Heard
from softrail.reader.learned import Marks, Told

_NOTHING: Final = -0.8  #: log odds before anything is known
#: What stands beside an open answer of words may go on with it, or be a remark on it.
_BESIDE_WORDS: Final = -1.0
_JOINTLY: Final = 0.7  #: what the log odds of the joint reading count where its value begins in the clause
_ALONE: Final = 0.3  #: those of the field, read by itself, where its value begins there
_CLAUSE: Final = 0.2  #: those of the clause, read as an answer to the question of the field
_TELLS: Final = 0.15  #: those of telling anything that was not asked for
_NEXT: Final = 1.6  #: people tell things in the order in which the form will ask
_CALLED: Final = 3.0  #: the clause begins with its name and says what that is: "the key is …", "price: …"
_SPOKEN: Final = 1.0  #: another word of its name or its question; the fit has 3, but few remarks with one
_BOUND: Final = 4.0  #: the log odds of a reading count no more than this
_KNOWN: Final = 0.5  #: as sure as that the joint reading knows where the value stands
_ITS_NAME: Final = 0.5  #: a value that begins with the name it is called by is no surer than this
_HOPELESS: Final = -1.4  #: log odds that are not worth a reading


@dataclass(frozen=True, kw_only=True, slots=True)
class _Weighed:
    span: Span  #: behind the name
    odds: float
    called: bool  #: by its name
    marks: Marks  #: of the clause, read as an answer to the question of the field


def told_in_words(field: Field, told: Told, heard: Heard) -> Told:
    """What is told of a field of words, by all evidence of the clause that speaks most for it."""
    if field.given or field.options or field.wanted not in ("text", "list"):
        return told
    weighed = list(_weighed(field, told, heard))
    if not weighed:
        return told
    best = max(weighed, key=lambda one: (one.called, one.odds))
    found, likely = _placed(field, told, best), 1 / (1 + exp(-best.odds))
    if any(spaced(heard.message[found.start : found.end]).startswith(f"{name} ") for name in names_of(field)):
        likely = min(likely, _ITS_NAME)  # "music we want Time to Say Goodbye": it is asked what is meant
    return replace(found, given=max(told.given, likely))


def _weighed(field: Field, told: Told, heard: Heard) -> Iterator["_Weighed"]:
    """Each clause beside the open answer that may give it."""
    fields, marker, message = heard.place.fields(), heard.marker, blanked(heard.message, _answered(heard))
    known = _NOTHING + _TELLS * _odds(heard.joint.acts.get("inform_other", 0.0))
    known += _NEXT if field.name == heard.following else 0.0
    known += _BESIDE_WORDS if heard.place.wanted in ("text", "list") else 0.0
    said, language = heard.message, heard.language
    # "…, called Two Pots" is never of the open answer.
    found = ((clause, value_behind_name(field, said[slice(*clause)], language)) for clause in clauses(said))
    by_name = {clause: begins for clause, begins in found if begins}
    for clause in dict.fromkeys((*by_name, *clauses(message))):
        words = (said if clause in by_name else message)[slice(*clause)]
        if len(WORD.findall(words)) <= ("…" in words):
            continue  # a word beside the open answer is of it
        if _only_names(field, words, heard):
            continue  # "for the company, a map"
        begins = by_name.get(clause) or value_behind_name(field, words, language)
        spoken = min(likeness(words, fields, language)[field.name], 1.0) * _SPOKEN
        spoken = _CALLED if begins else spoken
        odds = known + spoken + _JOINTLY * _within(told.given, told.start, told.end, clause)
        if odds + (_ALONE + _CLAUSE) * _BOUND < _HOPELESS:
            continue
        [alone] = marker.mark(message, [field_query(field)])
        [marks] = marker.mark(words[begins:], [question_query(field)])
        odds += _ALONE * _within(alone.value, alone.start, alone.end, clause) + _CLAUSE * _odds(marks.value)
        start = clause[0] + begins
        marks = replace(marks, start=marks.start + start, end=marks.end + start)
        yield _Weighed(span=(start, clause[1]), odds=odds, called=begins > 0, marks=marks)


def _only_names(field: Field, words: str, heard: Heard) -> bool:
    """The clause calls the field, and says nothing else."""
    names = {word for name in names_of(field) for word in name.split()}
    said = [word for word in spaced(words).split() if not heard.language.is_choosing_word(word)]
    return not names.isdisjoint(said) and names.issuperset(said)


def _answered(heard: Heard) -> Sequence[Span]:
    """Where the open answer stands; the clauses of a list may be its items."""
    here, marks = heard.here, heard.marks
    if not heard.reading or here.given < heard.bars.other:
        return []
    items = [(marks.start, marks.end)] if heard.place.wanted == "list" else []
    return [(here.start, here.end), *items]


def _odds(likely: float) -> float:
    return max(-_BOUND, min(_BOUND, log_odds(likely)))


def _within(likely: float, start: int, end: int, clause: Span) -> float:
    """The log odds of a value that begins in the clause; those of none else."""
    return _odds(likely) if start < end and clause[0] <= start < clause[1] else -_BOUND


def _placed(field: Field, told: Told, one: "_Weighed") -> Told:
    """Where it stands: the joint reading knows best, if it finds it there; of a list it finds all items."""
    first, last = one.span
    found = told.start < last and first < told.end and not (one.called and told.start < first)
    sure = field.wanted == "list" or told.placed >= min(_KNOWN, one.marks.span) or told.end > last
    if found and sure:
        return told
    return replace(told, placed=one.marks.span, start=one.marks.start, end=one.marks.end)
