"""A fact that tells otherwise what a note says, or settles it: "tickets are nine now", "the window is done".

It is no note of its own before it is asked about: what the notes say then contradicts itself. Which note is meant is
evidence in the notes: it has what is told of, and little of that is not in it.
"""

import re
from functools import cache
from typing import Final

from softrail import Intent
from softrail.companion.catalogue import ADD, EDIT, NOT_YET, declines_a_deed
from softrail.companion.memory.service import Notes
from softrail.companion.memory.stems import terms
from softrail.companion.memory.values import Note
from softrail.companion.understanding.amending import mended, without_values
from softrail.companion.understanding.certain import certain
from softrail.companion.understanding.phrases import phrases, vocabulary
from softrail.companion.understanding.wishes import wishes
from softrail.plugin import language, normal

_MOST: Final = 5  #: notes that are looked at
_WORDS: Final = 1_000
_SHORTENED: Final = re.compile(r"['’](?:ve|s|re|d|ll|m)\b", re.IGNORECASE)
_LONGEST: Final = 200  #: characters of a fact that may be one of a note
_SURELY: Final = 2  #: words in common with a note, where nothing says that it has become otherwise
BESIDE: Final = "beside"  #: the parameter of a change: what is told, which may be a note of its own as well


async def told_anew(
    notes: Notes, message: str, found: Intent, person_id: str, project_id: str
) -> Intent | None:
    """The change of the one note that a fact may be about, to be asked about; None where it tells something else."""
    fact = _fact(message, found)
    talk = found.name in (ADD, EDIT, *NOT_YET) or found.is_talk
    if declines_a_deed(found.name) and normal(fact).partition(" ")[0] not in vocabulary()["seed"]["doers"]:
        return None  # "buy me a new window pane already" tells nothing
    if not talk or found.confidence >= 1.0 or found.also or found.tier == "model" or len(fact) > _LONGEST:
        return None
    if (
        phrases().asks(fact)
        or phrases().notes.likewise(fact)
        or phrases().supposes(fact)
        or wishes(fact).acts
    ):
        return None
    rest, count = _anew().subn(" ", _SHORTENED.sub("", fact))
    rest, thought = _thought().subn(" ", rest)
    some = await notes.about(person_id, project_id, rest, limit=_MOST)
    puts = [(note, _put(note.text, fact)) for note in some]
    fits = [(note, put, _fits(note, put, rest, marked=count > 0, thought=thought > 0)) for note, put in puts]
    most = max((shared for _, _, shared in fits), default=0)
    best = [(note, put) for note, put, shared in fits if most and shared == most]
    if len(best) != 1:
        return None
    note, put = best[0]
    told = {"told": fact, BESIDE: fact, "numbers": [note.number], "says": put or ""}
    return certain(EDIT, f"{found.explanation}; it tells otherwise what a note says", **told)


def _fact(message: str, found: Intent) -> str:
    """What is told, without thanks before it and words that say that it is told beside something."""
    beside = language().told_beside(message)
    fact = str(found.parameters.get("knowledge_text") or (beside.text if beside is not None else message))
    head, _, tail = fact.partition(", ")
    return (tail if tail and phrases().thanks(head) else fact).strip(" .!")


def _put(text: str, fact: str) -> str | None:
    """The text with a value of the fact in it; what a text begins with may be no name that another takes the place of."""
    put = mended(text, fact)
    return put if put is not None and put.split()[:1] == text.split()[:1] else None


def _fits(note: Note, put: str | None, fact: str, *, marked: bool, thought: bool) -> int:
    """How many words of what is told the note has, where it may be about that note; else 0."""
    there, subject = set(terms(note.text, _WORDS)), set(terms(without_values(fact), _WORDS))
    shared, others = len(there & set(terms(fact, _WORDS))), len(subject - there)
    otherwise = put is not None and put != note.text
    if not subject & there:
        return 0  # a name or a number alone says nothing of what is told of
    if marked:
        return shared if others < shared or (otherwise and others <= shared >= _SURELY) else 0
    return shared if otherwise and not others and shared >= (1 if thought else _SURELY) else 0


@cache
def _thought() -> re.Pattern[str]:
    return re.compile("|".join(vocabulary()["anew"]["thought"]), re.IGNORECASE)


@cache
def _anew() -> re.Pattern[str]:
    return re.compile("|".join(vocabulary()["anew"]["words"]), re.IGNORECASE)
