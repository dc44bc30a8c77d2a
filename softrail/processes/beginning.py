"""What a message gives already that starts a process: "book a table for four on Friday"."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, Final

from softrail.core.instances import Instance
from softrail.core.questions import Question
from softrail.core.reading import Place, Reading, Value
from softrail.core.turns import Turn
from softrail.language import Language, language, normal
from softrail.processes.definition import Definition, FieldDefinition
from softrail.processes.fitting_part import Part
from softrail.processes.forms import fits_its_type, part_in_form, pattern_of
from softrail.processes.placing import placed
from softrail.processes.readers import Reading as Words
from softrail.processes.unread import Unread

_LIKELY: Final = (
    0.45  #: that the message gives a value, and that it stands there: nobody has asked for it yet
)
_AGREED: Final = 2  #: readings in which it does so besides
_MAY_BE: Final = 0.25  #: that it may
_NAMED: Final = 0.4  #: the same of words that are written as a name
_NAME: Final = 4  #: words of one
_MOST: Final = 6  #: answers that it is read for


def places(definition: Definition, turn: Turn) -> Sequence[Place]:
    """The questions that the message may answer, each as if it had been asked: those for a name, or for what takes few words.

    None where the message is the words that the process starts on: they say nothing else.
    """
    said = normal(turn.message)
    if not said or any(said == normal(phrase) for phrase in definition.starts_on):
        return ()
    words = language(turn.person.locale)
    asked = [field for field in definition.fields.values() if _in_few_words(field) or _is_named(field, words)]
    return [
        replace(place_of(definition, turn, field), reads="learned", begins=True) for field in asked[:_MOST]
    ]


def _in_few_words(field: FieldDefinition) -> bool:
    """A number, a date, a time or an option; any words could be a text, and a yes is said to somebody."""
    return field.asked and not field.reader.own and field.reader.kind in ("number", "date", "time", "options")


def _is_named(field: FieldDefinition, words: Language) -> bool:
    """Somebody or something with a name is asked for."""
    asks = field.asked and not field.reader.own and field.reader.kind == "text"
    return asks and words.asks_for_a_name(field.question)


def _is_a_name(
    value: Value, message: str, field: FieldDefinition, definition: Definition, words: Language
) -> bool:
    """What is given is written as a name, or stands behind a word for one: "a contact named Ada"."""
    said, at = value.text.split(), message.find(value.text)
    if at <= 0 or not 0 < len(said) <= _NAME:
        return False
    if normal(value.text) in {normal(name) for name in definition.names}:
        return False
    *earlier, before = [word.strip(",;:") for word in message[:at].split()] or [""]
    if words.gives_a_name(before):
        return True
    capitals = all(word[:1].isupper() for word in said)
    if words.links(before) and earlier and words.is_a_name(earlier[-1]):  # "my name is Sam"
        return words.asks_of_you(field.question)
    if words.speaks_of_oneself(before):  # "I'm Sam and I want to send money"
        return capitals and words.asks_of_you(field.question)
    return capitals and not words.links(before)


def place_of(definition: Definition, turn: Turn, field: FieldDefinition) -> Place:
    """The place of a message that answers a question of a process that has not begun."""
    question = Question(prompt=field.question, options=field.reader.options)
    begun = Instance(
        id="",
        person_id=turn.person.id,
        session_id=turn.session_id,
        process=definition.name,
        version=definition.version,
        step=field.step,
        question=question,
    )
    return placed(definition, begun, turn, Place(question=question, names=definition.names))


def given_already(
    definition: Definition, turn: Turn, readings: Sequence[Reading]
) -> tuple[Mapping[str, Any], tuple[Value, ...]]:
    """The values that the message gives, as its fields read them; the same words give one of them, the likeliest."""
    words, taken = Words.of(turn), set[str]()
    codes = _of_a_form(definition, turn.message, words.locale)
    found: dict[str, Any] = {name: part.value for name, part in codes.items()}
    for value in sorted([*_given(readings), *_told_besides(readings)], key=lambda one: -one.confidence):
        field = definition.fields.get(value.field)
        if field is None or value.text in taken or value.field in found:
            continue
        if any(value.text in part.words for part in codes.values()):
            continue  # of "DX 100 200" the digits are no number
        is_text = not _in_few_words(field)
        if value.confidence < (_NAMED if is_text else _LIKELY):
            continue
        if is_text and not _is_a_name(value, turn.message, field, definition, language(turn.person.locale)):
            continue  # any words could be a text
        with suppress(Unread, ValueError):  # words that its type does not know
            found[value.field] = field.reader.read(
                value.text, words.asked(field.question, field.name, field.label)
            )
            taken.add(value.text)
    taken |= {part.words for part in codes.values()}
    given = {name: found[name] for name in definition.fields if name in found}
    return given, _may_be_given(definition, readings, given, taken)


def _told_besides(readings: Sequence[Reading]) -> Sequence[Value]:
    """What it surely tells besides, by more than one of its readings: each is of one question, and tells of all others."""
    told: dict[tuple[str, str], list[Value]] = {}
    for value in _of_others(readings):
        told.setdefault((value.field, value.text), []).append(value)
    agreed = [values for values in told.values() if len(values) >= _AGREED]
    return [max(values, key=lambda one: one.confidence) for values in agreed]


def _of_others(readings: Sequence[Reading]) -> Sequence[Value]:
    commands = [
        c for reading in readings for c in reading.commands if c.act == "inform" and c.target == "other"
    ]
    return [value for command in commands for value in command.values]


def _may_be_given(
    definition: Definition, readings: Sequence[Reading], given: Collection[str], taken: Collection[str]
) -> tuple[Value, ...]:
    """What it gives too unsurely: put with its question, and kept when it is agreed to."""
    likely = [*_of_others(readings), *(value for reading in readings for value in reading.overheard)]
    likely += [
        value
        for value in _given(readings)
        if value.confidence >= _MAY_BE and value.field in definition.fields
        if _in_few_words(definition.fields[value.field])
    ]
    found: dict[str, Value] = {}
    for value in sorted(likely, key=lambda one: -one.confidence):
        words = (*taken, *(one.text for one in found.values()))
        if value.field not in given and value.field not in found and not any(value.text in w for w in words):
            found[value.field] = value
    return tuple(found.values())


def _of_a_form(definition: Definition, message: str, locale: str) -> Mapping[str, Part]:
    """The words with figures that the pattern of one text takes, and that of no other: a number of two letters and six digits."""
    formed = [field for field in definition.fields.values() if field.asked and pattern_of(field)]
    told = {field.name: part_in_form(field, message, fits_its_type(field), locale) for field in formed}
    figures = {n: part for n, part in told.items() if part and any(map(str.isdigit, part.value))}
    values = [part.value for part in figures.values()]
    return {name: part for name, part in figures.items() if values.count(part.value) == 1}


def _given(readings: Iterable[Reading]) -> list[Value]:
    """Of each reading the surest value of the question itself."""
    surest = [reading.of("inform", target="") for reading in readings]
    return [value for command in surest if command is not None for value in command.values[:1]]
