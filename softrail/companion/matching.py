"""Which file is meant: the one whose title and type share most words with what is wanted."""

import re
from collections.abc import Sequence
from typing import Final

from softrail.companion.phrases import phrases
from softrail.companion.values import Artifact
from softrail.plugin import normal

_WORD: Final = re.compile(r"[^\W_]+")


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
