"""What a question beside a plan is answered with: facts, then attached documents, then that nothing of it is known."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from softrail import Turn
from softrail.companion.answering import MAY_ANSWER
from softrail.plans.answering import Say, answer, names_something, quoted, unknown
from softrail.plans.documents.asking import Documents, Found, Note
from softrail.plans.documents.passages import Passage
from softrail.plans.documents.phrasing import phrased
from softrail.plans.intents import DETAIL, PROVENANCE, SUMMARY
from softrail.plans.values import Standing

_MOST_NOTES: Final = 3  #: documents of which it is told that they are not searched


class Inquiry:
    """Answers questions."""

    def __init__(self, documents: Documents, say: Say) -> None:
        self._documents = documents
        self._say = say

    async def answered(self, said: Turn, standing: Standing) -> str | None:
        """What is said to a question; None: it was heard for the words of a document alone, and none answers it."""
        intent = said.intent.name if said.intent is not None else SUMMARY
        told = answer(intent, said.message, standing)
        of_plan = intent in (DETAIL, PROVENANCE)
        if intent == SUMMARY or (told and not of_plan):
            return told or unknown(standing, self._say)
        found = await self._in_documents(said, standing, surely=of_plan)
        if found.passages:
            quote = await self._quoted(said, standing, found.passages)
            if quote is not None:
                return quote
            if said.intent is not None and said.intent.tier == "pattern":
                return None
        return told or self._with_notes(unknown(standing, self._say), found.notes)

    async def _in_documents(self, said: Turn, standing: Standing, *, surely: bool) -> Found:
        """What documents say of a question: half of its words are enough where no fact is its answer.

        In one that is read as about the plan, a passage has to have every word, and the question to name nothing of it.
        """
        if surely and names_something(said.message, standing):
            return Found()
        found = await self._documents.about(said.person.id, said.session_id, said.message)
        needed = 1.0 if surely else MAY_ANSWER
        return replace(found, passages=[one for one in found.passages if one.share >= needed])

    async def _quoted(self, said: Turn, standing: Standing, found: Sequence[Passage]) -> str | None:
        """What documents say; in proof mode without a word of a model. None: the model finds that none answers."""
        told = ("", found) if standing.mode == "proof" else await phrased(said, found)
        if told is None:
            return None
        sentence, passages = told
        quote = quoted(passages, self._say)
        return f"{sentence}\n\n{quote}" if sentence else quote

    def _with_notes(self, told: str, notes: Sequence[Note]) -> str:
        return "\n".join([told, *(one.told for one in notes[:_MOST_NOTES])])
