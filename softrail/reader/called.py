"""An answer to an open question that calls another one by its name: "and the audience is just me", to what success is."""

from dataclasses import replace

from softrail.core.reading import Field, Reading, Value, at_most
from softrail.language import Language, normal
from softrail.reader.clauses import clauses
from softrail.reader.fields import question_query, value_behind_name
from softrail.reader.form import others
from softrail.reader.hearing import Hearing
from softrail.reader.learned import Marker, Marks


def with_the_one_it_calls(reading: Reading, hearing: Hearing) -> Reading:
    """The reading in which it is asked for which of the two it is, where the words behind that name rather answer the other one."""
    place, bars = hearing.place, hearing.bars
    given = reading.of("inform", target="")
    if not place.of_a_form or place.takes_anything or place.wanted not in ("text", "list") or reading.maybe:
        return reading
    if given is None or given.layer == "exact" or not given.values or given.confidence < bars.doubt:
        return reading
    [here] = given.values[:1]
    told = [value for value in bars.sure_values(reading) if value.field != place.field]
    other = _said_of_another(reading.message, hearing)
    (_, first), *more = [*clauses(reading.message)] or [(0, 0)]
    if told:  # what is surely another's, and called so, is no answer as well
        same = [v for v in told if other is not None and v.field == other.field and v.text in here.text]
        twice = any(0 <= reading.message.find(v.text) < first for v in same)
        return reading.without_values_of([here.field]) if twice else reading
    if more:
        return reading
    if other is None or other.confidence < max(bars.value, here.confidence):
        return reading
    hardly = replace(at_most(given, bars.doubt), values=())
    return reading.with_other(given, hardly).evolve(maybe=(other, here), beside=())


def _said_of_another(message: str, hearing: Hearing) -> Value | None:
    """What all of the message says of an answer that is not asked for, and calls by its name."""
    language = hearing.language
    words = without_opening(message, language)
    for field in others(hearing.place):
        if field.wanted not in ("text", "list") or field.options:
            continue
        found = said_behind_name(field, words, hearing.marker, language)
        if found is not None and found[0]:
            return Value(field=field.name, text=found[0], confidence=found[1].value * found[1].span)
    return None


def said_behind_name(
    field: Field, words: str, marker: Marker, language: Language
) -> tuple[str, Marks] | None:
    """What words that begin with the name of an answer say that it is, if that is not what it was, and how sure that is."""
    begins = value_behind_name(field, words, language)
    if not begins:
        return None
    [marks] = marker.mark(words[begins:], [question_query(field)])
    text = words[begins:][marks.start : marks.end]
    return (text, marks) if normal(text) != normal(field.present or "") else None


def without_opening(message: str, language: Language) -> str:
    """The message without the words that join it to what was said before: "oh and also"."""
    words = message.split()
    while len(words) > 1 and (
        language.adds(word := normal(words[0]).strip(",")) or language.is_more(word) or language.opens(word)
    ):
        words = words[1:]
    return " ".join(words)
