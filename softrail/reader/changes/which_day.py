"""Which of several days a new one takes the place of, where none is called: the one that it can be.

A day that is to come is no "since when", one that has been is none to come on, and a day a year away is hardly meant where it
is near as another answer. With a time it is the day that the time belongs to.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from softrail.core.reading import Field, Reading, Value
from softrail.reader.changes.spoken_of import likeness
from softrail.reader.clauses import clause_of
from softrail.reader.fields import is_named, is_there
from softrail.reader.hearing import Hearing

_FAR: Final = 180  #: days


def with_the_day_it_can_be(reading: Reading, hearing: Hearing) -> Reading:
    """The reading with a new day for the answer that it can be of, and with all of them where it can be of more."""
    place = hearing.place
    fields = place.fields()
    days = [one for one in fields if one.given and one.away is not None and one.name != place.field]
    if not place.of_a_form or len(days) < 2 or any(is_named(one, reading.message) for one in days):
        return reading
    names = [one.name for one in days]
    read = [v for c in reading.commands for v in c.values if c.act == "correct" and c.layer != "exact"]
    times = {v.field for v in (*read, *(r for v in read for r in v.rivals)) if v.text}

    def told(value: Value) -> Value:
        if value.field not in names or not value.text or value.text not in reading.message:
            return value
        at = reading.message.find(value.text)
        start, end = clause_of(reading.message, (at, at + len(value.text)))
        beside = f"{reading.message[start:at]} {reading.message[at + len(value.text) : end]}"
        like = likeness(beside, days, hearing.language)
        if max(like.values()):
            return value
        can_be = _possible(value.text, days)
        with_time = [one for one in can_be if _time_of(one, fields) in times]
        meant = with_time if len(with_time) == 1 else can_be
        if not meant:
            return value
        first = next((one for one in meant if one.name == value.field), meant[0])
        surest = max((value.confidence, *(rival.confidence for rival in value.rivals)))
        others = [replace(value, field=one.name, rivals=()) for one in meant if one is not first]
        return replace(value, field=first.name, confidence=surest, rivals=tuple(others))

    maybe = tuple(
        v
        for v in reading.maybe
        if v.field not in names or not v.text or v.field in [one.name for one in _possible(v.text, days)]
    )
    return reading.with_changes(told).evolve(maybe=maybe)


def _possible(text: str, days: Sequence[Field]) -> list[Field]:
    """Those that it can be, the same as before none of them."""
    away = {one.name: one.away(text) if one.away is not None else None for one in days}
    read = {name: many for name, many in away.items() if many is not None}
    near = min(map(abs, read.values()), default=0)
    return [
        one
        for one in days
        if (many := read.get(one.name)) is not None
        and not (many > 0 if one.past else many < 0)
        and not (near <= _FAR < abs(many))
        and not is_there(one, text)
    ]


def _time_of(day: Field, fields: Sequence[Field]) -> str:
    """The answer that is the time of that day: the next one, if it wants a time."""
    at = fields.index(day)
    following = fields[at + 1 : at + 2]
    return following[0].name if following and following[0].wanted == "time" else ""
