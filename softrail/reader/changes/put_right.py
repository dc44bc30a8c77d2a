"""What is right, said in the same breath as what is wrong: "that's not right, the budget was 600".

An answer that is called wrong would be asked for anew. What is said of it besides is heard as the answer to that question:
taken where it calls the answer by its name and is clear, and else put to the person, with what was read.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from softrail.core.reading import APART, Bars, Command, Field, Place, Reading, Value
from softrail.language import Language, normal
from softrail.reader.called import said_behind_name, without_opening
from softrail.reader.changes.numbers import held, is_number, with_its_number
from softrail.reader.changes.parts import tells_something
from softrail.reader.clauses import clauses
from softrail.reader.fields import question_query
from softrail.reader.hearing import Hearing
from softrail.reader.learned import Marker

_MEANT: Final = 0.4  #: how likely it must be that words beside answer the question that would be put


def with_what_is_right(reading: Reading, hearing: Hearing) -> Reading:
    """The reading with new words for an answer that is called wrong, where the message has them."""
    place, bars, language = hearing.place, hearing.bars, hearing.language
    if not place.of_a_form:
        return reading
    reading = _counted_alike(reading, place, language)
    wrong = _wrong(reading, place, bars)
    # A number for the one that an answer has is of no other answer.
    numbered = [field for field in wrong if with_its_number(reading.message, field, language)]
    fields = numbered if len(numbered) == 1 else wrong
    found = [value for field in fields for value in _right(reading, field, hearing.marker, bars, language)]
    if not found:
        return reading
    first, *others = sorted(found, key=lambda value: -value.confidence)
    left = reading.without_values_of([v.field for v in found]).evolve(maybe=())
    says = max(reading.likely("correct"), bars.correct)
    value = replace(first, rivals=tuple(others)) if first.placed < bars.placed else first
    told = Command(act="correct", confidence=says, layer="learned", values=(value,))
    # A yes or no to a summary is said to what is about to be another.
    rest = left.without("affirm", "negate") if place.wanted == "confirm" else left
    return rest.evolve(commands=(*rest.commands, told))


def _counted_alike(reading: Reading, place: Place, language: Language) -> Reading:
    """The reading in which a bare number takes the place of the one in an answer, and not of what it counts: "600" of "500 euros"."""
    fields = {f.name: f for f in place.fields() if f.present and f.wanted in ("text", "list")}

    def told(value: Value) -> Value:
        field = fields.get(value.field)
        if field is None or value.adds or not value.text:
            return value
        there = field.items if field.wanted == "list" else [field.present or ""]
        new = value.text.splitlines()
        gone, come = [one for one in there if one not in new], [one for one in new if one not in there]
        if len(gone) != 1 or len(come) != 1 or not is_number(come[0], language):
            return value
        old = [one for one in held(field, language) if one.item == gone[0]]
        return replace(value, text=old[0].with_number(come[0])) if len(old) == 1 else value

    return reading.with_changes(told)


def _wrong(reading: Reading, place: Place, bars: Bars) -> Sequence[Field]:
    """The answers of words that are called wrong, or of which one may be, while nothing is known of what is right."""
    told = [v for c in reading.commands if c.act == "correct" and c.target != APART for v in c.values]
    if any(value.text for value in told) or (not told and reading.likely("correct") < bars.sure):
        return []
    names = [v.field for v in (told or reading.maybe) if not v.text and not v.none]
    by_name = {field.name: field for field in place.fields()}
    fields = [by_name[name] for name in names if name in by_name]
    return [f for f in fields if f.present and f.wanted in ("text", "list") and not f.options]


def _right(reading: Reading, field: Field, marker: Marker, bars: Bars, language: Language) -> Iterator[Value]:
    """What the message says of it besides: behind its name, a number for the one it has, or what would answer its question."""
    message, likely = reading.message, max(reading.likely("correct"), bars.changed)
    if (named := _behind_its_name(message, field, marker, bars, language)) is not None:
        yield replace(named, confidence=likely)
        return
    numbered = with_its_number(message, field, language)
    for at, text in enumerate(numbered):
        yield Value(field=field.name, text=text, confidence=likely - at * 0.01, placed=0.0)
    if not numbered and (said := _answer(message, field, marker, bars, language)) is not None:
        yield Value(field=field.name, text=said[1], confidence=said[0], placed=0.0)


def _behind_its_name(
    message: str, field: Field, marker: Marker, bars: Bars, language: Language
) -> Value | None:
    """The words of a clause that begins with its name and says what it is: "no no, success is when it's clean"."""
    for start, end in clauses(message):
        found = said_behind_name(field, without_opening(message[start:end], language), marker, language)
        if found is None or found[1].value < bars.rival:
            continue
        text, marks = found
        sure = marks.acts.get("inform", 0.0) >= bars.inform and marks.value >= bars.value
        return Value(field=field.name, text=text, placed=marks.span if sure else 0.0)
    return None


def _answer(
    message: str, field: Field, marker: Marker, bars: Bars, language: Language
) -> tuple[float, str] | None:
    """What stands behind the first clause and would be an answer to its question, with how likely it is one."""
    for start, _ in [*clauses(message)][1:]:
        rest = message[start:].strip(" \t\n,;.!?")
        rest = language.without_too(rest) or rest  # that it comes to what there is is heard of itself
        [marks] = marker.mark(rest, [question_query(field)])
        text = rest[marks.start : marks.end]
        again = normal(text) == normal(field.present or "")
        if marks.value >= _MEANT and tells_something(text, language) and not again:
            return marks.value, text
    return None
