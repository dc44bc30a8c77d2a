"""What a message says of the other answers of its form: all of them are read at once, so that no word counts twice.

The joint reading tells of each field whether a value of it is there, where, and whether the value there was is called
wrong. What is sure is given, changed or taken back; what is not is kept for asking.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from softrail.core.reading import Command, Field, Place, Value, mean
from softrail.reader.clauses import clauses
from softrail.reader.fields import (
    Span,
    field_query,
    is_named,
    is_typed,
    open_query,
    question_query,
    value_behind_name,
)
from softrail.reader.heard import SAYS_SO, Heard, Seen, said_again
from softrail.reader.hearing import Hearing
from softrail.reader.learned import Joint, Marker, Marks, Told
from softrail.reader.named import called_by_name
from softrail.reader.overheard import overheard
from softrail.reader.seen import answers_here, seen_of, weighed
from softrail.reader.sharing import shared_out

_TELLS: Final = 0.15  #: how likely the message must be to tell of anything but what is asked
_KNOWN: Final = 0.5  #: as sure as that the joint reading knows where a value stands
_BY_NAME: Final = 0.8  #: how likely an answer is whose name stands before it
_ALONE: Final = 0.7  #: the share of the reading of one field alone, of an answer that is called by its name


@dataclass(frozen=True, kw_only=True, slots=True)
class FormRead:
    """What a message says of the answers that are not asked for."""

    here: Told  #: of the open question
    acts: Mapping[str, float]
    commands: tuple[Command, ...] = ()
    spans: tuple[tuple[str, Span], ...] = ()  #: where the values of those commands stand, by field
    beside: tuple[Value, ...] = ()  #: what may be told too, for asking
    #: Answers that are called by their names, and whose words answer what is asked as well.
    torn: tuple[Value, ...] = ()
    overheard: tuple[Value, ...] = ()  #: what may be told of answers to come
    denied: tuple[tuple[float, Field], ...] = ()  #: how likely each answer given before is called wrong


def others(place: Place) -> list[Field]:
    """All fields but the one that is asked for."""
    return [f for f in place.fields() if f.name != place.field]


def joint(message: str, place: Place, marker: Marker) -> Joint:
    """The open question and all other fields, read at once."""
    return marker.joint(message, [open_query(place), *map(_put, others(place))])


def over_the_form(message: str, hearing: Hearing, *, marks: Marks, reading: bool) -> FormRead:
    """All other fields, read at once.

    `marks` are what the message does as an answer to the open question; `reading` says whether it has a value for it.
    """
    place, marker, bars, language = hearing.place, hearing.marker, hearing.bars, hearing.language
    heard = Heard(
        message=message,
        place=place,
        fields=others(place),
        joint=joint(message, place, marker),
        marks=marks,
        reading=reading,
        marker=marker,
        bars=bars,
        language=language,
    )
    told = [_called(field, one, heard) for field, one in zip(heard.fields, heard.joint.told[1:], strict=True)]
    shared = shared_out(weighed(_not_beside_the_point(_seen(told, heard), heard), heard), heard)
    return FormRead(
        here=heard.here,
        acts=heard.joint.acts,
        commands=tuple(called_by_name(message, shared.commands, heard.fields, bars, language)),
        spans=shared.spans,
        beside=shared.beside,
        torn=shared.torn,
        overheard=overheard(heard.joint.told[1:], heard, [span for _, span in shared.spans]),
        denied=tuple(_denied(told, heard)),
    )


def _seen(told: Sequence[Told], heard: Heard) -> list[Seen]:
    """Every value for another answer; what is told by yes or no is read by the model of closed questions."""
    found = (seen_of(field, one, heard) for field, one in zip(heard.fields, told, strict=True))
    return [one for one in found if one is not None and (one.named or not answers_here(one, heard))]


def _not_beside_the_point(seen: Sequence[Seen], heard: Heard) -> Sequence[Seen]:
    """Without remarks, which are no value whatever they could be; "add blocker …" names the one it is for."""
    if heard.reading and max(heard.tells, heard.changes) < _TELLS:
        seen = [one for one in seen if one.named or one.field.given]
    called = [field for field in heard.fields if field.given and is_named(field, heard.message)]
    if len(called) == 1:  # "the goal should be 600": those words are for no other answer
        seen = [
            one
            for one in seen
            if is_typed(one.field) or one.field is called[0] or not is_named(called[0], one.value.text)
        ]
    names = {field.name: field.names for field in heard.fields}
    edit = heard.language.edit(heard.message, names) if heard.place.wanted == "confirm" else None
    return seen if edit is None else [one for one in seen if edit.field in (None, one.field.name)]


def _denied(told: Sequence[Told], heard: Heard) -> Sequence[tuple[float, Field]]:
    """How likely each answer given before is called wrong."""
    return [
        (one.denied, field)
        for field, one in zip(heard.fields, told, strict=True)
        if field.given and field.present and field.wanted != "bool"
        if one.given < one.denied or not said_again(field, one, heard.message)
    ]


def _called(field: Field, one: Told, heard: Heard) -> Told:
    """What is told of a field that has no answer yet and is called by its name.

    A value of a type is as likely as in the mean of both readings; words behind "the audience is" are for it.
    """
    if field.given or not is_named(field, heard.message):
        return one
    if not is_typed(field):
        return _behind_its_name(field, one, heard) if field.wanted in ("text", "list") else one
    if heard.tells < SAYS_SO:
        return one
    [alone] = heard.marker.mark(heard.message, [field_query(field)])
    if alone.value <= one.given or alone.end <= alone.start:
        return one
    both = mean(one.given, alone.value, second=_ALONE)
    return replace(one, given=both, start=alone.start, end=alone.end, placed=alone.span)


def _behind_its_name(field: Field, one: Told, heard: Heard) -> Told:
    """The words of the first clause that begins with its name and says what that is: "the key is …", "audience: …"."""
    for start, end in clauses(heard.message):
        begins = value_behind_name(field, heard.message[start:end], heard.language)
        if not begins:
            continue
        at = start + begins
        [marks] = heard.marker.mark(heard.message[at:end], [question_query(field)])
        named = replace(one, given=max(one.given, _BY_NAME))
        sure = one.placed >= min(_KNOWN, marks.span) or one.end > end  # a list goes on behind its first item
        if (at <= one.start < end and sure) or marks.end <= marks.start:
            return named
        return replace(named, start=at + marks.start, end=at + marks.end, placed=marks.span)
    return one


def _put(field: Field) -> str:
    """The field as it is put to the model: a yes that was given is a yes."""
    if field.wanted != "bool" or field.present is None:
        return field_query(field)
    return field_query(replace(field, present="yes" if field.present == "True" else "no"))
