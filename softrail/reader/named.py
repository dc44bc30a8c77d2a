"""What a message says of an answer that it calls by its name, in words that are certain."""

from collections.abc import Sequence
from typing import Final

from softrail.core.reading import Bars, Command, Field, Value, log_odds
from softrail.language import Language, normal
from softrail.reader.changes.parts import denies_the_old
from softrail.reader.changes.spoken_of import likeness
from softrail.reader.clauses import clauses
from softrail.reader.fields import SENTENCE_END, Span, asked_kind, is_named, is_typed
from softrail.reader.learned import Marker, Told, query

_SURE: Final = 0.9  #: how likely a yes or no must be that its clause alone gives
_SPOKEN: Final = (
    0.3  #: how likely the joint reading must be to find it told, for one that its clause says less surely
)
_SHY: Final = (
    -4.0
)  #: log odds: a yes without a word of yes may look so much like a no, "the police took a report"
_NOTHING: Final = 0.85  #: how likely it must be that there is none: "no blockers"
_PLACED: Final = 0.8  #: from here on the small model knows better where a value ends than words do
_ASKS: Final = 0.5  #: from here on a clause asks


def told_by_clause(
    field: Field, told: Told, message: str, fields: Sequence[Field], marker: Marker, language: Language
) -> tuple[Command, Span] | None:
    """The yes or no, or that there is none, of a clause that speaks of the field, read by itself, and where that stands.

    "… and no medicines", "…, the barn is dry".
    """
    if field.given or not (field.wanted == "bool" or not field.required):
        return None
    if told.given < _SPOKEN and not is_named(field, message):
        return None
    for start, end in _speaking(field, message, fields, language):
        clause = message[start:end]
        denies = language.says_not(clause)
        [marks] = marker.mark(clause, [query(asked_kind(field.wanted), field.question)])
        if marks.acts.get("ask", 0.0) >= _ASKS:
            continue
        if field.wanted == "bool":
            yes, no = marks.acts.get("affirm", 0.0), marks.acts.get("negate", 0.0)
            ahead = log_odds(no) - log_odds(yes) if denies else log_odds(yes) - log_odds(no)
            called = ahead >= 0 and max(yes, no) >= _SURE and is_named(field, clause)
            if called or (told.given >= _SPOKEN and ahead >= (0 if denies else _SHY)):
                return _told(field, "no" if denies else "yes", max(yes, no, told.given)), (start, end)
        elif denies and (none := marks.acts.get("none", 0.0)) >= _NOTHING > marks.acts.get("inform", 0.0):
            return _told(field, "", none), (start, end)
    return None


def _speaking(field: Field, message: str, fields: Sequence[Field], language: Language) -> Sequence[Span]:
    """The clauses that call the field, or have words of what it is asked with; what speaks most of it comes first."""
    if field.wanted != "bool":
        return [(start, end) for start, end in clauses(message) if is_named(field, message[start:end])]
    like = {(a, b): likeness(message[a:b], fields, language)[field.name] for a, b in clauses(message)}
    return sorted((clause for clause in like if like[clause]), key=lambda clause: -like[clause])


def _told(field: Field, text: str, likely: float) -> Command:
    value = Value(field=field.name, text=text, confidence=likely, placed=1.0)
    return Command(act="inform", confidence=likely, layer="learned", target="other", values=(value,))


def _opened_by_name(
    message: str, commands: Sequence[Command], fields: Sequence[Field], language: Language
) -> list[Command]:
    """An answer that is not there yet, given as if it were changed: "change the audience to beginners"."""
    called = language.correction(message, {field.name: field.names for field in fields if not field.given})
    if called is None or not called[1].strip():
        return list(commands)
    value = Value(field=called[0], text=called[1])
    rest = [c for c in commands if called[0] not in (v.field for v in c.values)]
    return [*rest, Command(act="inform", layer="learned", target="other", values=(value,))]


def called_by_name(
    message: str, commands: Sequence[Command], fields: Sequence[Field], bars: Bars, language: Language
) -> list[Command]:
    """The commands, where certain words change one answer: what else was seen in them is none.

    Where the small model is sure where the new value ends, it is that; else the words are taken as they are, up to the
    end of their sentence: "change the audience to beginners and their teachers".
    """
    given = {field.name: field for field in fields if field.given and field.wanted != "bool"}
    called = language.correction(message, {name: f.names for name, f in given.items()}) if given else None
    if called is None:
        return _opened_by_name(message, commands, fields, language)
    if not called[1].strip() or language.consent(called[1]) == "no":
        return list(commands)
    field, words = given[called[0]], SENTENCE_END.split(called[1])[0].strip()
    by_name = {one.name: one for one in fields}

    def is_of_another(value: Value) -> bool:
        shared = value.text in words or words in value.text
        return value.field != field.name and shared and not is_named(by_name[value.field], message)

    kept = [c for c in commands if c.act != "correct" or not any(map(is_of_another, c.values))]
    told = [v for c in kept if c.act == "correct" for v in c.values]
    found = next((value for value in told if value.field == field.name), None)
    if not told:
        return [*kept, Command(act="correct", layer="learned")]
    if found is None or denies_the_old(field.present or "", words, language):
        return kept
    ends = is_typed(field) or (found.placed >= _PLACED and bars.is_sure(found))
    if ends and normal(found.text) != normal(words):
        return kept
    rest = [c for c in kept if found not in c.values]
    all_of_it = len(told) == 1 and words == called[1].strip()  # which is taken when the turn is carried out
    values = () if all_of_it else (Value(field=field.name, text=words),)
    return [*rest, Command(act="correct", layer="learned", values=values)]
