"""What the joint reading finds of one other answer: a value that its type reads, and how likely that is."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Final

from softrail.core.reading import Field, Value, just_below, mean
from softrail.language import normal
from softrail.reader.changes.parts import before_the_old, denies_the_old, is_shaped_like
from softrail.reader.changes.spoken_of import SPOKEN_OF, likeness
from softrail.reader.clauses import clause_of, clauses
from softrail.reader.fields import (
    SENTENCE_END,
    TYPED,
    WORD,
    Span,
    beside_its_name,
    fewest_words,
    field_query,
    is_beside_the_point,
    is_for_a_name,
    is_named,
    is_the_same,
    is_typed,
    meets,
    name_said_last,
    readable,
    spaced,
)
from softrail.reader.heard import SAYS_SO, TOLD, Heard, Seen, said_again, says_no
from softrail.reader.learned import Told
from softrail.reader.options import option_called, option_meant
from softrail.reader.so_long import lasts_so_long, other_of_a_length
from softrail.reader.unasked import is_spoken_of

_FAINT: Final = 0.1  #: what is less likely is nothing
_LEAST: Final = 0.02  #: the same, where something surely changes
_SURE_OF_PLACE: Final = 0.9  #: below it a value for another answer ends with its sentence
_SEEN: Final = 0.3  #: from here on a value for an answer that has none may be one
_REMARK: Final = 0.9  #: the same, where any remark could be the value, and none is needed
_PLAINLY: Final = 0.7  #: how likely a message must change something, where nothing speaks of which answer
_CHANGED: Final = 0.6  #: from here on a value is denied that cannot be read otherwise
_ALONE: Final = 0.7  #: the share of the reading of one field alone, where no answer is called by its name
#: How likely a change is that is called by its name and has figures where the old value has: a telephone, a plate.
_SHAPED: Final = 0.9
_AWAY: Final = ("request", "ask", "hold", "pause", "leave", "human")


def seen_of(field: Field, told: Told, heard: Heard) -> Seen | None:
    """The value of a field, if it is likely enough to be asked about and its type reads it."""
    message = heard.message
    least = _LEAST if field.given and heard.changes >= SAYS_SO else _FAINT
    if field.wanted == "bool" or told.given < least or told.end <= told.start:
        return None
    start, end = told.start, told.end
    if told.placed < _SURE_OF_PLACE and (ends := SENTENCE_END.search(message, start, end)) is not None:
        end = ends.start()
    start, end = _in_its_clause(field, field.widened(message, start, end), heard)
    if heard.place.begins and is_typed(field) and field.parses is not None:  # "1pm" of "11 dec 1pm"
        start, end = fewest_words(message, (start, end), field.parses) or (start, end)
    named = is_named(field, f"{message[:start]} {message[end:]}")
    if not field.given and is_beside_the_point(field, named) and told.given < _REMARK:
        return None
    value = _value(field, told, (start, end), heard)
    if value is None or not (field.options or WORD.search(value.text)) or said_again(field, told, message):
        return None
    if field.given and (value := _as_a_change(field, told, value, heard)) is None:
        return None
    return Seen(field=field, told=told, named=named, value=value, start=start, end=end)


def _in_its_clause(field: Field, span: Span, heard: Heard) -> Span:
    """Where its value of a type stands, of which another clause tells that calls it by its name: "1,100 at most, and two rooms"."""
    if field.wanted not in TYPED or field.parses is None:
        return span
    message = heard.message
    called = [c for c in clauses(message) if is_named(field, message[slice(*c)])]
    if any(meets(span, [clause]) for clause in called):
        return span
    told = [at for clause in called if (at := fewest_words(message, clause, field.parses))]
    return told[0] if len(told) == 1 else span


def _value(field: Field, told: Told, span: Span, heard: Heard) -> Value | None:
    """What the words there give, how likely that is, and how surely it is these words."""
    words, language, bars = heard.message[slice(*span)], heard.language, heard.bars
    text, placed, likely = readable(field, words, language), told.placed, told.given
    if field.options:
        option = option_called(words, field.options, language)
        if text is None and option is None and told.given >= bars.other:
            option, placed = option_meant(
                heard.message, field.question, field.options, heard.marker, bars, language, beside=True
            )
        elif option is not None and not field.given and not language.leaves_out(heard.message, option.label):
            whole = f" {spaced(option.label)} " in f" {spaced(words)} "
            if whole or told.given >= _SEEN:
                likely = max(likely, TOLD)  # its very word is hardly more
        text = text or (option.means if option is not None else None)
    elif text is None and is_typed(field) and not field.given:  # "only half an hour"
        clause = heard.message[slice(*clause_of(heard.message, span))]
        text = readable(field, clause, language) or next(
            (said for said in (words, clause) if field.may_read(said)), None
        )  # "half four": it is asked which of the two is meant
    if (
        text is None
        and is_typed(field)
        and min(told.given, told.denied) >= _CHANGED
        and heard.changes >= SAYS_SO
    ):
        text = words  # "start at 3 instead": it is told why that cannot be read
    if text is None:
        return None
    asked = heard.place.wanted == "confirm"  # about all of them
    if field.options and not asked and not is_spoken_of(heard.message, field, text, heard.marker, language):
        if not field.given or heard.reading:
            return None
        placed = 0.0  # it is asked whether that is to change
    if field.wanted == "text" and is_for_a_name(field, language):
        text = name_said_last(text, language)  # "the pond behind our school called Frog Watch"
    return Value(field=field.name, text=text, confidence=likely, placed=placed)


def _as_a_change(field: Field, told: Told, value: Value, heard: Heard) -> Value | None:
    """The value in place of the one that was given, or beside it; None where there is none such."""
    if field.wanted == "text" and heard.adds and not is_named(field, heard.message):
        return None  # "oh and the publisher wants it by May" is no new one
    alone = value.text if is_typed(field) else beside_its_name(field, value.text, heard.language)
    if alone != value.text:
        value = replace(value, text=alone, placed=0.0)
    if field.wanted == "text" and (new := before_the_old(field.present or "", value.text, heard.language)):
        value = replace(value, text=new)
    elif field.wanted == "text" and denies_the_old(field.present or "", value.text, heard.language):
        value = replace(value, placed=0.0)  # "Lana no Lena": it is asked what is meant
    if field.wanted != "list":
        likely = mean(told.given, told.denied)
        called = heard.changes >= SAYS_SO and is_named(field, heard.message)
        if field.wanted == "text" and called and is_shaped_like(value.text, field.present or ""):
            return replace(value, confidence=max(likely, _SHAPED), placed=1.0)
        return replace(value, confidence=likely)
    if not field.present:
        return value
    clause = heard.message[slice(*clause_of(heard.message, (told.start, told.end)))]
    names = {field.name: field.names}
    edit = heard.language.edit(heard.message, names) or heard.language.edit(clause, names)
    if edit is None and _comes_to_it(told, heard):
        return replace(value, adds=True)
    if edit is None:
        return replace(value, rivals=(replace(value, adds=True),))
    if edit.op == "add":
        return replace(value, text=edit.text if edit.text in heard.message else value.text, adds=True)
    if edit.op == "remove":
        return None
    return replace(value, text=edit.text) if edit.text in value.text else value  # "today should read reviews"


def _comes_to_it(told: Told, heard: Heard) -> bool:
    """It is said that those words come to what there is: "we also tried a cable", "a cable, too"; none that denies is sure of it."""
    message, language = heard.message, heard.language
    start, end = clause_of(message, (told.start, told.end))
    beside = f"{message[start : told.start]} {message[told.end : end]}"
    last = WORD.fullmatch(message[end:].strip(" ,.!"))  # a clause of its own, behind a comma
    words = [normal(word) for word in (*WORD.findall(beside), *([last.group()] if last is not None else []))]
    said = (*words, *map(" ".join, pairwise(words)))  # "too", "as well"
    return any(map(language.is_more, said)) and not says_no(beside, language)


# -- whether its words are for the open question


def answers_here(one: Seen, heard: Heard) -> bool:
    """The words are hardly for another answer: they would answer what is asked, were taken back, or wish for something."""
    here, marks, bars, reading = heard.here, heard.marks, heard.bars, heard.reading
    if reading and _is_a_part_of_it(one, heard):
        return True
    said = (one.value.text, one.field, heard.message, heard.place, heard.language)
    if not one.field.given and lasts_so_long(one.field) and other_of_a_length(*said) is not None:
        return True  # "seven, for ten days now"
    if one.field.given and reading and heard.changes < bars.correct and one.touches((here.start, here.end)):
        return True
    if one.field.given:  # any words could be its value, and nothing says that it is to change
        changes = max(heard.changes, one.told.denied if heard.says_no else 0.0)  # "no, call it Foo"
        return one.field.wanted in ("text", "list") and changes < bars.rival
    chooses = heard.place.wanted == "choice" and not _stands_there(one, heard)  # which option is read later
    if not reading and not chooses and marks.acts.get("inform", 0.0) >= bars.other:
        return True  # it answers the question, in words that its type cannot read
    if is_typed(one.field) and one.field.wanted == heard.place.wanted:
        # "20, no wait, 25": people tell things in order, and one of the two is what was taken back.
        clause = heard.message[slice(*clause_of(heard.message, (one.start, one.end)))]
        asked = heard.place.open_field()
        if not reading and asked is not None and not asked.reads(clause):
            return False  # "25 mins" are no guests
        again = one.end <= max(here.start, marks.start) or one.touches((marks.start, marks.end))
        return again if reading else marks.acts.get("inform", 0.0) >= bars.doubt
    away = max(marks.acts.get(act, 0.0) for act in _AWAY)
    return not reading and one.field.wanted in ("text", "list") and away >= bars.doubt


def _stands_there(one: Seen, heard: Heard) -> bool:
    """Its words are some of those that answer what is asked."""
    here, marks = heard.here, heard.marks
    return one.touches((marks.start, marks.end)) or one.touches((here.start, here.end))


def _is_a_part_of_it(one: Seen, heard: Heard) -> bool:
    """Without those words the value that answers the question would be another: the year of a day, "two thousand"."""
    field, marks = heard.place.open_field(), heard.marks
    if heard.place.wanted not in TYPED or field is None or field.parses is None or not is_typed(one.field):
        return False
    start, end = field.widened(heard.message, marks.start, marks.end)
    if not start <= one.start < one.end <= end:
        return False
    value = field.parses(heard.message[start:end])
    without = f"{heard.message[start : one.start]} {heard.message[one.end : end]}"
    return value is not None and field.parses(without) != value


# -- how likely it is, beside all others


def weighed(seen: Sequence[Seen], heard: Heard) -> list[Seen]:
    """Those that are worth asking about, each as likely as everything lets it be."""
    seen = [_read_twice(one, heard) for one in seen]
    seen = [_on_evidence(_shared(_fits_alone(one, heard), seen, heard), heard) for one in seen]
    return [one for one in seen if one.likely >= heard.bars.doubt]


def _read_twice(one: Seen, heard: Heard) -> Seen:
    """A change that calls no answer by its name, as likely as it is in the mean of both readings.

    The joint reading knows best that something changes, the one of a field alone what kind of words that field has.
    """
    if not one.field.given or one.named:
        return one
    [alone] = heard.marker.mark(heard.message, [field_query(one.field)])
    likely = alone.value if one.touches((alone.start, alone.end)) else _LEAST
    both = mean(one.likely, max(likely, _LEAST), second=_ALONE)
    value = replace(one.value, confidence=both)
    if (alone.start, alone.end) == (one.start, one.end) and value.placed:
        value = replace(value, placed=max(value.placed, alone.span))
    return replace(one, value=value)


def _shared(one: Seen, seen: Sequence[Seen], heard: Heard) -> Seen:
    """The value, likelier where the message surely tells or changes something and hardly another field has its words.

    A change is only at the summary, which is shown again with it.
    """
    if one.field.given and heard.place.wanted != "confirm":
        return one
    says_so = heard.changes if one.field.given else heard.tells
    rivals = [r for r in seen if r.field.given == one.field.given and r.touches((one.start, one.end))]
    if one.named and is_typed(one.field):
        rivals = [r for r in rivals if r.named]  # "the rent can be 1400" is for no other number
    share = one.likely / max(sum(r.likely for r in rivals), 1e-6)
    likely = min(share, says_so)
    least = _FAINT if one.field.given and one.named else _SEEN
    if says_so < SAYS_SO or one.likely < least or likely <= one.likely:
        return one
    return replace(one, value=replace(one.value, confidence=likely))


def _fits_alone(one: Seen, heard: Heard) -> Seen:
    """The value of a type, wherever exactly it ends, where no other answer could be those words: "make that seven people".

    An answer of the same type could be, unless the message speaks less of that: how many people come, and how many cars.
    """
    field, text, message, language = one.field, one.value.text, heard.message, heard.language
    clause = next((c for c in clauses(message) if c[0] <= one.start and one.end <= c[1]), None)
    if not field.given or not is_typed(field) or clause is None or one.value.placed >= _SURE_OF_PLACE:
        return one
    if field.parses is not None and is_the_same(field.parses(text), field.present or ""):
        return one
    rest = (message[clause[0] : one.start], message[one.end : clause[1]])
    like = likeness(message, heard.fields, language)
    others = (
        f
        for f in heard.fields
        if f.given and is_typed(f) and f is not field and like[f.name] >= like[field.name]
    )
    reads = [(field, words) for words in rest] + [(other, text) for other in others]
    if readable(field, text, language) is None or any(readable(f, w, language) is not None for f, w in reads):
        return one
    return replace(one, value=replace(one.value, placed=1.0))


def _on_evidence(one: Seen, heard: Heard) -> Seen:
    """The value, in doubt where nothing speaks of that answer, and hardly anything of a change: "he's nearly four"."""
    field, language = one.field, heard.language
    plainly = heard.bars.correct if is_typed(field) else _PLAINLY
    if not field.given or one.named or heard.changes >= plainly or field.options:
        return one
    rest = f"{heard.message[: one.start]} {heard.message[one.end :]}"
    words = heard.message if is_typed(field) else rest  # "make that 5 kilos": the unit may be the word for it
    if says_no(rest, language) or likeness(words, heard.fields, language)[field.name] >= SPOKEN_OF:
        return one
    most = 0.0 if is_typed(field) and heard.changes < heard.bars.doubt else just_below(heard.bars.changed)
    return replace(one, value=replace(one.value, confidence=min(one.likely, most)))
