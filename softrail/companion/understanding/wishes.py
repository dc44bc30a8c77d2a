"""What a message wants done with notes and projects, clause by clause: what becomes of which, and what is left alone.

A wish counts only where every word of the message is one that is known to say this and nothing else. A name, a report, a
condition or a time is no such word, so whatever holds one is at most guessed at, and is asked about.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Final, Literal

from softrail.companion.understanding.phrases import vocabulary
from softrail.companion.understanding.wish_reader import NUMBERED, WishReader
from softrail.companion.understanding.wish_values import FOR_NOTES, Which, Wish, Wishes
from softrail.companion.understanding.wish_words import Part, few, parts, standing_in, tells

_READ: Final = 2_000  #: characters of a message that are looked at
_KEPT: Final = 256  #: texts whose wishes are known still: one turn asks for them again and again
_DEED: Final = 2  #: words of one: what is to be done, and with what
_DEEDS: Final = ("saved", "withdrawn", "edited")
_OBJECTS: Final = ("all", "waiting", "note", "number", "both", "last", "it", "kept")
_NAMING: Final = 6  #: words that name a note


def wishes(message: str, names: Mapping[str, str] | None = None) -> Wishes:
    """What a message wants done with notes, and with the projects of these names (as `as_said`, to their ids)."""
    said = message[:_READ]
    return _wishes(said, standing_in(said, names or {}))


@lru_cache(_KEPT)
def _wishes(said: str, names: Sequence[tuple[str, str]]) -> Wishes:
    found = parts(said, dict(names))
    reader = WishReader(found, said)
    told = reader.clauses()
    clauses = [_of_notes(wish) for wish in told]
    sure = not reader.unknown and any(wish.which.named for wish in clauses)
    marked = any(part.kind == "note" for part in found)
    return Wishes(
        clauses=tuple(clauses),
        sure=sure,
        mends=reader.mended_first,
        described=reader.described,
        nearly=clauses != told
        or any(part.slipped for at, part in enumerate(found) if at not in reader.quoted),
        explicit=marked
        or len(clauses) > 1
        or reader.mended
        or any(_not_a_lone_number(w.which) for w in clauses),
    )


def _telling() -> Sequence[str]:
    """Words that begin what is told of something."""
    return list(vocabulary()["tell"]["words"])


def _of_notes(wish: Wish) -> Wish:
    """The wish as it can be had: a note is not archived, it is withdrawn."""
    which = wish.which
    notes = bool(which.numbers or (which.by_content and which.of != "project") or which.of == "note")
    nearest = FOR_NOTES.get(wish.state) if wish.state is not None else None
    if notes and nearest is not None and not (which.projects or which.here):
        return replace(wish, state=nearest)
    return wish


def speaks_of_notes(message: str) -> bool:
    """It says "note", or what may be done with one: it is no content of a note, whatever it wants."""
    said = parts(message[:_READ], {})
    kinds = {part.kind for part in said if not part.slipped}
    return "note" in kinds or bool(kinds & {"saved", "withdrawn", "edited"} and not tells(said))


def names_notes(message: str) -> bool:
    """It has the very word: "the notes", "my note"."""
    return any(
        part.kind == "note" and part.word in ("note", "notes") and not part.slipped
        for part in parts(message[:_READ], {})
    )


def numbers_named(message: str) -> Sequence[int]:
    """The numbers of notes that it names in a row: "notes 2, 5 and 6"."""
    named = [wish.which for wish in wishes(message).clauses] if names_notes(message) else []
    return [number for which in named for number in which.numbers]


def note_named(message: str) -> str:
    """The one note that what is told speaks of, in words that name it: "note 6", "the note about the window"; else "".

    It is found as what would be saved: the words around it tell of it, and wish nothing.
    """
    said = parts(message[:_READ], {})
    numbers = _behind_note(said) if names_notes(message) else []
    if len(numbers) == 1:
        return f"note {numbers[0]}"
    for at, part in enumerate(said):
        if part.kind not in ("filler", "it", "note") or part.slipped:
            continue
        for end in range(min(len(said), at + _NAMING), at, -1):
            words = message[part.start : said[end - 1].end]
            read = wishes(f"save {words}")
            if read.sure and len(read.clauses) == 1 and len(read.clauses[0].which.about) == 1:
                about = read.clauses[0].which.about[0]
                told = next((n for n, word in enumerate(about.split()) if n and word in _telling()), None)
                return f"the note about {about if told is None else ' '.join(about.split()[:told])}"
    return ""


def _behind_note(said: Sequence[Part]) -> Sequence[int]:
    """The numbers that stand behind "note", or in a row behind one that does: a price is none."""
    found: list[int] = []
    row = -1  #: where the last of them stands
    for at, part in enumerate(said[1:], start=1):
        before = said[at - 1]
        goes_on = row == at - 2 >= 0 and before.kind in ("and", "to")
        if part.kind in ("number", "few") and (before.word in NUMBERED or goes_on):
            found.append(int(part.word) if part.kind == "number" else few()[part.word])
            row = at
    return found


def bare_deed(message: str) -> Literal["saved", "withdrawn"] | None:
    """What is to be done, where it says nothing else: "save", "and keep too, please"."""
    said = [part for part in parts(message[:_READ], {}) if part.kind not in ("filler", "ask", "and", "end")]
    if len(said) != 1 or said[0].slipped or said[0].kind not in ("saved", "withdrawn"):
        return None
    return "saved" if said[0].kind == "saved" else "withdrawn"


def begins_with_deed(message: str) -> bool:
    """It begins with what is to be done with a note, and its number: "drop 4 …"."""
    said = [part for part in parts(message[:_READ], {}) if part.kind not in ("filler", "ask", "note")]
    return len(said) > 1 and said[0].kind in ("saved", "withdrawn") and said[1].kind == "number"


def wishes_for(message: str) -> bool:
    """It begins with what is to be done with notes: "save all the waiting ones besides …"; "save water" tells."""
    said = [part for part in parts(message[:_READ], {}) if part.kind not in ("filler", "ask")]
    if len(said) < _DEED or said[0].kind not in _DEEDS or said[0].slipped or tells(said):
        return False
    return said[1].kind in _OBJECTS


def of_all(message: str) -> tuple[Wish, str] | None:
    """What is to be done with all notes but some, or with some of them, and the words that say which.

    "Keep the lot bar the window one": where not every word is known, it is not said whether those are meant or spared.
    """
    said = [part for part in parts(message[:_READ], {}) if part.kind not in ("filler", "ask")]
    if len(said) <= _DEED or said[0].kind not in ("saved", "withdrawn") or said[0].slipped or tells(said):
        return None
    which = next((part for part in said[1:] if part.kind != "note"), said[0])
    words = [part.word for part in said[_DEED:] if part.kind == "unknown"]
    if which.kind not in ("all", "waiting", "kept") or not words:
        return None
    of = wishes(f"{said[0].word} {which.word}").clauses
    return (of[0], " ".join(words)) if len(of) == 1 else None


def takes_away(message: str) -> bool:
    """It begins with a wish to take something away, and of what is not understood."""
    said = [part for part in parts(message[:_READ], {}) if part.kind not in ("filler", "ask")]
    if not said or said[0].kind != "withdrawn" or said[0].slipped or tells(said):
        return False
    return not any(wish.which.named for wish in wishes(message).acts)


def _not_a_lone_number(which: Which) -> bool:
    several = which.it or which.all or which.both or bool(which.last) or len(which.numbers) > 1
    return several or which.but is not None
