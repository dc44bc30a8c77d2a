"""Every clause of a message that changes answers is heard: "two rooms will do, but then only up to 900".

What a clause says alone completes what all of the message was read as. So each of them gives its own change, is asked
about, or is something else: thanks, a question, a remark.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Final

from softrail.core.reading import APART, Act, Command, Field, Place, Reading, Value
from softrail.reader.by_name import changed_by_name
from softrail.reader.changes.besides import telling
from softrail.reader.changes.parts import only_points
from softrail.reader.clauses import says_more
from softrail.reader.fields import OF_WORDS, is_the_same
from softrail.reader.heard_alone import Part, Whole, both, hear, stands_in
from softrail.reader.hearing import Hearing
from softrail.reader.looked_again import looked_for_again
from softrail.reader.meant_for import is_called, is_readable, parts_said

_MOST: Final = 5  #: clauses that are heard
_ANY: Final = OF_WORDS | {"file"}  #: where one is asked for, each clause may be of the answer
#: What a message hardly does of which every clause tells an answer.
_ELSE: Final[Sequence[Act]] = ("ask", "request", "human", "pause", "leave", "social", "repeat", "hold")
_ASKS: Final[Sequence[Act]] = ("ask", "request")
_ANSWERS: Final[Sequence[Act]] = ("correct", "none", "open", "inform")


def with_each_clause(
    reading: Reading,
    hearing: Hearing,
    alone: Callable[[str], Reading],
) -> Reading:
    """The reading with what its clauses tell alone, where all of it was not read for that."""
    place, bars, language = hearing.place, hearing.bars, hearing.language
    fields = {one.name: one for one in place.fields()}
    if not place.of_a_form or place.takes_anything or place.wanted in _ANY:
        return reading
    message, said = reading.message, parts_said(reading.message, place, language)
    if not any(one.given for one in fields.values()) or not 0 < len(said) <= _MOST:
        return reading
    parts = [Part(span=span, text=message[slice(*span)]) for span in said]
    known = {
        v.field: v
        for v in bars.sure_values(reading)
        if (v.text or v.none) and v.field in fields and is_readable(v.text, fields[v.field])
    }
    whole = Whole(
        reading=reading,
        place=place,
        fields=fields,
        known=known,
        marker=hearing.marker,
        bars=bars,
        language=language,
    )
    if len(parts) == 1:
        return _of_one(parts[0], whole)
    placed = {name: stands_in(v, fields[name], parts, message, language) for name, v in known.items()}
    placed |= _of_more(parts, whole)
    was = _of_what_was(parts, whole)
    if _told_already(parts, [*chain(*placed.values()), *was], whole):
        return reading
    _heard(parts, placed, was, alone, whole)
    _of_what_is_left(parts, placed, whole)
    _narrowed(parts, whole)
    told = [value for part in parts for value in (*part.told, *part.maybe)]
    if not told or not (known or any(value.text for value in told)):
        return reading
    return _completed(parts, placed, whole)


_Placed = Mapping[str, Sequence[Part]]  #: by answer: the clauses that have the words of what is known of it


def _told_already(parts: Sequence[Part], covered: Sequence[Part], whole: Whole) -> bool:
    """All of the message was read for what it tells, and each clause is among `covered`; what one tells by the name of its answer is certain."""
    for part in parts:
        named = changed_by_name(part.text, whole.place, whole.language)
        part.told = [v for command in named for v in command.values if v.text and whole.is_new(v)]
    if any(part.told for part in parts):
        return False
    agreed = whole.sums_up and whole.reading.likely("affirm") >= whole.bars.agreed
    if not whole.known and (agreed or _is_an_edit(whole)):
        return True
    return all(part in covered for part in parts)


def _heard(
    parts: Sequence[Part],
    placed: _Placed,
    was: Sequence[Part],
    alone: Callable[[str], Reading],
    whole: Whole,
) -> None:
    """Hear each clause that nothing covers as if it were all that is said."""
    fields, language = whole.fields, whole.language
    for part in parts:
        elsewhere = {value.field for other in parts if other is not part for value in other.told}
        its_own = {name for name, those in placed.items() if part in those}
        part.covered = bool(its_own - elsewhere) or part in was
        if not part.heard and telling(part.text, language) and not language.is_question(part.text):
            hear(part, alone(part.text), whole)
    for part in parts:
        part.covered |= any(is_called(fields[name], part.text, language) for name in whole.anew)


def _of_what_is_left(parts: Sequence[Part], placed: _Placed, whole: Whole) -> None:
    """Look once more at the clauses of which nothing was heard; of a single one is what all of the message may be as well."""
    fields, language, message = whole.fields, whole.language, whole.reading.message
    told = {value.field for part in parts for value in part.told}
    told |= {name for name, those in placed.items() if any(part.covered for part in those)}
    for part in parts:
        if not part.heard and not language.is_question(part.text):
            _look_again(part, told, whole)
        part.told = [value for value in part.told if not only_points(value.text, language)]
    unheard = [part for part in parts if not part.heard and telling(part.text, language)]
    if len(unheard) == 1 and whole.sums_up:
        left = [v for v in whole.reading.maybe if v.text and v.field not in told and v.field in fields]
        there = [stands_in(v, fields[v.field], parts, message, language) for v in left]
        unheard[0].maybe = [v for v, at in zip(left, there, strict=True) if not at or unheard[0] in at]


def _narrowed(parts: Sequence[Part], whole: Whole) -> None:
    """Leave out what a clause says of half an answer, and what is said by the way of a question."""
    _not_of_half(parts, whole)
    if whole.sums_up and not whole.known and whole.reading.likely(*_ASKS) >= whole.bars.other:
        _only_called(parts, whole)


def _not_of_half(parts: Sequence[Part], whole: Whole) -> None:
    """Without what a clause may tell of an answer whose words all of the message has in another: "just A, and maybe B"."""
    read = {
        v.field: v for c in whole.reading.commands for v in c.values if v.text and v.field in whole.fields
    }
    message, language = whole.reading.message, whole.language
    for name, value in read.items():
        those = stands_in(value, whole.fields[name], parts, message, language)
        if those and not any(part.told or part.maybe for part in those):
            for part in parts:
                part.maybe = [v for v in part.maybe if v.field != name]


def _of_what_was(parts: Sequence[Part], whole: Whole) -> Sequence[Part]:
    """The clauses that speak of what a surely changed answer was, and call no other: "45 euros please, 25 is an insult"."""
    found = []
    for one in (whole.fields[name] for name in whole.known):
        if not one.present or one.parses is None:
            continue
        others = [other for other in whole.fields.values() if other is not one]
        for part in parts:
            called = any(is_called(other, part.text, whole.language) for other in others)
            if not called and is_the_same(one.parses(part.text), one.present):
                found.append(part)
    return found


def _only_called(parts: Sequence[Part], whole: Whole) -> None:
    """Of a message that asks, only what a clause calls by its name changes: "how much for lyft and taxi"."""
    for part in parts:
        called = {name for name, one in whole.fields.items() if is_called(one, part.text, whole.language)}
        part.told = [v for v in part.told if v.field in called]
        part.maybe = [v for v in part.maybe if v.field in called]


def _of_more(parts: Sequence[Part], whole: Whole) -> Mapping[str, Sequence[Part]]:
    """Answers of words that may change to words of several clauses, and those: each alone would be less."""
    read = (v for c in whole.reading.commands for v in c.values if v.text and v.field not in whole.known)
    worded = {
        v.field: v for v in read if v.field in whole.fields and whole.fields[v.field].wanted in OF_WORDS
    }
    message, language = whole.reading.message, whole.language
    there = {name: stands_in(v, whole.fields[name], parts, message, language) for name, v in worded.items()}
    return {name: those for name, those in there.items() if len(those) > 1}


def _of_one(part: Part, whole: Whole) -> Reading:
    """The same of a message of one clause, of which nothing is known but that something is wrong, or is to come."""
    reading = whole.reading
    read = (*(v for c in reading.commands for v in c.values), *reading.maybe, *reading.beside)
    if not whole.sums_up or whole.known or any(value.text for value in read):
        return reading
    wrong = [whole.fields[name] for name in whole.anew if whole.fields[name].present]
    if any(is_called(one, part.text, whole.language) for one in wrong):
        return reading
    if _is_an_edit(whole) or reading.likely(*_ELSE, "affirm", "negate") >= whole.bars.other:
        return reading
    part.faintly = [value.field for value in reading.maybe]
    _look_again(part, (), whole)
    if not any(value.text for value in (*part.told, *part.maybe)):
        return reading
    return _completed([part], {}, whole)


def _is_an_edit(whole: Whole) -> bool:
    """Certain words change one answer that they call: it is carried out as such."""
    names = {name: one.names for name, one in whole.fields.items()}
    edit = whole.language.edit(whole.reading.message, names)
    if edit is None or edit.field is None:
        return False
    called = [one for one in whole.fields.values() if is_called(one, whole.reading.message, whole.language)]
    return len(called) < 2 and not says_more(whole.fields[edit.field], edit.text, whole.language)


def _look_again(part: Part, told: Collection[str], whole: Whole) -> None:
    fields, language = whole.fields, whole.language
    if whole.sums_up or any(is_called(one, part.text, language) for one in fields.values() if one.given):
        part.told, part.maybe = looked_for_again(
            part.text, told, part.faintly, fields, whole.marker, whole.bars, language
        )


def _completed(parts: Sequence[Part], placed: _Placed, whole: Whole) -> Reading:
    """The reading with what its clauses tell in place of what else was read of them."""
    told = _told_by_each(parts, whole.fields)
    aside = _told_by_none(parts, placed, told)
    asked = _asked(parts, {*told, *placed} - aside)
    left = _left(parts, placed, whole, {*told, *aside, *(v.field for v in chain(*asked) if v.text)})
    commands = [
        *left.commands,
        *(_command(value, whole.place, whole.fields[value.field]) for value in told.values()),
    ]
    for first, *rivals in asked:
        doubt = replace(first, placed=0.0 if first.text else 1.0, rivals=tuple(rivals))
        commands.append(Command(act="correct", confidence=whole.bars.sure, layer="learned", values=(doubt,)))
    if whole.place.wanted == "bool" and asked:
        commands += _agreed_with_that(whole)
    return left.evolve(commands=tuple(commands))


def _told_by_each(parts: Sequence[Part], fields: Mapping[str, Field]) -> dict[str, Value]:
    """What the clauses tell of each answer; what one may add to a list that another tells is asked about with that."""
    told: dict[str, Value] = {}
    for value in (value for part in parts for value in part.told):
        told[value.field] = both(told.get(value.field), value, fields[value.field])
    for part in parts:
        if more := [value for value in part.maybe if value.adds and value.field in told]:
            before = told.pop(more[0].field)
            part.maybe = [replace(both(before, more[0], fields[before.field]), placed=0.0)]
    return told


def _told_by_none(parts: Sequence[Part], placed: _Placed, told: Collection[str]) -> set[str]:
    """What was surely read, and no clause tells alone, though each that has its words tells something."""
    settled, all_heard = [part for part in parts if part.told], all(part.heard for part in parts)
    return {
        name
        for name, those in placed.items()
        if name not in told and (all(part in settled for part in those) if those else all_heard)
    }


def _asked(parts: Sequence[Part], sure: Collection[str]) -> list[list[Value]]:
    """What is asked about, of each clause; two that may change one answer are two ways to read it."""
    asked = [[value for value in part.maybe if value.field not in sure] for part in parts]
    for at, values in enumerate(asked):
        for other in asked[:at]:
            if values and any(v.field == values[0].field for v in other):
                other += values
                asked[at] = []
    return [values for values in asked if values]


def _left(parts: Sequence[Part], placed: _Placed, whole: Whole, anew: Collection[str]) -> Reading:
    """The reading without what the clauses tell `anew`, or of themselves, and without what it does no more where all are heard."""
    reading, fields, language = whole.reading, whole.fields, whole.language
    wrong = {name for name in whole.anew if not any(is_called(fields[name], p.text, language) for p in parts)}
    read = [v for c in reading.commands for v in c.values if v.text and v.field not in placed]
    left = reading.without_values_of({*anew, *wrong, *(v.field for v in read if _is_heard(v, parts, whole))})
    all_heard = all(part.heard for part in parts)
    never = [*_ANSWERS, *(("affirm", "negate") if whole.sums_up else ()), *(_ELSE if all_heard else ())]
    kept = tuple(c for c in left.commands if c.values or c.layer == "exact" or c.act not in never)
    if not whole.sums_up:
        return left.evolve(commands=kept)
    maybe = tuple(v for v in left.maybe if not _is_heard(v, parts, whole))
    return left.evolve(commands=kept, maybe=maybe, beside=())


def _agreed_with_that(whole: Whole) -> Sequence[Command]:
    """The yes or no to what is asked, which is asked about with what may change."""
    agrees = whole.reading.of("affirm", "negate")
    if agrees is None or not whole.place.field:
        return ()
    said = Value(field=whole.place.field, text="yes" if agrees.act == "affirm" else "no")
    return [Command(act="inform", confidence=agrees.confidence, layer="learned", values=(said,))]


def _is_heard(value: Value, parts: Sequence[Part], whole: Whole) -> bool:
    """Its clauses tell of themselves whose their words are."""
    one = whole.fields.get(value.field)
    if one is None:
        return False
    those = stands_in(value, one, parts, whole.reading.message, whole.language) if value.text else parts
    return all(part.heard for part in those or parts)


def _command(value: Value, place: Place, one: Field) -> Command:
    if value.field == place.field:
        return Command(act="inform", confidence=value.confidence, layer="learned", values=(value,))
    told = Command.of_another(value, changes=one.given and not value.adds)
    return replace(told, target=APART) if told.act == "correct" else told
