"""What is asked to be shown, where the whole message names nothing but kinds of things: "list my projects and my notes"."""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any, Final

from softrail import Intent
from softrail.companion.catalogue import (
    DESCRIBE,
    DOWNLOAD,
    LIST,
    MEMBERS,
    PAST,
    PROGRESS,
    SHOW,
    STANDUPS,
    SUMMARISE,
)
from softrail.companion.understanding.certain import certain
from softrail.companion.understanding.phrases import vocabulary
from softrail.plugin import normal

_READ: Final = 200  #: characters of a message that are looked at
_JOINS: Final = frozenset(["and", "plus", "both", "also", ",", "&", ";"])
_WORD: Final = re.compile(r"[^\W_]+(?:['’][^\W_]+)*|[,;.!?&:/]")
#: The kinds of things by the names that the words of the language have for them.
_SHOWN: Final[Mapping[str, str]] = {
    "projects": LIST,
    "notes": PAST,
    "files": DOWNLOAD,
    "groups": SHOW.name,
    "members": MEMBERS,
    "standups": STANDUPS,
    "progress": PROGRESS,
    "contents": SUMMARISE,
    "description": DESCRIBE,
}
ANYTHING: Final = frozenset(_SHOWN.values())  #: what may be asked for


def looks(message: str, named: Collection[str]) -> Sequence[Intent]:
    """One intent for each kind of thing, in the order said; none where the message says anything else.

    `named` are the intents there are.
    """
    said = normal(message) if len(message) <= _READ else ""
    for phrase, word in _phrases():
        said = phrase.sub(f" {word} ", said)
    found: list[Intent] = []
    counts, waiting, joined = False, False, False
    words = _WORD.findall(said)
    for word in words:
        thing = _things().get(word)
        if thing is not None:
            intent = _SHOWN[thing]
            if waiting and intent != PAST:
                found.append(_waiting())
            told: dict[str, Any] = {}
            if intent == PAST:
                told = {"counts": True} if counts else {"waiting": True} if waiting else {}
            found.append(replace(certain(intent, "asks to be shown what there is", **told), text=word))
            counts = waiting = joined = False
        elif word == "howmany":
            counts = True
        elif word == "waiting":
            waiting = True
        elif word in _JOINS:
            joined = True
        elif word not in _little():
            return ()
    if waiting:
        if found and found[-1].name == PAST and not found[-1].parameters and not joined:
            found.pop()  # "are there any notes not saved yet"
        found.append(_waiting())
    if "who" in words and any(one.name != MEMBERS for one in found):
        return ()  # "who can see my notes"
    if len(found) == 1:
        found = [replace(found[0], text="")]
    return found if all(one.name in named for one in found) else ()


def asked_for(message: str, titles: Sequence[str]) -> str:
    """The title of the file that the message says, alone or with words that only ask for it; else ""."""
    said = normal(message) if len(message) <= _READ else ""
    for title in titles:
        rest = f" {said} ".replace(f" {normal(title)} ", " ", 1)
        if normal(title) and rest != f" {said} " and _file_words().issuperset(_WORD.findall(rest)):
            return title
    return ""


def _waiting() -> Intent:
    return replace(certain(PAST, "asks for the notes that wait", waiting=True), text="waiting notes")


@cache
def _file_words() -> frozenset[str]:
    return _little() | set(vocabulary()["file"]["little_words"])


@cache
def _things() -> Mapping[str, str]:
    return {word: kind for kind, listed in vocabulary()["look"]["things"].items() for word in listed}


@cache
def _little() -> frozenset[str]:
    return frozenset(vocabulary()["look"]["little"])


@cache
def _phrases() -> Sequence[tuple[re.Pattern[str], str]]:
    return tuple((re.compile(one, re.IGNORECASE), word) for one, word in vocabulary()["look"]["phrases"])
