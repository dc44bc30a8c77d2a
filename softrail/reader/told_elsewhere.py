"""What is told to one question and may be for another that is still to come: "ok. budget 500", to what success is.

The small model reads it as an answer to each of their questions. Where another takes it as readily as the open one, it is
asked which is meant; what stands beside an answer, and is surely told, is asked about as well, and never dropped.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from softrail.core.reading import Command, Reading, Value, at_most, log_odds
from softrail.language import Language, normal
from softrail.reader.clauses import clauses
from softrail.reader.fields import (
    WORD,
    is_beside_the_point,
    is_for_a_name,
    is_named,
    meets,
    places_of,
    question_query,
)
from softrail.reader.form import others
from softrail.reader.hearing import Hearing

_MOST: Final = 2  #: other answers that are put to the person
_FEWEST: Final = 2  #: words that something told beside an answer has of its own


def with_what_is_for_others(reading: Reading, hearing: Hearing) -> Reading:
    """The reading in which it is asked for which answer it is told, or what is told beside one."""
    place, bars, language = hearing.place, hearing.bars, hearing.language
    if not place.of_a_form or place.takes_anything or place.wanted != "text":
        return reading
    asked = place.open_field()
    if asked is None:
        return reading
    is_a_name = is_for_a_name(asked, language) or language.asks_for_a_name(asked.question)
    if not is_a_name:
        reading = _as_a_whole(reading, hearing)
    given = reading.of("inform", target="")
    if reading.maybe or reading.beside or (given is not None and given.layer == "exact"):
        return reading
    known = [value for value in bars.sure_values(reading) if value.text]
    beside = _beside(reading, hearing, known)
    if beside is not None and place.field in [value.field for value in known]:
        return reading.evolve(beside=(beside,))
    if is_a_name:
        return reading  # any words may be one
    if beside is not None:
        return reading.evolve(maybe=(beside,))
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
    found = _likely(here.text, hearing)
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


def _beside(reading: Reading, hearing: Hearing, known: Sequence[Value]) -> Value | None:
    """A clause beside what surely is an answer that no answer has, and that another one still to come would be."""
    bars = hearing.bars
    names = {value.field for value in known}
    open_field = hearing.place.open_field()
    for left in _leaves(reading, known, hearing.language):
        found = [one for one in _likely(left, hearing) if one.field not in names]
        if not found or found[0].confidence < bars.sure_of_words or open_field is None:
            continue
        [here] = hearing.marker.mark(left, [question_query(open_field)])
        if log_odds(here.value) + bars.apart < log_odds(found[0].confidence):
            return found[0]
    return None


def _leaves(reading: Reading, known: Sequence[Value], language: Language) -> Sequence[str]:
    """The clauses of which no word is an answer, where one is known."""
    texts = [line for value in known for line in value.text.splitlines()]
    places = places_of(texts, reading.message)
    if not places or len(places) < len(texts):
        return []  # where one stands is not known
    said = [reading.message[a:b] for a, b in clauses(reading.message) if not meets((a, b), places)]
    return [words.strip(" .,;!?") for words in said if _tells(words, language)]


def _tells(words: str, language: Language) -> bool:
    """It has words of its own, beside those that stand around anything: "normal, I guess" tells one thing."""
    return sum(not language.is_choosing_word(normal(word)) for word in words.split()) >= _FEWEST


def _likely(text: str, hearing: Hearing) -> Sequence[Value]:
    """The answers still to come that those words would be, the likeliest first."""
    bars = hearing.bars
    found = []
    for field in others(hearing.place):
        if field.given or field.options or field.wanted not in ("text", "list"):
            continue
        if is_beside_the_point(field, named=False):
            continue
        [marks] = hearing.marker.mark(text, [question_query(field)])
        if marks.value >= bars.value and marks.acts.get("inform", 0.0) >= bars.inform:
            found.append(Value(field=field.name, text=text, confidence=marks.value))
    return sorted(found, key=lambda value: -value.confidence)[:_MOST]
