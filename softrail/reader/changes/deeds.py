"""Words that want something done to what was told, and do not say what it becomes: "shorten the report", "merge yesterday and today".

To a summary they are no value of anything: what they are said of is asked for again.
"""

from collections.abc import Sequence
from dataclasses import replace

from softrail.core.reading import Command, Field, Reading, Value
from softrail.language import Language
from softrail.reader.changes.besides import telling
from softrail.reader.fields import is_named, words_of_names
from softrail.reader.hearing import Hearing


def with_deeds(reading: Reading, hearing: Hearing) -> Reading:
    """The reading in which such words are no value, and nothing goes because of them."""
    place, language = hearing.place, hearing.language
    if place.wanted != "confirm" or not place.of_a_form:
        return reading
    rest = language.behind_a_deed(reading.message)
    if rest is None:
        return reading
    told = [field for field in place.fields() if field.given]
    called = [field for field in told if is_named(field, rest)]
    meant = called or _spoken_of(rest, told, language)
    if not _is_of(rest, told, language):
        return reading
    says = Command(
        act="correct", confidence=max(reading.likely("correct"), hearing.bars.sure), layer="learned"
    )
    anew = [Value(field=field.name, text="", confidence=says.confidence) for field in meant]
    if len(called) == 1:
        return Reading(message=reading.message, commands=(replace(says, values=tuple(anew)),))
    return Reading(message=reading.message, commands=(says,), maybe=tuple(anew))


def _is_of(rest: str, told: Sequence[Field], language: Language) -> bool:
    """The words behind the deed speak of what was told, and of nothing else: "update the docs" may be something to do."""
    known = {word for field in told for word in _words_of(field, language)}
    return all(word in known or language.adds(word) for word in telling(rest, language))


def _spoken_of(rest: str, told: Sequence[Field], language: Language) -> list[Field]:
    said = telling(rest, language)
    return [field for field in told if said & telling(field.present or "", language)]


def _words_of(field: Field, language: Language) -> set[str]:
    return telling(field.present or "", language) | words_of_names([field])
