"""What rests on what was shown or done before: "and 5 too", "the second one", "same for the vet one"; and notes by a word of theirs."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any, Final

from softrail import Intent
from softrail.companion.catalogue import ARCHIVE, CHOOSE, LIST, PAST, SAVE, SEARCH
from softrail.companion.memory.service import Notes
from softrail.companion.memory.stems import terms
from softrail.companion.memory.values import ProjectDetail
from softrail.companion.understanding.certain import certain
from softrail.companion.understanding.phrases import phrases, vocabulary
from softrail.companion.understanding.wish_words import few, parts
from softrail.companion.understanding.wishes import note_named, of_all, wishes
from softrail.plugin import Focus

_FEW: Final = 3  #: notes that share a word, of which none is meant by it
_WORDS: Final = 1_000
_TOPIC: Final = 4  #: words that mean a note by what it says
_PIECES: Final = re.compile(r"[,;.]\s+(?:and\s+|but\s+)?|\s+and\s+|\s+but\s+", re.IGNORECASE)
_NOTE: Final = frozenset(terms("note notes one ones", _WORDS))


class Following:
    """Reads it against what was listed, and against the notes there are."""

    def __init__(self, notes: Notes) -> None:
        self._notes = notes

    async def read(
        self, message: str, known: Mapping[str, Any], mine: Sequence[ProjectDetail]
    ) -> Intent | None:
        """What rests on what was shown or done before."""
        focus, which = known.get("focus"), phrases().one_of_those(message)
        if which and isinstance(focus, Focus) and focus.intent == LIST:
            listed = sorted(mine, key=lambda one: one.archived)
            at = which - 1 if which > 0 else len(listed) - 1
            if at < len(listed):
                return certain(CHOOSE, "is one of those listed", project_id=listed[at].id)
        here = (focus.project if isinstance(focus, Focus) else None) or known.get("project_id")
        if isinstance(here, str) and phrases().asks_for_the_last(message):
            newest = await self._notes.list(str(known["person_id"]), here, newest_first=True, limit=1)
            if newest:
                return certain(
                    PAST, "asks for the note told last", numbers=[newest[0].number], project_id=here
                )
        read = wishes(message)
        goes = read.sure and len(read.clauses) == 1 and read.clauses[0].state == "chosen"
        spoken = focus.project if isinstance(focus, Focus) else None
        if goes and read.clauses[0].which.it and spoken not in (None, known.get("project_id")):
            return certain(CHOOSE, "goes on with the project just spoken of", project_id=spoken)
        return None

    async def numbered(self, message: str, known: Mapping[str, Any]) -> str | None:
        """The message with numbers for notes by their place in what was listed: "keep the first one, the other two can go"."""
        focus, person_id, session_id = known.get("focus"), known.get("person_id"), known.get("session_id")
        of_projects = isinstance(focus, Focus) and focus.intent == LIST
        if of_projects or not isinstance(person_id, str) or _placed().search(message) is None:
            return None
        listed = await self._notes.listed(person_id, str(session_id))
        where = focus.project if isinstance(focus, Focus) else None
        where = where or known.get("project_id")
        if not listed or not isinstance(where, str):
            return None
        states = [await self._notes.get(person_id, where, number) for number in listed]
        waiting = [note.number for note in states if note is not None and note.state == "waiting"]
        unknown = False

        def number(found: re.Match[str]) -> str:
            nonlocal unknown
            count = (found["count"] or "").lower()
            if found["other"]:
                unknown = unknown or len(waiting) != (few().get(count, 1))
                return " and ".join(f"note {one}" for one in waiting)
            at = vocabulary()["about"]["ordinals"][found["place"].lower()]
            unknown = unknown or not 0 < at <= len(listed)
            return f"note {listed[at - 1]}" if 0 < at <= len(listed) else ""

        said = _placed().sub(number, message)
        read = wishes(said)
        named = any(wish.which.numbers for wish in read.clauses)
        shows = bool(phrases().note_numbers(phrases().to_be_shown(said)))  # "read me the first one"
        return said if ((named and read.sure) or shows) and not unknown else None

    async def topics(self, message: str, known: Mapping[str, Any], here: str | None) -> Intent | None:
        """What is to be done with notes that a word of theirs stands for: "keep the flour, bin the vet"; it is asked about."""
        pieces = [piece for piece in _PIECES.split(phrases().without_lead(message)) if piece.strip(" .!")]
        if here is None or phrases().asks(message):
            return None
        said: list[str] = []
        for piece in pieces:
            found = [part for part in parts(piece, {}) if part.kind not in ("filler", "ask", "end")]
            if len(found) < 2 or found[0].kind not in ("saved", "withdrawn") or found[0].slipped:
                return None
            if any(part.kind != "unknown" for part in found[1:]) or len(found) > _TOPIC + 1:
                return None
            number = await self._with_all(str(known["person_id"]), here, piece[found[1].start :])
            if number is None:
                return None
            said.append(f"{found[0].word} note {number}")
        if not said:
            return None
        plan = wishes(" and ".join(said))
        states = {n: wish.state for wish in plan.acts for n in wish.which.numbers}
        if len(states) != len(said):
            return None
        named = certain(SAVE, "names notes by a word of theirs", asks=True)
        return replace(named, text=" and ".join(said))

    async def some_of_all(self, message: str, known: Mapping[str, Any], here: str | None) -> Intent | None:
        """A wish for all notes but some, or for some of them, where it is not understood which: both are asked about."""
        found = of_all(message)
        if here is None or found is None or phrases().asks_state(message):
            return None
        some = await self._notes.about(known["person_id"], here, found[1], limit=1)
        why = "is a wish for all notes, with words that say which of them"
        return certain(SAVE, why, some=found[1]) if some else None

    async def likewise(self, message: str, known: Mapping[str, Any]) -> Intent | None:
        """The same for other notes as the turn before did: "and 5 too", "same for the vet one"."""
        person_id = known.get("person_id")
        if not phrases().notes.likewise(message) or not isinstance(person_id, str):
            return None
        read = wishes(message.rstrip("? "))
        if read.acts:
            return None  # "delete the one about the van, too" says itself what is wished for
        numbers = [number for wish in read.clauses for number in wish.which.numbers]
        plain = read.sure and numbers and not (read.acts or read.denied or read.mends)
        topic = "" if plain else phrases().notes.other_than_likewise(message)
        if not plain and not topic:
            return None
        done = await self._notes.last_done(person_id, str(known.get("session_id")))
        focus = known.get("focus")
        if plain and done is None and isinstance(focus, Focus) and focus.intent in (PAST, SEARCH):
            return certain(PAST, "asks for other notes than were just shown", numbers=numbers)
        changes = [change for change in done.changes if change.became] if done is not None else []
        states = {change.became for change in changes}
        places = {change.project_id for change in changes}
        if len(states) != 1 or len(places) != 1:
            why = "names notes, and nothing was done with others that could be done with them"
            return certain(PAST, why, numbers=numbers) if plain and done is not None else None
        where, state = places.pop(), states.pop()
        if not plain:
            called = note_named(f"the {topic}") or topic
            if not set(terms(topic, _WORDS)) - _NOTE <= set(terms(called, _WORDS)):
                return None  # it says more than which note: "ditch the one about the van, too"
            number = await self._with_all(person_id, where, called)
            numbers = [number] if number is not None else []
        why = "wishes for other notes what was just done"
        of_them: dict[str, Any] = {"numbers": numbers, "state": state, "project_id": where, "asks": not plain}
        return certain(SAVE, why, **of_them) if numbers else None

    async def put_aside(self, found: Intent, message: str, person_id: str, here: str) -> Intent | None:
        """The note that is meant by what is put aside: "i don't need the window one any more"; it is asked about."""
        topic = note_named(message) if found.name == ARCHIVE and found.confidence < 1.0 else ""
        number = await self._with_all(person_id, here, topic) if topic else None
        if number is None:
            return None
        why = f"{found.explanation}; it names a note"
        return certain(SAVE, why, numbers=[number], state="withdrawn", project_id=here, asks=True)

    async def _with_all(self, person_id: str, project_id: str, topic: str) -> int | None:
        """The number of the one note that has every word of a topic."""
        asked = set(terms(topic.removeprefix("the note about "), _WORDS)) - _NOTE
        some = await self._notes.about(person_id, project_id, topic, limit=_FEW)
        found = [note.number for note in some if asked and asked <= set(terms(note.text, _WORDS))]
        return found[0] if len(found) == 1 else None


@cache
def _placed() -> re.Pattern[str]:
    """A note by its place in what was listed, or the others of them."""
    places = "|".join(name for name, at in vocabulary()["about"]["ordinals"].items() if at > 0)
    counts = "|".join(few())
    return re.compile(
        rf"\bthe\s+(?:(?P<place>{places})|(?P<other>other))\b(?:\s+(?P<count>{counts}))?(?:\s+(?:one|ones|note|notes)\b)?",
        re.IGNORECASE,
    )
