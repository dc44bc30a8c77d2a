"""Which file is meant: the one whose title and type share most words with what is wanted."""

import re
from collections.abc import Sequence
from typing import Final

from softrail.companion.memory.stems import terms
from softrail.companion.memory.values import Artifact, ProjectDetail
from softrail.companion.understanding.phrases import phrases
from softrail.plugin import normal

_WORD: Final = re.compile(r"[^\W_]+")
_TERMS: Final = 20


def best(wanted: str, known: Sequence[Artifact], *, but: str = "") -> list[Artifact]:
    """The files whose title and type share most words with what is wanted; an equal title alone wins.

    The words of `but`, such as the project's name, tell no file from another.
    """
    equal = [a for a in known if normal(a.title) == normal(wanted)]
    if equal:
        return equal
    asked = telling(wanted, but)
    scored = [(_shared(asked, _stems(f"{a.title} {a.type}")), a) for a in known]
    most = max((score for score, _ in scored), default=0)
    return [a for score, a in scored if score == most] if most else []


def newest_of_each_title(known: Sequence[Artifact]) -> list[Artifact]:
    """A file given again under its title takes the place of the one before; they come newest first."""
    newest: dict[str, Artifact] = {}
    for artifact in known:
        newest.setdefault(normal(artifact.title), artifact)
    return list(newest.values())


def _shared(asked: set[str], said: set[str]) -> int:
    """How many of the words asked for are there, whole or as a beginning: "spec" is one for a specification."""
    whole = asked & said
    begun = {word for word in asked - whole if len(word) > 3 and any(s.startswith(word) for s in said)}
    return len(whole) + len(begun)


def telling(wanted: str, project: str) -> set[str]:
    """The words that say which file is wanted."""
    return _stems(wanted) - _stems(project)


def _stems(text: str) -> set[str]:
    words = {word.casefold() for word in _WORD.findall(text[:2_000])}
    return {word.removesuffix("s") if len(word) > 3 else word for word in words} - phrases().little_words


def named(message: str, details: Sequence[ProjectDetail]) -> Sequence[ProjectDetail]:
    """The projects whose name the message says; where it says none whole, those it says a telling word of."""
    whole = [one for one in details if names(message, one)]
    if whole:  # "Blue Harbor North" is not "Blue Harbor"
        return [
            one for one in whole if not any(other is not one and names(other.name, one) for other in whole)
        ]
    said = set(terms(message, 200))
    shared = {one.id: set(terms(one.name, _TERMS)) & said for one in details}
    return [
        one
        for one in details
        if any(sum(word in other for other in shared.values()) == 1 for word in shared[one.id])
    ]


def names(message: str, project: ProjectDetail) -> bool:
    """The message holds the project's name, whole words of it."""
    name, said = (" ".join(_WORD.findall(normal(text))) for text in (project.name, message))
    return bool(name) and f" {name} " in f" {said} "
