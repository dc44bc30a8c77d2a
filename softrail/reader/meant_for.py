"""Whose words are: what a clause says of an answer that it calls by its name is for that answer alone.

"Change other pets to Biscuit and nans dog" turns no animal to a dog, and "rent 1300" is no part of town. What is put on a
button can be the answer, and is another than the one there is.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Final

from softrail.core.questions import Option
from softrail.core.reading import Command, Field, Place, Reading, Value
from softrail.language import Language, choose, normal
from softrail.reader.both_options import called_in
from softrail.reader.called import without_opening
from softrail.reader.changes.besides import telling
from softrail.reader.changes.numbers import is_number
from softrail.reader.changes.parts import keys
from softrail.reader.clauses import clauses
from softrail.reader.fields import (
    OF_WORDS,
    TYPED,
    Span,
    fewest_words,
    is_there,
    meets,
    names_of,
    places_of,
    readable,
    spaced,
    words_of_names,
)
from softrail.reader.hearing import Hearing

_OPEN: Final = OF_WORDS | {"own"}  #: where one is asked for, any words may be of the answer


def with_each_for_its_own(reading: Reading, hearing: Hearing) -> Reading:
    """The reading without values of answers whose words are another's; an option is asked about whose words may be that."""
    place, language = hearing.place, hearing.language
    if not place.of_a_form or place.takes_anything or place.wanted in _OPEN:
        return reading
    fields = {field.name: field for field in place.fields()}
    said = parts_said(reading.message, place, language)

    def its_own(value: Value) -> Value | None:
        one = fields.get(value.field)
        if one is None or not value.text or value.field == place.field or one.wanted in ("bool", "file"):
            return value
        apart = [*clauses(reading.message)] if one.wanted == "number" else said
        at = _where(value, one, reading.message, apart, language)
        if at is None:
            return value
        clause = reading.message[slice(*at)]
        if _is_anothers(clause, value.text, one, fields, language):
            return None
        lists = [f for f in fields.values() if f.given and f.wanted == "list"]
        if (
            one.options
            and lists
            and _adds_something(clause, language)
            and not is_called(one, clause, language)
        ):
            return None
        comes = one.options and one.given and not is_called(one, clause, language)
        if comes and (comes_to_it(clause, language)):
            return replace(value, placed=0.0)
        return value

    return _with_each(reading, its_own)


def with_sensible_offers(reading: Reading, hearing: Hearing) -> Reading:
    """The reading without doubts about what can be no answer: of another type, the same as before, or another one's words."""
    place, bars, language = hearing.place, hearing.bars, hearing.language
    if not place.of_a_form or place.takes_anything or place.wanted in _OPEN:
        return reading
    fields = {field.name: field for field in place.fields()}
    names = {one.name: words_of_names(f for f in fields.values() if f is not one) for one in fields.values()}
    reading = with_each_for_its_own(reading, hearing)
    told = [v for c in reading.commands for v in c.values if v.text and v.field in fields]
    worded = [v for v in told if fields[v.field].wanted in OF_WORDS and not fields[v.field].options]
    options = [one for one in fields.values() if one.options]
    chosen = any(choose(reading.message, one.options, language=language, alone=True) for one in options)
    said = [one for one in options if any(v.field == one.name and bars.is_sure(v) for v in told)]

    def sensible(value: Value) -> Value | None:
        one = fields.get(value.field)
        if one is None or not value.text or bars.is_sure(value):
            return value
        if is_said_again(value, one) or one.refuses(value.text):
            return None
        if one.options:
            option = next((o for o in one.options if o.means == value.text), None)
            return None if option is not None and any(called_in(v.text, option) for v in worded) else value
        if not is_readable(value.text, one):
            return None
        new = telling(value.text, language) - telling(one.present or "", language)
        is_of_more = any(v.field != value.field and value.text in v.text != value.text for v in worded)
        if one.wanted in OF_WORDS and ((new and new <= names[one.name]) or is_of_more):
            return None
        if one.wanted not in OF_WORDS or one.options:
            return value
        is_chosen = any(choose(value.text, f.options, language=language, alone=True) for f in said)
        is_when = any(
            f.given and f.wanted in ("date", "time") and f.reads(value.text) for f in fields.values()
        )
        return None if chosen or is_chosen or is_when else value  # "unfurnished", "5 pm" are no part of town

    return _with_each(reading, sensible)


def parts_said(message: str, place: Place, language: Language) -> list[Span]:
    """Its clauses; one that begins nothing of its own belongs to the one before it."""
    found: list[Span] = []
    fields = place.fields()
    for start, end in clauses(message):
        if found and _goes_on(message, found[-1], (start, end), fields, language):
            found[-1] = (found[-1][0], end)
        else:
            found.append((start, end))
    return found


