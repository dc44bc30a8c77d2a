"""What is told to one question and may be for another that is still to come: "ok. budget 500", to what success is.

The small model reads it as an answer to each of their questions. Where another takes it as readily as the open one, it is
asked which is meant.
"""

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Final

from softrail.core.reading import Command, Reading, Value, at_most, log_odds
from softrail.language import normal
from softrail.reader.fields import (
    WORD,
    is_beside_the_point,
    is_for_a_name,
    is_named,
    question_query,
)
from softrail.reader.form import others
from softrail.reader.hearing import Hearing

_MOST: Final = 2  #: other answers that are put to the person


def with_what_is_for_others(reading: Reading, hearing: Hearing) -> Reading:
    """The reading in which it is asked for which answer it is told."""
    place, bars, language = hearing.place, hearing.bars, hearing.language
    if not place.of_a_form or place.takes_anything or place.wanted != "text":
        return reading
    asked = place.open_field()
    if asked is None:
        return reading
    if is_for_a_name(asked, language) or language.asks_for_a_name(asked.question):
        return reading  # any words may be one
    reading = _as_a_whole(reading, hearing)
    given = reading.of("inform", target="")
    if reading.maybe or reading.beside or (given is not None and given.layer == "exact"):
        return reading
    known = [value for value in bars.sure_values(reading) if value.text]
    if given is None or not given.values or any(value.field != place.field for value in known):
        return reading
    found = _where_it_belongs(reading, given, hearing)
    if not found:
        return reading
    hardly = replace(at_most(given, bars.doubt), values=())
    return reading.with_other(given, hardly).evolve(maybe=(*found, given.values[0]))


def _where_it_belongs(reading: Reading, given: Command, hearing: Hearing) -> Sequence[Value]:
    """Other answers that take all of it as readily, where it is said to be told besides, or read so."""
    bars, language = hearing.bars, hearing.language
    if given.confidence < bars.doubt:
        return ()
    agreed, rest = language.consent_and_more(reading.message)
    behind = rest if agreed == "yes" else reading.message
    joined = agreed == "yes" and language.adds(behind.partition(" ")[0])  # "alright. and no noise"
    told = reading.of("inform", target="other")
    besides = told is not None and not told.values and told.confidence >= bars.other
    if not (besides or joined or language.tells_more(behind)):
        return ()
    here = given.values[0]
    found = likely_for(here.text, hearing, value=bars.value, inform=bars.inform)
    ahead = log_odds(here.confidence) + bars.apart / 2
    return [one for one in found if one.confidence >= bars.sure and log_odds(one.confidence) >= ahead]


def _as_a_whole(reading: Reading, hearing: Hearing) -> Reading:
    """The reading without a part of the message for an answer that all of it would be: "Sam" of "just me, and Sam helps"."""
    bars, language = hearing.bars, hearing.language
    told = [c for c in reading.commands if c.act == "inform" and c.target == "other" and c.layer == "learned"]
    values = [value for command in told for value in command.values if value.text]
    fields = {
        f.name: f
        for f in others(hearing.place)
        if not f.given and f.wanted in ("text", "list") and not f.options
    }
    if (
        len(values) != 1
        or values[0].field not in fields
        or is_named(fields[values[0].field], reading.message)
    ):
        return reading
    [part] = values
    given = reading.of("inform", target="")
    here = given.values[0].text if given is not None and given.values else ""
    if given is not None and given.confidence >= bars.inform:  # it is asked of all of it
        twice = part.text != here and part.text in here
        return reading.without_values_of([part.field]) if twice else reading
    [marks] = hearing.marker.mark(reading.message, [question_query(fields[part.field])])
    text = reading.message[marks.start : marks.end]
    left = WORD.findall(reading.message[: marks.start] + reading.message[marks.end :])
    beside = any(not (language.is_more(word) or language.adds(word)) for word in map(normal, left))
    if part.text == text or part.text not in text or beside or marks.value < bars.sure:
        return reading
    whole = [
        replace(c, values=(replace(part, text=text),)) if part in c.values else c for c in reading.commands
    ]
    return reading.evolve(commands=tuple(whole))


def likely_for(
    text: str,
    hearing: Hearing,
    *,
    value: float,
    inform: float,
    wanted: Collection[str] = ("text", "list"),
) -> tuple[Value, ...]:
    """The answers of words still to come that those words would be, alone, and as likely as that; the likeliest first."""
    fields = [
        f
        for f in others(hearing.place)
        if f.wanted in wanted and not f.given and not f.options and not is_beside_the_point(f, named=False)
    ]
    marks = hearing.marker.mark(text, [question_query(field) for field in fields])
    found = [
        Value(field=field.name, text=text, confidence=one.value)
        for field, one in zip(fields, marks, strict=True)
        if one.value >= value and one.acts.get("inform", 0.0) >= inform
    ]
    return tuple(sorted(found, key=lambda one: -one.confidence)[:_MOST])
