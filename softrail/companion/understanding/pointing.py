"""What rests on what was just shown, told or changed, and what puts a note right: "no, it's July", "note 2: 1,500 not 1,450"."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from softrail import Intent
from softrail.companion.catalogue import ARCHIVE, EDIT, EDIT_TO_WHAT, PAST, RENAME, SAVE, SEARCH
from softrail.companion.memory.service import Notes
from softrail.companion.memory.undoing import Done
from softrail.companion.memory.values import ProjectDetail
from softrail.companion.understanding.amending import contrasted, is_value, mended, only_name
from softrail.companion.understanding.certain import certain, noted
from softrail.companion.understanding.clauses import clauses
from softrail.companion.understanding.matching import named
from softrail.companion.understanding.phrases import phrases
from softrail.companion.understanding.put_right import changed, put_right
from softrail.companion.understanding.wish_words import names_of
from softrail.companion.understanding.wishes import bare_deed, note_named, numbers_named, wishes
from softrail.plugin import Focus

_ONE: Final = re.compile(r"note (\d+)")
_NUMBERED: Final = re.compile(
    r"(?:\b(?:in|of)\s+)?(?:\bnote\s+(?:number\s+|no\.?\s*)?|\bnumber\s+|#)#?\w+", re.IGNORECASE
)


class Pointed:
    """Reads it against the notes there are: what none of them bears out is no such thing."""

    def __init__(self, notes: Notes) -> None:
        self._notes = notes

    async def read(
        self, message: str, known: Mapping[str, Any], mine: Sequence[ProjectDetail], *, here: str | None
    ) -> Intent | None:
        """What rests on a note, or on a project, that was just shown, told or changed; or puts a note right by its number."""
        person_id, focus = known.get("person_id"), known.get("focus")
        if not isinstance(person_id, str):
            return None
        if (bare := await self._bare_deed(message, person_id, known)) is not None:
            return bare
        numbered = (phrases().numbered_text(message) or phrases().numbered_value(message)) is not None
        if noted(message) is not None and not numbered:
            return None
        beside = any(clause.wish for clause in clauses(message, names_of(mine)))  # then each by itself
        if here is not None and (other := await changed(self._notes, message, person_id, here)) is not None:
            return other
        if here is not None and (numbered or not beside):
            right = await put_right(self._notes, message, person_id, here)
            if right is not None:
                return right
        if (rewritten := phrases().notes.rewrites(message)) is not None and is_value(rewritten[1]):
            number, value = rewritten
            note = await self._notes.get(person_id, here, number) if here is not None else None
            if note is not None and mended(note.text, value) is not None:
                return certain(EDIT, "gives a value of a note", told=value, numbers=[number])
        if here is not None and not beside:
            amended = await self.amended(message, person_id, here)
            if amended is not None:
                return amended
        if here is not None and (asked := await self._asked_of_told(message, person_id, here)) is not None:
            return asked
        if not isinstance(focus, Focus):
            return None
        if phrases().notes.shows_them(message) and focus.intent in (PAST, SEARCH):
            return certain(PAST, "asks for the notes that were spoken of")
        return await self._of_the_last(message, person_id, str(known.get("session_id")), focus, mine)

    async def _bare_deed(self, message: str, person_id: str, known: Mapping[str, Any]) -> Intent | None:
        """What is to become of the note just told or changed, or shown alone, in a word: "save", "and keep too"."""
        state, focus = bare_deed(message), known.get("focus")
        if state is None:
            return None
        spoken = await self._notes.spoken_of(person_id, str(known.get("session_id")))
        if spoken is not None and spoken.just and len(spoken.notes) == 1:
            number, where = spoken.notes[0].number, spoken.project_id
        elif isinstance(focus, Focus) and focus.note is not None and focus.project is not None:
            number, where = focus.note, focus.project
            if not await self._notes.named_last(person_id, str(known.get("session_id")), number):
                return None
        else:
            return None
        return certain(SAVE, "names a deed alone", numbers=[number], state=state, project_id=where)

    async def amended(self, message: str, person_id: str, project_id: str) -> Intent | None:
        """What a note of that number is said to be: "note 2: 1,500 not 1,450"."""
        if not phrases().amends(message) or phrases().asks(message):
            return None
        numbers = phrases().note_numbers(message) or tuple(numbers_named(message))
        if not numbers and (found := _ONE.fullmatch(note_named(message))) is not None:
            numbers = (int(found[1]),)  # "in note seven it's …"
        if len(numbers) != 1 or phrases().notes.rewrites(message) is not None:
            return None
        note = await self._notes.get(person_id, project_id, numbers[0])
        told = re.sub(rf"\b{numbers[0]}\b", " ", _NUMBERED.sub(" ", message))
        if note is None or mended(note.text, told) is None:
            return None
        why = "says what is wrong in a note"
        return certain(EDIT, why, told=told, numbers=[note.number], project_id=project_id)

    async def _asked_of_told(self, message: str, person_id: str, project_id: str) -> Intent | None:
        """A question whose "his" or "it" stands for what is told before it: "someone repaired the oven, what was his name?"."""
        told, _, asked = message.rpartition(", ")
        if not told or phrases().asks(told) or not phrases().asks_of_them(asked):
            return None
        if not await self._notes.about(person_id, project_id, told, limit=1):
            return None
        found = certain(PAST, "asks of what it tells", asked=told, project_id=project_id)
        return found if phrases().asks_of_it(asked) else replace(found, left_over=told)

    async def _of_the_last(
        self, message: str, person_id: str, session_id: str, focus: Focus, mine: Sequence[ProjectDetail]
    ) -> Intent | None:
        """What is said of what the last turn showed, told or changed."""
        said, state = phrases().amends_it(message), phrases().wanted(message)
        if not said and focus.intent == EDIT_TO_WHAT and not phrases().asks(message):
            said = message  # it was asked what it shall say
        read = wishes(message, names_of(mine))
        asks = phrases().asks_of_it(message) or phrases().notes.shows_it(message)
        if not (said or state or asks or (read.sure and read.mends)):
            return None
        done = await self._notes.last_done(person_id, session_id)
        if done is not None and (said or state or read.mends):
            if (instead := _instead_of(done, message, said, state, mine)) is not None:
                return instead
            became = any(change.became for change in done.changes)
            if read.sure and read.mends and became and any(w.which.numbers for w in read.clauses):
                return certain(SAVE, "means another note than was just changed")
        if not (said or asks):
            return None
        spoken = await self._notes.spoken_of(person_id, session_id)
        where, number = focus.project, focus.note
        kept = [change for change in done.changes if change.became] if done is not None else []
        if said and is_value(said) and len(kept) == 1 and kept[0].became == "saved":
            where, number = kept[0].project_id, kept[0].number  # "actually the 13th", of the one just saved
            kept = []
        elif spoken is not None and spoken.just:
            where = spoken.project_id
            number = spoken.notes[0].number if len(spoken.notes) == 1 else None
        elif number is not None and not await self._notes.named_last(person_id, session_id, number):
            return None  # it was shown some time ago, and something else may be meant
        if where is None or number is None:
            return None
        if said and kept:
            denies = read.mends and phrases().negates(said)
            return certain(SAVE, "means another note than was just changed") if denies else None
        if asks:
            return certain(PAST, "asks of the note just spoken of", numbers=[number], project_id=where)
        note = await self._notes.get(person_id, where, number)
        if note is None or mended(note.text, said) is None:
            return None
        why = "says what is wrong in the note just spoken of"
        return certain(EDIT, why, told=said, numbers=[number], project_id=where)


def _instead_of(
    done: Done, message: str, said: str, state: str, mine: Sequence[ProjectDetail]
) -> Intent | None:
    """What should have become of a note or a project instead of what the last turn did with it."""
    if state and len(done.changes) == 1:
        change = done.changes[0]
        why = "says what should have become of the note just changed"
        return certain(SAVE, why, numbers=[change.number], state=state, project_id=change.project_id)
    if not said or done.changes or len(done.projects) != 1:
        return None
    one = done.projects[0]
    if one.name_after is not None and one.name_before is not None:
        before = one.name_after
        name = contrasted(before, said) or only_name(said) or mended(before, said)
        name = name or phrases().new_name(f"to {said}", before)
        why = "says what the project just renamed is to be called"
        return certain(RENAME, why, project_id=one.project_id, called=name) if name else None
    others = [other for other in named(message, mine) if other.id != one.project_id]
    if one.archived_after is None or one.made or len(others) != 1:
        return None
    why = "means another project than was just put aside or brought back"
    return certain(
        ARCHIVE, why, project_id=others[0].id, instead_of=one.project_id, archived=one.archived_after
    )
