"""What a question beside a plan is answered with: facts, then attached documents, then what is generally known, marked so."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from softrail import Turn
from softrail.companion.understanding.answering import MAY_ANSWER
from softrail.plans.answering import Say, answer, names_something, quoted, unknown
from softrail.plans.documents.asking import Documents, Found, Note
from softrail.plans.documents.meaning import BY_DOCUMENT
from softrail.plans.documents.passages import Passage, calls
from softrail.plans.documents.phrasing import phrased
from softrail.plans.forms.conclusions import overview
from softrail.plans.intents import DETAIL, PROVENANCE, SUMMARY
from softrail.plans.requests import Requests
from softrail.plans.thinking.knowing import generally_known
from softrail.plans.values import Standing

_MOST_NOTES: Final = 3  #: documents of which it is told that they are not searched


class Inquiry:
    """Answers questions."""

    def __init__(self, documents: Documents, requests: Requests, say: Say) -> None:
        self._documents = documents
        self._requests = requests
        self._say = say

    async def answered(self, said: Turn, standing: Standing) -> str | None:
        """What is said to a question; None: it was heard for the words of a document alone, and none answers it."""
        intent = said.intent.name if said.intent is not None else SUMMARY
        told = answer(intent, said.message, standing)
        of_plan = intent in (DETAIL, PROVENANCE)
        named = names_something(said.message, standing)
        if intent == SUMMARY or (told and not of_plan and named):
            return told or await self._unknown(said, standing, of_plan=True)
        found = await self._in_documents(said, named=named, surely=of_plan)
        if found.passages:
            quote = await self._quoted(said, standing, found.passages)
            if quote is not None:
                return quote
            if said.intent is not None and said.intent.parameters.get(BY_DOCUMENT):
                return None
        return told or await self._beyond(said, standing, found.notes, of_plan=of_plan)

    async def _in_documents(self, said: Turn, *, named: bool, surely: bool) -> Found:
        """What documents say of a question: half of its words are enough where it names nothing of the plan.

        In one that does, or is read as about the plan, a passage has to have every word; in one that is both, none is looked for.
        """
        if surely and named:
            return Found()
        found = await self._documents.about(said.person.id, said.session_id, said.message)
        needed = 1.0 if surely or named else MAY_ANSWER
        return replace(found, passages=[one for one in found.passages if one.share >= needed])

    async def _quoted(self, said: Turn, standing: Standing, found: Sequence[Passage]) -> str | None:
        """What documents say; in proof mode without a word of a model. None: the model finds that none answers."""
        told = ("", found) if standing.mode == "proof" else await phrased(said, found)
        if told is None:
            return None
        sentence, passages = told
        quote = quoted(passages, self._say)
        return f"{sentence}\n\n{quote}" if sentence else quote

    async def _beyond(self, said: Turn, standing: Standing, notes: Sequence[Note], *, of_plan: bool) -> str:
        """What is said where neither a fact nor a document answers.

        In proof mode no model's word is a conclusion, none is about what the plan finds out, and none stands in for a
        document that was called by its name and is not searched.
        """
        told = [one.told for one in notes[:_MOST_NOTES]]
        own = of_plan or names_something(said.message, standing)
        named = any(calls(said.message, one.document) for one in notes)
        if said.has_model and standing.mode != "proof" and not own and not named:
            known = await generally_known(said)
            if known is not None:
                marks = [self._say("nothing_done")] if known.claims else []
                return "\n".join([self._say("from_knowledge", answer=known.text), *marks, *told])
        return await self._unknown(said, standing, *told, of_plan=of_plan)

    async def _unknown(self, said: Turn, standing: Standing, *told: str, of_plan: bool) -> str:
        """That nothing is known of it, what was noticed on the way, and, where there is a choice yet, what data there is."""
        tables = overview(await self._requests.attached(said))
        chooses = tables and not (of_plan and standing.plan is not None)
        could = [self._say("could_be_analyzed", tables=tables)] if chooses else []
        return "\n".join([unknown(standing, self._say), *told, *could])
