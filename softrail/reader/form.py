"""What a message says of the other answers of its form: all of them are read at once, so that no word counts twice.

The joint reading tells of each field whether a value of it is there, where, and whether the value there was is called
wrong. What is sure is given, changed or taken back; what is not is kept for asking.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from softrail.core.reading import Bars, Command, Field, Place, Value, mean
from softrail.language import Language
from softrail.processes.spoken import counts_what_is_asked
from softrail.reader.clauses import clauses
from softrail.reader.evidence import told_in_words
from softrail.reader.fields import TYPED, Span, blanked, field_query, is_named, is_typed, open_query
from softrail.reader.heard import COUNTED, SAYS_SO, Heard, Seen, said_again, tells_other
from softrail.reader.learned import Joint, Marker, Marks, Told
from softrail.reader.led import led
from softrail.reader.left_over import left_over
from softrail.reader.named import called_by_name
from softrail.reader.seen import answers_here, seen_of, weighed
from softrail.reader.sharing import shared_out
from softrail.reader.yes_or_no import agreed, told_by_clause

_TELLS: Final = 0.15  #: how likely the message must be to tell of anything but what is asked
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
    denied: tuple[tuple[float, Field], ...] = ()  #: how likely each answer given before is called wrong


def others(place: Place) -> list[Field]:
    """All fields but the one that is asked for."""
    return [f for f in place.fields() if f.name != place.field]


def joint(message: str, place: Place, marker: Marker) -> Joint:
    """The open question and all other fields, read at once."""
    return marker.joint(message, [open_query(place), *map(_put, others(place))])


def over_the_form(
    message: str, place: Place, marker: Marker, bars: Bars, language: Language, *, marks: Marks, reading: bool
) -> FormRead:
    """All other fields, read at once.

    `marks` are what the message does as an answer to the open question; `reading` says whether it has a value for it.
    """
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
    told = [
        told_in_words(field, _called(field, one, heard), heard)
        for field, one in zip(heard.fields, heard.joint.told[1:], strict=True)
    ]
    commands, apart, seen = _field_by_field(told, heard)
    shared = shared_out(weighed(_not_beside_the_point(seen, heard), heard), heard)
    commands += shared.commands
    for find in (_left_over, _counted, _led) if reading else ():
        more = find(commands, [span for _, span in (*shared.spans, *apart)], heard)
        commands += [command for command, _ in more]
        apart += [(command.values[0].field, span) for command, span in more]
    return FormRead(
        here=heard.here,
        acts=heard.joint.acts,
        commands=tuple(called_by_name(message, commands, heard.fields, bars, language)),
        spans=(*shared.spans, *apart),
        beside=shared.beside,
        torn=shared.torn,
        denied=tuple(_denied(told, heard)),
    )


def _field_by_field(
    told: Sequence[Told], heard: Heard
) -> tuple[list[Command], list[tuple[str, Span]], list[Seen]]:
    """What is told by yes or no, the clauses that tell it, and every value for another answer."""
    commands: list[Command] = []
    apart: list[tuple[str, Span]] = []
    seen: list[Seen] = []
    for field, one in zip(heard.fields, told, strict=True):
        if by_clause := told_by_clause(field, one, heard):
            commands.append(by_clause[0])
            apart.append((field.name, by_clause[1]))
        elif field.wanted == "bool":
            commands += agreed(field, one, heard)
        elif (found := seen_of(field, one, heard)) and (found.named or not answers_here(found, heard)):
            seen.append(found)
    # "And yes, she fetched it on Friday" tells a yes, and no first day.
    seen = [one for one in seen if one.named or not any(one.touches(span) for _, span in apart)]
    return commands, apart, seen


def _not_beside_the_point(seen: Sequence[Seen], heard: Heard) -> Sequence[Seen]:
    """Without remarks, which are no value whatever they could be; "add blocker …" names the one it is for."""
    if heard.reading and max(heard.tells, heard.changes) < _TELLS:
        seen = [one for one in seen if one.named or one.field.given or one.in_words]
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


def _left_over(
    commands: Sequence[Command], spans: Sequence[Span], heard: Heard
) -> Sequence[tuple[Command, Span]]:
    """The values of one type that the clauses beside all that is told are; none where hardly an answer is left out of them."""
    if heard.here.given < heard.bars.other:
        return []
    told = {value.field for command in commands for value in command.values}
    left = blanked(heard.message, [(heard.here.start, heard.here.end), *_taken(spans, heard)])
    typed = [f for f in heard.fields if is_typed(f) and not f.given and f.wanted != heard.place.wanted]
    likely = {f.name: one.given for f, one in zip(heard.fields, heard.joint.told[1:], strict=True)}
    by_name = {field.name: field for field in typed}
    return [
        (_of_its_half(command, span, by_name, heard), span)
        for command, span in left_over(left, typed, told, likely, heard.language)
    ]


def _of_its_half(command: Command, span: Span, fields: Mapping[str, Field], heard: Heard) -> Command:
    """A time with the half of the day that stands beside a day: "tomorrow night at 11"."""
    [value] = command.values
    field = fields[value.field]
    words = heard.message[slice(*field.widened(heard.message, *span))]
    if field.wanted != "time" or not field.reads(words):
        return command
    return replace(command, values=(replace(value, text=words),))


def _counted(
    commands: Sequence[Command], spans: Sequence[Span], heard: Heard
) -> Sequence[tuple[Command, Span]]:
    """The numbers of clauses that count what another question asks for: "19, and give them 30 days"."""
    told = {value.field for command in commands for value in command.values}
    asked, locale = heard.place.open_field(), heard.language.code
    taken = _taken(spans, heard)
    found: list[tuple[Command, Span]] = []
    for start, end in clauses(heard.message):
        words = heard.message[start:end]
        field = heard.counted(words)
        if field is None or any(start < b and a < end for a, b in taken):
            continue
        here = asked is not None and counts_what_is_asked(words, asked.question, locale)
        if field.wanted != "number" or field.given or field.name in told or here or not field.reads(words):
            continue
        found.append((tells_other(field, words, COUNTED), (start, end)))
    return found


def _led(commands: Sequence[Command], spans: Sequence[Span], heard: Heard) -> Sequence[tuple[Command, Span]]:
    """The values behind the word that their question begins with."""
    told = {value.field for command in commands for value in command.values}
    return list(led(told, _taken(spans, heard), heard))


def _taken(spans: Sequence[Span], heard: Heard) -> Sequence[Span]:
    """Where all values stand, the one that was asked for with them where it has a type."""
    return [*spans, (heard.marks.start, heard.marks.end)] if heard.place.wanted in TYPED else spans


def _called(field: Field, one: Told, heard: Heard) -> Told:
    """What is told of a field that has no answer yet and is called by its name, as it is in the mean of both readings."""
    message = heard.message
    if heard.tells < SAYS_SO or field.given or not is_typed(field) or not is_named(field, message):
        return one
    [alone] = heard.marker.mark(message, [field_query(field)])
    if alone.value <= one.given or alone.end <= alone.start:
        return one
    both = mean(one.given, alone.value, second=_ALONE)
    return replace(one, given=both, start=alone.start, end=alone.end, placed=alone.span)


def _put(field: Field) -> str:
    """The field as it is put to the model: a yes that was given is a yes."""
    if field.wanted != "bool" or field.present is None:
        return field_query(field)
    return field_query(replace(field, present="yes" if field.present == "True" else "no"))
