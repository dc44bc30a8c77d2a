"""What a message tells by the way of answers that are still to come, not surely enough to be kept, or asked about at once.

Nobody wants to say a thing twice: "15 March, 60000 a year" answers when, and the next question is for the salary. It is
put with its own question then, to be agreed to; until that it stands for nothing.
"""

from collections.abc import Sequence
from typing import Final

from softrail.core.reading import Command, Reading, Value
from softrail.reader.fields import TYPED, Span, is_typed, meets, question_query
from softrail.reader.heard import Heard
from softrail.reader.hearing import Hearing
from softrail.reader.learned import Told
from softrail.reader.seen import seen_of

_LIKELY: Final = 0.5  #: how likely a value of a type must be
_WORDS: Final = 0.7  #: the same of words: any could be a text
_FIRST: Final = 0.3  #: the same of both where nothing is asked: who begins tells of many at once
_ANSWERS: Final = (
    0.9  #: how likely all of a message must answer a question to come that answers none that is asked
)
_PLACED: Final = 0.5  #: how likely they must be these words and no others


def overheard(told: Sequence[Told], heard: Heard, spans: Sequence[Span]) -> tuple[Value, ...]:
    """Those values, the likeliest of the same words; `spans` are words that other answers have for sure."""
    found: list[tuple[Value, Span]] = []
    fields = zip(heard.fields, told, strict=True)
    for field, one in sorted(fields, key=lambda each: -each[1].given):
        typed = is_typed(field)
        if field.given or field.options or field.wanted in ("bool", "file"):
            continue
        least = _FIRST if heard.place.begins else _LIKELY if typed else _WORDS
        if one.given < least or not (typed or one.placed >= _PLACED):
            continue
        seen = seen_of(field, one, heard)
        if seen is None:
            continue
        text, span = seen.value.text, seen.span
        if typed and meets(span, _answering(heard, typed=typed)):  # "60000" in "march 15, 60000"
            span = one.start, one.end
            text = heard.message[slice(*span)]
        taken = [*spans, *_answering(heard, typed=typed), *(place for _, place in found)]
        if meets(span, taken) or not (not typed or field.reads(text) or field.may_read(text)):
            continue
        found.append((Value(field=field.name, text=text, confidence=one.given, placed=one.placed), span))
    return tuple(value for value, _ in found)


def _answering(heard: Heard, *, typed: bool) -> Sequence[Span]:
    """The words that answer what is asked; a day or a number in a sentence that does is told besides."""
    if not heard.reading or (typed and heard.place.wanted in ("text", "list")):
        return ()
    return [(heard.here.start, heard.here.end), (heard.marks.start, heard.marks.end)]


def with_overheard(reading: Reading, values: Sequence[Value]) -> Reading:
    """The reading with those of them that it neither gives nor asks about."""
    told = {value.field for command in reading.commands for value in command.values}
    told |= {value.field for value in (*reading.maybe, *reading.beside)}
    return reading.evolve(overheard=tuple(value for value in values if value.field not in told))


def with_what_is_for_later(reading: Reading, hearing: Hearing) -> Reading:
    """The reading of what is no number, day or time, and would surely answer a question to come: "he's on blood thinners"."""
    place = hearing.place
    gives = any(value.text for c in reading.commands for value in c.values) or any(
        v.text for v in reading.maybe
    )
    if place.wanted not in TYPED or not (place.of_a_form and place.shown) or place.begins or gives:
        return reading
    if any(c.act != "inform" and c.confidence >= hearing.bars.doubt for c in reading.commands):
        return reading
    later = _for_later(reading.message, hearing)
    if later is None:
        return reading
    told = Command(act="inform", target="other", confidence=later.confidence, layer="learned")
    return reading.evolve(commands=(*reading.commands, told), maybe=(), overheard=(later,))


def _for_later(message: str, hearing: Hearing) -> Value | None:
    """The answer to a question to come that all of it would surely be."""
    place = hearing.place
    fields = [f for f in place.fields() if f.name != place.field and not f.given and not f.options]
    fields = [f for f in fields if f.wanted not in ("bool", "file")]
    marks = hearing.marker.mark(message, [question_query(f) for f in fields]) if fields else []
    sure = [
        (min(one.acts.get("inform", 0.0), one.value), f, one) for f, one in zip(fields, marks, strict=True)
    ]
    for _, field, one in sorted(sure, key=lambda each: -each[0]):
        likely = one.acts.get("inform", 0.0)
        if likely < _ANSWERS or one.value < _WORDS:
            continue
        text = message[one.start : one.end] if is_typed(field) else message.strip()
        if not is_typed(field) or field.reads(text) or field.may_read(text):
            return Value(field=field.name, text=text, confidence=likely)
    return None
