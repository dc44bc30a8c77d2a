"""Readings that the words alone leave no doubt about, and readings that they rule out."""

import re
from collections.abc import Collection
from dataclasses import replace
from typing import Any, Final

from softrail import Intent
from softrail.companion.catalogue import ADD, DOWNLOAD, NOT_YET, PAST, PROGRESS, SAVE
from softrail.companion.phrases import phrases
from softrail.companion.values import Spoken
from softrail.companion.wishes import wishes
from softrail.plugin import GENERAL, Candidate, corrected, language

_MORE: Final = re.compile(r"[.!?;]\s|\n")  #: another sentence follows
_PARTS: Final = re.compile(r"[,;.!]")
_HARMLESS: Final = frozenset([PAST, PROGRESS, DOWNLOAD, *NOT_YET])  #: wishes that change nothing


def certain(name: str, why: str, **parameters: Any) -> Intent:
    """An intent that nobody could doubt."""
    found = Candidate(intent=name, confidence=1.0)
    return Intent(
        name=name,
        confidence=1.0,
        tier="exemplars",
        candidates=(found,),
        parameters=parameters,
        explanation=why,
    )


def noted(message: str) -> Intent | None:
    """A note, when the whole message asks for one; what follows is its text, whatever it holds."""
    text = _plain(corrected(phrases().aside(message) or ""))
    return certain(ADD, "asks for a note in so many words", knowledge_text=text) if text else None


def answered(message: str, spoken: Spoken | None) -> Intent | None:
    """What a bare yes or no does with the notes that the turn before this one made; None when it is neither."""
    waiting = [note.number for note in spoken.notes if note.state == "waiting"] if spoken else []
    if spoken is None or not (spoken.just and spoken.told and waiting):
        return None
    consent = language().consent(message)
    no = consent == "no" or phrases().notes.lets_go(message)
    if any(language().is_later(part) for part in _PARTS.split(message)) or not (no or consent == "yes"):
        return None
    state = "withdrawn" if no else "saved"
    why = f"answers whether note {waiting[0]} is to be kept"
    return certain(SAVE, why, numbers=waiting, state=state, project_id=spoken.project_id)


def by_words(message: str, named: Collection[str]) -> Intent | None:
    """A wish about notes, or talk, that the whole message says in so many words; `named` are the intents there are."""
    said = phrases().notes
    if PAST in named and said.shows(message):
        return certain(PAST, "asks for notes by number")
    if said.asks_who(message) or said.lets_go(message) or said.manages(message):
        return certain(GENERAL, "nothing that can be done here is wished for")
    read = wishes(message)
    several = sum(bool(one.which.numbers) for one in read.acts) > 1  # it is asked about at least
    wish = said.forgets_all(message) or said.rewrites(message) is not None or several
    wish = wish or (read.sure and read.explicit)
    return certain(SAVE, "is a wish about notes") if SAVE in named and wish else None


def ruled_out(found: Intent, message: str) -> str:
    """Why a message cannot mean what it was read as; "" when it can."""
    if found.tier == "model":
        return ""  # it may have understood that the question tells something
    if found.name == ADD and language().is_question(message):
        return "a question tells nothing"
    if found.name == SAVE and phrases().notes.asks(message):
        return "a question changes nothing"
    if found.name == SAVE and not phrases().notes.speaks_of_notes(message):
        return "it speaks of no note"
    return ""


def with_others(note: Intent, found: Intent, message: str) -> Intent:
    """The note with what else the message asks, where that is sure and nothing that was told is lost."""
    harmless = all(other.name in _HARMLESS for other in found.also)
    sure = found.name == ADD and all(one.tier == "exemplars" for one in (found, *found.also))
    said = [found.text, *(other.text for other in found.also), found.left_over]
    text = corrected(phrases().aside(found.text) or "")
    if not (found.also and sure and harmless and text) or len(" ".join(said).split()) < len(message.split()):
        return note
    parameters = {**note.parameters, "knowledge_text": _plain(text)}
    return replace(note, parameters=parameters, text=found.text, also=found.also, left_over=found.left_over)


def _plain(text: str) -> str:
    """One sentence without its full stop; several as they are."""
    one = _MORE.search(text) is None and not text.endswith("..")
    return text.removesuffix(".") if one else text
