"""What a message says of an answer that it calls by its name, in words that are certain."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from softrail.core.reading import Bars, Command, Field, Value, log_odds
from softrail.language import Language, normal
from softrail.reader.clauses import clauses
from softrail.reader.fields import Span, asked_kind, is_named, is_typed, readable
from softrail.reader.learned import Marker, Told, query
from softrail.reader.likeness import likeness

_SURE: Final = 0.9  #: how likely a yes or no must be that its clause alone gives
_SPOKEN: Final = (
    0.3  #: how likely the joint reading must be to find it told, for one that its clause says less surely
)
_SHY: Final = (
    -4.0
)  #: log odds: a yes without a word of yes may look so much like a no, "the police took a report"
_NOTHING: Final = 0.85  #: how likely it must be that there is none: "no blockers"
_PLACED: Final = 0.95  #: from here on the small model is as sure of where a value ends as words are
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


def changed_by_name(
    message: str,
    commands: Sequence[Command],
    fields: Sequence[Field],
    marker: Marker,
    bars: Bars,
    language: Language,
    says_so: float,
) -> list[Command]:
    """The commands, where the message changes one answer in words that call it: what else was seen in them is none.

    Such words are taken as they are when the turn is carried out; where the small model is sure of fewer of them, both
    are asked about, and words that only call the answer wrong take it back.
    """
    given = {field.name: field for field in fields if field.given}
    called = (
        language.correction(message, {name: field.names for name, field in given.items()}) if given else None
    )
    if called is None and says_so >= bars.doubt:
        return _opened_by_name(message, commands, fields, language)
    if called is None or not called[1].strip() or given[called[0]].wanted == "bool":
        return list(commands)
    field, words = given[called[0]], called[1]
    rest = [c for c in commands if c.act != "correct"]
    if _calls_wrong(field, words, marker, bars, language):
        value = Value(field=field.name, text="", confidence=bars.sure, placed=1.0)
        return [*rest, Command(act="correct", confidence=bars.sure, layer="learned", values=(value,))]
    changed = [c for c in commands if c.act == "correct" and c.values]
    found = [c for c in changed if c.values[0].field == field.name]
    by_name = {f.name: f for f in fields}
    others = [
        c
        for c in changed
        if c not in found
        and (not _overlap(c.values[0].text, words) or is_named(by_name[c.values[0].field], message))
        and c.confidence >= bars.changed
    ]
    if others:
        return list(commands)  # it changes more than that
    if found and denies_the_old(field.present or "", words, language):
        found = [replace(found[0], values=(replace(found[0].values[0], placed=0.0),))]
    if found and not found[0].values[0].placed:
        return [*rest, *found]  # it may not be all of it: that is asked
    if found and (told := found[0].values[0]).text and normal(told.text) != normal(words):
        if is_typed(field) and _gives_the_same(field, words, told.text, language):
            return [*rest, *found]
        if is_typed(field) and told.text in words and told.placed >= _PLACED:
            more = replace(told, text=words, rivals=())
            return [*rest, replace(found[0], values=(replace(told, placed=0.0, rivals=(more,)),))]
    return [*rest, Command(act="correct", layer="learned")]


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


def _calls_wrong(field: Field, words: str, marker: Marker, bars: Bars, language: Language) -> bool:
    """The words are no value of it, and deny it: "the audience was wrong"."""
    if is_typed(field) and readable(field, words, language) is not None:
        return False
    [marks] = marker.mark(words, [query(asked_kind(field.wanted), field.question)])
    denies = max(marks.acts.get("negate", 0.0), marks.acts.get("correct", 0.0))
    return marks.acts.get("inform", 0.0) < bars.doubt <= bars.other <= denies


def _gives_the_same(field: Field, words: str, others: str, language: Language) -> bool:
    """Both are the same value: "5 then ok" is 5."""
    if field.options or field.parses is None:
        return readable(field, words, language) == readable(field, others, language)
    return field.parses(words) is not None and bool(field.parses(words) == field.parses(others))


def denies_the_old(old: str, new: str, language: Language) -> bool:
    """The new words are the old ones with more around them that denies them."""
    was, now = f" {normal(old)} ", f" {normal(new)} "
    return was in now and any(language.negates(word) for word in now.replace(was, " ").split())


def _overlap(one: str, other: str) -> bool:
    """One holds the words of the other."""
    return one in other or other in one
