"""What takes back what the last turn did, in words that say it of that alone: "bring it back", "the old name was better".

Only what was just done makes them mean that: elsewhere something archived is brought back, and "the old one" is chosen.
"""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Final

from softrail import Intent
from softrail.companion.catalogue import UNDO
from softrail.companion.memory.service import Notes
from softrail.companion.memory.stems import terms
from softrail.companion.memory.undoing import Done
from softrail.companion.understanding.certain import certain
from softrail.companion.understanding.clauses import asks
from softrail.companion.understanding.phrases import phrases, vocabulary
from softrail.companion.understanding.wishes import wishes
from softrail.plugin import language, normal

_WHY: Final = 7  #: words that may say why something is taken back
_WORDS: Final = 1_000
CLAUSES: Final = re.compile(r"[,;.!?]\s+")
_NOTE: Final = frozenset(terms("note notes one ones", _WORDS))


async def taken_back(notes: Notes, message: str, known: Mapping[str, Any]) -> Intent | None:
    """It takes back what was just done; None where nothing was, or it may mean something else."""
    person_id, session_id = str(known.get("person_id")), str(known.get("session_id"))
    plainly, back = _takes_back(message), _wanted_back(message)
    old = any(pattern.search(message) for pattern in _of_the_old())
    if not (plainly or back is not None or old):
        return None
    done = await notes.last_done(person_id, session_id)
    if plainly and (done is not None or "undo" in normal(message).split()):
        return certain(UNDO, "takes back what was just done")
    if done is None:
        return None
    renamed = any(one.name_after is not None for one in done.projects)
    gone = any(change.after == "withdrawn" for change in done.changes)
    gone = gone or any(one.archived_after for one in done.projects)
    if (old and renamed) or (gone and back is not None and await _is_that(notes, back, done, person_id)):
        return certain(UNDO, "wants back what was just taken away")
    return None


def _takes_back(message: str) -> bool:
    """It takes back what was just done, if with a word on why: "that was a mistake, take it back"."""
    if language().is_undo(message):
        return True
    said = phrases().without_lead(message)
    pieces = [piece for piece in CLAUSES.split(said.strip()) if piece.strip(" .!?")]
    others = [piece for piece in pieces if not language().is_undo(phrases().without_lead(piece))]
    if not len(others) == 1 < len(pieces) or len(others[0].split()) > _WHY:
        return False
    return phrases().says_why(others[0]) and not _wished(others[0])


def _wished(piece: str) -> bool:
    read = wishes(piece)
    return asks(piece) or bool(read.acts) or read.denied


def _wanted_back(message: str) -> str | None:
    """What is wanted back, "" where it is only pointed at: "i want it back", "get the key one back"."""
    read = wishes(message)
    if read.sure and len(read.clauses) == 1 and read.clauses[0].state == "restored":
        return "" if read.clauses[0].which.it else None
    found = next((m for pattern in _back() if (m := pattern.fullmatch(message.strip()))), None)
    if found is None:
        return None
    what = found["what"]
    return "" if all(word in vocabulary()["undo"]["pointing"] for word in normal(what).split()) else what


async def _is_that(notes: Notes, back: str, done: Done, person_id: str) -> bool:
    """What is wanted back is what was taken away."""
    if not back:
        return True
    asked = set(terms(back, _WORDS)) - _NOTE
    gone = [await notes.get(person_id, one.project_id, one.number) for one in done.changes]
    return bool(asked) and any(one is not None and asked <= set(terms(one.text, _WORDS)) for one in gone)


@cache
def _back() -> Sequence[re.Pattern[str]]:
    return [re.compile(one, re.IGNORECASE) for one in vocabulary()["undo"]["back"]]


@cache
def _of_the_old() -> Sequence[re.Pattern[str]]:
    return [re.compile(one, re.IGNORECASE) for one in vocabulary()["undo"]["old"]]