def _goes_on(message: str, before: Span, span: Span, fields: Sequence[Field], language: Language) -> bool:
    """It is the rest of a value, "a hundred and five", or more of what the one before it adds, or of an answer of words that it calls."""
    said, more = message[slice(*before)], message[slice(*span)]
    words = [normal(word) for word in more.split()]
    if language.denies(words[0]) and not any(map(language.moves, words[1:2])):
        return True  # "make it 6, not 8"; "not more than 8" is of its own
    for one in fields:
        if one.wanted in TYPED and one.parses is not None:
            value, all_of_it = one.parses(message[before[0] : span[1]]), (before[0], span[1])
            at = fewest_words(message, all_of_it, one.parses) if value is not None else None
            if at is not None and at[0] < before[1] and span[0] < at[1] and value != one.parses(said):
                return True
    called = [one for one in fields if is_called(one, said, language)]
    worded = len(called) == 1 and not called[0].options and called[0].wanted in OF_WORDS
    if not (worded or (not called and _adds_something(said, language))):
        return False
    begins = any(map(language.changes, words)) or any(map(language.links, words))
    return not (
        begins
        or language.speaks_of_oneself(words[0])
        or any(is_called(one, more, language) for one in fields)
    )


def is_readable(text: str, one: Field) -> bool:
    """They are a value of its type, or one of two; of a list of options, some of these."""
    read = one.wanted in TYPED or one.wanted == "list"
    return not read or one.parses is None or one.reads(text) or one.may_read(text)


def is_said_again(value: Value, one: Field) -> bool:
    """It is what the answer is by now."""
    if not one.given or not one.present or value.adds or value.none:
        return False
    if one.wanted == "bool":
        return (one.present == "True") == (value.text == "yes")
    if one.options:
        return value.text == one.present
    return one.wanted in TYPED and is_there(one, value.text)


def _with_each(reading: Reading, told: Callable[[Value], Value | None]) -> Reading:
    """The reading with what becomes of each value; the likeliest of what the same words may change stands in for one that goes."""

    def kept(value: Value) -> Value | None:
        some = [new for one in (value, *value.rivals) if (new := told(one)) is not None]
        if not some:
            return None
        rivals = tuple(replace(one, rivals=()) for one in some[1:])
        return replace(some[0], rivals=rivals)

    def each(values: Sequence[Value]) -> tuple[Value, ...]:
        return tuple(one for value in values if (one := kept(value)) is not None)

    commands = list[Command]()
    for command in reading.commands:
        values = each(command.values) if command.layer != "exact" else command.values
        if values or not command.values or command.act == "inform":
            commands.append(replace(command, values=values) if values != command.values else command)
    return reading.evolve(commands=tuple(commands), maybe=each(reading.maybe), beside=each(reading.beside))


def _calls(clause: str, option: Option, language: Language) -> bool:
    """All of its label is said, or of another word for it, be it of several: "the hamsters"."""
    said = keys(clause)
    names = [keys(name) for name in (option.label, *option.words)]
    return any(all(any(language.is_plural(k, word) for k in said) for word in name) for name in names if name)


def _where(value: Value, one: Field, message: str, said: list[Span], language: Language) -> Span | None:
    """The one clause in which it stands; None where that is not known, or its words are of more than one."""
    places = places_of(value.text.splitlines(), message)
    if not places and one.options:
        called = [option for option in one.options if option.means == value.text]
        found = [s for s in said if any(_calls(message[slice(*s)], option, language) for option in called)]
    else:
        found = [span for span in said if meets(span, places)]
    return found[0] if len(found) == 1 else None


def _is_anothers(clause: str, text: str, one: Field, fields: Mapping[str, Field], language: Language) -> bool:
    """The clause calls another answer, and not this one, and tells what that is."""
    if is_called(one, clause, language):
        return False
    counted = bool(one.options) or one.wanted in OF_WORDS or one.wanted == "number"
    for other in (
        other for other in fields.values() if other is not one and is_called(other, clause, language)
    ):
        if other.options or other.wanted == "bool":
            takes = counted and other.wanted != "bool" and readable(other, clause, language) is not None
        elif other.wanted in OF_WORDS:
            takes = counted
        elif one.wanted in OF_WORDS and other.wanted == "number":
            own = {word for word in telling(text, language) if not is_number(word, language)}
            takes = own <= words_of_names([other]) or _reads(other, clause)
        else:
            takes = other.wanted == one.wanted or (counted and _reads(other, clause))
        if takes:
            return True
    return False


def _reads(field: Field, clause: str) -> bool:
    """It has a value of that type."""
    if field.wanted not in TYPED or field.parses is None:
        return False
    return fewest_words(clause, (0, len(clause)), field.parses) is not None


def _adds_something(clause: str, language: Language) -> bool:
    """It is added to what there is: "add my knee"."""
    edit = language.edit(without_opening(clause, language), {})
    return edit is not None and edit.op == "add"


def is_called(one: Field, clause: str, language: Language) -> bool:
    """It has a name of that answer which tells something: "to" is the name of many a place, and hardly called by it."""
    said = f" {spaced(clause)} "
    return any(f" {name} " in said for name in names_of(one) if telling(name, language))


def comes_to_it(clause: str, language: Language) -> bool:
    """It is said that something comes to what there is: "we also have a cat", "add a garage"."""
    words = [*map(normal, clause.split())]
    more = any(map(language.is_more, (*words, *map(" ".join, pairwise(words)))))
    return more or _adds_something(clause, language)
