"""Where a message says that something changes and calls one answer by its name, nothing else is kept on a guess."""

from dataclasses import replace

from softrail.core.reading import Bars, Place, Reading, Value
from softrail.language import Language
from softrail.reader.fields import is_named, is_typed, readable


def with_what_is_called(reading: Reading, place: Place, bars: Bars, language: Language) -> Reading:
    """The reading, where the one value in it may be for an answer that is called by its name: it is asked for which.

    "Yesterday was wrong, it was the login page" is hardly an answer to "Any blockers?", whatever its words would be by themselves.
    """
    told = [
        v for c in reading.commands for v in c.values if c.layer == "learned" and c.confidence >= bars.doubt
    ]
    if (
        place.own
        or place.offer
        or len(told) != 1
        or not told[0].text
        or reading.likely("correct") < bars.doubt
    ):
        return reading
    [value] = told
    beside = reading.message.replace(value.text, "…", 1)
    fields = [f for f in place.fields() if is_named(f, beside)]
    if len(fields) != 1 or not fields[0].given or not fields[0].present or fields[0].wanted == "bool":
        return reading
    [field] = fields
    if field.name == value.field or (is_typed(field) and readable(field, value.text, language) is None):
        return reading
    meant = Value(field=field.name, text=value.text, confidence=reading.likely("correct"))
    kept = tuple(
        replace(c, confidence=min(c.confidence, bars.doubt), values=())
        if c.values or c.act == "inform"
        else c
        for c in reading.commands
    )
    return reading.evolve(commands=kept, maybe=(meant, value))
