"""A day and a time of it in one breath, where one is asked for and the other is an answer of its own: "Friday at 8 pm"."""

from datetime import datetime
from typing import Final

from softrail.core.reading import Bars, Command, Place, Reading, Value
from softrail.reader.ranges import SURE

_OTHER: Final = {"date": "time", "time": "date"}


def with_other_half(reading: Reading, place: Place, bars: Bars) -> Reading:
    """The reading with the time beside an open day, or the day beside an open time; a moment keeps both to itself."""
    given = reading.exactly("inform", target="whole") or reading.of("inform", target="")
    other = _OTHER.get(place.wanted)
    if other is None or given is None or given.confidence < bars.inform or place.own:
        return reading
    words = given.values[0].text if given.values else reading.message if given.layer == "exact" else ""
    open_field = place.open_field()
    here = open_field.parses(words) if open_field is not None and open_field.parses is not None else None
    if isinstance(here, datetime):
        return reading.evolve(commands=tuple(c for c in reading.commands if not _is_within(c, words)))
    halves = [
        (f, f.parses) for f in place.fields() if f.wanted == other and not f.given and f.parses is not None
    ]
    told = {value.field for command in reading.commands for value in command.values}
    if here is None or len(halves) != 1 or halves[0][0].name in told:
        return reading
    [(half, parses)] = halves
    there = parses(reading.message)
    if there is None or isinstance(there, datetime):
        return reading
    value = Value(field=half.name, text=reading.message, confidence=SURE)
    more = Command(act="inform", confidence=SURE, layer="learned", target="other", values=(value,))
    return reading.evolve(commands=(*reading.commands, more))


def _is_within(command: Command, words: str) -> bool:
    """It gives another answer the words that are part of this value."""
    return command.target == "other" and bool(command.values) and all(v.text in words for v in command.values)
