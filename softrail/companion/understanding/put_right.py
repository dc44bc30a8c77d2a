"""What a note says and is told otherwise, without its being named: "the van fits eight, not nine", "at seven, please correct"."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from softrail import Intent
from softrail.companion.catalogue import EDIT
from softrail.companion.memory.service import Notes
from softrail.companion.memory.stems import terms
from softrail.companion.memory.values import Note
from softrail.companion.understanding.amending import contrasted, contrasts, is_value, mended, value_at_end
from softrail.companion.understanding.certain import certain
from softrail.companion.understanding.phrases import phrases

_MOST: Final = 5  #: notes that are looked at
_WORDS: Final = 1_000
_NOTE: Final = frozenset(terms("note notes one", _WORDS))
_ALIKE: Final = 2  #: words that a fact and the note it puts right have in common


async def put_right(notes: Notes, message: str, person_id: str, project_id: str) -> Intent | None:
    """The change of the one note that a message tells otherwise, or by its number; it is shown first."""
    whole = phrases().numbered_text(message)
    if (numbered := whole or phrases().numbered_value(message)) is not None:
        return await _numbered(notes, *numbered, person_id, project_id, whole=whole is not None)
    fact, asked = phrases().to_put_right(message)
    if phrases().asks(fact) or not (asked or contrasts(fact)):
        return None
    found = await notes.about(person_id, project_id, fact, limit=_MOST)
    said = set(terms(fact, _WORDS))
    alike = [note for note in found if len(said & set(terms(note.text, _WORDS))) >= _ALIKE]
    fitting = [note for note in alike if contrasted(note.text, fact) is not None]
    if len(fitting) == 1:
        return _edit(fitting[0], {"told": fact})
    if not asked:
        return None
    fitting = [note for note in found if mended(note.text, fact) is not None]
    if len(fitting) == 1:
        return _edit(fitting[0], {"told": fact})
    best = _most_alike(found, said)
    return _edit(best, {"told": fact, "says": _sentence(fact)}) if best is not None else None


async def changed(notes: Notes, message: str, person_id: str, project_id: str) -> Intent | None:
    """The change of the one note that has all words of what is to be changed: "make the boxes 50"."""
    before, value = value_at_end(message)
    what = phrases().changed(before) if value else ""
    asked = set(terms(what, _WORDS)) - _NOTE
    if not asked or " to " in what:  # "change the note about the rent to The rent is 90"
        return None
    found = await notes.about(person_id, project_id, what, limit=_MOST)
    meant = [note for note in found if asked <= set(terms(note.text, _WORDS))]
    if len(meant) != 1 or mended(meant[0].text, value) is None:
        return None
    return _edit(meant[0], {"told": value})


async def _numbered(
    notes: Notes, number: int, text: str, person_id: str, project_id: str, *, whole: bool
) -> Intent | None:
    """The change of the note of that number; `whole`: it is to say that, where no value is exchanged."""
    note = await notes.get(person_id, project_id, number)
    if note is None:
        return None
    if mended(note.text, text) is not None:
        return _edit(note, {"told": text})
    return _edit(note, {"told": text, "says": _sentence(text)}) if whole and not is_value(text) else None


def _edit(note: Note, told: Mapping[str, Any]) -> Intent:
    return certain(EDIT, "tells otherwise what a note says", numbers=[note.number], **told)


def _most_alike(found: Sequence[Note], said: set[str]) -> Note | None:
    shared = [len(said & set(terms(note.text, _WORDS))) for note in found]
    best = [note for note, count in zip(found, shared, strict=True) if count and count == max(shared)]
    return best[0] if len(best) == 1 else None


def _sentence(fact: str) -> str:
    text = re.sub(r"[\s,]+instead$", "", fact.strip(" .,;!"), flags=re.IGNORECASE)
    return text[:1].upper() + text[1:]
