"""In an application of its own: people have come for what that does, and hardly ever for the companion.

A wish of the companion's needs evidence there: of projects and notes, words for them or a project that there is; in the
middle of a process a reading surer than elsewhere, too. What has none is given back as not understood.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from softrail import Intent
from softrail.companion.catalogue import (
    ADD,
    CLARIFICATION,
    CREATE,
    OF_PROJECTS,
    PRIVACY,
    PROCESS_LENGTH,
    PROCESS_USE,
    REDO,
    SEED,
    STANDUP,
    STANDUPS,
    WORLD_NOW,
    declines_a_deed,
)
from softrail.companion.memory.values import ProjectDetail
from softrail.companion.understanding.phrases import phrases
from softrail.companion.understanding.wishes import names_notes
from softrail.plugin import GENERAL, GREETING, HUMAN, language, normal

#: Processes in whose middle projects, notes and standups are what it is about.
_OURS: Final = frozenset([SEED, CLARIFICATION, "onboarding", STANDUP, "planning"])
_OF_IT: Final = frozenset([PRIVACY, PROCESS_LENGTH, PROCESS_USE])  #: what is asked of the process itself
_ANYWHERE: Final = frozenset([HUMAN, GREETING, GENERAL])  #: what is as likely there as elsewhere
_SURELY: Final = 0.90  #: from which on something else is meant by what is said there
_NEED_ONE: Final = (*OF_PROJECTS, STANDUPS)  #: of no use to who has no project, or never held a standup
_WORD: Final = re.compile(r"\w+")
_PROJECTS: Final = frozenset(["project", "projects"])


def of_no_use(message: str, mine: Sequence[ProjectDetail], *, authors: bool) -> Sequence[str]:
    """The intents that are of no use to who says it in an application of its own, and has no project."""
    return (ADD, *_NEED_ONE) if authors and not mine and not _speaks_of_ours(message) else ()


def said_here(
    found: Intent, message: str, known: Mapping[str, Any], mine: Sequence[ProjectDetail], *, authors: bool
) -> Intent:
    """What was read, or nothing where there is too little for it.

    Args:
        found: What was read.
        message: What was said.
        known: In the middle of which process it was said, where one is under way, and what is asked there.
        mine: The projects of whoever said it.
        authors: The application has processes of its own: who has no project has hardly come for one.
    """
    process, asked = str(known.get("under_way") or ""), str(known.get("asked") or "")
    within = bool(process) and process not in _OURS
    if found.tier == "model" or not (within or (authors and not mine and not process)):
        return found
    unserved = {CREATE, *of_no_use(message, mine, authors=authors)}
    left = [one for one in found.candidates if one.intent not in unserved]
    if _may_be(found, message, mine, asked, within=within):
        also = tuple(one for one in found.also if _may_be(one, message, mine, asked, within=within))
        near = left if found.tier == "default" else found.candidates  # it is asked whether it is one of them
        return replace(found, also=also, candidates=near)
    return replace(
        found,
        name=GENERAL,
        tier="default",
        confidence=0.0,
        parameters={},
        candidates=[] if within else left,
        ambiguous=False,
        missing=(),
        also=(),
        explanation=f"{found.explanation}; too little for that here",
    )


def _may_be(found: Intent, message: str, mine: Sequence[ProjectDetail], asked: str, *, within: bool) -> bool:
    if found.name in _ANYWHERE or found.name.startswith("start_"):
        return True
    if found.name in _OF_IT:  # "the garden question: yes, shared" does not ask who sees it
        return not within or found.confidence >= _SURELY or _asks(message)
    if not mine and found.name in _NEED_ONE and not _speaks_of_ours(message):
        return False
    if not mine and found.name == ADD and found.confidence < 1.0:
        return False
    if found.name == CREATE:  # none is begun on a guess: "we need somewhere to live"
        return bool(mine) or found.confidence >= _SURELY or _speaks_of_ours(message)
    if not within:
        return True
    # A question is to be said again; and what the companion declines, the application may well do.
    declined = declines_a_deed(found.name) or (found.name == WORLD_NOW and _is_of(asked, message))
    return found.confidence >= _SURELY and found.name != REDO and not declined


def _is_of(asked: str, message: str) -> bool:
    """It has a word of the open question: "which day is free?" to "Which day would you like to come?" is of no other."""
    both = {*_WORD.findall(normal(asked))} & {*_WORD.findall(normal(message))}
    words = language()
    idle = (words.is_choosing_word, words.asks_of_you, phrases().asks_what)
    return not all(any(is_one(word) for is_one in idle) for word in both)


def _asks(message: str) -> bool:
    """It is a question, or says what somebody wants to know: "I'd like to know what this is for"."""
    words = message.split()
    return phrases().asks(message) or any(map(phrases().asks_what, words))


def _speaks_of_ours(message: str) -> bool:
    """It has a word for what is kept here."""
    return not _PROJECTS.isdisjoint(normal(message).split()) or names_notes(message)
