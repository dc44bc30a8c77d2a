"""Of which answers a message speaks, by its words: those of their names, of what they are asked with, and of what was given."""

from collections.abc import Mapping, Sequence
from typing import Final

from softrail.core.reading import Field
from softrail.language import Language
from softrail.reader.changes.parts import runs, tells

_LEAST: Final = 3  #: letters of a word that tells something
_ASKED: Final = 4  #: the same of a question, which has more words that tell nothing
_BEGUN: Final = 5  #: letters with which one word begins as another does: "birthday" and "birth"
_MOSTLY: Final = 0.7  #: and the share of the shorter one: "insurance" and "insured"
_OWN: Final = 3.0  #: what a word of its name or its value counts
_KIND: Final = 2.0  #: and one of its kind, "the time"
_ABOUT: Final = 1.0  #: and one of its question
SPOKEN_OF: Final = 2.0  #: from here on it is spoken of, if nothing else is half as much


def likeness(message: str, fields: Sequence[Field], language: Language) -> dict[str, float]:
    """By the name of each field how much the message speaks of it; a word that several have counts less for each."""
    known = {field.name: _words_of(field, language) for field in fields}
    found = dict.fromkeys(known, 0.0)
    for run in {run.key: run for run in runs(message)}.values():
        hits = {
            field.name: max(
                _KIND if language.names_kind(run.key, field.wanted) else 0.0,
                *(c for own, c in known[field.name].items() if _alike(run.key, own, language)),
                0.0,
            )
            for field in fields
            if (tells(run, language) and not language.negates(run.key))
            or language.names_kind(run.key, field.wanted)
        }
        best, many = max(hits.values(), default=0.0), sum(1 for count in hits.values() if count)
        for name, count in hits.items():
            found[name] += count / many if many and count == best else 0.0
    return found


def spoken_of(message: str, fields: Sequence[Field], language: Language) -> list[Field]:
    """The one answer that the message speaks of by its words; none where it is not clear which."""
    like = likeness(message, fields, language)
    ranked = sorted(fields, key=lambda field: -like[field.name])
    second = like[ranked[1].name] if len(ranked) > 1 else 0.0
    return ranked[:1] if ranked and like[ranked[0].name] >= max(SPOKEN_OF, 2 * second) else []


def is_of_the_question(message: str, field: Field, asked: str, language: Language) -> bool:
    """All words by which it may speak of that answer are words of the question that it answers: "sorting and NOT driving"."""
    theirs, own = {run.key for run in runs(asked)}, _words_of(field, language)
    said = {run.key for run in runs(message) if any(_alike(run.key, word, language) for word in own)}
    return bool(said) and said <= theirs


def _words_of(field: Field, language: Language) -> Mapping[str, float]:
    asked = runs(f"{field.about} {field.question}")
    given = field.present or "" if field.wanted not in ("bool", "date", "time") else ""
    own = runs(f"{' '.join((field.label, *field.names)).replace('_', ' ')} {given}")
    said = [run for run in asked if len(run.key) >= _ASKED and tells(run, language)]
    words = {run.key: _ABOUT for run in said if not language.only_asks(run.key)}
    return words | {run.key: _OWN for run in own if tells(run, language)}


def _alike(one: str, other: str, language: Language) -> bool:
    """The same word, or one that begins as the other does."""
    if one == other or min(len(one), len(other)) < _LEAST:
        return one == other
    short, long = sorted((one, other), key=len)
    begun = next((at for at, (a, b) in enumerate(zip(short, long, strict=False)) if a != b), len(short))
    return language.is_plural(long, short) or (begun >= _BEGUN and begun >= _MOSTLY * len(short))
