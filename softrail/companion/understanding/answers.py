"""What answers a question: notes by its words, in parts, in another project, or near it in meaning; in this order."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from softrail import Intent, IntentDefinition
from softrail.companion.memory.service import Notes
from softrail.companion.memory.values import ProjectDetail
from softrail.companion.understanding.answering import answered_elsewhere, from_notes
from softrail.companion.understanding.by_meaning import ByMeaning
from softrail.companion.understanding.matching import named
from softrail.companion.understanding.phrases import phrases
from softrail.plugin import Classifier

#: Two questions, or a question and what is said beside it.
_PARTS: Final = re.compile(r"[,;.!?]\s+(?:and\s+)?|\s+and\s+", re.IGNORECASE)
_MOST_ASKED: Final = 3  #: questions of one message that are looked up


class Answers:
    """Looks into the notes for a question, whatever it was read as."""

    def __init__(self, inner: Classifier, notes: Notes, meaning: ByMeaning) -> None:
        self._inner = inner
        self._notes = notes
        self._meaning = meaning

    async def said(
        self,
        person_id: str,
        project_id: str,
        question: str,
        found: Intent,
        candidates: Sequence[IntentDefinition],
        *,
        as_: str,
    ) -> Intent | None:
        """The look at notes that have the words of a question; `as_` is how it was read."""
        return await from_notes(self._notes, person_id, project_id, question, found, candidates, said=as_)

    async def apart(
        self,
        known: Mapping[str, Any],
        project_id: str,
        message: str,
        found: Intent,
        candidates: Sequence[IntentDefinition],
    ) -> Intent | None:
        """The look into the notes that parts of a message mean: "when do we shut, and who's the landlord", "what was it, I forget"."""
        if not found.is_talk or found.confidence >= 1.0 or found.also:
            return None
        pieces = [piece.strip() for piece in _PARTS.split(message) if piece.strip(" ?.!")]
        asking = [piece for piece in pieces if phrases().asks(piece)][:_MOST_ASKED]
        if len(pieces) < 2 or not asking:
            return None
        looked: list[Intent] = []
        for piece in asking:
            read = await self._inner.classify(piece, candidates, context=known)
            person_id = known["person_id"]
            look = await self.said(person_id, project_id, piece, read, candidates, as_=piece)
            look = look or await self._meaning.may_answer(person_id, project_id, piece, read)
            if look is not None:
                looked.append(look)
        numbers = [n for one in looked for n in one.parameters.get("numbers", ())]
        if not numbers:
            return looked[0] if looked else None
        may = any("may" in one.parameters for one in looked)
        where = {
            "numbers": list(dict.fromkeys(numbers)),
            "project_id": project_id,
            **({"may": True} if may else {}),
        }
        return replace(looked[0], parameters=where)

    async def otherwise(
        self, person_id: str, mine: Sequence[ProjectDetail], here: str | None, question: str, found: Intent
    ) -> Intent | None:
        """The look that another project answers a question by, or notes near it in meaning: there, where it is named."""
        others = [one for one in mine if not one.archived and one.id != here]
        if elsewhere := await answered_elsewhere(self._notes, person_id, others, question, found):
            return elsewhere
        there = named(question, others)
        where = there[0].id if len(there) == 1 else here
        return (
            await self._meaning.may_answer(person_id, where, question, found) if where is not None else None
        )
