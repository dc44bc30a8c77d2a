"""What was given before and is wrong, where nobody says what is right: "that's not a project", "I never said that"."""

from collections.abc import Sequence
from math import inf
from typing import Final

from softrail.core.reading import Bars, Command, Field, Place, Reading, Value, log_odds
from softrail.language import Language, normal
from softrail.reader.fields import WORD, asked_kind, is_named, is_typed, readable, spaced
from softrail.reader.learned import Marker, query

_SHORT: Final = 3  #: letters of a word that tells nothing: "the", "is"
_STEM: Final = 5  #: letters by which two words are of one stem: "departing", "departure"
_MOST: Final = 3  #: answers that are asked about
_DENIED: Final = 0.7  #: from here on the words deny an answer; where there is one alone, it is taken back
_DENIED_TOO: Final = 0.85  #: the same, where "none" would be an answer, too
_AHEAD: Final = 1.0  #: log odds by which one must be ahead of the others


def taken_back(
    reading: Reading, place: Place, marker: Marker, bars: Bars, language: Language, instead: float
) -> Reading | None:
    """The reading with the answer that is taken back, or those that may be; None where it takes none back.

    The small model is asked of each answer given before whether it is right: who denies that means it. `instead` is how
    likely the message is to do something else.
    """
    if (called := _called_wrong(reading.message, place, marker, bars, language)) is not None:
        return _asked_again(reading, called, bars.sure)
    told = any(c.values and c.confidence >= bars.doubt for c in reading.commands)
    away = reading.likely("pause", "leave", "human", "request", "ask")
    if told or away >= bars.other or reading.likely("inform") >= bars.inform:
        return None
    if any(is_named(f, reading.message) for f in place.fields() if f.given):
        return None  # that one is asked for again
    if not (meant := _meant(reading.message, place)):
        return None  # nothing was given that could be wrong: what else is open is tried
    likely = reading.likely("correct")
    wrong, denied = _denied(reading.message, meant, marker)
    in_words = place.wanted not in ("bool", "confirm")  # where any no denies everything
    nothing = not place.required and reading.likely("none", "open", "negate") >= max(bars.doubt, likely)
    surely = denied[0] >= (_DENIED if place.required else _DENIED_TOO) and not nothing
    if not (surely and in_words) and likely < max(bars.correct, instead):
        return None
    spoken_of = len(wrong) == 1 and likely >= bars.changed
    ahead = log_odds(denied[0]) - log_odds(denied[1]) if len(denied) > 1 else inf
    if in_words:
        spoken_of = spoken_of and denied[0] >= _DENIED
    if spoken_of or (surely and in_words and ahead >= _AHEAD):
        return _asked_again(reading, wrong[0], max(likely, denied[0]))
    return reading.evolve(maybe=tuple(Value(field=f.name, text="", confidence=likely) for f in wrong))


def _asked_again(reading: Reading, wrong: Field, likely: float) -> Reading:
    """The reading as a change that gives no new value."""
    value = Value(field=wrong.name, text="", confidence=likely, placed=1.0)
    command = Command(act="correct", confidence=likely, layer="learned", values=(value,))
    rest = reading.without("inform", "none", "open", "negate", "social", "correct")
    return rest.evolve(commands=(*rest.commands, command))


def _called_wrong(message: str, place: Place, marker: Marker, bars: Bars, language: Language) -> Field | None:
    """The answer that is called by its name, with words that are no value of it: "the audience was wrong"."""
    given = {field.name: field for field in place.fields() if field.given and field.name != place.field}
    called = (
        language.correction(message, {name: field.names for name, field in given.items()}) if given else None
    )
    if called is None or not called[1].strip():
        return None
    field = given[called[0]]
    if field.wanted == "bool" or (is_typed(field) and readable(field, called[1], language) is not None):
        return None  # "change gift to no" says what is right
    [marks] = marker.mark(called[1], [query(asked_kind(field.wanted), field.question)])
    denies = max(marks.acts.get("negate", 0.0), marks.acts.get("correct", 0.0))
    return field if marks.acts.get("inform", 0.0) < bars.doubt <= bars.other <= denies else None


def _meant(message: str, place: Place) -> Sequence[Field]:
    """The answers that the words may be about: the one that they repeat or speak of, or else the last ones."""
    before = [field for field in place.fields() if field.given and field.name != place.field]
    given = [field for field in before if field.present and field.wanted != "bool"]
    said = f" {spaced(message)} "
    called = [f for f in given if f" {spaced(f.present or '')} " in said]  # "forget Saltmarsh"
    if len(called) == 1:
        return called
    shared = [
        len(_words(message) & _words(" ".join((f.label, f.about, f.question, *f.names)))) for f in given
    ]
    most = max(shared, default=0)
    spoken_of = [f for f, count in zip(given, shared, strict=True) if count == most]
    return spoken_of if most and len(spoken_of) == 1 else given[-_MOST:]


def _words(text: str) -> set[str]:
    return {normal(word)[:_STEM] for word in WORD.findall(text) if len(word) > _SHORT}


def _denied(message: str, fields: Sequence[Field], marker: Marker) -> tuple[list[Field], list[float]]:
    """The answers with how likely each is denied, the likeliest first."""
    asked = [query("bool", f"Is {field.present} right?") for field in fields]
    marks = marker.mark(message, asked) if asked else []
    found = [(one.acts.get("negate", 0.0), field) for one, field in zip(marks, fields, strict=True)]
    found.sort(key=lambda one: -one[0])
    return [field for _, field in found], [likely for likely, _ in found]
