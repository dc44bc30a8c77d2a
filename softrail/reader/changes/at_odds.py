"""Where what was read is at odds with itself, nothing is kept on a guess."""

from dataclasses import replace

from softrail.core.reading import Bars, Field, Place, Reading, Value, at_most
from softrail.language import Language, normal
from softrail.reader.clauses import clauses
from softrail.reader.fields import is_named, is_typed, readable
from softrail.reader.hearing import Hearing


def settled_odds(reading: Reading, hearing: Hearing) -> Reading:
    """The reading, without what contradicts the rest of it; where nobody can tell what does, both are to be asked about."""
    place, bars = hearing.place, hearing.bars
    if place.own or place.offer or reading.likely("correct") < bars.doubt:
        return reading
    found = _once(reading, place, bars) or _called(reading, hearing) or reading
    return _asked_for(found, bars)


def _asked_for(reading: Reading, bars: Bars) -> Reading:
    """A change that is asked for politely is no question besides: "can we make it Saturday?"."""
    changes = [
        c for c in reading.commands if c.act == "correct" and c.values and c.confidence >= bars.changed
    ]
    if not changes or len(list(clauses(reading.message))) > 1:
        return reading
    kept = tuple(c for c in reading.commands if c.act not in ("ask", "request"))
    return reading.evolve(commands=kept)


def _once(reading: Reading, place: Place, bars: Bars) -> Reading | None:
    """The same words change one answer and give another: the one that is called by its name has them, or the likelier one.

    "Did I say Flourish? Make that Flourish & Sons" is the name, and no audience as well.
    """
    given = reading.of("inform", target="")
    if given is None or given.layer != "learned" or not given.values:
        return None
    [here, *_] = given.values
    changed = [v for c in reading.commands if c.act == "correct" for v in c.values if v.field != here.field]
    same = [value for value in changed if value.text and normal(value.text) == normal(here.text)]
    if not same:
        return None
    called = {field.name for field in place.fields() if is_named(field, reading.message)}
    named = any(value.field in called for value in same) and here.field not in called
    if not named and max(value.confidence for value in same) < here.confidence:
        return _asked(reading, (here, *same), bars)
    hardly = replace(at_most(given, bars.doubt), values=())
    return reading.with_other(given, hardly)


def _called(reading: Reading, hearing: Hearing) -> Reading | None:
    """Something changes, one answer is called by its name, and the one value in it was read for another.

    "Yesterday was wrong, it was the login page" is hardly an answer to "Any blockers?", whatever its words would be alone.
    """
    bars, language = hearing.bars, hearing.language
    fields = hearing.place.fields()
    answered = {field.name: field.names for field in fields if field.given}
    if language.correction(reading.message, answered) is not None:
        return None  # certain words say what changes
    told = [
        value
        for command in reading.commands
        if command.layer == "learned" and command.confidence >= bars.doubt
        for value in command.values
    ]
    if len(told) != 1 or not told[0].text:
        return None
    [value] = told
    beside = reading.message.replace(value.text, "…", 1)
    named = [field for field in fields if is_named(field, beside)]
    if len(named) != 1 or named[0].name == value.field or not _takes(named[0], value.text, language):
        return None
    meant = Value(field=named[0].name, text=value.text, confidence=reading.likely("correct"))
    return _asked(reading, (meant, value), bars)


def _takes(field: Field, text: str, language: Language) -> bool:
    """It was answered, and those words could be its answer, too."""
    if not field.given or not field.present or field.wanted == "bool":
        return False
    return not is_typed(field) or readable(field, text, language) is not None


def _asked(reading: Reading, maybe: tuple[Value, ...], bars: Bars) -> Reading:
    kept = tuple(
        replace(at_most(c, bars.doubt), values=()) if c.values or c.act == "inform" else c
        for c in reading.commands
    )
    return reading.evolve(commands=kept, maybe=maybe)
