"""Which of several answers new words change, where two readers agree: the small model and what is near in meaning."""

from dataclasses import replace
from typing import Final

from softrail.core.ports import Likeness
from softrail.core.reading import Bars, Place, Reading, Value

_NEARER: Final = 0.1  #: by which the old answer must be nearer to the new words than every other


def is_torn(value: Value, bars: Bars) -> bool:
    """It would be changed, were it not for others that the same words may change."""
    return bars.is_sure(replace(value, rivals=())) and not bars.is_sure(value)


def told_apart(reading: Reading, place: Place, likeness: Likeness, bars: Bars) -> Reading:
    """The reading without the rivals of a change that is the nearest in meaning, too: "decaf" is no milk."""
    fields = {field.name: field for field in place.fields()}

    def settled(value: Value) -> Value:
        names = dict.fromkeys(one.field for one in (value, *value.rivals))
        if not is_torn(value, bars) or len(names) == 1 or not names.keys() <= fields.keys():
            return value
        first, *others = likeness.alike(
            value.text, [f"{fields[name].label or name}: {fields[name].present}" for name in names]
        )
        if first - max(others) < _NEARER:
            return value
        return replace(value, rivals=tuple(one for one in value.rivals if one.field == value.field))

    commands = (
        replace(c, values=tuple(map(settled, c.values))) if c.act == "correct" else c
        for c in reading.commands
    )
    return reading.evolve(commands=tuple(commands))
