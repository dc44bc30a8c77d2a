"""More of the answer that was given just before, or that answer put right, said to the next question: "librarians too", "scanner*", "no sorry, the 8th"."""

from softrail.core.reading import APART, Command, Field, Place, Value
from softrail.language import Language
from softrail.reader.changes.outcome import STAYS, outcome
from softrail.reader.changes.parts import tells_something
from softrail.reader.changes.spoken_of import likeness
from softrail.reader.clauses import clauses
from softrail.reader.fields import TYPED, fewest_words, is_named, is_the_same, question_query, readable
from softrail.reader.hearing import Hearing
from softrail.reader.learned import Marker
from softrail.reader.ranges import SURE, Parted


def just_before(message: str, hearing: Hearing, here: Value) -> tuple[Value, ...]:
    """The answer that was given last, where it may be that: "no, I mean schools", or, to the next question, "librarians too"."""
    place, language = hearing.place, hearing.language
    asked, last = place.open_field(), _given_last(place)
    if (again := _typed_again(message, place, language)) is not None:
        return (again[0],)
    if place.wanted not in ("text", "list") or last is None or last.wanted == "bool":
        return ()
    if asked is not None and is_named(asked, message):
        return ()
    more = language.without_too(message)
    if place.wanted == last.wanted == "list":
        more = more or language.without_and(message)
        if more and _surely_stays(message, last, place, hearing.marker):
            return ()
    if not (more or language.misspoke(message)) or (more and last.wanted not in ("text", "list")):
        return ()
    said = f"{last.present} and {more}" if more and last.wanted == "text" else more or here.text
    text = readable(last, said, language)
    adds = bool(more) and last.wanted == "list"
    return (Value(field=last.name, text=text, confidence=here.confidence, adds=adds),) if text else ()


def put_right_now(message: str, hearing: Hearing) -> Parted | None:
    """The answer that was given last, put right where the next one is of the same type: "no sorry, 4 January"; None where it may be the next one."""
    place, language = hearing.place, hearing.language
    again = _typed_again(message, place, language)
    if again is None:
        return None
    value, head, rest = again
    if not language.denies_what_was_said(head) or (place.none and language.consent(head) == "no"):
        return None  # "oh wait, the 8th", and "no, 3" to "How many children?"
    told = Command(act="correct", confidence=SURE, layer="learned", target=APART, values=(value,))
    return Parted(message=rest, told=(told,), fields=frozenset({value.field}))


def _typed_again(message: str, place: Place, language: Language) -> tuple[Value, str, str] | None:
    """The value behind words that put something right at the head of a message, where the answer before is of the type that is asked for; those words, and the rest."""
    asked, last, heads = place.open_field(), _given_last(place), language.puts_right(message)
    if not place.of_a_form or place.wanted not in TYPED or asked is None or last is None:
        return None
    if not heads or message[: heads[0][0]].strip() or last.wanted not in TYPED or last.parses is None:
        return None
    behind = message[heads[0][1] :]
    clause = next(clauses(behind), (0, 0))
    span = fewest_words(behind, clause, last.parses)
    said = behind[slice(*span)] if span is not None else ""
    if not said or is_the_same(last.parses(said), last.present or "") or last.refuses(said):
        return None
    like = likeness(behind[slice(*clause)], [asked, last], language)
    beside = f"{behind[clause[0] : span[0]]} {behind[span[1] : clause[1]]}" if span is not None else ""
    if last.wanted != asked.wanted and not like[last.name] and tells_something(beside, language):
        return None  # "no sorry, 80 was the height", right behind a budget
    if is_named(asked, behind[slice(*clause)]) or like[asked.name] > like[last.name]:
        return None  # "no, back on the 14th"
    told = Value(field=last.name, text=said, confidence=SURE, placed=1.0)
    return told, message[slice(*heads[0])], behind[clause[1] :].strip(" \t\n,;.!?-–—")


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
