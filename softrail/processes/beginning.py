"""What a message gives already that starts a process: "book a table for four on Friday"."""

from collections.abc import Collection, Mapping, Sequence
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
from softrail.processes.placing import field_for, placed
from softrail.processes.readers import Reading as Words
from softrail.processes.state import State
from softrail.processes.unread import Unread

_LIKELY: Final = (
    0.45  #: that the message gives a value, and that it stands there: nobody has asked for it yet
)
_SURELY: Final = 0.85  #: how likely words must be, and stand there, that could be any text or list
_NAMED: Final = 0.4  #: the same of words that are written as a name
_NAME: Final = 4  #: words of one
_STEM: Final = 5  #: letters by which a word is one of the wish: "planning", "plan a lesson"
_MOST: Final = 2  #: questions for a name as whose answer it is read


def places(definition: Definition, turn: Turn) -> Sequence[Place]:
    """Where the message that begins a process is read: before anything is asked, and as an answer to each question for a name.

    Nowhere where it is the words that the process starts on: they say nothing else.
    """
    said, words = normal(turn.message), language(turn.person.locale)
    if not said or any(said == normal(phrase) for phrase in definition.starts_on):
        return ()
    named = [field for field in definition.fields.values() if _is_named(field, words)][:_MOST]
    each = [replace(place_of(definition, turn, one), reads="learned", begins=True) for one in named]
    return [_before_all(definition, turn), *each]


def _before_all(definition: Definition, turn: Turn) -> Place:
    """The place of a message that is said before anything is asked: all answers are to come."""
    empty = State()
    asked = [one for one in definition.fields.values() if one.asked and one.shown and not one.reader.own]
    fields = tuple(field_for(one, empty, turn, definition) for one in asked)
    return Place(
        question=Question(prompt=""),
        wanted="text",
        names=definition.names,
        fields=lambda: fields,
        reads="learned",
        begins=True,
    )


def _is_named(field: FieldDefinition, words: Language) -> bool:
    """Somebody or something with a name is asked for."""
    asks = field.asked and not field.reader.own and field.reader.kind == "text"
    return asks and words.asks_for_a_name(field.question)


def _in_few_words(field: FieldDefinition) -> bool:
    """A number, a date, a time or an option; any words could be a text, and a yes is said to somebody."""
    return field.asked and not field.reader.own and field.reader.kind in ("number", "date", "time", "options")


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
    """The values that the message gives, as its fields read them, and what it may give: that is put with its question."""
    known, taken = language(turn.person.locale), list[str]()
    codes = _of_a_form(definition, turn.message, turn.person.locale)
    found: dict[str, Any] = {name: part.value for name, part in codes.items()}
    wish = _Wish(definition, known)
    first = [value for value in _told(readings[:1], "other") if not wish.has(value)]
    named = [value for value in _told(readings[1:], "") if not wish.has(value)]
    for value in sorted([*first, *named], key=lambda one: -one.confidence):
        field = definition.fields.get(value.field)
        if field is None or value.text in taken or value.field in found:
            continue
        if any(value.text in part.words for part in codes.values()):
            continue  # of "DX 100 200" the digits are no number
        if value.field not in codes and pattern_of(field) and any(map(str.isdigit, value.text)):
            continue  # there are two such numbers, or none
        if not _is_sure(value, turn.message, field, definition, known):
            continue
        with suppress(Unread, ValueError):  # words that its type does not know
            words = Words.of(turn).asked(field.question, field.name, field.label)
            found[value.field] = field.reader.read(value.text, words)
            taken.append(value.text)
    taken += [part.words for part in codes.values()]
    given = {name: found[name] for name in definition.fields if name in found}
    overheard = [v for reading in readings[:1] for v in reading.overheard if not wish.has(v)]
    return given, _may_be_given([*first, *overheard], given, taken)


class _Wish:
    """The words with which a process is asked for: they are no answer of it, however much they look like one."""

    def __init__(self, definition: Definition, words: Language) -> None:
        self._definition, self._words = definition, words
        asked = " ".join((*definition.starts_on, *definition.names, definition.title))
        self._asked = {word[:_STEM] for word in self._telling(asked)}

    def has(self, value: Value) -> bool:
        """Most of what could be any words are words of the wish: "help at the food bank"."""
        field = self._definition.fields.get(value.field)
        if field is None or field.reader.kind not in ("text", "list") or field.reader.chooses_several:
            return False
        told = self._telling(value.text)
        wished = sum(word[:_STEM] in self._asked for word in told)
        return bool(told) and 2 * wished > len(told)

    def _telling(self, text: str) -> list[str]:
        return [word for word in normal(text).split() if not self._words.is_choosing_word(word)]


def _told(readings: Sequence[Reading], target: str) -> Sequence[Value]:
    commands = (c for reading in readings for c in reading.commands)
    return [v for c in commands if c.act == "inform" and c.target == target for v in c.values]


def _is_sure(
    value: Value, message: str, field: FieldDefinition, definition: Definition, words: Language
) -> bool:
    """A number, a day or an option that was read is; any words could be a text or a list, and have to be written as a name, or surely stand there."""
    if _in_few_words(field) or field.reader.kind == "consent":
        return value.confidence >= _LIKELY
    if min(value.confidence, value.placed) >= _SURELY and not _is_named(field, words):
        return True
    return value.confidence >= _NAMED and _is_a_name(value, message, field, definition, words)


def _may_be_given(told: Sequence[Value], given: Collection[str], taken: Sequence[str]) -> tuple[Value, ...]:
    """What it gives too unsurely, the likeliest of the same words."""
    found: dict[str, Value] = {}
    for value in sorted(told, key=lambda one: -one.confidence):
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
