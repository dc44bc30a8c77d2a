"""What a turn brings beside its words, or in their place: files, a value."""

import json
from collections.abc import Iterable
from dataclasses import replace
from typing import Any, Final

from softrail.core.attachments import Attachment, wants_file
from softrail.core.border import is_id
from softrail.core.questions import Pending, Question
from softrail.core.reading import Command, Place, Reading
from softrail.core.sessions import Snapshot
from softrail.core.turns import Turn
from softrail.dialogue.context import Parts
from softrail.dialogue.draft import Draft
from softrail.dialogue.place import Standing

FILE: Final = Command(act="inform", layer="exact", target="file")  #: the turn brings a file as its answer
LOST: Final = Command(act="inform", layer="exact", target="lost")  #: a file that it brings is not there
_WAYS_OUT: Final = ("slash", "pause", "leave")


class Brought:
    """Looks up the files of a turn, finds words for one without any, and says what becomes of files."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    async def looked_up(self, turn: Turn, snapshot: Snapshot) -> Turn:
        """The turn with its files, and with words made from what came in their place.

        Where a file is asked for, its id may come as the value: that is what `pending.schema` says.
        """
        pending = snapshot.session.pending
        asked = _open_question(pending, snapshot)
        if turn.value is not None and asked is not None and wants_file(asked.answer_schema):
            given = turn.value if isinstance(turn.value, str) else ""
            turn = replace(turn, value=None, brought=turn.brought or (given,))
        if turn.brought:
            files, known = self._parts.attachments, [one for one in turn.brought if is_id(one)]
            found = await files.find(turn.person.id, turn.session_id, known) if files is not None else ()
            turn = replace(turn, attachments=tuple(found))
        if turn.message or (turn.value is None and not turn.brought):
            return turn
        made = names_of(turn.attachments) if turn.brought else _in_words(turn.value, asked)
        return replace(turn, message=made or "…", silent=True)

    async def read(self, draft: Draft, standing: Standing, place: Place) -> Reading | None:
        """What the turn does by its files; None: it is its words that count.

        Ways out are nobody's answer: they are heard although a file came along.
        """
        turn = draft.turn
        if not turn.brought:
            return None
        who = standing.asker or (standing.front if standing.offer is None else None)
        wanted = who is not None and who.question is not None and wants_file(who.question.answer_schema)
        lost = len(turn.attachments) < len(turn.brought)
        if not turn.silent:
            exact = await self._parts.reader.read(
                draft.message, replace(place, reads="exact"), locale=turn.person.locale
            )
            if exact.exactly(*_WAYS_OUT) is not None or not (wanted or lost):
                return None
        return Reading(message=draft.message, commands=(LOST if lost else FILE,))

    def note(self, draft: Draft) -> None:
        """Say of files that nobody took that they stay in the session."""
        left = [one for one in draft.turn.attachments if not _kept(draft, one)]
        if left and not draft.filed:
            draft.say_first(self._parts.sentences.say("file_kept", names=names_of(left)))


def names_of(files: Iterable[Attachment]) -> str:
    """What files are called, in one line."""
    return ", ".join(one.name for one in files)


def _open_question(pending: Pending | None, snapshot: Snapshot) -> Question | None:
    """The question that a value answers; above it there may be one about what was meant."""
    if pending is None or pending.doubted is None:
        return pending.question if pending is not None else None
    return next((one.question for one in snapshot.instances if one.id == pending.instance_id), None)


def _in_words(value: Any, asked: Question | None) -> str:
    """A value as the person would have said it: a yes or no by its button, several options by theirs."""
    if isinstance(value, bool):
        said = "yes" if value else "no"
        options = asked.options if asked is not None else ()
        return next((o.label for o in options if o.value == said), said)
    if isinstance(value, str):
        return value
    if isinstance(value, list) and all(isinstance(one, str | int | float) for one in value):
        labels = {o.means: o.label for o in asked.options} if asked is not None and asked.several else {}
        return "\n".join(labels.get(str(one)) or _in_words(one, None) for one in value)
    return json.dumps(value, ensure_ascii=False)


def _kept(draft: Draft, file: Attachment) -> bool:
    """Something that this turn keeps or does knows the file."""
    told = [i.data for i in draft.changed()]
    return any(file.id in text for text in told) or any(file.id in repr(e) for e in draft.effects)
