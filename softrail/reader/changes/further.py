"""Further changes in a message that surely makes one: "call it Cleaning, and let's change that to 5:15"."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from softrail.core.reading import Bars, Place, Reading, Value
from softrail.language import Language, normal
from softrail.reader.clauses import clauses
from softrail.reader.fields import WORD, blanked, open_query
from softrail.reader.form import over_the_form
from softrail.reader.learned import Marker

_LIKELY: Final = 0.99  #: how likely a further change must be, and
_PLACED: Final = 0.9  #: how sure its place: what is left of a sentence may be anything
_WORDS: Final = 2  #: words that may make one


def with_further(reading: Reading, place: Place, marker: Marker, bars: Bars, language: Language) -> Reading:
    """The reading with what its other clauses change, read again without those that give something."""
    message, told = reading.message, [value for c in reading.commands for value in c.values]
    changed = [v for c in reading.commands if c.act == "correct" for v in c.values if v.text and v.placed]
    if not changed or place.own or place.offer:
        return reading
    places = [(at, at + len(v.text)) for v in told if v.text and (at := message.find(v.text)) >= 0]
    taken = [(a, b) for a, b in clauses(message) if any(a < end and start < b for start, end in places)]
    left = blanked(message, taken)
    if len(taken) == len(list(clauses(message))) or len(WORD.findall(left)) < _WORDS:
        return reading
    names = {value.field for value in told} - {place.field}
    others = replace(place, fields=lambda: tuple(f for f in place.fields() if f.name not in names))
    [marks] = marker.mark(left, [open_query(place)])
    form = over_the_form(left, others, marker, bars, language, marks=marks, reading=False)
    more = [
        command
        for command in form.commands
        for value in command.values
        if command.act == "correct" and value.confidence >= _LIKELY and value.placed >= _PLACED
        if bars.is_sure(value) and WORD.search(value.text) and not _is_among(value, told)
    ]
    return reading.evolve(commands=(*reading.commands, *more))


def _is_among(value: Value, told: Sequence[Value]) -> bool:
    """Its words were told already, or some of them are what was taken out."""
    return "…" in value.text or any(normal(value.text) in normal(one.text) for one in told)
