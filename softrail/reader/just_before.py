"""More of the answer that was given just before, or that answer put right, said to the next question: "librarians too", "scanner*"."""

from softrail.core.reading import Field, Place, Value
from softrail.language import Language
from softrail.reader.changes.outcome import STAYS, outcome
from softrail.reader.fields import is_named, question_query, readable
from softrail.reader.learned import Marker


def just_before(
    message: str, place: Place, here: Value, marker: Marker, language: Language
) -> tuple[Value, ...]:
    """The answer that was given last, where it may be that: "no, I mean schools", or, to the next question, "librarians too"."""
    asked, last = place.open_field(), _given_last(place)
    if place.wanted not in ("text", "list") or last is None or last.wanted == "bool":
        return ()
    if asked is not None and is_named(asked, message):
        return ()
    more = language.without_too(message)
    if place.wanted == last.wanted == "list":
        more = more or language.without_and(message)
        if more and _surely_stays(message, last, place, marker):
            return ()
    if not (more or language.misspoke(message)) or (more and last.wanted not in ("text", "list")):
        return ()
    said = f"{last.present} and {more}" if more and last.wanted == "text" else more or here.text
    text = readable(last, said, language)
    adds = bool(more) and last.wanted == "list"
    return (Value(field=last.name, text=text, confidence=here.confidence, adds=adds),) if text else ()


def _given_last(place: Place) -> Field | None:
    """The last answer that was given before the one that is asked for."""
    fields = place.fields()
    at = next((n for n, f in enumerate(fields) if f.name == place.field), 0)
    return next((f for f in reversed(fields[:at]) if f.given and f.present), None)


def _surely_stays(message: str, field: Field, place: Place, marker: Marker) -> bool:
    """Nothing of the message changes that list: "and then the tests" is what comes next."""
    asks = place.question.asks if place.question is not None else ""
    read = marker.edited(message, question_query(field), field.items, asks)
    then = outcome(message, field.items, read) if read is not None else None
    return then is not None and list(then.items) == field.items and then.surely >= STAYS
