"""Several answers that one sentence calls by their names: "change the amount to 950 and the kind to water"."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from softrail.core.reading import Field, Value
from softrail.language import Language, normal
from softrail.language.text import Named, Spoken, spoken, squeezed
from softrail.reader.clauses import says_more
from softrail.reader.fields import is_typed, readable

_HEAD: Final = 5  #: words before the first name
_LEAD: Final = 4  #: words between the value before and the next name: "and also change the"


@dataclass(frozen=True, slots=True)
class _Part:
    """An answer by its name, and where what is said of it begins."""

    field: Field
    lead: int  #: the first word that leads to the name
    value: int
    linked: bool  #: a word says that what follows is the new value: "to", "should be"


def may_be_several(message: str, language: Language) -> bool:
    """A word in it joins two things, or a clause ends before its last word: without that it changes one answer at most."""
    return any(language.adds(word.key) or word.closes for word in spoken(message).words[1:-1])


def several_changes(message: str, fields: Sequence[Field], language: Language) -> list[Value]:
    """The new values of two answers or more, one of them given before; none where any of it is not certain."""
    said = spoken(message)
    parts = list(_parts(said, fields, language))
    names = {part.field.name for part in parts}
    if len(parts) < 2 or len(names) < len(parts) or not any(part.field.given for part in parts):
        return []
    begins = any(language.changes(word.key) for word in said.words[: parts[0].value])
    bare = parts[0].value == 1 and not any(part.linked for part in parts)  # "amount 950, days 6"
    if not (begins or parts[0].linked or bare) or any(language.denies(word.key) for word in said.words):
        return []
    ends = [part.lead for part in parts[1:]]
    found = [
        Value(
            field=part.field.name, text=language.without_courtesy(said.since(part.value, end)).strip(" ?!.,;")
        )
        for part, end in zip(parts, [*ends, None], strict=True)
    ]
    certain = all(_is_value(p, v.text, language) for p, v in zip(parts, found, strict=True))
    return found if certain else []


def _parts(said: Spoken, fields: Sequence[Field], language: Language) -> Iterator[_Part]:
    by_name = {field.name: field for field in fields}
    keys = {
        squeezed(normal(name)): field.name for field in fields for name in (field.label, *field.names) if name
    }
    keys.pop("", None)
    until: int | None = None
    for named in said.named(keys):
        lead = _lead(said, named, until, language)
        if lead is None:
            if until is None:
                return  # the first name is of something else
            continue
        value = _linked(said, named.end, language)
        if value >= len(said.words):
            return
        yield _Part(by_name[named.stands_for], lead, value, value > named.end)
        until = value + 1


def _lead(said: Spoken, named: Named, until: int | None, language: Language) -> int | None:
    """Where the words begin that lead to a name; None where it is a word of the value before."""
    if until is None:
        return 0 if named.start <= _HEAD else None
    at = named.start
    while at > max(until, named.start - _LEAD):
        word = said.words[at - 1].key
        if language.adds(word) or said.words[at - 1].closes:
            break
        if not (language.changes(word) or language.determines(word)):
            return None
        at -= 1
    if at < until or (at == until and not said.words[at - 1].closes):
        return None
    first = at
    while first > until and language.adds(said.words[first - 1].key):
        first -= 1
    return first if first < at or said.words[at - 1].closes else None


def _linked(said: Spoken, at: int, language: Language) -> int:
    """Where the value begins behind a name, and behind the words that lead to it."""
    while at < len(said.words) and (
        language.turns_into(said.words[at].key) or language.links(said.words[at].key)
    ):
        at += 1
    return at


def _is_value(part: _Part, text: str, language: Language) -> bool:
    """Words that say so lead to it, or its type reads it."""
    if not is_typed(part.field):
        return part.linked
    return (part.linked or readable(part.field, text, language) is not None) and not says_more(
        part.field, text, language
    )


def several_edits(message: str, fields: Sequence[Field], language: Language) -> list[tuple[bool, Value]]:
    """Changes and additions that stand side by side, each by the name of its answer, and whether it is added to a list.

    "Change the amount to 950 and add beans to the items", "add rice to the items and 300 to the amount".
    """
    said = spoken(message)
    names = {field.name: (field.label, *field.names) for field in fields}
    begins = [0, *(at for at in range(2, len(said.words)) if _parts_edits(said, at, language))]
    found: list[tuple[bool, Value]] = []
    for begin, end in zip(begins, [*begins[1:], len(said.words)], strict=True):
        while end > begin and end < len(said.words) and language.adds(said.words[end - 1].key):
            end -= 1
        text = said.since(begin, end).strip(" ,;.!?")
        for words in (text, f"{said.words[0].key} {text}"):
            edit = language.edit(words, names)
            if edit is not None and edit.field is not None and edit.op != "remove":
                break
        else:
            return []
        field = next(field for field in fields if field.name == edit.field)
        adds = edit.op == "add" and field.wanted == "list"
        if edit.op == "add" and not adds and field.wanted != "number":
            return []
        counted = edit.op == "add" and field.wanted == "number"
        found.append((adds, Value(field=field.name, text=words if counted else edit.text, adds=adds)))
    told = {value.field for _, value in found}
    given = any(field.given and field.name in told for field in fields)
    return found if given and len(told) == len(found) > 1 else []


def _parts_edits(said: Spoken, at: int, language: Language) -> bool:
    """A word that joins, or the end of a clause, stands before the word there, which is none itself."""
    before = said.words[at - 1]
    return (language.adds(before.key) or before.closes) and not language.adds(said.words[at].key)
