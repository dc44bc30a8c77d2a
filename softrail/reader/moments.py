"""A day and a time of it in one breath, where one is asked for and the other is an answer of its own: "Friday at 8 pm"."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Final

from softrail.core.reading import Bars, Command, Field, Place, Reading, Value
from softrail.reader.ranges import SURE

_OTHER: Final = {"date": "time", "time": "date"}


def with_other_half(reading: Reading, place: Place, bars: Bars) -> Reading:
    """The reading with the time beside a day, or the day beside a time; a moment keeps both to itself."""
    if place.own or not (place.wanted in _OTHER or any(c.target == "other" for c in reading.commands)):
        return reading
    fields = {field.name: field for field in place.fields()}
    given = reading.exactly("inform", target="whole") or reading.of("inform", target="")
    sure = given is not None and given.confidence >= bars.inform and place.wanted in _OTHER
    if given is not None and sure and place.field in fields:
        words = given.values[0].text if given.values else reading.message if given.layer == "exact" else ""
        if isinstance(_parsed(fields[place.field], words), datetime):
            return reading.evolve(commands=tuple(c for c in reading.commands if not _is_within(c, words)))
        return _with_half_of(fields[place.field], words, reading, fields)
    told = [c for c in reading.commands if c.act == "inform" and c.target == "other"]
    for value in [value for command in told if command.confidence >= bars.inform for value in command.values]:
        if value.field in fields:
            reading = _with_half_of(fields[value.field], value.text, reading, fields)
    return reading


def _with_half_of(field: Field, words: str, reading: Reading, fields: Mapping[str, Field]) -> Reading:
    """The reading with the other half of the moment that `words` are, if there is one place for it, and nothing there."""
    here, other = _parsed(field, words), _OTHER.get(field.wanted)
    # "At six this evening" tells when, and no day of a review that is asked for later.
    near = _next_to(field, fields) if other == "date" else fields.values()
    halves = [f for f in near if f.wanted == other and not f.given and f.parses is not None]
    told = {value.field for command in reading.commands for value in command.values}
    if here is None or isinstance(here, datetime) or len(halves) != 1 or halves[0].name in told:
        return reading
    said = reading.message
    given = [
        one for command in reading.commands for one in command.values if one.text and one.field in fields
    ]
    for text in [one.text for one in given if fields[one.field].wanted not in _OTHER]:
        said = said.replace(text, "…", 1)  # "ten, and I could come on Monday" tells no time
    there = _parsed(halves[0], said)
    if isinstance(there, datetime) or (there is None and not halves[0].may_read(said)):
        return reading
    value = Value(field=halves[0].name, text=said, confidence=SURE)
    return reading.evolve(commands=(*reading.commands, Command.of_another(value, changes=False)))


def _next_to(field: Field, fields: Mapping[str, Field]) -> Iterable[Field]:
    """It, and what is asked for right before and right after it."""
    names = [*fields]
    at = names.index(field.name)
    return (fields[name] for name in names[max(0, at - 1) : at + 2])


def _parsed(field: Field, words: str) -> object:
    return field.parses(words) if field.parses is not None else None


def _is_within(command: Command, words: str) -> bool:
    """It gives another answer the words that are part of this value."""
    return command.target == "other" and bool(command.values) and all(v.text in words for v in command.values)
