"""Corrections and edits of answers given earlier, in the person's own words."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal

from softrail.language.patterns import Pattern, Patterns
from softrail.language.phrases import FIELD
from softrail.language.text import Named, Spoken, normal, spoken, squeezed

Op = Literal["add", "remove", "change"]
#: How what was told is put otherwise among the answers, each by the list of its phrases, in the order in which they are tried.
Way = Literal["swapped", "emptied", "exchanged", "moved", "not_there", "belonging"]
WAYS: Final[Sequence[Way]] = ("swapped", "emptied", "exchanged", "moved", "not_there", "belonging")

_QUOTES: Final = '"“”„«»'
_NUMBER: Final = re.compile(r"[#(]?(\d{1,4})[.)]?")


@dataclass(frozen=True, slots=True)
class Edit:
    """A change to answers: `field` is None when the person named none.

    `text` is the person's own; of a removal it may be a number, counted from "1", or "last".
    """

    op: Op
    field: str | None
    text: str


@dataclass(frozen=True, slots=True)
class Rearranged:
    """What was told is put otherwise: `text` are the words it is called by, `new` those that take their place, or say where it is."""

    way: Way
    field: str | None
    text: str = ""
    new: str = ""


def correction(
    patterns: Patterns, message: str, fields: Mapping[str, Sequence[str]]
) -> tuple[str, str] | None:
    """The field to change and its new words; None when the message changes no field it names."""
    said = spoken(message)
    found = _first(patterns.each("correction"), said, _named(patterns, said, fields))
    return (found[0], found[1]) if found and found[0] is not None else None


def edit(patterns: Patterns, message: str, fields: Mapping[str, Sequence[str]]) -> Edit | None:
    """The edit a message asks for, if it does."""
    said = spoken(message)
    named = _named(patterns, said, fields)
    changed = _first(patterns.each("correction"), said, named)
    if changed:
        return Edit("change", *changed)
    added = _first(patterns.each("add"), said, named)
    if added:
        return Edit("add", *added)
    removed = _first(patterns.each("remove"), said, named)
    if removed:
        return Edit("remove", removed[0], _which(patterns, removed[1]))
    return None


def is_one_of_more(
    patterns: Patterns,
    message: str,
    text: str,
    fields: Mapping[str, Sequence[str]],
    joins: Callable[[str], bool],
) -> bool:
    """More is said than one edit: its text goes on with another, or its first sentence is one that names its answer.

    "Remove the jam, add butter"; "add tea to the drinks. And I forgot …".
    """
    words, said = spoken(text).words, spoken(message)
    begins = (at for at in range(1, len(words)) if words[at - 1].closes or joins(words[at - 1].key))
    if any(edit(patterns, spoken(text).since(at), fields) is not None for at in begins):
        return True
    ends = (at for at in range(1, len(said.words)) if said.words[at - 1].closes)
    heads = (edit(patterns, said.since(0, at), fields) for at in ends)
    return any(head is not None and head.field is not None for head in heads)


def rearranged(patterns: Patterns, message: str, fields: Mapping[str, Sequence[str]]) -> Iterator[Rearranged]:
    """All ways in which the whole message may put otherwise what was told, the most certain first."""
    said = spoken(message)
    lines = [
        *((field, said.line([name])) for field, name in _named(patterns, said, fields)),
        (None, said.line()),
    ]
    for way in WAYS:
        for phrase in patterns.each(way):
            for field, line in lines:
                found = phrase.fullmatch(line.text)
                if found and (field is None) == (re.escape(FIELD) not in phrase.pattern):
                    told = {
                        name: said.since(line.places[found.start(name)], line.places[found.end(name)])
                        for name in found.re.groupindex
                        if found[name] is not None
                    }
                    yield Rearranged(
                        way, field, **{name: words.strip(_QUOTES) for name, words in told.items()}
                    )


def meaning_asked(patterns: Patterns, message: str, fields: Mapping[str, Sequence[str]]) -> str | None:
    """The field of which all of the message asks what it is."""
    said = spoken(message)
    for field, name in _named(patterns, said, fields):
        line = said.line([name]).text
        if any(phrase.fullmatch(line) for phrase in patterns.each("meaning")):
            return field
    return None


def names_any(patterns: Patterns, message: str, fields: Mapping[str, Sequence[str]]) -> bool:
    """One of the fields is called by a name."""
    return bool(_named(patterns, spoken(message), fields))


def called_wrong(patterns: Patterns, message: str, fields: Mapping[str, Sequence[str]]) -> Sequence[str]:
    """The fields that all of the message calls wrong; it does not say what is right."""
    said = spoken(message)
    named = _named(patterns, said, fields)
    several = [
        (field, name) for n, (field, name) in enumerate(named) if field not in [f for f, _ in named[:n]]
    ]
    for one in ([several] if len(several) > 1 else []) + [[found] for found in named]:
        line = said.line([name for _, name in one]).text
        if any(phrase.fullmatch(line) for phrase in patterns.each("called_wrong")):
            return [field for field, _ in one]
    return []


@lru_cache(256)  # every message is looked at for the names of the same fields, several times
def _keys(patterns: Patterns, fields: tuple[tuple[str, tuple[str, ...]], ...]) -> Mapping[str, str]:
    """Every name of a field, its singular and plural alike, each pointing back to the field."""
    keys: dict[str, str] = {}
    for field, synonyms in fields:
        for name in (field, *synonyms):
            key = squeezed(normal(name))
            for ending in ("", *patterns.plural_endings):
                keys.setdefault(key + ending, field)
                if ending and key.endswith(ending) and len(key) > len(ending) + 2:
                    keys.setdefault(key.removesuffix(ending), field)
    keys.pop("", None)
    return keys


def _named(
    patterns: Patterns, said: Spoken, fields: Mapping[str, Sequence[str]]
) -> Sequence[tuple[str, Named]]:
    keys = _keys(patterns, tuple((field, tuple(synonyms)) for field, synonyms in fields.items()))
    return [(found.stands_for, Named(found.start, found.end, FIELD)) for found in said.named(keys)[:8]]


def _first(
    phrases: Sequence[Pattern], said: Spoken, named: Sequence[tuple[str, Named]]
) -> tuple[str | None, str] | None:
    # One field at a time stands out: "change today to what I did yesterday" is about today.
    lines = [(field, said.line([name])) for field, name in named]
    plain = (None, said.line())
    for phrase in phrases:
        for field, line in (*lines, plain):
            found = phrase.fullmatch(line.text)
            if found and (field is None) == (re.escape(FIELD) not in phrase.pattern):
                start, end = line.places[found.start("text")], line.places[found.end("text")]
                return field, said.since(start, end).strip(_QUOTES)
    return None


def _which(patterns: Patterns, text: str) -> str:
    key = f"{normal(text)} "
    for place, ordinal in enumerate(patterns.each("ordinals"), start=1):
        if ordinal.fullmatch(key):
            return str(place)
    if patterns.words("last").fullmatch(key):
        return "last"
    number = _NUMBER.fullmatch(text.strip())
    return number[1] if number else text
