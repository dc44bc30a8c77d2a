"""A thing that was told by its name, and is called otherwise: "Mower is called Mow It", "the second is spelled Mauer"."""

import re
from collections.abc import Sequence
from difflib import get_close_matches
from typing import Final, NamedTuple

from softrail.language import Language, normal
from softrail.reader.fields import Span

_WORDS: Final = re.compile(r"\S+")
_STOPS: Final = re.compile(r"[,.;!?](?=\s|$)")
_ALIKE: Final = 0.7  #: how near a name is to one that it puts right
_MOST: Final = 6  #: words of a name


class Renamed(NamedTuple):
    """Which of the names gives way, the one in its place, and where that stands."""

    at: int
    name: str
    span: Span


def renamed(message: str, names: Sequence[str], language: Language) -> Renamed | None:
    """The name that another takes the place of; None where none is given, or it is not clear which of them it is."""
    words = list(_WORDS.finditer(message))
    keys = [normal(word[0]).strip(".,;!?") for word in words]
    called = [at for at, key in enumerate(keys) if at and language.gives_a_name(key)]
    called += [at for at in range(1, len(keys)) if language.points(keys[at]) and language.calls(keys[at - 1])]
    linked = [at for at, key in enumerate(keys) if at and language.links(key)]
    if not (called or linked):
        return None
    at = max(called or linked)
    span = _name(message, [word.span() for word in words[at + 1 :]], language)
    if span is None:
        return None
    name, before = message[slice(*span)], keys[:at]
    which = _which(name, before if not called else keys[: at + 1], names, language, is_called=bool(called))
    return Renamed(which, name, span) if which is not None and name != names[which] else None


def _name(message: str, words: Sequence[Span], language: Language) -> Span | None:
    """Where the name stands that begins there: up to the end of the clause, without what only ends it."""
    if not words:
        return None
    start = words[0][0]
    stop = _STOPS.search(message, start)
    inside = [(a, b) for a, b in words if stop is None or a < stop.start()]
    while inside and message[slice(*inside[-1])].islower() and language.ends(message[slice(*inside[-1])]):
        inside.pop()
    if not inside or len(inside) > _MOST or language.negates(normal(message[slice(*inside[0])])):
        return None
    return start, min(inside[-1][1], stop.start() if stop is not None else len(message))


def _which(
    name: str, before: Sequence[str], names: Sequence[str], language: Language, *, is_called: bool
) -> int | None:
    """The one that the words before the name speak of, or that the name puts right."""
    near = [names.index(one) for one in get_close_matches(name, names, n=2, cutoff=_ALIKE)]
    said = f" {' '.join(before)} "
    spoken = [at for at, one in enumerate(names) if f" {normal(one)} " in said]
    ordinals = [at for key in before if (at := language.ordinal(key, len(names))) is not None]
    if max(ordinals, default=0) >= len(names) or (not ordinals and any(map(language.is_another, before))):
        return None  # "the other one is called Wedding" tells of one more
    spoken += ordinals
    if is_called and len({*spoken}) == 1:
        return spoken[0]
    if len(near) == 1 and (not spoken or {*spoken} == {*near}):
        return near[0]
    return 0 if is_called and len(names) == 1 and not spoken else None
