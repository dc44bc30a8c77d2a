"""Which open answer words are for that hardly answer the question: taken where it is sure, else for asking."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from softrail.core.reading import Act, Bars, Command, Field, Place, Reading, Value, Wanted, log_odds
from softrail.language import Language
from softrail.reader.fields import TYPED, field_query, is_named, readable
from softrail.reader.learned import Marker
from softrail.reader.taking_back import taken_back

_PLACES: Final[frozenset[Wanted]] = frozenset({"text", "list", "number", "date", "time", "choice"})
_INSTEAD: Final[Sequence[Act]] = (
    *("ask", "request", "repeat", "hold", "social", "human"),
    *("none", "open", "affirm", "negate", "pause", "leave"),
)
_FEW: Final = TYPED | {"choice"}  #: what few words answer: those that hold one speak of what is asked
_MOST: Final = 3  #: answers that are asked about


def elsewhere(reading: Reading, place: Place, marker: Marker, bars: Bars, language: Language) -> Reading:
    """The reading with the open answer that its words are for, or those that they may be for.

    A form asks for one thing at a time, and people tell what comes to their mind: "it's called Nettle" where the audience
    was asked for. Where the message does nothing else that is clear, each answer that is still open is tried.
    """
    instead = reading.likely("inform", *_INSTEAD)
    if (
        _asks_yes_or_no(place)
        and (wrong := taken_back(reading, place, marker, bars, language, instead)) is not None
    ):
        return wrong
    if not _asks_words(place):
        return reading
    called = _called(reading, place, bars, language)
    if called is not None:
        return _with(reading, place, called)
    if (wrong := taken_back(reading, place, marker, bars, language, instead)) is not None:
        return wrong
    given = reading.of("inform", target="")
    here = [replace(v, confidence=given.confidence) for v in given.values] if given is not None else []
    unclear = _unclear(reading, place, bars)
    if not unclear and (not here or here[0].confidence >= bars.sure_of_words):
        return reading  # most answers: nothing more is looked at
    fields = [f for f in place.fields() if f.wanted != "bool" and (not f.given or f.wanted == "list")]
    beside = [f for f in fields if f.name != place.field]
    if not beside:
        return reading
    if not unclear:
        return _by_name(reading, here, place, beside, marker, bars, language)
    others = _others(reading.message, beside, marker, language)
    found = sorted((*here, *others), key=lambda value: -value.confidence)
    if not found or found[0] in here:
        return reading
    best, *rest = found
    ahead = log_odds(best.confidence) - max((log_odds(v.confidence) for v in rest), default=log_odds(0.0))
    if best.confidence >= bars.sure_of_words and best.placed >= bars.placed and ahead >= bars.apart:
        return _with(reading, place, best)
    likely = tuple(value for value in found if value.confidence >= bars.doubt)[:_MOST]
    return reading.evolve(maybe=likely)


def _asks_words(place: Place) -> bool:
    asks = place.question is not None and not place.question.takes_anything
    return asks and place.wanted in _PLACES and not place.own and place.field is not None


def _asks_yes_or_no(place: Place) -> bool:
    return place.wanted in ("bool", "confirm") and not (place.own or place.offer or place.asks_back)


def _called(reading: Reading, place: Place, bars: Bars, language: Language) -> Value | None:
    """The value of the one open answer that a change calls by its name: "change the audience to beginners"."""
    if reading.likely("correct") < bars.doubt:
        return None
    told = {v.field for c in reading.commands for v in c.values if v.confidence >= bars.changed}
    fields = place.fields()
    called = language.correction(reading.message, {f.name: f.names for f in fields})
    if called is None or not called[1].strip() or len(told - {called[0]}) > 1:
        return None
    given = any(f.name == called[0] and f.given for f in fields)
    return None if given else Value(field=called[0], text=called[1])


def _unclear(reading: Reading, place: Place, bars: Bars) -> bool:
    """Nobody has found anything in it that could be acted on."""
    told = any(c.values and (c.act == "correct" or c.confidence >= bars.inform) for c in reading.commands)
    given = reading.of("inform", target="")
    read = given is not None and given.values and place.wanted not in _FEW
    if given is not None and not read and given.confidence >= bars.other:
        return False  # it answers the question, in words that its type cannot read, or not to be sure of: "but Monday"
    return not told and reading.likely(*_INSTEAD) < bars.other


def _by_name(
    reading: Reading,
    here: Sequence[Value],
    place: Place,
    fields: Sequence[Field],
    marker: Marker,
    bars: Bars,
    language: Language,
) -> Reading:
    """An answer beside which another one is called by its name may be that: "oh, yesterday I also fixed the logo"."""
    rest, asked = reading.message.replace(here[0].text, " "), place.open_field()
    told = {v.field for c in reading.commands if c.target == "other" for v in c.values}
    called = [f for f in fields if f.name not in told and is_named(f, rest)]
    if not called or asked is None or is_named(asked, reading.message):
        return reading
    if language.correction(reading.message, {f.name: f.names for f in place.fields() if f.given}) is not None:
        return reading  # "actually, yesterday was …" leaves no doubt
    likely = [v for v in _others(reading.message, called, marker, language) if v.confidence >= bars.rival]
    if not likely:
        return reading
    less = [
        replace(c, confidence=min(c.confidence, bars.doubt)) if c.act == "inform" and not c.target else c
        for c in reading.commands
    ]
    return reading.evolve(commands=tuple(less), maybe=(*likely, *here)[:_MOST])


def _others(message: str, fields: Sequence[Field], marker: Marker, language: Language) -> list[Value]:
    found = []
    for field, marks in zip(fields, marker.mark(message, [field_query(f) for f in fields]), strict=True):
        text = readable(field, message[marks.start : marks.end], language)
        if text:
            adds = field.wanted == "list" and field.given
            found.append(
                Value(field=field.name, text=text, confidence=marks.value, placed=marks.span, adds=adds)
            )
    return found


def _with(reading: Reading, place: Place, value: Value) -> Reading:
    target = "" if value.field == place.field else "other"
    told = Command(act="inform", confidence=value.confidence, layer="learned", target=target, values=(value,))
    rest = [c for c in reading.commands if c.act not in ("inform", "correct")]
    return reading.evolve(commands=(*rest, told))
